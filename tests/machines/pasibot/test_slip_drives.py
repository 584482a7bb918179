"""Torques and motions of PASIBOT's crank on a foot that may slide, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.walks import held_speed, rough

from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.thresholds import least_friction
from footfall.machines.pasibot.slip_system import (
    Torque,
    constant_speed,
    constant_torque,
)
from footfall.machines.pasibot.slip_walk import slip_walk

# --- torques -----------------------------------------------------------------------------------


def test_a_torque_that_jumps_may_tear_a_foot_loose():
    # the foot sticks until the torque changes at once
    drive = Torque((lambda t, _a, _b: 0.9 + 0.0 * t, lambda t, _a, _b: -6.0 + 0.0 * t), (0.25,))
    found = slip_walk(rough(mu_s=0.1), drive, 0.4)
    loose = next(s for s in found.slides if s.begin > 0.2)
    assert loose.begin == 0.25
    before, after = found.at(0.25 - 1e-9), found.at(0.25)
    assert before.torque == pytest.approx(0.9)
    assert after.torque == pytest.approx(-6.0)
    assert before.rate == pytest.approx(float(after.rate), abs=1e-6)
    # a break at the start, or before: the law behind it
    early = Torque((lambda t, _a, _b: -6.0 + 0.0 * t, drive.laws[0]), (0.0,))
    assert slip_walk(rough(mu_s=0.1), early, 0.1).at(0.0).torque == pytest.approx(0.9)
    # a law of each side only
    with pytest.raises(ValueError, match="1 breaks want one law more, got 1"):
        Torque(drive.laws[:1], (0.25,))
    with pytest.raises(ValueError, match="breaks must rise"):
        Torque((*drive.laws, drive.laws[0]), (0.25, 0.1))


def test_a_held_speed_asks_nothing_of_a_crank_that_is_where_it_should_be():
    law = held_speed(3.0, gain=1.5, stiffness=4.0).laws[0]
    due = STEP_BEGINS + 3.0 * 0.5
    assert law(0.5, due, 3.0) == 0.0
    assert law(0.5, due - 0.1, 3.0) == pytest.approx(0.4)
    assert law(0.5, due, 2.0) == pytest.approx(1.5)


def test_friction_takes_what_would_have_started_the_machine():
    # 0.84 N m starts it on a foot that is held; ice takes no energy either
    walks = [slip_walk(rough(mu_s=mu), constant_torque(0.86), 1.2) for mu in (0.5, 0.05, 0.0)]
    assert [len(found.exchanges) > 0 for found in walks] == [True, False, True]
    assert walks[1].at(1.2).heat > 0.1


# --- refusals ----------------------------------------------------------------------------------


def test_a_foot_that_would_lift_ends_the_walk_in_one_line():
    found = slip_walk(rough(mu_s=0.5), constant_speed(12.0), 1.0)
    assert "the floor would have to hold the foot down" in found.ending
    assert "\n" not in found.ending
    assert 0.0 < found.end < 0.3
    last = found.rows(found.phases[-1], np.array([found.end]))
    assert last.up[0] == pytest.approx(0.0, abs=1e-9)


def test_a_walk_that_begins_in_the_air_has_no_rows():
    phase = least_friction(TEXT, 3.0).th8
    fast = next(
        found
        for th8 in (STEP_BEGINS, phase, 4.0)
        if not (found := slip_walk(rough(), constant_speed(40.0, th8), 0.1)).phases
    )
    with pytest.raises(ValueError, match="the walk ended at its start: at t = 0 s the floor"):
        fast.at(0.0)
    assert fast.slides == fast.slip_of_steps == ()
    assert fast.end == 0.0


@pytest.mark.parametrize(
    ("change", "drive", "span", "message"),
    [
        ({"slot": 4.1}, constant_speed(3.0), 1.0, "support exchange is not smooth"),
        ({}, constant_speed(3.0), 0.0, "the span must be positive, got 0.0 s"),
        ({}, constant_speed(3.0, 1.0), 1.0, "a walk begins in a step"),
        ({"mu_s": 1.5, "mu_k": 1.5}, constant_torque(1.0), 1.0, "mu_k = 1.5 is beyond Painleve's"),
    ],
)
def test_what_cannot_be_walked_is_refused(change, drive, span, message):
    with pytest.raises(ValueError, match=message) as refusal:
        slip_walk(replace(TEXT, **change), drive, span)
    assert "\n" not in str(refusal.value)


def test_a_torque_that_is_no_number_is_refused_where_it_is():
    drive = Torque((lambda t, _a, _b: 1.0 + 0.0 * t, lambda _t, _a, _b: float("nan")), (0.1,))
    with pytest.raises(ValueError, match=r"the torque at t = 0\.1 s is nan"):
        slip_walk(rough(), drive, 0.2)
    later = Torque((lambda t, _a, _b: np.where(np.real(t) < 0.1, 1.0, np.nan) + 0.0 * t,))
    assert "not finite" in slip_walk(rough(), later, 0.2).ending


def test_much_friction_is_no_fault_of_a_prescribed_motion():
    assert slip_walk(rough(mu_s=2.0), constant_speed(3.0), 1.0).slides == ()


def test_times_outside_a_walk_and_rates_that_are_none_are_refused():
    found = slip_walk(rough(), constant_speed(3.0), 0.2)
    assert found.at([[0.0, 0.1], [0.15, 0.2]]).torque.shape == (2, 2)
    assert found.at(0.1).slip.shape == ()
    for time in (-0.1, 0.3):
        with pytest.raises(ValueError, match=r"goes from 0.0 to 0.2 s"):
            found.at(time)
    with pytest.raises(ValueError, match="finite number, got inf"):
        constant_speed(float("inf"))
    with pytest.raises(ValueError, match="a walk begins at finite"):
        slip_walk(rough(), constant_torque(1.0), 1.0, speed=float("nan"))
