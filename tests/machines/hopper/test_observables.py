"""Judgement of motions as jumps: a trajectory read back says what the motion itself says."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from tests.machines.hopper.machine import (
    PUBLISHED,
    PUBLISHED_TORQUE,
    closed_form,
    context,
    profile,
    published_jump,
)
from tests.machines.hopper.motions import at

from footfall.errors import ScenarioError
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.control import torque_law_of
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.motion import motion_from
from footfall.machines.hopper.observables import jump_of

LANDS = 0.3540778  # s, when P lands in the published jump
AGAIN = "P leaves the ground again at t = "


@dataclass(frozen=True)
class Case:
    """A motion from a start x (8,), changed from the published one, and why it is no jump."""

    why: str
    changes: dict = field(default_factory=dict)
    x: np.ndarray = field(default_factory=PUBLISHED.copy)


def torque(*segments):
    return {"controller": profile(segments)}


CASES = {
    "published": Case(""),
    # whatever its restitution, P is in the air again after the strike: at the time of the strike
    "a little restitution": Case(AGAIN + "0.3541 s", {"restitution": 0.05, "duration": 2.0}),
    "restitution": Case(AGAIN + "0.3541 s", {"restitution": 0.3}),
    # a plastic landing after which the torque pulls P up, at once and a little later
    "pulled up": Case(AGAIN + "0.3560 s", torque(*PUBLISHED_TORQUE, (0.35, 1.0, (-2.0,)))),
    "pulled up later": Case(
        AGAIN + "0.3800 s", torque(*PUBLISHED_TORQUE, (0.35, 0.38, (0.0,)), (0.38, 1.0, (-4.0,)))
    ),
    "pulled up first": Case("P does not start on the ground", torque((0.0, 1.0, (-5.0,)))),
    "R first": Case("R lands before P", torque((0.0, 0.02, (0.0,)), (0.02, 1.0, (-5.0,)))),
    "falls over": Case(
        "Q lands before P leaves the ground", {"controller": None, "duration": 1.0}, at(60.0, 10.0)
    ),
    "stands": Case("P never flies", {"controller": None, "duration": 0.1}, at(90.0, 0.0)),
    "ends in flight": Case("P does not land in this run", {"duration": 0.2}),
    "ends on the ground": Case("neither Q nor R lands in this run", {"duration": 0.4}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_a_trajectory_read_back_says_of_a_motion_what_the_motion_says(case):
    of = context(case.x, **case.changes)
    machine, drive = closed_form(of), torque_law_of(of.controller, of.model, of.contacts)
    exact = motion_from(machine, drive, case.x, of.duration)
    read = jump_of(hybrid(of), machine)
    assert exact.jump.why == case.why
    assert read.why == case.why
    assert read.distance == pytest.approx(exact.jump.distance, abs=1e-12, nan_ok=True)


def test_a_start_above_the_ground_is_no_jump():
    x = at(z=0.01)
    of = context(x)
    read = jump_of(hybrid(of), closed_form(of))
    assert read.why == "P does not start on the ground"
    # 10 mm of free fall with nothing but its weight and the torque before its first landing
    flights = [one for one in read.intervals if one.phase is JumpPhase.FLIGHT]
    assert read.impact == flights[0].end < 0.06
    with pytest.raises(ScenarioError, match=r"P is 0\.01 m above the ground"):
        motion_from(closed_form(of), torque_law_of(of.controller, of.model, of.contacts), x)


@pytest.mark.parametrize("restitution", [0.05, 0.3])
def test_a_rebound_ends_the_flight(restitution):
    # P cannot know its restitution before it strikes
    plastic = jump_of(published_jump()[1], closed_form(published_jump()[0]))
    of = context(restitution=restitution)
    trajectory = hybrid(of)
    read = jump_of(trajectory, closed_form(of))
    # 1 ns: of the time that the steps of a flight are integrated in
    assert read.impact == pytest.approx(plastic.impact, abs=1e-9)
    assert read.impact == pytest.approx(LANDS, abs=1e-6)
    assert read.after[0].phase is JumpPhase.FLIGHT
    # every flight begins and ends on the ground, but one in which the run ends
    time, height = trajectory.data["time"].to_numpy(), trajectory.data["q"].to_numpy()[:, 1]
    strikes = [event.time for event in trajectory.events if event.kind == "P lands"]
    for one in read.flight + read.after:
        if one.phase is JumpPhase.FLIGHT:
            inside = (time > one.start) & (time < one.end)
            assert (height[inside] > 0.0).all()
            assert one.end in strikes or one.end == time[-1]


def test_what_lands_while_p_is_in_the_air_again_is_told_so():
    again = hybrid(context(restitution=0.3))
    assert "Q reaches the ground at t = 0.4083 s while P is in the air again" in again.message
    first = hybrid(context(**CASES["R first"].changes))
    assert "before P does" in first.message
