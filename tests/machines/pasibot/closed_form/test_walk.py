"""Walks of PASIBOT under a given torque: against inverse dynamics, work, and thresholds."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.parameters import TEXT
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.thresholds import start_torque
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.closed_form.walk import walk

MACHINE = SlidingProfile(TEXT)


def energy(run, time):
    th8, rate = run.at(time)
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
    run = walk(MACHINE, torque, 1.2, rate=3.8, relative=1e-9)
    time = np.linspace(0.0, 1.2, 25)
    th8, rate = run.at(time)
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

    run = walk(MACHINE, torque, 3.0, th8=STEP_BEGINS + 0.7, rate=2.5)
    # th8 falls below pi/2, the beginning of the step, for a part of the period pi
    assert len(run.backward) == len(run.exchanges) == 1
    time = np.linspace(0.0, 3.0, 40)
    th8, rate = run.at(time)
    assert np.abs(th8 - motion(time)[0]).max() < 1e-6
    assert np.abs(rate - motion(time)[1]).max() < 1e-5
    assert fold(th8)[1].min() == -1


# --- work and energy ---------------------------------------------------------------------------


def test_without_a_torque_energy_is_kept_over_exchanges():
    run = walk(MACHINE, lambda _: 0.0, 2.0, rate=15.0)
    assert len(run.exchanges) >= 3
    kept = energy(run, np.linspace(0.0, run.end, 200))
    assert np.ptp(kept) < 1e-9


def test_a_torque_that_jumps_does_the_work_of_its_parts():
    run = walk(MACHINE, lambda time: 2.0 if time < 0.5 else -1.0, 0.9, breaks=(0.5,))
    (begin, middle, end), _ = run.at([0.0, 0.5, 0.9])
    work = 2.0 * (middle - begin) - 1.0 * (end - middle)
    before, after = energy(run, [0.0, 0.9])
    assert after - before == pytest.approx(work, abs=1e-9)
    assert any(stance.begin == 0.5 for stance in run.stances)


def test_exchanges_are_where_a_step_ends_and_nothing_jumps_there():
    run = walk(MACHINE, lambda _: 1.0, 2.5)
    assert len(run.exchanges) >= 3
    th8, rate = run.at(run.exchanges)
    number = np.arange(1, th8.size + 1)
    assert np.abs(th8 - STEP_BEGINS - np.pi * number).max() < 1e-9
    before, after = run.stances[0].path(run.exchanges[0]), run.at(run.exchanges[0])
    assert np.abs(before - after).max() < 1e-11
    assert [stance.steps for stance in run.stances] == [0, *number]
    assert rate.min() > 0.0


# --- thresholds --------------------------------------------------------------------------------


@pytest.mark.parametrize("knee", ["forward", "rearward"])
@pytest.mark.parametrize("slot_end", ["behind", "ahead"])
def test_the_starting_torque_starts_it_and_a_little_less_does_not(knee, slot_end):
    parameters = replace(TEXT, knee=knee, slot_end=slot_end)
    machine, least = SlidingProfile(parameters), start_torque(parameters).value
    over = walk(machine, lambda _: 1.001 * least, 4.0)
    assert len(over.exchanges) >= 1
    below = walk(machine, lambda _: 0.999 * least, 4.0)
    assert below.exchanges == ()
    # it comes near, and turns back
    reached, rate = below.at(np.linspace(0.0, 4.0, 400))
    assert reached.max() < np.pi + 0.2
    assert rate.min() < 0.0


def test_a_torque_backwards_walks_it_backwards():
    run = walk(MACHINE, lambda _: -5.0, 1.0)
    assert run.exchanges == ()
    # the first of them at once, from pi/2 of a step to 3 pi/2 of the one before
    assert len(run.backward) >= 2
    assert run.backward[0] < 1e-3
    assert run.at(1.0)[0] < STEP_BEGINS - np.pi
    work = -5.0 * (run.at(1.0)[0] - STEP_BEGINS)
    before, after = energy(run, [0.0, 1.0])
    assert after - before == pytest.approx(work, rel=1e-9)


# --- requests ----------------------------------------------------------------------------------


def test_times_outside_the_walk_are_refused():
    run = walk(MACHINE, lambda _: 1.0, 0.2)
    assert run.at(0.1)[0].shape == ()
    assert run.at([[0.0, 0.1], [0.15, 0.2]])[1].shape == (2, 2)
    for time in (-0.1, 0.3):
        with pytest.raises(ValueError, match=r"lasts from 0.0 to 0.2 s"):
            run.at(time)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"th8": 1.0}, "a step is th8"), ({"th8": 5.0}, "a step is th8"), ({"span": 0.0}, "span")],
)
def test_starts_outside_a_step_are_refused(change, message):
    asked = {"span": 1.0} | change
    with pytest.raises(ValueError, match=message):
        walk(MACHINE, lambda _: 1.0, **asked)


def test_a_torque_that_is_no_number_is_refused_where_it_is():
    with pytest.raises(ValueError, match=r"the torque at t = 0\.\d+ s is nan"):
        walk(MACHINE, lambda time: 1.0 if time < 0.1 else float("nan"), 1.0)


@pytest.mark.parametrize("change", [{"slot": 4.1}, {"l9": 2.4}, {"base": 2.1}])
def test_geometries_whose_feet_would_hit_the_floor_are_refused(change):
    with pytest.raises(ValueError, match=r"support exchange is not smooth: \w+ = "):
        walk(replace(TEXT, **change), lambda _: 1.0, 1.0)
