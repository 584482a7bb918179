"""Connections of Dask among the processes of one program, which nobody else can join.

Who takes part in Dask's own connections may let the others run anything. Here both ends prove that
they know a key before the first message is read; only processes that this program starts are told
it. It is not encrypted: what goes over the loopback of a machine, its other users do not see.
"""

import hmac
import secrets
from typing import Any

from distributed import Security
from distributed.comm.core import CommClosedError
from distributed.comm.registry import backends
from distributed.comm.tcp import TCP, TCPBackend, TCPConnector, TCPListener
from tornado.iostream import IOStream, StreamClosedError

PROTOCOL = "footfall"
_PREFIX = f"{PROTOCOL}://"
_BYTES = 32
_CONNECTS, _LISTENS = b"connects", b"listens"


class Keyed(Security):
    """Key of the processes of one program; processes get it with what they are to do."""

    def __init__(self) -> None:
        """Make a key."""
        super().__init__(require_encryption=False)
        self.key = secrets.token_bytes(_BYTES)

    def get_connection_args(self, role: str) -> dict[str, Any]:
        """Return what connections are made with."""
        return {**super().get_connection_args(role), "key": self.key}

    def get_listen_args(self, role: str) -> dict[str, Any]:
        """Return what connections are waited for with."""
        return {**super().get_listen_args(role), "key": self.key}


class _Connection(TCP):
    """Connection that proves its key before it sends anything."""

    key: bytes | None = None

    async def write(self, *message: Any, **options: Any) -> Any:  # noqa: ANN401 (as Dask has it)
        """Send a message."""
        # not while it is connected, which has a time limit: compiled code may keep the other busy
        if self.key is not None:
            key, self.key = self.key, None
            if not await _agree(self.stream, key, _CONNECTS, _LISTENS):
                self.abort()
                raise CommClosedError(f"{self.peer_address} is not of this program")
        return await super().write(*message, **options)


class _Connector(TCPConnector):
    prefix = _PREFIX
    comm_class = _Connection

    async def connect(self, address: str, deserialize: bool = True, **options: Any) -> Any:  # noqa: ANN401 (as above)
        """Connect; raises OSError where nobody listens."""
        comm = await super().connect(address, deserialize, **options)
        comm.key = options["key"]
        return comm


class _Listener(TCPListener):
    prefix = _PREFIX
    comm_class = _Connection

    def _get_server_args(self, **options: Any) -> dict[str, Any]:  # noqa: ANN401 (as Dask has it)
        self._key = options["key"]
        return {}

    async def _prepare_stream(self, stream: IOStream, _address: str) -> IOStream | None:
        """Return a connection if the other end knows the key; None without a word if not."""
        if await _agree(stream, self._key, _LISTENS, _CONNECTS):
            return stream
        stream.close()
        return None


class _Backend(TCPBackend):
    _connector_class = _Connector
    _listener_class = _Listener


async def _agree(stream: IOStream, key: bytes, own: bytes, other: bytes) -> bool:
    """Prove the key to the other end of a connection, and return whether that does as well.

    own, other: what the ends do, for neither to hold the other's proof out to it.
    """
    question = secrets.token_bytes(_BYTES)
    try:
        await stream.write(question)
        asked = await stream.read_bytes(_BYTES)
        await stream.write(_proof(key, own, asked))
        given = await stream.read_bytes(_BYTES)
    except StreamClosedError:
        return False
    return hmac.compare_digest(given, _proof(key, other, question))


def _proof(key: bytes, who: bytes, question: bytes) -> bytes:
    return hmac.digest(key, who + question, "sha256")


backends[PROTOCOL] = _Backend()
