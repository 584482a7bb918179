"""Walks of PASIBOT on a foot that is held: against inverse dynamics, work, and thresholds."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.hybrid import Options
from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.thresholds import start_torque
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile, two_freedoms
from footfall.machines.pasibot.slip_system import (
    EXCHANGE,
    EXCHANGE_BACK,
    STEPS,
    Torque,
    constant_speed,
)
from footfall.machines.pasibot.slip_walk import slip_walk

MACHINE = SlidingProfile(TEXT)


def walk(machine, *laws, span, breaks=(), **start):
    """A walk under torques [N m] over time, on a foot that is held."""
    of_time = [np.vectorize(lambda t, _th8, _rate, law=law: law(t), otypes=[float]) for law in laws]
    return slip_walk(machine, Torque(tuple(of_time), breaks), span, held=True, **start)


def at(run, time):
    """th8 [rad], counted on from the first step, and its rate."""
    rows = run.at(time)
    return STEP_BEGINS + np.pi * rows.phase, rows.rate


def times(run, guard):
    return [event.time for event in run.exchanges if event.guard == guard]


def energy(run, time):
    th8, rate = at(run, time)
    return two_freedoms(TEXT, fold(th8)[0]).energy(rate)


# --- forward and inverse dynamics --------------------------------------------------------------


def prescribed(time):
    """A walk of several steps that changes its speed: th8, th8', th8''."""
    return (
        STEP_BEGINS + 3.0 * time + 0.4 * np.sin(2.0 * time),
        3.0 + 0.8 * np.cos(2.0 * time),
        -1.6 * np.sin(2.0 * time),
    )


@pytest.mark.slow
def test_the_torque_of_a_motion_brings_that_motion_back():
    def torque(time):
        th8, rate, change = prescribed(time)
        return float(inverse(TEXT, fold(th8)[0], rate, change).torque)

    # 1.2 s go beyond one exchange; each call solves the 69 equations
    run = walk(MACHINE, torque, span=1.2, rate=3.8, options=Options(1e-9, 1e-13))
    time = np.linspace(0.0, 1.2, 25)
    th8, rate = at(run, time)
    assert len(run.exchanges) == 1
    # the integrator's error, which the motion neither damps nor lets grow much in this time
    assert np.abs(th8 - prescribed(time)[0]).max() < 1e-7
    assert np.abs(rate - prescribed(time)[1]).max() < 1e-6


def test_a_walk_back_and_forth_over_exchanges_of_support():
    def motion(time):
        turn = 2.5 * np.cos(2.0 * time)
        return STEP_BEGINS + 1.25 * np.sin(2.0 * time) + 0.7, turn, -5.0 * np.sin(2.0 * time)

    def torque(time):
        th8, rate, change = motion(time)
        return float(MACHINE(float(fold(th8)[0])).inverse(rate, change).torque)

    run = walk(MACHINE, torque, span=3.0, th8=STEP_BEGINS + 0.7, rate=2.5)
    # th8 falls below pi/2, the beginning of the step, for a part of the period pi
    assert [event.guard for event in run.exchanges] == [EXCHANGE_BACK, EXCHANGE]
    time = np.linspace(0.0, 3.0, 40)
    th8, rate = at(run, time)
    assert np.abs(th8 - motion(time)[0]).max() < 1e-6
    assert np.abs(rate - motion(time)[1]).max() < 1e-5
    assert fold(th8)[1].min() == -1


# --- work and energy ---------------------------------------------------------------------------


def test_without_a_torque_energy_is_kept_over_exchanges():
    run = walk(MACHINE, lambda _: 0.0, span=2.0, rate=15.0)
    assert len(run.exchanges) >= 3
    kept = energy(run, np.linspace(0.0, run.end, 200))
    assert np.ptp(kept) < 1e-9


def test_a_torque_that_jumps_does_the_work_of_its_parts():
    run = walk(MACHINE, lambda _: 2.0, lambda _: -1.0, span=0.9, breaks=(0.5,))
    (begin, middle, end), _ = at(run, [0.0, 0.5, 0.9])
    work = 2.0 * (middle - begin) - 1.0 * (end - middle)
    before, after = energy(run, [0.0, 0.9])
    assert after - before == pytest.approx(work, abs=1e-9)
    assert any(phase.start == 0.5 for phase in run.phases)
    assert run.at(0.9).work == pytest.approx(work, abs=1e-9)


