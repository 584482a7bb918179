"""The server of the page: one port for all, for whom it is meant, and for its own page only."""

import contextlib
import io
import json
import re
import socket
import threading
from http.client import HTTPConnection
from urllib.parse import urlsplit

import msgpack
import pytest
import websocket
from tests.engines.tiny import BALL, simulate, tiny
from tests.show.watching import conductor

from footfall.errors import RunError
from footfall.show import start_meshcat
from footfall.show.live.controls import Controls
from footfall.show.live.server import PageServer, _answer_pings
from footfall.trajectory import Status

EVIL = "evil.example"


@pytest.fixture(scope="module")
def meshcat():
    return start_meshcat()


@pytest.fixture(scope="module")
def served(meshcat):
    controls = Controls()
    server = PageServer(controls, meshcat.web_url())
    yield controls, server
    server.close()


@contextlib.contextmanager
def _serving(meshcat, host):
    server = PageServer(Controls(), meshcat.web_url(), host=host)
    try:
        yield server
    finally:
        server.close()


def _ask(server, method, path, body=None, root=None, **headers):
    """Answer of a server to a path below the address of its page, or below another root."""
    place = urlsplit(server.url)
    connection = HTTPConnection(place.hostname, server.port, timeout=10)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    path = (place.path if root is None else root) + path.lstrip("/")
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    found = answer.status, answer.read(), dict(answer.getheaders())
    connection.close()
    return found


def _socket(server, root=None, **options):
    """Web socket of a page: of the own one, unless options say otherwise."""
    place = urlsplit(server.url)
    path = (place.path if root is None else root) + "scene/"
    return websocket.create_connection(f"ws://{place.netloc}{path}", timeout=10, **options)


def _refusal(server, **options):
    with pytest.raises(websocket.WebSocketBadStatusException) as refusal:
        _socket(server, **options)
    return refusal.value.status_code


def test_the_page_its_parts_and_the_scene_come_from_one_port(served):
    _, server = served
    status, page, headers = _ask(server, "GET", "/")
    assert status == 200
    assert b"live.js" in page
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    for path in ("/live.js", "/live.css", "/plots.js", "/scene/meshcat.html"):
        status, body, headers = _ask(server, "GET", path)
        assert (status, len(body) > 500) == (200, True), path
        assert "frame-ancestors 'self'" in headers["Content-Security-Policy"], path
    script = re.search(
        rb'<script[^>]* src="([^"]+)"', _ask(server, "GET", "/scene/meshcat.html")[1]
    )
    assert len(_ask(server, "GET", f"/scene/{script[1].decode()}")[1]) > 500_000
    assert _ask(server, "GET", "/../server.py")[0] == 404


def test_a_command_is_taken_from_the_own_page_only(served):
    controls, server = served
    text = json.dumps({"do": "push", "force": [1, 2, 3]})
    assert _ask(server, "POST", "/do", text)[0] == 403  # as a form of another site sends it
    for foreign in ({"Host": EVIL}, {"Origin": f"http://{EVIL}"}, {"Origin": "null"}):
        assert _ask(server, "POST", "/do", text, X_Footfall="1", **foreign)[0] == 403
    assert controls.take() is None
    assert _ask(server, "POST", "/do", text, X_Footfall="1")[0] == 200
    assert controls.take().numbers("force", 3) == [1.0, 2.0, 3.0]
    for nonsense in ("", "{", "[]", '{"do": 7}', "[" * 50_000, '{"do": ' + "9" * 5000 + "}"):
        assert _ask(server, "POST", "/do", nonsense, X_Footfall="1")[0] == 200
    assert controls.take() is None


def test_numbers_that_json_has_not_become_null(served):
    controls, server = served
    controls.state = {"speed": float("inf"), "time": float("nan")}
    controls.put_rows([[0.0, float("nan")]])
    found = json.loads(_ask(server, "GET", f"/state?era={controls.era}&begin=0")[1])
    assert (found["speed"], found["time"], found["rows"]) == (None, None, [[0.0, None]])


