"""Meshcat is for the user at this machine only, and says so when it cannot start."""

import socket
from pathlib import Path

import pytest

from footfall.errors import RunError
from footfall.show import start_meshcat

_LISTENING = "0A"
# /proc/net writes an address as 32-bit words in the byte order of the machine (here: little)
_LOOPBACK = {"0100007F", "00000000000000000000000001000000"}


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
    assert set(found) <= _LOOPBACK


def test_the_table_of_sockets_shows_a_server_that_is_open_to_all():
    # the test above could pass for want of seeing anything: here is what it must see
    with socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 (that is the point)
        if Path("/proc/net/tcp").exists():
            assert _listening(server.getsockname()[1]) == ["00000000"]


def test_a_taken_port_is_refused_in_one_line():
    with socket.create_server(("localhost", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(RunError, match=f"port {port} is taken") as refusal:
            start_meshcat(port)
    assert "\n" not in str(refusal.value)


def test_a_port_taken_by_another_meshcat_is_refused():
    first = start_meshcat()
    with pytest.raises(RunError, match="is taken"):
        start_meshcat(first.port())


@pytest.mark.parametrize("port", [-1, 0, 80, 65536])
def test_a_number_that_is_no_port_is_refused(port):
    with pytest.raises(RunError, match="choose one from 1024 to 65535"):
        start_meshcat(port)


def test_without_a_port_each_gets_its_own():
    assert start_meshcat().port() != start_meshcat().port()
