"""Requests of the page, without a browser: the clock, hands, layers, and what goes wrong."""

import threading
import time

import numpy as np
import pytest
from tests.engines.tiny import BALL, simulate, tiny
from tests.show.meshcat_state import is_visible, shown_pose, shown_scale
from tests.show.watching import conductor

from footfall.show import start_meshcat
from footfall.show.live.controls import Command, Controls
from footfall.show.live.display import Display
from footfall.show.live.run import LiveRun
from footfall.show.view import PLAIN
from footfall.simulation import Restart
from footfall.trajectory import Status

STEP = 0.01
MOMENT = 0.3  # s


@pytest.fixture
def ball(tmp_path):
    return tiny(
        tmp_path, BALL, positions={"ball_qw": 1.0, "ball_z": 0.1}, duration=0.2, time_step=STEP
    )


def _led(scenario, *commands, plots=(), later=None):
    """Run, controls and scene of a run that gets commands at its start.

    later: a command, and the simulated time [s] at which the run pauses before it is given.
    """
    meshcat, controls = start_meshcat(), Controls()
    live = LiveRun(meshcat, controls, Display(meshcat, PLAIN), PLAIN, plots)
    live.clock.speed = np.inf
    for name, values in commands:
        controls.put(Command(name, values))
    if later is not None:
        threading.Thread(target=_when_paused, args=(controls, *later), daemon=True).start()
    return simulate(scenario, conductor=live), controls, meshcat


def _when_paused(controls, name, at):
    """Give a command a moment after a run is seen to pause at a time."""
    while controls.state.get("status") != "paused" or controls.state["time"] < at - 0.5 * STEP:
        time.sleep(0.01)
    time.sleep(MOMENT)
    controls.put(Command(name))


@pytest.mark.slow
def test_a_paused_run_waits_for_play_and_is_the_same(ball):
    started = time.perf_counter()
    run, _, _ = _led(ball, ("pause", {}), ("step", {"count": 3}), later=("play", 3 * STEP))
    assert time.perf_counter() - started > MOMENT
    plain = simulate(ball)
    np.testing.assert_array_equal(run.trajectory.data["q"], plain.trajectory.data["q"])


@pytest.mark.slow
def test_a_run_that_is_closed_is_interrupted_where_it_is(ball):
    run, _, _ = _led(ball, ("step", {"count": 4}), ("pause", {}), later=("close", 4 * STEP))
    assert run.trajectory.status is Status.INTERRUPTED
    assert float(run.trajectory.data["time"][-1]) == pytest.approx(4 * STEP)


def test_a_restart_begins_anew(ball):
    live = conductor(start_meshcat(), controls=(controls := Controls()))
    controls.put(Command("restart"))
    with pytest.raises(Restart):
        simulate(ball, conductor=live)
    assert simulate(ball, conductor=live).trajectory.status is Status.DONE


def test_pushes_and_changes_by_hand_are_noted_and_drawn(ball):
    push = {"link": "ball", "force": [0, 3.0, 0], "duration": 9.0}
    run, controls, meshcat = _led(
        ball, ("push", push), ("change", {"friction": 0.2}), ("change", {"gravity": 5.0}),
        ("show", {"layer": "cones", "shown": True}), plots=("v.ball_vy",),
    )  # fmt: skip
    assert [each.start for each in run.by_hand.pushes] == [STEP]
    assert [str(each) for each in run.by_hand.changes] == ["friction 0.2", "gravity 5 m/s^2"]
    assert [note.partition(": ")[2] for note in controls.notes] == [
        "push on ball, 3 N for 9 s", "friction 0.2", "gravity 5 m/s^2",
    ]  # fmt: skip
    assert controls.about["friction"] == 0.2
    assert is_visible(meshcat, "/scene/pushes/0/force")
    width, _, height = shown_scale(meshcat, "/scene/friction_cones/ball/skin/cone/shape")
    assert width / height == pytest.approx(0.2)
    # by 3 N on 1.5 kg, less friction that lets it roll: faster at the end than at first
    assert controls.rows[-1][1] > 0.1


def test_plots_have_a_row_at_every_fiftieth_of_a_second_however_seldom_frames_are_drawn(ball):
    ball.time_step = STEP / 4
    _, controls, _ = _led(ball, plots=("ball_z",))
    times = np.array([row[0] for row in controls.rows])
    for due in np.arange(0.0, ball.duration, 0.02):
        assert np.abs(times - due).min() < 1e-9


def test_what_is_refused_is_told_on_the_page_and_the_run_goes_on(ball):
    run, controls, _ = _led(
        ball, ("push", {"link": "bal", "force": [1, 0, 0]}), ("push", {"link": "ball"}),
        ("change", {}), ("change", {"gravity": -3.0}), ("change", {"parameter": "kp", "value": 1}),
        ("change", {"friction": None}), ("change", {"gravity": 10**400}),  # as a page sends a NaN
        ("push", {"link": "ball", "force": [None, 0, 1]}), ("push", {"link": "ball", "force": 3}),
        ("push", {"link": "ball", "force": [1, 0, 0], "duration": 0}),
        ("nonsense", {}), ("camera", {"value": "nowhere"}), ("show", {"layer": 7}),
        ("alpha", {"value": "thick"}), ("speed", {"value": None}),
    )  # fmt: skip
    assert run.trajectory.status is Status.DONE
    assert len(controls.notes) == 10
    assert all(": refused: " in note for note in controls.notes)
    assert (run.by_hand.pushes, run.by_hand.changes) == ((), ())


def test_opacity_and_cameras_reach_the_scene(ball):
    _, controls, meshcat = _led(ball, ("alpha", {"value": 0.4}), ("follow", {"value": False}))
    assert controls.state["alpha"] == 0.4
    packed = meshcat._GetPackedProperty("/scene/machine", "modulated_opacity")
    assert np.frombuffer(packed[-8:], dtype=">f8")[0] == 0.4
    assert not controls.state["follow"]
    np.testing.assert_array_equal(shown_pose(meshcat, "/scene")[:3, 3], 0.0)


@pytest.mark.parametrize("place", ["stage.Actor.pose", "live.display.Display.told"])
def test_a_picture_that_fails_is_told_once_and_ends_no_run(ball, monkeypatch, place):
    def fail(*_arguments):
        raise RuntimeError("out of paint")

    monkeypatch.setattr(f"footfall.show.{place}", fail)
    run, controls, _ = _led(ball, ("camera", {"value": "side"}), plots=("v.ball_vy",))
    assert controls.notes == ["t = 0 s: the picture fails: RuntimeError: out of paint"]
    np.testing.assert_array_equal(run.trajectory.data["q"], simulate(ball).trajectory.data["q"])