def test_a_page_that_knows_rows_is_told_those_that_are_new(served):
    controls, server = served
    controls.put_rows([[0.0], [1.0], [2.0]])
    known = json.loads(_ask(server, "GET", f"/state?era={controls.era}&begin=2")[1])
    assert (known["first"], known["rows"]) == (2, [[2.0]])
    controls.put_rows([[5.0]])
    anew = json.loads(_ask(server, "GET", f"/state?era={controls.era - 1}&begin=2")[1])
    assert (anew["first"], anew["rows"]) == (0, [[5.0]])


@pytest.mark.parametrize("path", ["/", "/live.js", "/about", "/state", "/scene/meshcat.html"])
def test_no_door_opens_to_a_page_of_elsewhere(served, path):
    _, server = served
    port = server.port
    own = f"localhost:{port}"
    assert _ask(server, "GET", path, Host=own, Origin=f"http://{own}")[0] == 200
    assert _ask(server, "GET", path, Host="LocalHost:9000")[0] == 200  # of a forwarded port
    assert _ask(server, "GET", path, Host="[::1]:9000")[0] == 200
    for host in (EVIL, f"{EVIL}:{port}", f"localhost.{EVIL}", "localhost@evil", "[::1", ""):
        assert _ask(server, "GET", path, Host=host)[0] == 403, host
    # another program of this machine serves pages at another port
    for origin in (f"http://{EVIL}", "http://localhost:8888", f"http://127.0.0.1:{port}", "null"):
        assert _ask(server, "GET", path, Host=own, Origin=origin)[0] == 403, origin
    linked = 200 if path == "/" else 403  # any page may have a link to this one
    for site in ("cross-site", "same-site"):
        assert _ask(server, "GET", path, Sec_Fetch_Site=site)[0] == linked


def test_the_web_socket_is_for_the_own_page_only(served):
    _, server = served
    port = server.port
    for origin in (f"https://{EVIL}", "http://localhost:8888", f"http://127.0.0.1:{port}", "null"):
        assert _refusal(server, origin=origin) == 403, origin
    assert _refusal(server, suppress_origin=True) == 403
    assert _refusal(server, host=f"{EVIL}:{port}", origin=f"http://{EVIL}:{port}") == 403
    assert _refusal(server, header={"Sec-WebSocket-Key": "short"}) == 403
    scene = _socket(server)
    assert b"set_" in scene.recv()  # a message of Meshcat's
    scene.close()


@pytest.mark.slow
@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.1", "[::1]", "::1"])
def test_every_name_of_this_machine_is_this_machine_only(meshcat, host):
    with _serving(meshcat, host) as server:
        bound = server._server.server_address[0]
        assert bound in {"127.0.0.1", "::1"}
        assert urlsplit(server.url).path == "/"
        assert _ask(server, "GET", "/state")[0] == 200
        assert _ask(server, "GET", "/state", Host=f"{EVIL}:{server.port}")[0] == 403
        assert _refusal(server, host=EVIL, origin=f"http://{EVIL}") == 403
        _socket(server).close()


@pytest.mark.slow
@pytest.mark.parametrize("host", ["*", "0.0.0.0", "::"])  # noqa: S104 (that is what * means)
def test_others_need_the_token_in_the_address(meshcat, host):
    with _serving(meshcat, host) as server, _serving(meshcat, host) as other:
        assert server._server.server_address[0] in {"0.0.0.0", "::"}  # noqa: S104 (as above)
        root, its = (urlsplit(each.url).path for each in (server, other))
        assert len(root) > 20
        assert _ask(server, "GET", "/state", Host="robot.example:7100")[0] == 200
        assert _ask(server, "GET", "/state", Origin=f"http://{EVIL}")[0] == 403
        _socket(server).close()
        for wrong in ("/", "//", its, root[:-2] + "-/", root.upper()):
            assert _ask(server, "GET", "/state", root=wrong)[0] == 403, wrong
            assert _ask(server, "GET", "/", root=wrong)[0] == 403, wrong
            assert _ask(server, "POST", "/do", "{}", root=wrong, X_Footfall="1")[0] == 403, wrong
            assert _refusal(server, root=wrong) == 403, wrong


def test_a_port_that_is_taken_or_none_is_refused_in_one_line(meshcat):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(RunError, match=f"port {port}"):
            PageServer(Controls(), meshcat.web_url(), port=port)
    with pytest.raises(RunError, match="port 80 cannot"):
        PageServer(Controls(), meshcat.web_url(), port=80)