def test_exchanges_are_where_a_step_ends_and_nothing_jumps_there():
    run = walk(MACHINE, lambda _: 1.0, span=2.5)
    assert len(run.exchanges) >= 3
    th8, rate = at(run, times(run, EXCHANGE))
    number = np.arange(1, th8.size + 1)
    assert np.abs(th8 - STEP_BEGINS - np.pi * number).max() < 1e-9
    event = run.exchanges[0]
    assert np.abs(event.x_after - event.x_before)[1:STEPS].max() == 0.0
    assert event.x_after[0] - event.x_before[0] == pytest.approx(-np.pi, abs=1e-14)
    assert [phase.x_start[STEPS] for phase in run.phases] == [0, *number]
    assert rate.min() > 0.0


# --- thresholds --------------------------------------------------------------------------------


@pytest.mark.parametrize("knee", ["forward", "rearward"])
@pytest.mark.parametrize("slot_end", ["behind", "ahead"])
def test_the_starting_torque_starts_it_and_a_little_less_does_not(knee, slot_end):
    parameters = replace(TEXT, knee=knee, slot_end=slot_end)
    machine, least = SlidingProfile(parameters), start_torque(parameters).value
    over = walk(machine, lambda _: 1.001 * least, span=4.0)
    assert len(over.exchanges) >= 1
    below = walk(machine, lambda _: 0.999 * least, span=4.0)
    assert below.exchanges == ()
    # it comes near, and turns back
    reached, rate = at(below, np.linspace(0.0, 4.0, 400))
    assert reached.max() < np.pi + 0.2
    assert rate.min() < 0.0


def test_a_torque_backwards_walks_it_backwards():
    run = walk(MACHINE, lambda _: -5.0, span=1.0)
    assert times(run, EXCHANGE) == []
    # the first of them at once, from pi/2 of a step to 3 pi/2 of the one before
    back = times(run, EXCHANGE_BACK)
    assert len(back) >= 2
    assert back[0] < 1e-3
    end = float(at(run, 1.0)[0])
    assert end < STEP_BEGINS - np.pi
    work = -5.0 * (end - STEP_BEGINS)
    before, after = energy(run, [0.0, 1.0])
    assert after - before == pytest.approx(work, rel=1e-9)


# --- requests ----------------------------------------------------------------------------------


def test_a_foot_that_is_held_takes_whatever_force_that_takes():
    """Faster than the floor can hold it down; (19) has the force, which pulls there."""
    found = slip_walk(replace(TEXT, mu_s=0.0, mu_k=0.0), constant_speed(14.0), 0.4, held=True)
    rows = found.at(np.linspace(0.0, 0.4, 30))
    there = inverse(TEXT, rows.th8, rows.rate, rows.acceleration)
    assert not found.ending
    assert found.slides == ()
    assert np.all(rows.slip == 0.0)
    assert rows.up.min() < 0.0
    np.testing.assert_allclose(rows.along + 1j * rows.up, there.floor, atol=1e-8)


def test_times_outside_the_walk_are_refused():
    run = walk(MACHINE, lambda _: 1.0, span=0.2)
    assert run.at(0.1).th8.shape == ()
    assert run.at([[0.0, 0.1], [0.15, 0.2]]).rate.shape == (2, 2)
    for time in (-0.1, 0.3):
        with pytest.raises(ValueError, match=r"goes from 0.0 to 0.2 s"):
            run.at(time)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"th8": 1.0}, "begins in a step"),
        ({"th8": 5.0}, "begins in a step"),
        ({"span": 0.0}, "span"),
    ],
)
def test_starts_outside_a_step_are_refused(change, message):
    asked = {"span": 1.0} | change
    with pytest.raises(ValueError, match=message):
        walk(MACHINE, lambda _: 1.0, **asked)


def test_a_torque_that_is_no_number_is_refused_where_it_begins():
    with pytest.raises(ValueError, match=r"the torque at t = 0\.1 s is nan"):
        walk(MACHINE, lambda _: 1.0, lambda _: float("nan"), span=1.0, breaks=(0.1,))


@pytest.mark.parametrize("change", [{"slot": 4.1}, {"l9": 2.4}, {"base": 2.1}])
def test_geometries_whose_feet_would_hit_the_floor_are_refused(change):
    with pytest.raises(ValueError, match=r"support exchange is not smooth: \w+ = "):
        walk(replace(TEXT, **change), lambda _: 1.0, span=1.0)
