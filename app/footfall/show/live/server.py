"""Server of the page around Meshcat: one port for the page, its controls and the scene.

What is asked for below ``/scene/`` goes to Meshcat's own port on this machine, byte for byte, its
web socket included. One forwarded port is therefore enough, whatever its number at the other end.
"""

import json
import math
import socket
import threading
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from footfall.errors import RunError
from footfall.show.live.controls import Command, Controls
from footfall.show.meshcat import HIGHEST_PORT, LOWEST_PORT

LOCAL = "localhost"
_FIRST_PORT, _PORTS = 7100, 100
_CHUNK = 1 << 16
_MOST_BYTES = 100_000  # of a command
_PATIENCE = 20.0  # s
_OWN_HEADER = "X-Footfall"  # which a page from elsewhere cannot send
_FILES = {
    "/": ("live.html", "text/html; charset=utf-8"),
    "/live.js": ("live.js", "text/javascript; charset=utf-8"),
    "/plots.js": ("plots.js", "text/javascript; charset=utf-8"),
    "/live.css": ("live.css", "text/css; charset=utf-8"),
}
_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "frame-ancestors 'self'"
)
_SCENE = "/scene/"


class PageServer:
    """Serves the page in threads of its own until ``close``."""

    def __init__(
        self, controls: Controls, meshcat_port: int, host: str = LOCAL, port: int | None = None
    ) -> None:
        """Listen; port: None takes the first free one from 7100.

        host: "localhost" for this machine only, "*" for everybody. Raises RunError for a port that
        is taken or out of range, or a host that is not of this machine.
        """
        if port is not None and not LOWEST_PORT <= port <= HIGHEST_PORT:
            raise RunError(
                f"port {port} cannot be used: choose one from {LOWEST_PORT} to {HIGHEST_PORT}."
            )
        tried = range(_FIRST_PORT, _FIRST_PORT + _PORTS) if port is None else [port]
        self._server = _first_free(host, tried)
        self._server.controls, self._server.meshcat_port = controls, meshcat_port
        self._server.is_local = host == LOCAL
        self.port: int = self._server.server_address[1]
        self.host = host
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://{LOCAL if self.host == '*' else self.host}:{self.port}/"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    controls: Controls
    meshcat_port = 0
    is_local = True


def _first_free(host: str, ports: range | list[int]) -> _Server:
    """Return a server on the first port that is free."""
    address = {"*": "", LOCAL: "127.0.0.1"}.get(host, host)
    reason = ""
    for port in ports:
        try:
            return _Server((address, port), _Handler)
        except OSError as error:
            reason = error.strerror or str(error)
    which = f"port {ports[0]}" if len(ports) == 1 else f"ports {ports[0]} to {ports[-1]}"
    raise RunError(f"the page cannot be served on {host}, {which} ({reason}): choose another.")


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection."""

    server: _Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send a file of the page, what it is told, or what Meshcat has."""
        parts = urlsplit(self.path)
        if not self._may_ask():
            self.send_error(HTTPStatus.FORBIDDEN, "this page is for the machine that serves it")
        elif parts.path.startswith(_SCENE):
            self._pass_on()
        elif parts.path in _FILES:
            name, kind = _FILES[parts.path]
            self._send((files("footfall.show.live") / "page" / name).read_bytes(), kind)
        elif parts.path == "/about":
            about = {**self.server.controls.about, "version": self.server.controls.version}
            self._send_json(about)
        elif parts.path == "/state":
            asked = parse_qs(parts.query)
            era, begin = (_whole(asked.get(name, ["0"])[0]) for name in ("era", "begin"))
            self._send_json(self.server.controls.snapshot(era, begin))
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Take a command."""
        size = _whole(self.headers.get("Content-Length", "0"))
        allowed = self._may_ask() and self.headers.get(_OWN_HEADER) is not None
        if not allowed or self.path != "/do" or size > _MOST_BYTES:
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        with suppress(ValueError):
            given = json.loads(self.rfile.read(size))
            if isinstance(given, dict) and isinstance(given.get("do"), str):
                self.server.controls.put(Command(given["do"], given))
        self._send_json({})

    def log_message(self, *_arguments: object) -> None:
        """Keep the terminal to whoever started this."""

    def _may_ask(self) -> bool:
        """True if a request is from a page of this server, not from one of elsewhere.

        A forwarded port has another number, and may be on another machine's loopback.
        """
        if not self.server.is_local:
            return True
        host = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        return host in {LOCAL, "127.0.0.1", "[::1]"}

    def _send_json(self, values: dict[str, Any]) -> None:
        self._send(json.dumps(_plain(values)).encode(), "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(body)

    def _pass_on(self) -> None:
        """Send what Meshcat has, or connect its web socket until one side has enough."""
        place = self.path.removeprefix(_SCENE.rstrip("/"))
        if self.headers.get("Upgrade", "").lower() != "websocket":
            self._fetch(place)
            return
        self.close_connection = True
        kept = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
        with suppress(OSError), socket.create_connection((LOCAL, self.server.meshcat_port)) as to:
            to.sendall(f"GET {place} HTTP/1.1\r\n{kept}\r\n".encode("latin-1"))
            back = threading.Thread(target=_copy, args=(to, self.connection), daemon=True)
            back.start()
            _copy(self.connection, to)
            back.join()

    def _fetch(self, place: str) -> None:
        """Send a file of Meshcat's."""
        asked = HTTPConnection(LOCAL, self.server.meshcat_port, timeout=_PATIENCE)
        try:
            asked.request("GET", place)
            answer = asked.getresponse()
            body, kind = answer.read(), answer.getheader("Content-Type", "text/html")
        except OSError:
            self.send_error(HTTPStatus.BAD_GATEWAY)
            return
        finally:
            asked.close()
        self.send_response(answer.status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(body)


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Send on what comes until nothing does."""
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def _whole(text: str) -> int:
    """Read a whole number from 0, 0 where there is none."""
    return int(text) if text.isdigit() and len(text) < 12 else 0


def _plain(value: Any) -> Any:  # noqa: ANN401 (whatever JSON holds)
    """Return a value without numbers that JSON has not."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
