"""A Meshcat recording in the little room that a page has for it.

Meshcat's own page is a viewer of two megabytes with the commands that fill its scene. Here both are
deflated, and apart: the animations of a page share one viewer. ``player.js`` brings them together.
"""

import base64
import re
import struct
import zlib
from dataclasses import dataclass

# as Drake writes a command into the page of Meshcat.StaticHtml()
_COMMAND = re.compile(
    r'\s*fetch\("data:application/octet-binary;base64,([^"]*)"\)'
    r"\s*\.then\(res => res\.arrayBuffer\(\)\)"
    r"\s*\.then\(buffer => viewer\.handle_command_bytearray\(new Uint8Array\(buffer\)\)\);"
)
# decoders of compressed meshes and textures, half of the viewer, which only glTF files ask for
_DECODER = re.compile(r'("data:application/(?:javascript|wasm);base64,)[A-Za-z0-9+/=]{1000,}"')
_GLTF = b"gltf"


@dataclass(frozen=True)
class PackedRecording:
    """Viewer and scene of a recording.

    viewer: its page, without commands. scene: the commands, each after its length (four bytes, the
    lowest first), deflated and in base64.
    """

    viewer: str
    scene: str


def pack_recording(page: str) -> PackedRecording:
    """Take a page of Meshcat apart; a command that is not found stays in the viewer."""
    commands = [base64.b64decode(text) for text in _COMMAND.findall(page)]
    viewer = _COMMAND.sub("", page)
    if commands and not any(_GLTF in command for command in commands):
        viewer = _DECODER.sub(r'\1"', viewer)
    scene = b"".join(struct.pack("<I", len(command)) + command for command in commands)
    return PackedRecording(viewer, packed(scene))


def packed(content: bytes) -> str:
    """Deflated content in base64, as ``player.js`` reads it."""
    return base64.b64encode(zlib.compress(content)).decode("ascii")
