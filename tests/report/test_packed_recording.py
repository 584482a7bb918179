"""A recording that is taken apart: nothing of it is lost, and little is left of its size."""

import base64
import re
import struct
import zlib
from functools import cache

from tests.scenario.runs import run

from footfall.report.packed_recording import pack_recording, packed
from footfall.scenario.assemble import model_spec
from footfall.scenario.io import load_scenario
from footfall.show import recording_html

NAME = "smoke/Defaults"


@cache
def _page() -> str:
    trajectory = run(NAME, "moreau").trajectory
    return recording_html({"one": trajectory}, model_spec(load_scenario(NAME)))


def test_commands_are_taken_out_in_their_order() -> None:
    page = _page()
    recording = pack_recording(page)
    scene = zlib.decompress(base64.b64decode(recording.scene))
    found = []
    while scene:
        (length,) = struct.unpack("<I", scene[:4])
        found.append(scene[4 : 4 + length])
        scene = scene[4 + length :]
    expected = re.findall(r'fetch\("data:application/octet-binary;base64,([^"]*)"', page)
    assert len(expected) > 20
    assert found == [base64.b64decode(text) for text in expected]
    assert "octet-binary" not in recording.viewer
    assert len(packed(recording.viewer.encode())) + len(recording.scene) < 0.25 * len(page)


def test_decoders_stay_for_a_mesh_that_may_need_them() -> None:
    page = _page()
    command = 'fetch("data:application/octet-binary;base64,'
    mesh = base64.b64encode(b"format: gltf").decode()
    begin = page.index(command) + len(command)
    with_mesh = page[:begin] + mesh + page[page.index('"', begin) :]
    assert len(pack_recording(with_mesh).viewer) > len(pack_recording(page).viewer) + 1_000_000


def test_a_page_without_commands_stays_whole() -> None:
    recording = pack_recording("<html>viewer</html>")
    assert recording.viewer == "<html>viewer</html>"
    assert zlib.decompress(base64.b64decode(recording.scene)) == b""
