"""The server of the page: one port for all, for this machine, and for its own page only."""

import json
import re
import socket
from http.client import HTTPConnection

import pytest

from footfall.errors import RunError
from footfall.show import start_meshcat
from footfall.show.live.controls import Controls
from footfall.show.live.server import PageServer


@pytest.fixture(scope="module")
def served():
    controls, meshcat = Controls(), start_meshcat()
    server = PageServer(controls, meshcat.port())
    yield controls, server
    server.close()


def _ask(server, method, path, body=None, **headers):
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, given)
    answer = connection.getresponse()
    found = answer.status, answer.read(), dict(answer.getheaders())
    connection.close()
    return found


def test_the_page_its_parts_and_the_scene_come_from_one_port(served):
    _, server = served
    status, page, headers = _ask(server, "GET", "/")
    assert status == 200
    assert b"live.js" in page
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    for path in ("/live.js", "/live.css", "/plots.js", "/scene/meshcat.html"):
        status, body, _ = _ask(server, "GET", path)
        assert (status, len(body) > 500) == (200, True), path
    script = re.search(
        rb'<script[^>]* src="([^"]+)"', _ask(server, "GET", "/scene/meshcat.html")[1]
    )
    assert len(_ask(server, "GET", f"/scene/{script[1].decode()}")[1]) > 500_000
    assert _ask(server, "GET", "/../server.py")[0] == 404


def test_a_command_is_taken_from_the_own_page_only(served):
    controls, server = served
    text = json.dumps({"do": "push", "force": [1, 2, 3]})
    assert _ask(server, "POST", "/do", text)[0] == 403  # as a form of another site sends it
    assert _ask(server, "POST", "/do", text, X_Footfall="1", Host="evil.example")[0] == 403
    assert controls.take() is None
    assert _ask(server, "POST", "/do", text, X_Footfall="1")[0] == 200
    assert controls.take().numbers("force", 3) == [1.0, 2.0, 3.0]
    for nonsense in ("", "{", "[]", '{"do": 7}'):
        assert _ask(server, "POST", "/do", nonsense, X_Footfall="1")[0] == 200
    assert controls.take() is None


def test_another_name_for_this_machine_is_refused(served):
    _, server = served
    assert _ask(server, "GET", "/state", Host="evil.example:80")[0] == 403


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


def test_it_listens_on_this_machine_only_unless_told_otherwise(served):
    _, server = served
    assert server._server.server_address[0] == "127.0.0.1"
    everybody = PageServer(Controls(), 1, host="*")
    assert everybody._server.server_address[0] == "0.0.0.0"  # noqa: S104 (that is what * means)
    everybody.close()


def test_a_port_that_is_taken_or_none_is_refused_in_one_line():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(RunError, match=f"port {port}"):
            PageServer(Controls(), 1, port=port)
    with pytest.raises(RunError, match="port 80 cannot"):
        PageServer(Controls(), 1, port=80)
