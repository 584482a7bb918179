"""Runs of machines' own engines on the page: led row by row where these compute so."""

import threading
import time

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.show.meshcat_state import shown_pose
from tests.show.watching import conductor

from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.show import start_meshcat
from footfall.show.live.controls import Command, Controls
from footfall.simulation import Restart
from footfall.trajectory import Status

WALK, SHORT = "humanoid/opc", "duration=0.2"
ENGINES = ["closed-form", "hybrid"]


@pytest.fixture
def led():
    """Conductor with the commands of a page, and its scene."""
    meshcat, controls = start_meshcat(), Controls()
    return conductor(meshcat, controls=controls), controls, meshcat


def walked(live, engine="closed-form"):
    return run_scenario(load_scenario(WALK, [SHORT]), WALK, engine, conductor=live)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_walk_that_is_watched_has_the_same_bits_and_is_drawn_where_it_is(engine, led):
    live, controls, meshcat = led
    found, plain = walked(live, engine), run(WALK, engine, SHORT)
    for name in ("q", "v", "actuation"):
        np.testing.assert_array_equal(found.trajectory.data[name], plain.trajectory.data[name])
    assert live.begun
    assert controls.state["status"] == "over"
    assert controls.state["time"] == pytest.approx(0.2)
    trunk = found.trajectory.data["q"].to_numpy()[-1, 4:7]
    np.testing.assert_allclose(
        shown_pose(meshcat, "/scene/machine/humanoid/hat")[:3, 3], trunk, atol=1e-6
    )
    assert controls.about["links"] == []  # nothing is pushed by hand
    assert not controls.about["changes"]


def test_what_cannot_be_done_by_hand_is_told_on_the_page_and_the_walk_goes_on(led):
    live, controls, _ = led
    controls.put(Command("push", {"link": "hat", "force": [9.0, 0.0, 0.0]}))
    controls.put(Command("change", {"friction": 0.2}))
    assert walked(live).trajectory.status is Status.DONE
    assert len(controls.notes) == 2
    assert all("closed-form takes no pushes and changes" in note for note in controls.notes)


def test_a_walk_pauses_and_is_closed_where_it_is_with_its_rows(led):
    live, controls, _ = led
    controls.put(Command("step", {"count": 5}))

    def close():
        while controls.state.get("status") != "paused" or controls.state["time"] < 0.045:
            time.sleep(0.01)
        controls.put(Command("close"))

    threading.Thread(target=close, daemon=True).start()
    found = walked(live).trajectory
    assert found.status is Status.INTERRUPTED
    assert found.data["time"].to_numpy()[-1] == pytest.approx(0.05)


def test_a_walk_begins_anew(led):
    live, controls, _ = led
    controls.put(Command("restart"))
    with pytest.raises(Restart):
        walked(live)
    assert walked(live).trajectory.status is Status.DONE


def test_an_engine_that_computes_at_once_is_left_alone(led):
    live, _, _ = led
    scenario = load_scenario("motor/step", ["duration=0.1"])
    found = run_scenario(scenario, "motor/step", "closed-form", conductor=live)
    assert found.trajectory.status is Status.DONE
    assert not live.begun


def test_progress_is_reported_from_row_to_row(monkeypatch):
    monkeypatch.setattr("footfall.simulation._MOMENT", 0.0)
    seen = []
    scenario = load_scenario(WALK, [SHORT])
    run_scenario(scenario, WALK, "closed-form", report=lambda one: seen.append(one.time))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(0.2)
    assert len(seen) > 15
