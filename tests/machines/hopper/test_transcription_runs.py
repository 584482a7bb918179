from dataclasses import replace

import numpy as np
import pytest
from tests.machines.hopper.machine import context

from footfall.analysis.checkpoint import Checkpoint
from footfall.analysis.context import AnalysisContext
from footfall.analysis.nonlinear_programme import Effort
from footfall.errors import RunError, ScenarioError
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.transcription import analysis
from footfall.machines.hopper.transcription.analysis import (
    JumpTranscription,
    confirmed_jump,
    drawn_run_up,
    trajectories_of,
    with_another_slide,
    with_Q_behind,
)
from footfall.machines.hopper.transcription.programme import PhaseSequence, Slack

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
    monkeypatch.setattr(analysis, "_SHARP", Effort(iterations=1))
    monkeypatch.setattr(analysis, "_ATTEMPTS", ((1, 1.0, 0.0), (2, 1.0, 0.01)))
    programme, guess = drawn_run_up(slack=replace(ROOM, force=6.0))  # the weight is 6 N
    with pytest.raises(RunError, match="ended") as failure:
        confirmed_jump(programme, guess, Effort(iterations=1))
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize("slides", [0, 5])
def test_slides_that_no_run_up_has_are_refused(slides):
    with pytest.raises(ScenarioError, match=f"^analysis: slides is {slides}: give 1 to 4"):
        JumpTranscription(slides=slides)


@pytest.mark.slow
@pytest.mark.longest
def test_every_slide_lengthens_the_jump_and_what_is_done_is_not_solved_again(tmp_path, monkeypatch):
    hopper = context()
    progress = []
    slides = JumpTranscription(slides=2)

    def analysis():
        checkpoint = Checkpoint(tmp_path / "pieces.jsonl", "hopper")
        return AnalysisContext(checkpoint, lambda what, share: progress.append((what, share)))

    # raises where the event-driven model does not confirm a jump
    result = slides.run(hopper, analysis())
    assert set(result.metrics) == set(slides.metrics())
    one, two, behind = result.metrics["distances"]
    # centimetres apart, and five times the authors' 0.1336 m
    assert behind > two > one + 0.02
    assert behind > 5.0 * 0.1336
    assert [what for what, _ in progress] == ["1 slide", "2 slides", "Q behind"]
    assert result.data["jump_distance"].sel(jump="Q behind") == behind
    # a second time nothing is solved: all is in the checkpoint
    monkeypatch.setattr(analysis, "confirmed_jump", None)
    again = slides.run(hopper, analysis())
    assert again.metrics == result.metrics
