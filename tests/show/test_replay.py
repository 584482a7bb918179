"""Replaying saved runs: every robot is in the scene, and foreign runs are refused."""

import numpy as np
import pytest
from tests.engines.tiny import BRICK, POINT, simulate, tiny
from tests.scenario.runs import run
from tests.show.meshcat_state import shown_pose

from footfall.errors import RunError
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.show import recording_html, replay, start_meshcat
from footfall.show.replay import cast_of
from footfall.trajectory import Trajectory

SHORT = ("duration=0.2",)


@pytest.fixture(scope="module")
def spec():
    return build_robot(load_scenario("biped/climb")).model.spec


def _runs(*engines):
    return {engine: run("biped/climb", engine, *SHORT).trajectory for engine in engines}


def test_every_run_has_its_robot_and_one_has_the_ground(spec):
    meshcat = start_meshcat()
    replay(_runs("moreau", "drake", "closed-form"), spec, meshcat)
    for engine in ("moreau", "drake", "closed-form"):
        assert meshcat.HasPath(f"/scene/{engine}/biped/hip")
    assert meshcat.HasPath("/scene/moreau/terrain_visual")
    assert not meshcat.HasPath("/scene/drake/terrain_visual")


def test_robots_stand_side_by_side(spec):
    meshcat = start_meshcat()
    replay(_runs("moreau", "drake"), spec, meshcat)
    offsets = [shown_pose(meshcat, f"/scene/{engine}")[1, 3] for engine in ("moreau", "drake")]
    assert offsets == [0.0, 0.5]


def test_runs_among_scenery_share_it():
    one = run("scenes/stairs", "moreau", *SHORT).trajectory
    meshcat = start_meshcat()
    replay({"a": one, "b": one}, build_robot(load_scenario("scenes/stairs")).model.spec, meshcat)
    # a hair's breadth apart, for surfaces at the same place flicker
    np.testing.assert_array_equal(shown_pose(meshcat, "/scene/b")[:3, 3], [1e-3, 1e-3, 1e-3])
    assert meshcat.HasPath("/scene/a/stairs")
    assert meshcat.HasPath("/scene/b/block")
    assert not meshcat.HasPath("/scene/b/stairs")


def test_a_ground_that_is_not_to_be_seen_is_not_seen():
    settings = ("duration=0.05", "terrain.visible=false")
    one = run("smoke/Defaults", "moreau", *settings).trajectory
    spec = build_robot(load_scenario("smoke/Defaults", settings)).model.spec
    meshcat = start_meshcat()
    replay({"a": one}, spec, meshcat)
    assert meshcat.HasPath("/scene/a/ball")
    assert not meshcat.HasPath("/scene/a/terrain_visual")
    assert not meshcat.HasPath("/scene/ground_marks")


def test_only_the_first_keeps_its_colours():
    colours = [one.colour for one in cast_of(["a", "b", "c"])]
    assert colours[0] is None
    assert None not in colours[1:]
    assert len(set(colours)) == 3


def test_the_recording_is_one_page_that_asks_for_nothing(spec):
    page = recording_html(_runs("moreau"), spec)
    assert page.startswith("<!DOCTYPE html>")
    assert 'src="' not in page
    assert "<link" not in page


def test_a_model_that_is_there_already_is_not_read_again(monkeypatch):
    model = build_robot(load_scenario("biped/climb")).model

    def refused(_):
        raise AssertionError

    monkeypatch.setitem(replay.__globals__, "load_model", refused)
    meshcat = start_meshcat()
    replay(_runs("moreau"), model, meshcat)
    assert meshcat.HasPath("/scene/moreau/biped/hip")


def test_a_machine_without_visual_shapes_is_shown_by_its_collision_shapes(tmp_path):
    scenario = tiny(tmp_path, BRICK, duration=0.1, positions={"brick_z": 0.3})
    meshcat = start_meshcat()
    replay({"moreau": simulate(scenario).trajectory}, build_robot(scenario).model.spec, meshcat)
    assert meshcat.HasPath("/scene/moreau/brick/brick")


def test_a_run_of_another_machine_is_refused(tmp_path, spec):
    other = simulate(tiny(tmp_path, POINT, welded="slope", duration=0.01)).trajectory
    with pytest.raises(RunError, match="moreau is not of this model") as refusal:
        replay({"moreau": other}, spec, start_meshcat())
    assert "\n" not in str(refusal.value)


def test_nothing_to_replay_is_refused(spec):
    with pytest.raises(RunError, match="nothing to replay"):
        replay({}, spec, start_meshcat())


def test_a_run_that_went_wrong_is_shown_as_far_as_it_is_finite(spec):
    whole = _runs("moreau")["moreau"]
    data = whole.data.copy(deep=True)
    data["q"][100:] = np.nan
    broken = Trajectory(data, whole.events, whole.status, whole.message)
    replay({"moreau": broken}, spec, start_meshcat())
    data["q"][:] = np.nan
    with pytest.raises(RunError, match="no finite row"):
        replay({"moreau": broken}, spec, start_meshcat())
