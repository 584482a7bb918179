"""The track under a model, and the profile of its boxes, against the functions that made them."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.machines.ugv.shipped import SHIPPED

from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.ground import profile_of, track_of
from footfall.plants.loading.load import ModelSpec, load_model

X = np.linspace(-1.0, 11.0, 24001)


def _loaded(file):
    directive = ModelDirective(add_model=AddModel(name="track", file=str(file)))
    return load_model(ModelSpec(directives=[directive]))


def _boxes(tmp_path, *boxes, static="true", roll=0.0):
    """A model of boxes (x, z, pitch, length, height), as far as their middles."""
    shapes = "".join(
        f"""<collision name="surface#{k}"><pose>{x} 0 {z} {roll} {pitch} 0</pose>
        <geometry><box><size>{length} 1 {height}</size></box></geometry></collision>"""
        for k, (x, z, pitch, length, height) in enumerate(boxes)
    )
    inertial = "<inertial><mass>1</mass></inertial>" if static == "false" else ""
    path = tmp_path / "boxes.sdf"
    path.write_text(
        f"""<sdf version="1.9"><model name="boxes"><static>{static}</static>
        <link name="track">{inertial}{shapes}</link></model></sdf>""",
        encoding="utf-8",
    )
    return _loaded(path)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_track_is_that_of_its_file_and_its_boxes_are_chords_of_it(name):
    own, surface = SHIPPED[name]
    model = _loaded(f"package://footfall/sdf/tracks/{name}.track")
    found, boxes = track_of(model), profile_of(model)
    assert found.profile(X).height == pytest.approx(own.profile(X).height, abs=0.0)
    assert found.label == f"{name}.track"
    # chords are below a convex track by c a/8, at most, and above a hollow one
    most = surface.longest * surface.turn / 8.0 + 1e-5
    assert boxes.profile(X).height == pytest.approx(own.profile(X).height, abs=most)


@pytest.mark.parametrize(("name", "angle_jumps"), [("bump", 0), ("step", 1)])
def test_wheels_meet_two_places_where_the_track_has_a_corner(name, angle_jumps):
    own, _ = SHIPPED[name]
    found = track_of(_loaded(f"package://footfall/sdf/tracks/{name}.track"))
    curve, wanted = (CentreCurve(track, 0.3, 0.0, 8.0) for track in (found, own))
    assert len(curve.angle_jumps) == angle_jumps
    assert curve.angle_jumps == pytest.approx(wanted.angle_jumps, abs=1e-9)


def test_level_ground_has_no_boxes(tmp_path):
    track = track_of(_boxes(tmp_path))
    assert not track.profile(X).height.any()
    assert track.label == "level ground"


def test_a_box_that_moves_is_no_track(tmp_path):
    track = track_of(_boxes(tmp_path, (4.0, 0.1, 0.0, 2.0, 0.2), static="false"))
    assert not track.profile(X).height.any()


def test_a_ramp_has_its_corners(tmp_path):
    pitch, length = -0.2, 1.0  # up ahead
    x, z = 0.5 * length * np.cos(0.2), 0.5 * length * np.sin(0.2)
    top = 2.0 * z
    ramp = (x + 0.05 * np.sin(0.2), z - 0.05 * np.cos(0.2), pitch, length, 0.1)
    plateau = (2.0 * x + 1.0, 0.5 * top, 0.0, 2.0, top)
    track = track_of(_boxes(tmp_path, plateau, ramp))
    places = np.array([-0.1, 0.25 * x, x, 2.0 * x + 0.5, 2.0 * x + 1.99, 2.0 * x + 2.01])
    heights = [0.0, 0.25 * z, z, top, top, 0.0]
    assert track.profile(places).height == pytest.approx(heights, abs=1e-9)
    # the foot of the ramp is a corner, and no wheel feels its top as one
    (angle_jump,) = CentreCurve(track, 0.3, -1.0, 2.5).angle_jumps
    assert angle_jump == pytest.approx(-0.3 * np.tan(0.1), abs=1e-9)


def test_a_box_upside_down_is_the_same_ground(tmp_path):
    box = (4.0, 0.1, -0.2, 2.0, 0.2)
    upright, turned = (_boxes(tmp_path, box, roll=roll) for roll in (0.0, np.pi))
    x = np.linspace(2.5, 5.5, 61)
    heights = [track_of(model).profile(x).height for model in (upright, turned)]
    assert heights[1] == pytest.approx(heights[0], abs=1e-12)
    lines = [CentreCurve(track_of(m), 0.3, 2.0, 6.0).at(x).z for m in (upright, turned)]
    assert lines[1] == pytest.approx(lines[0], abs=1e-12)
    assert max(lines[0]) > 0.5


def test_a_box_below_another_is_hidden(tmp_path):
    track = track_of(_boxes(tmp_path, (4.0, 0.1, 0.0, 2.0, 0.2), (4.2, 0.05, 0.0, 1.0, 0.1)))
    assert track.profile([3.5, 4.2, 4.9]).height == pytest.approx(0.2)


def test_of_boxes_that_stick_in_each_other_the_higher_one_counts(tmp_path):
    track = track_of(_boxes(tmp_path, (4.0, 0.1, 0.0, 2.0, 0.2), (4.9, 0.15, 0.0, 2.0, 0.3)))
    places, heights = [2.9, 3.1, 3.8, 4.0, 5.8, 6.0], [0.0, 0.2, 0.2, 0.3, 0.3, 0.0]
    assert track.profile(places).height == pytest.approx(heights)
    crossing = (0.0, 0.05, -0.2, 2.0, 0.1), (0.0, 0.05, 0.2, 2.0, 0.1)
    found = track_of(_boxes(tmp_path, *crossing)).profile([-0.5, 0.5]).height
    assert found == pytest.approx([0.5 * np.tan(0.2) + 0.05 + 0.05 / np.cos(0.2)] * 2)
