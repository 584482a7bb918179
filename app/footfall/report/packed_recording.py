"""A Meshcat recording in the little room that a page has for it.

Meshcat's own page is a viewer of two megabytes with the commands that fill its scene. Here both
are deflated, and apart: the animations of a page share one viewer, the runs of a scene their
meshes, and keyframes are rounded to a 65,534th of the way of what they move. ``player.js`` brings
them together.
"""

import base64
import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack
import numpy as np

from footfall.report.packed_numbers import PackedNumbers, packed

# as Drake writes a command into the page of Meshcat.StaticHtml()
_COMMAND = re.compile(
    r'fetch\("data:application/octet-binary;base64,([^"]*)"\)'
    r"\s*\.then\(res => res\.arrayBuffer\(\)\)"
    r"\s*\.then\(buffer => viewer\.handle_command_bytearray\(new Uint8Array\(buffer\)\)\);"
)
# decoders of compressed meshes and textures, half of the viewer, which few glTF files ask for
_DECODER = re.compile(r'("data:application/(?:javascript|wasm);base64,)[A-Za-z0-9+/=]{1000,}"')
_COMPRESSED = (b"KHR_draco_mesh_compression", b"EXT_meshopt_compression", b"KHR_texture_basisu")
_LARGE = 500  # bytes: what is larger and comes again is kept once
_ANIMATION = "set_animation"


@dataclass(frozen=True)
class PackedRecording:
    """Viewer and scene of a recording, deflated and in base64 the latter.

    viewer: its page, without commands. scene: length (four bytes, the lowest first) and text of a
    JSON that tells of which pieces each command is made, or of which numbers an animation; the
    pieces; the numbers.
    """

    viewer: str
    scene: str


def pack_recording(page: str) -> PackedRecording:
    """Take a page of Meshcat apart; a command that is not found stays in the viewer."""
    # of a page of two megabytes: in one go, and by a pattern that begins with its own letters
    *before, after = _COMMAND.split(page)
    commands = [base64.b64decode(text) for text in before[1::2]]
    viewer = "".join(text.rstrip() for text in before[::2]) + after
    if commands and not any(name in command for command in commands for name in _COMPRESSED):
        viewer = _DECODER.sub(r'\1"', viewer)
    return PackedRecording(viewer, packed(_scene(commands)))


def _scene(commands: Sequence[bytes]) -> bytes:
    """Return commands as one piece of bytes, with what comes again once."""
    pieces: dict[bytes, int] = {}
    numbers = PackedNumbers()
    animated: list[Any] = []
    for command in commands:
        content = msgpack.unpackb(command, strict_map_key=False)
        if content.get("type") == _ANIMATION:
            animated.append(_animation(content, numbers))
        else:
            animated.append(
                [pieces.setdefault(part, len(pieces)) for part in _parts(command, content)]
            )
    head = {
        "pieces": [len(piece) for piece in pieces],
        "commands": animated,
        "numbers": numbers.table,
    }
    text = json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    return struct.pack("<I", len(text)) + text + b"".join(pieces) + numbers.content()


def _parts(command: bytes, content: object) -> Iterator[bytes]:
    """Yield the bytes of a command, its large values apart."""
    rest = command
    for value in _large(content):
        before, part, after = rest.partition(value)
        if part:
            yield before
            yield part
            rest = after
    yield rest


def _large(content: object) -> Iterator[bytes]:
    """Yield the large values of what a command holds, in their order."""
    if isinstance(content, Mapping):
        for value in content.values():
            yield from _large(value)
    elif isinstance(content, list):
        for value in content:
            yield from _large(value)
    else:
        own = content.data if isinstance(content, msgpack.ExtType) else content
        own = own.encode() if isinstance(own, str) else own
        if isinstance(own, bytes) and len(own) > _LARGE:
            yield own


def _animation(content: Mapping[str, Any], numbers: PackedNumbers) -> dict[str, Any]:
    """Return an animation with the times and values of its tracks as numbers."""
    animations = []
    for animation in content["animations"]:
        clip = animation["clip"]
        tracks = [_track(track, numbers) for track in clip["tracks"]]
        animations.append({**animation, "clip": {**clip, "tracks": tracks}})
    return {**content, "animations": animations}


def _track(track: Mapping[str, Any], numbers: PackedNumbers) -> dict[str, Any]:
    """Return a track without the keys that repeat those beside them; times are whole frames."""
    times = np.array([key["time"] for key in track["keys"]], dtype=np.float64)
    values = np.array([key["value"] for key in track["keys"]], dtype=np.float64)
    values = values.reshape(len(times), -1)
    same = (np.diff(values, axis=0) == 0.0).all(axis=1)
    needed = np.ones(len(times), dtype=np.bool_)
    needed[1:-1] = ~(same[:-1] & same[1:])
    common = {"times": numbers.add(times[needed])}
    columns = [numbers.add(column) for column in np.ascontiguousarray(values[needed].T)]
    return {"name": track["name"], "type": track["type"], **common, "values": columns}
