"""Meshcat is for the user at this machine only, and says so when it cannot start."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from footfall.errors import RunError
from footfall.show import start_meshcat

_LISTENING = "0A"
_LOOPBACK = "7F"  # ends 127.x.x.x as /proc/net writes it, a word in the byte order of the machine


def _listening(port):
    """Addresses on which this process listens at a port, as /proc/net writes them."""
    own = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            own.add(str(descriptor.readlink()))
        except FileNotFoundError:
            continue  # the descriptor of this listing itself
    found = []
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            columns = row.split()
            address, _, number = columns[1].partition(":")
            mine = f"socket:[{columns[9]}]" in own
            if mine and columns[3] == _LISTENING and int(number, 16) == port:
                found.append(address)
    return found


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads Linux's table of sockets")
def test_listens_on_localhost_only():
    meshcat = start_meshcat()
    found = _listening(meshcat.port())
    assert found, "Meshcat listens nowhere"
    assert all(len(address) == 8 and address.endswith(_LOOPBACK) for address in found)


def test_the_table_of_sockets_shows_a_server_that_is_open_to_all():
    # the test above could pass for want of seeing anything: here is what it must see
    with socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 (that is the point)
        if Path("/proc/net/tcp").exists():
            assert _listening(server.getsockname()[1]) == ["00000000"]


def test_a_page_that_knows_this_machine_by_its_names_does_not_find_it():
    meshcat = start_meshcat()
    for known in ("127.0.0.1", "::1"):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((known, meshcat.port()))
    found = [urlsplit(each.web_url()) for each in (meshcat, *(start_meshcat() for _ in range(3)))]
    assert len({place.hostname for place in found}) == len({place.port for place in found}) == 4


def test_what_keeps_it_from_starting_is_one_line(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr("footfall.show.meshcat._loopback", lambda: "127.0.0.1")
        monkeypatch.setattr("footfall.show.meshcat._port", lambda: other.getsockname()[1])
        with pytest.raises(RunError, match="Meshcat cannot start") as refusal:
            start_meshcat()
    assert "\n" not in str(refusal.value)
