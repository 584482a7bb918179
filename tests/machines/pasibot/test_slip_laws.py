"""Walks of PASIBOT on feet that slide: energy, momentum, exchanges of support, scales and sides."""

from dataclasses import replace

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import mass_centre
from tests.machines.pasibot.walks import (
    MOTIONS,
    SLIPPERY,
    every_drive,
    every_pair,
    rough,
    spread,
    walked,
)

from footfall.machines.pasibot.closed_form.linkage import TEXT, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, exchange
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.slip_system import (
    Prescribed,
    constant_speed,
)
from footfall.machines.pasibot.slip_walk import lasting, slip_walk

# --- energy and momentum -----------------------------------------------------------------------


@every_pair
def test_the_motors_work_is_the_gain_of_energy_and_the_heat(parameters, name):
    found = walked(name, rough(parameters, 0.05, 0.03))
    rows = found.at(np.linspace(0.0, found.end, 200))
    assert rows.heat[-1] > 1e-3
    assert np.all(np.diff(rows.heat) >= -1e-12)
    # tolerances over thousands of evaluations, and the interpolant's order 7
    assert np.abs(rows.energy - rows.energy[0] + rows.heat - rows.work).max() < 1e-8


@every_drive
def test_momentum_changes_by_the_impulse_of_friction_alone(name):
    found = walked(name, SLIPPERY)
    gained = 0.0
    # nodes for harmonics of th8 up to some seventy, at up to thirty rad/s
    for phase, time, weight in spread(found, 20, panels=20):
        ends = found.rows(phase, np.array([phase.start, phase.end]))
        impulse = weight @ found.rows(phase, time).along
        # the interpolants at the nodes
        assert np.diff(ends.momentum)[0] == pytest.approx(impulse, abs=1e-8)
        gained += impulse
    rows = found.at(np.array([0.0, found.end]))
    assert np.diff(rows.momentum)[0] == pytest.approx(gained, abs=1e-8)


@every_pair
def test_on_ice_the_mass_centre_stays_where_it_is(parameters, name):
    # of a machine whose mass centre is at rest at the start
    drive, span = MOTIONS[name]
    turning = drive.motion(0.0)[1] if isinstance(drive, Prescribed) else 0.0
    at = two_freedoms(parameters, STEP_BEGINS)
    speed = -float(at.sway) * turning / total_mass(parameters)
    found = slip_walk(rough(parameters, 0.0), drive, span, speed=speed)
    rows = found.at(np.linspace(0.0, span, 150))
    way = np.floor(rows.phase + 1e-9) * exchange(parameters)["step"]
    place = way + rows.slip + mass_centre(parameters, rows.th8).value.real
    assert found.exchanges or name == "start and brake"
    assert np.abs(place - place[0]).max() < 1e-9
    assert np.ptp(rows.slip) > 0.01
    # rounding of a force that is to vanish
    assert np.abs(rows.heat).max() < 1e-13


# --- exchanges of support ----------------------------------------------------------------------


def test_a_sliding_foot_hands_its_velocity_over():
    # mu = 0.03: a slide over every exchange
    found = slip_walk(rough(mu_s=0.03), constant_speed(3.0), lasting(3.5, 3.0))
    over = [s for s in found.slides if np.floor(s.begin_phase) < np.floor(s.end_phase)]
    assert len(over) == 3
    for event in found.exchanges:
        assert event.x_before[3] == event.x_after[3] != 0.0
        assert event.x_before[2] == event.x_after[2]
        # half a turn back, one step on
        assert event.x_after[0] - event.x_before[0] == pytest.approx(-np.pi, abs=1e-14)
        assert event.x_after[6] - event.x_before[6] == 1.0
        rows = found.at(event.time)
        assert rows.slip == event.x_after[2]
        assert rows.phase == pytest.approx(event.x_after[6], abs=1e-11)


def test_a_slide_goes_on_from_the_start_over_an_exchange_to_the_end():
    found = slip_walk(rough(mu_s=0.0), constant_speed(3.0), lasting(1.5, 3.0))
    (whole,) = found.slides
    assert len(found.phases) == 2
    assert (whole.begin, whole.end) == (0.0, found.end)


def test_ways_of_steps_add_up():
    found = slip_walk(rough(mu_s=0.04), constant_speed(3.0), lasting(5, 3.0))
    steps = found.slip_of_steps
    assert len(steps) == 5
    assert sum(steps) == pytest.approx(float(found.at(found.end).slip), abs=1e-14)
    assert sum(s.distance for s in found.slides) == pytest.approx(sum(steps), abs=1e-13)
    for number, event in enumerate(found.exchanges):
        before = found.at(event.time - 1e-9)
        assert before.slip == pytest.approx(sum(steps[: number + 1]), abs=1e-10)


def test_slip_becomes_periodic():
    found = slip_walk(rough(mu_s=0.03), constant_speed(3.0), lasting(8, 3.0))
    steps = np.array(found.slip_of_steps)
    # the first begins with a foot at rest, which later ones do not
    assert abs(steps[0] - steps[-1]) > 1e-4
    assert steps[-1] == pytest.approx(steps[-2], abs=1e-12)


def test_a_machine_walks_back_over_exchanges():
    found = slip_walk(rough(mu_s=0.03), constant_speed(-3.0, STEP_ENDS), lasting(2.5, 3.0))
    assert [e.guard for e in found.exchanges] == ["exchange back", "exchange back"]
    rows = found.at(np.linspace(0.0, found.end, 50))
    assert rows.phase == pytest.approx(1.0 - 3.0 * rows.time / np.pi, abs=1e-10)
    assert np.all((rows.th8 > STEP_BEGINS - 1e-9) & (rows.th8 < STEP_ENDS + 1e-9))
    assert found.slides


# --- scales and symmetry -----------------------------------------------------------------------


def test_slip_goes_by_l8_times_the_squared_rate_over_g():
    here = slip_walk(rough(), constant_speed(3.0), lasting(2, 3.0)).slides
    larger, moon = replace(TEXT, l8=4.0 * TEXT.l8), replace(TEXT, g=TEXT.g / 9.0)
    for parameters, rate, length in ((larger, 1.5, 4.0), (moon, 1.0, 1.0)):
        there = slip_walk(rough(parameters), constant_speed(rate), lasting(2, rate)).slides
        for one, other in zip(here, there, strict=True):
            assert other.begin_phase == pytest.approx(one.begin_phase, abs=1e-10)
            assert other.end_phase == pytest.approx(one.end_phase, abs=1e-10)
            assert other.distance == pytest.approx(length * one.distance, abs=1e-11)