@pytest.mark.parametrize("host", ["", " ", "192.0.2.1", "a..b"])
def test_a_host_that_is_not_of_this_machine_is_refused_in_one_line(meshcat, host):
    with pytest.raises(RunError, match=r"host|cannot be served on") as refusal:
        PageServer(Controls(), meshcat.web_url(), host=host)
    assert "\n" not in str(refusal.value)


def _frame(payload, kind=0x82, mask=b"\0\0\0\0", size=None):
    size = len(payload) if size is None else size
    marked = 0x80 if mask else 0
    if size < 126:
        length = bytes([marked | size])
    elif size < 1 << 16:
        length = bytes([marked | 126]) + size.to_bytes(2, "big")
    else:
        length = bytes([marked | 127]) + size.to_bytes(8, "big")
    return bytes([kind]) + length + mask + payload


# Drake ends the process for the first six, with an exception in its own thread
FRAMES = {
    "empty": _frame(b""),
    "no type of msgpack": _frame(b"\xc1"),
    "a map of four milliards": _frame(b"\xdf\xff\xff\xff\xff"),
    "a list that is cut off": _frame(b"\x91" * 5000),
    "a camera that is none": _frame(
        msgpack.packb({"type": "camera_pose", "camera_pose": [1.0] * 16, "is_perspective": True})
    ),
    "text": _frame(b"", kind=0x81),
    "a gamepad": _frame(msgpack.packb({"type": "gamepad", "name": "", "gamepad": {}})),
    "huge": _frame(bytes(1_000_000)),
    "longer than there is": _frame(b"abc", size=1 << 62),
    "without mask": _frame(b"\xc1", mask=b""),
    "in parts": _frame(b"\xc1", kind=0x02) + _frame(b"", kind=0x80),
    "a long answer to a ping": _frame(bytes(300), kind=0x8A),
    "a part of an answer": _frame(b"", kind=0x0A),
    "kinds that there are not": _frame(b"", kind=0xF3) + _frame(b"", kind=0x8F),
    "half a frame": b"\x82",
    "no frame": b"GET / HTTP/1.1\r\n\r\n" * 9,
}
REQUESTS = [
    b"\0" * 100,
    b"GET\r\n\r\n",
    b"GET //[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /scene/\xff\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /state?era=\xb2&begin=%B2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /do HTTP/1.1\r\nHost: localhost\r\nX-Footfall: 1\r\nContent-Length: \xb2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: [localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n",
    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n",
]


def _attack(server, ended):
    """Send all frames on web sockets of the own page, and all requests, till a run has ended."""
    with contextlib.suppress(OSError):  # where a connection is closed before all was sent
        while not ended.is_set():
            for frame in FRAMES.values():
                scene = _socket(server)
                with contextlib.suppress(OSError):
                    scene.sock.sendall(frame)
                scene.shutdown()
            for request in REQUESTS:
                with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
                    client.sendall(request)
                    client.shutdown(socket.SHUT_WR)
                    client.recv(100)


@pytest.mark.slow
def test_no_frame_and_no_request_ends_a_run_or_reaches_the_terminal(tmp_path, capfd):
    scenario = tiny(tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 0.1}, duration=2.0)
    meshcat, controls, ended = start_meshcat(), Controls(), threading.Event()
    server = PageServer(controls, meshcat.web_url())
    watcher = _socket(server)
    attacker = threading.Thread(target=_attack, args=(server, ended))
    attacker.start()
    run = simulate(scenario, conductor=conductor(meshcat, controls=controls))
    ended.set()
    attacker.join()
    server.close()
    assert run.trajectory.status is Status.DONE
    assert any(b"ball" in watcher.recv() for _ in range(40))  # who watches it sees it
    watcher.shutdown()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", FRAMES)
def test_nothing_but_answers_to_pings_reaches_meshcat(name):
    pong = _frame(b"12345678", kind=0x8A, mask=b"mask")
    ours, meshcats = socket.socketpair()
    with ours, meshcats:
        _answer_pings(io.BytesIO(pong + FRAMES[name] + pong), ours)
        ours.shutdown(socket.SHUT_WR)
        passed = b"".join(iter(lambda: meshcats.recv(1 << 16), b""))
    assert passed in {pong, pong + pong}  # what breaks the protocol is the end
