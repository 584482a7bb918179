"""Tracks made at load of a file with their parameters: what a user writes, and what is refused."""

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.machines.ugv.ground import track_of
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import parse_scenario


def built(file, *more):
    lines = [f"- add_model: {{name: track, file: {file}}}", *more]
    return build_robot(parse_scenario("\n".join(["directives:", *lines])))


def test_points_of_ones_own_are_found_beside_the_file(tmp_path):
    x = np.linspace(1.0, 4.0, 61)
    rows = [f"{place:.3f},{0.05 * (place - 1.0):.6f}" for place in x]
    (tmp_path / "points.csv").write_text("\n".join(["x,z", *rows, ""]))
    file = tmp_path / "own.track"
    file.write_text("track: !TrackPoints {file: points.csv}\nbegin: 1.0\nend: 4.0\n")
    track = track_of(built(file).model)
    assert track.profile([2.0, 3.0]).height == pytest.approx([0.05, 0.1], abs=1e-6)
    assert track.label == "own.track"


def test_a_file_that_changes_is_made_anew(tmp_path):
    file = tmp_path / "own.track"
    for height in (0.1, 0.2):
        file.write_text(f"track: !Steps {{places: [4.0], heights: [{height}]}}\n")
        assert track_of(built(file).model).profile([5.0]).height == pytest.approx([height])


def test_a_scaled_model_stands_on_a_track_that_is_made():
    lines = (
        "- add_model: {name: ugv, file: package://footfall/sdf/ugv/ugv.sdf}",
        '- add_weld: {parent: terrain, child: "ugv::ground"}',
        "mass_scale: {ugv::body: 2.0}",
    )
    robot = built("package://footfall/sdf/tracks/step.track", *lines)
    assert track_of(robot.model).profile([5.0]).height == pytest.approx([0.12])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("track: !Bump {width: 0.0}", "width is 0.0"),
        ("track: !Bump {height: high}", "track.height is 'high': give a number"),
        ("track: !Hump {}", "Hump"),
        ("turn: -1.0", "turn is -1.0"),
        ("friction: -1.0", "friction is -1.0"),
        ("track: !TrackPoints {file: none.csv}", "none.csv"),
        ("track: !TrackPoints {}", "track.file is empty"),
        ("track: !Bump {height: -0.1}", "below the ground"),
        ("- 1", "give a group of keys"),
        ("a: [", "own.track"),
        ("slope: 1.0", "slope"),
    ],
)
def test_what_is_no_track_is_told_in_one_line(tmp_path, text, fault):
    file = tmp_path / "own.track"
    file.write_text(text)
    with pytest.raises(FootfallError) as refused:
        built(file)
    told = str(refused.value)
    assert told.startswith(str(file))
    assert fault in told
    assert "\n" not in told


def test_a_missing_file_is_told_in_one_line(tmp_path):
    with pytest.raises(FootfallError, match=r"none\.track"):
        built(tmp_path / "none.track")
