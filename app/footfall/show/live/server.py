"""Server of the page around Meshcat: one port for the page, its controls and the scene.

What is asked for below ``scene/`` is answered by Meshcat, its web socket included. One forwarded
port is therefore enough, whatever its number at the other end.

Any page that is open in a browser can send requests to this machine. They are answered if they name
this machine as their host and come from a page of this server. Where others reach the server, they
need the token in its address besides. Of what a browser sends on the web socket nothing reaches
Meshcat but answers to its pings: Drake ends the program for a message that it cannot read.
"""

import hmac
import ipaddress
import json
import re
import secrets
import socket
import threading
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qs, urlsplit

from footfall.errors import RunError
from footfall.run_folder import plain
from footfall.show.live.controls import Command, Controls

LOCAL = "localhost"
_EVERYBODY = "*"
_ADDRESSES = {LOCAL: "127.0.0.1", _EVERYBODY: "0.0.0.0"}  # noqa: S104 (what * asks for)
_LOWEST_PORT, _HIGHEST_PORT = 1024, 65535
_FIRST_PORT, _PORTS = 7100, 100
_CHUNK = 1 << 16
_MOST_BYTES = 100_000  # of a command
_PATIENCE = 20.0  # s
_OWN_HEADER = "X-Footfall"  # which a page from elsewhere cannot send
_FILES = {
    "": ("live.html", "text/html; charset=utf-8"),
    "live.js": ("live.js", "text/javascript; charset=utf-8"),
    "plots.js": ("plots.js", "text/javascript; charset=utf-8"),
    "live.css": ("live.css", "text/css; charset=utf-8"),
}
_IN_OWN_FRAMES = "frame-ancestors 'self'"
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    + _IN_OWN_FRAMES
)
_SCENE = "scene/"
_HOST = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]+)(?::\d+)?")  # a name and perhaps a port
_KEY = re.compile(r"[A-Za-z0-9+/]{22}==")
_SOCKET = (
    "GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
# of the first bytes of a frame on a web socket, RFC 6455 (5.2)
_WHOLE, _CLOSE, _PONG, _MASKED, _LONGEST_PONG = 0x80, 0x8, 0xA, 0x80, 125


class PageServer:
    """Serves the page in threads of its own until ``close``."""

    def __init__(
        self, controls: Controls, meshcat: str, host: str = LOCAL, port: int | None = None
    ) -> None:
        """Listen; port: None takes the first free one from 7100.

        meshcat: its address. host: a name or an address of this machine, "localhost" for this
        machine only; "*" for everybody. Raises RunError for a port that is taken or out of range,
        or a host that is not of this machine.
        """
        if port is not None and not _LOWEST_PORT <= port <= _HIGHEST_PORT:
            raise RunError(
                f"port {port} cannot be used: choose one from {_LOWEST_PORT} to {_HIGHEST_PORT}."
            )
        if not host.strip():
            raise RunError(f"the page has no host: give {LOCAL}, or {_EVERYBODY} for everybody.")
        tried = range(_FIRST_PORT, _FIRST_PORT + _PORTS) if port is None else [port]
        self._server = _first_free(host.strip("[] ").lower(), tried)
        scene = urlsplit(meshcat)
        self._server.controls = controls
        self._server.meshcat = scene.hostname or LOCAL, scene.port or 0
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Address of the page, with the token where one is needed."""
        return f"http://{self._server.name}:{self.port}{self._server.root}"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    """Server at a name or an address of this machine.

    name: as an address of a page has it. names: of hosts that requests may name, empty where a
    token keeps others out. root: what every path begins with, the token where there is one.
    """

    daemon_threads = True
    controls: Controls
    meshcat: tuple[str, int]

    def __init__(self, host: str, family: socket.AddressFamily, address: str, port: int) -> None:
        number = ipaddress.ip_address(address.partition("%")[0])
        name = LOCAL if number.is_unspecified else host
        self.name = f"[{name}]" if ":" in name else name
        self.names, self.root = set[str](), f"/{secrets.token_urlsafe(16)}/"
        if number.is_loopback:
            self.names, self.root = {self.name, str(number), LOCAL, "127.0.0.1", "[::1]"}, "/"
        self.address_family = family
        super().__init__((address, port), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep from the terminal what clients do wrong, who send anything and break off."""


def _first_free(host: str, ports: range | list[int]) -> _Server:
    """Return a server on the first port that is free."""
    which = f"port {ports[0]}" if len(ports) == 1 else f"ports {ports[0]} to {ports[-1]}"
    try:
        addresses = socket.getaddrinfo(_ADDRESSES.get(host, host), None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no name of a machine"
    else:
        # IPv4 where there is both, as those expect it who forward a port
        family, *_, address = min(addresses, key=lambda each: each[0] != socket.AF_INET)
        for port in ports:
            try:
                return _Server(host, family, str(address[0]), port)
            except OSError as error:
                reason = error.strerror or str(error)
    raise RunError(f"the page cannot be served on {host}, {which} ({reason}): choose another.")


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE

    def do_GET(self) -> None:
        """Send a file of the page, what it is told, or what Meshcat has."""
        place, _, query = self.path.removeprefix(self.server.root).partition("?")
        if not self._may_ask(place):
            self._refuse()
        elif place.startswith(_SCENE):
            if self.headers.get("Upgrade") is not None:
                self._connect()
            else:
                self._fetch(place.removeprefix(_SCENE))
        elif place in _FILES:
            name, kind = _FILES[place]
            self._send((files("footfall.show.live") / "page" / name).read_bytes(), kind)
        elif place == "about":
            about = {**self.server.controls.about, "version": self.server.controls.version}
            self._send_json(about)
        elif place == "state":
            asked = parse_qs(query)
            era, begin = (_whole(asked.get(name, ["0"])[0]) for name in ("era", "begin"))
            self._send_json(self.server.controls.snapshot(era, begin))
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Take a command."""
        place = self.path.removeprefix(self.server.root)
        size = _whole(self.headers.get("Content-Length", "0"))
        allowed = self._may_ask(place) and self.headers.get(_OWN_HEADER) is not None
        if not allowed or place != "do" or size > _MOST_BYTES:
            self._refuse()
            return
        with suppress(ValueError, RecursionError):
            given = json.loads(self.rfile.read(size))
            if isinstance(given, dict) and isinstance(given.get("do"), str):
                self.server.controls.put(Command(given["do"], given))
        self._send_json({})

    def log_message(self, *_arguments: object) -> None:
        """Keep the terminal to whoever started this."""

    def _may_ask(self, place: str) -> bool:
        """Return whether a request comes from a page of this server, or from no page at all.

        Names of hosts are looked at because a page from elsewhere may let its own name stand for
        this machine; their ports are not: a forwarded port has another number. place: below the
        address of the page, which other pages may have a link to.
        """
        token = self.path[: len(self.server.root)].encode()
        host, origin = (self.headers.get(key, "").lower() for key in ("Host", "Origin"))
        named, names = _HOST.fullmatch(host), self.server.names
        return (
            hmac.compare_digest(token, self.server.root.encode())
            and (named is not None and (not names or named[1] in names))
            and origin in {"", f"http://{host}", f"https://{host}"}
            and (place == "" or self.headers.get("Sec-Fetch-Site") in {None, "same-origin", "none"})
        )

    def _refuse(self) -> None:
        self.send_error(HTTPStatus.FORBIDDEN, "open the address that the program tells")

    def _send_json(self, values: dict[str, Any]) -> None:
        self._send(json.dumps(plain(values)).encode(), "application/json")

    def _send(self, body: bytes, kind: str, policy: str = _POLICY, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        self.wfile.write(body)

    def _fetch(self, place: str) -> None:
        """Send a file of Meshcat's."""
        asked = HTTPConnection(*self.server.meshcat, timeout=_PATIENCE)
        try:
            asked.request("GET", f"/{place}")
            answer = asked.getresponse()
            body, kind = answer.read(), answer.getheader("Content-Type", "text/html")
        except (OSError, HTTPException, ValueError):
            self.send_error(HTTPStatus.BAD_GATEWAY)
            return
        finally:
            asked.close()
        self._send(body, kind, _IN_OWN_FRAMES, answer.status)

    def _connect(self) -> None:
        """Connect a page with Meshcat's web socket until one of them has enough.

        A browser says from which page it connects; who does not is none.
        """
        key = self.headers.get("Sec-WebSocket-Key", "")
        if self.headers.get("Origin") is None or not _KEY.fullmatch(key):
            self._refuse()
            return
        self.close_connection = True
        self.connection.settimeout(None)
        with suppress(OSError), socket.create_connection(self.server.meshcat) as to:
            to.sendall(_SOCKET.format(host=self.server.meshcat[0], key=key).encode())
            back = threading.Thread(target=_copy, args=(to, self.connection), daemon=True)
            back.start()
            with suppress(OSError):
                _answer_pings(self.rfile, to)
            _end(to, self.connection)
            back.join()


def _answer_pings(browser: BufferedIOBase, meshcat: socket.socket) -> None:
    """Read frames of a web socket until it is closed, and pass on whole answers to pings alone."""
    while len(head := browser.read(2)) == 2:
        kind, size = head[0], head[1] & ~_MASKED
        if not head[1] & _MASKED or kind == _WHOLE | _CLOSE:
            return
        if kind == _WHOLE | _PONG and size <= _LONGEST_PONG:
            meshcat.sendall(head + browser.read(4 + size))
            continue
        if size > _LONGEST_PONG:
            size = int.from_bytes(browser.read(2 if size == 126 else 8), "big")
        left = 4 + size
        while left and (dropped := browser.read(min(left, _CHUNK))):
            left -= len(dropped)


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Send on what comes until nothing does."""
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    _end(source, target)


def _end(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def _whole(text: str) -> int:
    """Read a whole number from 0, 0 where there is none."""
    return int(text) if text.isdecimal() and len(text) < 12 else 0
