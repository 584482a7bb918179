"""A recording that is taken apart: nothing of it is lost, and little is left of its size."""

import base64
import json
import re
import struct
import zlib
from functools import cache

import msgpack
import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.report.packed_numbers import packed
from footfall.report.packed_recording import pack_recording
from footfall.scenario.assemble import model_spec
from footfall.scenario.io import load_scenario
from footfall.show import recording_html

NAME = "smoke/Defaults"


@cache
def _page() -> str:
    """A page with the same run twice, whose meshes are the same then."""
    trajectory = run(NAME, "moreau").trajectory
    runs = {"one": trajectory, "two": trajectory}
    return recording_html(runs, model_spec(load_scenario(NAME)))


def _commands(page: str) -> list[bytes]:
    found = re.findall(r'fetch\("data:application/octet-binary;base64,([^"]*)"', page)
    return [base64.b64decode(text) for text in found]


def _unpacked(scene: str) -> tuple[dict, list, list[np.ndarray]]:
    """Read a scene as the page does, but for its numbers: by their own description."""
    content = zlib.decompress(base64.b64decode(scene))
    (length,) = struct.unpack("<I", content[:4])
    head = json.loads(content[4 : 4 + length])
    rest = content[4 + length :]
    pieces = []
    for size in head["pieces"]:
        pieces.append(rest[:size])
        rest = rest[size:]
    numbers = []
    for count, low, high in head["numbers"]:
        planes = np.frombuffer(rest[: 2 * count], np.uint8).astype(np.int64)
        whole = np.cumsum(planes[:count] + 256 * planes[count:]) % 65536
        numbers.append(low + whole * (high - low) / 65534)
        rest = rest[2 * count :]
    assert rest == b""
    return head, pieces, numbers


def test_commands_are_taken_out_in_their_order() -> None:
    page = _page()
    recording = pack_recording(page)
    head, pieces, _ = _unpacked(recording.scene)
    expected = _commands(page)
    assert len(expected) > 20
    assert len(head["commands"]) == len(expected)
    for command, told in zip(expected, head["commands"], strict=True):
        if isinstance(told, list):
            assert b"".join(pieces[index] for index in told) == command
        else:
            assert msgpack.unpackb(command)["type"] == told["type"] == "set_animation"
    assert "octet-binary" not in recording.viewer
    assert len(packed(recording.viewer.encode())) + len(recording.scene) < 0.2 * len(page)


def test_an_animation_moves_as_it_did() -> None:
    page = _page()
    head, _, numbers = _unpacked(pack_recording(page).scene)
    (told,) = [one for one in head["commands"] if isinstance(one, dict)]
    contents = [msgpack.unpackb(command) for command in _commands(page)]
    (expected,) = [content for content in contents if content["type"] == "set_animation"]
    assert told["options"] == expected["options"]
    moved = 0
    for ours, theirs in zip(told["animations"], expected["animations"], strict=True):
        assert ours["path"] == theirs["path"]
        for track, whole in zip(ours["clip"]["tracks"], theirs["clip"]["tracks"], strict=True):
            at = [key["time"] for key in whole["keys"]]
            values = np.array([key["value"] for key in whole["keys"]], float).reshape(len(at), -1)
            times = np.round(numbers[track["times"]])
            for column, index in zip(values.T, track["values"], strict=True):
                # the player goes linearly from key to key; numbers have 16 bits of their range
                found = np.interp(at, times, numbers[index])
                assert np.abs(found - column).max() <= np.ptp(column) / 131_000 + 1e-12
                moved += np.ptp(column) > 0.0
    assert moved > 2


def test_what_several_runs_have_is_there_once() -> None:
    content = {"type": "set_object", "object": {"geometries": [{"data": "v 1 2 3\n" * 1000}]}}
    shapes = [{**content, "path": f"/scene/{name}/link"} for name in ("one", "two", "three")]
    commands = [msgpack.packb(shape) for shape in shapes]
    head, pieces, _ = _unpacked(pack_recording(_with(commands)).scene)
    assert [b"".join(pieces[index] for index in one) for one in head["commands"]] == commands
    assert sum(head["pieces"]) < 1.1 * len(commands[0])


def _with(commands: list[bytes], page: str = "") -> str:
    """Return a page of Meshcat with more commands."""
    return page + "".join(
        f'fetch("data:application/octet-binary;base64,{base64.b64encode(each).decode()}")\n'
        "    .then(res => res.arrayBuffer())\n"
        "    .then(buffer => viewer.handle_command_bytearray(new Uint8Array(buffer)));\n"
        for each in commands
    )


@pytest.mark.parametrize(
    ("extension", "needed"), [("KHR_draco_mesh_compression", True), ("KHR_lights_punctual", False)]
)
def test_decoders_stay_for_a_mesh_that_needs_them(extension: str, needed: bool) -> None:
    mesh = msgpack.packb({"type": "set_object", "object": {"data": extension}})
    more = len(pack_recording(_with([mesh], _page())).viewer) - len(pack_recording(_page()).viewer)
    assert (more > 1_000_000) == needed


def test_a_page_without_commands_stays_whole() -> None:
    recording = pack_recording("<html>viewer</html>")
    assert recording.viewer == "<html>viewer</html>"
    head, pieces, numbers = _unpacked(recording.scene)
    assert (head["commands"], pieces, numbers) == ([], [], [])
