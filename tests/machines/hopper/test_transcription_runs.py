from dataclasses import replace

import numpy as np
import pytest

from footfall.analysis.nonlinear_programme import Effort
from footfall.errors import RunError
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.transcription import jump
from footfall.machines.hopper.transcription.analysis import (
    drawn_run_up,
    with_another_slide,
    with_Q_behind,
)
from footfall.machines.hopper.transcription.jump import (
    confirmed_jump,
    design_of,
    trajectories_of,
)
from footfall.machines.hopper.transcription.layout import PhaseSequence, Slack

STICK, FORWARD, BACKWARD, FLIGHT = JumpPhase
ROOM = Slack(1e-2, 0.01, 0.3, 0.2)
COARSE = Effort(tolerance=1e-6)


def test_another_slide_is_the_last_one_again_and_further_on():
    programme, guess = drawn_run_up()
    values = guess.copy()
    slide = programme.layout.places[1]
    values[slide.knots[0]] = np.linspace(0.0, 0.2, slide.knots.shape[1])
    for _ in range(2):
        before = trajectories_of(programme, values)
        programme, values = with_another_slide(programme, values)
        after = trajectories_of(programme, values)
        push = programme.plan.take_off - 1
        assert [trajectory.phase for trajectory in after[push - 2 :][:4]] == [
            STICK,
            FORWARD,
            BACKWARD,
            FLIGHT,
        ]
        last, again = before[push - 3].states[0], after[push - 1].states[0]
        np.testing.assert_allclose(again - again[0], last - last[0], atol=1e-12)
        # P stands where the slide before has left it
        np.testing.assert_allclose(after[push - 2].states[0], last[-1], atol=1e-12)
        assert again[0] == pytest.approx(last[-1])


def test_a_jump_without_a_slide_before_its_push_gets_no_other():
    programme, guess = drawn_run_up()
    plan = programme.plan
    bare = replace(programme, plan=PhaseSequence(plan.before[:1], plan.flight, plan.after))
    with pytest.raises(ValueError, match="run-up"):
        with_another_slide(bare, guess[: bare.layout.size])


def test_Q_behind_keeps_the_run_up():
    programme, guess = drawn_run_up()
    other, values = with_Q_behind(programme, guess)
    assert other.plan.before == programme.plan.before
    assert not other.plan.ahead
    assert [segment.phase for segment in other.plan.after] == [FORWARD]
    for old, new in zip(
        trajectories_of(programme, guess)[:3], trajectories_of(other, values)[:3], strict=True
    ):
        np.testing.assert_allclose(new.states, old.states, atol=1e-12)


@pytest.mark.slow
def test_what_cannot_be_solved_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(jump, "_SHARP", Effort(iterations=1))
    monkeypatch.setattr(jump, "_ATTEMPTS", ((1, 1.0, 0.0), (2, 1.0, 0.01)))
    programme, guess = drawn_run_up(slack=replace(ROOM, force=6.0))  # the weight is 6 N
    with pytest.raises(RunError, match="ended") as failure:
        confirmed_jump(programme, guess, Effort(iterations=1))
    assert "\n" not in str(failure.value)


@pytest.mark.slow
@pytest.mark.longest
def test_slides_lengthen_a_jump_and_the_event_driven_model_confirms_it():
    programme, guess = drawn_run_up(slack=ROOM)
    distances = []
    for slides in (1, 2):
        if slides > 1:
            programme, guess = with_another_slide(programme, guess)
        solution = programme.solve(guess, COARSE)
        assert solution.solved, solution.message
        guess = solution.values
        distances.append(design_of(programme, solution.values).distance)
    behind, guess = with_Q_behind(programme, guess)
    design = confirmed_jump(behind, guess, COARSE).design
    # longer by centimetres, far more than any error
    assert distances[1] > distances[0] + 0.02
    replayed = design.replayed(behind.machine)
    assert replayed.valid, replayed.why
    # 1e-10 at the start, a million times as much at take-off
    assert replayed.distance == pytest.approx(design.distance, abs=1e-3)
    # five times the authors' 0.1336 m, whatever room the confirmation took
    assert replayed.distance > 5.0 * 0.1336
    flights = [one for one in replayed.run.segments if one.mode.startswith("flight")]
    momenta = [
        behind.machine.centroidal_angular_momentum(x[:8])
        for one in flights
        for x in (one.x_start, one.x_end)
    ]
    # kept whatever the torque does, to the integrator's tolerance
    assert np.ptp(momenta) < 1e-9
