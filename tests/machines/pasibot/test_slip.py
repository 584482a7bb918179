"""Walks of PASIBOT on feet that stick and slide: against the held foot, quadrature and friction."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from tests.machines.pasibot.assemblies import every_assembly
from tests.machines.pasibot.seventy_equations import sliding_forward, sliding_inverse
from tests.machines.pasibot.walks import (
    MOTIONS,
    SLIPPERY,
    every_drive,
    held_speed,
    rough,
    spread,
    varied,
    walked,
)

from footfall.machines.pasibot.closed_form.linkage import TEXT, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, fold
from footfall.machines.pasibot.closed_form.newton_euler import inverse
from footfall.machines.pasibot.closed_form.thresholds import least_friction
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile, two_freedoms
from footfall.machines.pasibot.slip_system import (
    Prescribed,
    constant_speed,
    constant_torque,
)
from footfall.machines.pasibot.slip_walk import lasting, slip_walk

# --- without slip ------------------------------------------------------------------------------


@every_assembly
def test_with_enough_friction_it_is_the_machine_on_a_foot_that_is_held(parameters):
    found = slip_walk(rough(parameters, 0.5), Prescribed(varied), 2.3)
    rows = found.at(np.linspace(0.0, 2.3, 60))
    there = inverse(parameters, rows.th8, rows.rate, rows.acceleration)
    assert found.slides == ()
    assert np.all(rows.slip == 0.0)
    assert np.abs(rows.torque - there.torque).max() < 1e-10
    assert np.abs(rows.along + 1j * rows.up - there.floor).max() < 1e-10
    assert np.abs(rows.zmp - there.zmp).max() < 1e-11
    assert len(found.exchanges) == 2


def held_foot(torque, time):
    """th8 [rad] and its rate of the machine of one freedom by scipy alone, over its exchanges."""

    machine = SlidingProfile(TEXT)

    def motion(_time, state):
        angle, rate = state.tolist()
        return rate, machine(float(fold(angle)[0])).forward(rate, torque).acceleration

    span, start = (0.0, time[-1]), (STEP_BEGINS, 0.0)
    found = solve_ivp(motion, span, start, "DOP853", time, rtol=1e-12, atol=1e-13, max_step=0.01)
    return found.y


@pytest.mark.parametrize(("torque", "span"), [(1.0, 1.0), (-3.0, 0.38)])
def test_under_a_torque_with_enough_friction_it_is_the_walk_without_slip(torque, span):
    # later it is so fast that the foot slides at any friction, and lifts
    found = slip_walk(rough(mu_s=1.4), constant_torque(torque), span)
    time = np.linspace(0.0, span, 60)
    rows, (th8, rate) = found.at(time), held_foot(torque, time)
    assert found.slides == ()
    # an interpolant of order 7
    assert np.abs(rows.phase * np.pi + STEP_BEGINS - th8).max() < 1e-8
    assert np.abs(rows.rate - rate).max() < 1e-7
    held = slip_walk(TEXT, constant_torque(torque), span, held=True)
    times = [e.time for e in held.exchanges]
    assert [e.time for e in found.exchanges] == pytest.approx(times, abs=1e-9)


# --- event times -------------------------------------------------------------------------------


def quadrature(parameters, mu, rate, guess):
    """A single slide at constant speed: th8 of its ends and distance, by brentq and quad alone.

    guess: three angles, with the beginning between the first two, the end after the third.
    """
    mass = total_mass(parameters)

    def force(th8):
        at = two_freedoms(parameters, th8)
        up = mass * parameters.g + at.gravity_slope * rate**2 / parameters.g
        return float(at.sway_slope * rate**2), float(up)

    def lacking(th8):
        along, up = force(th8)
        return abs(along) - mu * up

    begin = brentq(lacking, guess[0], guess[1], xtol=1e-14)
    way = -np.sign(force(begin)[0])

    def speeding(th8):
        along, up = force(th8)
        return (-way * mu * up - along) / mass / rate

    def speed(th8):
        return quad(speeding, begin, th8, epsabs=1e-14, epsrel=1e-13)[0]

    end = brentq(speed, guess[2], guess[2] + 0.8, xtol=1e-13)
    # way = integral of the speed, in parts
    moved = quad(lambda th8: (end - th8) * speeding(th8) / rate, begin, end, epsabs=1e-14)[0]
    return begin, end, moved


@pytest.mark.parametrize("mu", [0.079, 0.07, 0.06])
def test_slides_begin_and_end_where_quadrature_has_them(mu):
    found = slip_walk(rough(mu_s=mu), constant_speed(3.0), lasting(2, 3.0))
    peak = least_friction(TEXT, 3.0).th8
    begin, end, moved = quadrature(TEXT, mu, 3.0, (peak - 0.4, peak, peak + 0.03))
    assert len(found.slides) == 2
    for number, slide in enumerate(found.slides):
        at = number * np.pi - STEP_BEGINS
        assert slide.begin == pytest.approx((begin + at) / 3.0, abs=1e-9)
        assert slide.end == pytest.approx((end + at) / 3.0, abs=1e-9)
        assert slide.distance == pytest.approx(moved, abs=1e-11)
        assert slide.begin_phase == pytest.approx(slide.begin * 3.0 / np.pi, abs=1e-11)


def test_a_slide_under_a_torque_ends_where_the_seventy_equations_have_it():
    parameters, law = rough(mu_s=0.06, mu_k=0.05), held_speed(3.0, gain=1.0)
    found = slip_walk(parameters, law, 1.0, rate=3.0)
    slide = found.slides[0]
    start = found.at(slide.begin)

    def rates(time, x):
        torque = law.laws[0](time, x[0], x[1])
        kinetic = np.sign(slide.distance) * parameters.mu_k
        now = sliding_forward(parameters, x[0], x[1], torque, kinetic)
        return [x[1], float(now.acceleration), x[3], float(now.sliding)]

    def stops(_, x):
        return x[3] * np.sign(slide.distance)

    stops.terminal, stops.direction = True, -1.0
    begin = [float(start.th8), float(start.rate), 0.0, 0.0]
    there = solve_ivp(
        rates, (slide.begin, 1.0), begin, "DOP853", events=stops, rtol=1e-10, atol=1e-12
    )
    # the reference's tolerance, a tenth of a second long
    assert slide.end == pytest.approx(there.t_events[0][0], abs=1e-8)
    assert slide.distance == pytest.approx(there.y_events[0][0][2], abs=1e-9)


def test_tighter_and_wider_tolerances_find_the_same_times():
    from footfall.hybrid import Options

    drive, span = MOTIONS["speed held"]
    fine = slip_walk(rough(mu_s=0.04), drive, span)
    coarse = slip_walk(rough(mu_s=0.04), drive, span, options=Options(1e-10, 1e-11))
    assert [e.guard for e in fine.events] == [e.guard for e in coarse.events]
    times = [[e.time for e in found.events] for found in (fine, coarse)]
    # the wider one's own error, a hundred times that of the other
    assert times[0] == pytest.approx(times[1], abs=1e-8)


# --- friction ----------------------------------------------------------------------------------


@every_drive
@pytest.mark.parametrize("mu", [(0.05, 0.05), (0.05, 0.03), (0.02, 0.02)])
def test_friction_is_within_its_cone_and_against_the_slide(name, mu):
    parameters = rough(TEXT, *mu)
    found = walked(name, parameters)
    assert found.slides
    for phase, time, _ in spread(found, 12):
        rows = found.rows(phase, time)
        sliding = rows.direction != 0.0
        assert np.all(rows.up > 0.0)
        # beyond zero by what guards are beyond it
        assert np.all(rows.speed * rows.direction >= -1e-11)
        held = np.abs(rows.along) <= parameters.mu_s * rows.up + 1e-9
        assert np.all(sliding | held)
        kinetic = -rows.direction * parameters.mu_k * rows.up
        assert np.abs((rows.along - kinetic)[sliding]).max(initial=0.0) < 1e-11
        assert np.abs(rows.speed[~sliding]).max(initial=0.0) == 0.0


@every_assembly
def test_least_friction_is_where_slip_begins(parameters):
    peak = least_friction(parameters, 3.0)
    above = slip_walk(
        rough(parameters, peak.value * (1.0 + 1e-6)), constant_speed(3.0), lasting(2, 3.0)
    )
    assert above.slides == ()
    below = slip_walk(
        rough(parameters, peak.value * (1.0 - 1e-6)), constant_speed(3.0), lasting(2, 3.0)
    )
    assert len(below.slides) == 2
    # the force is flat at its peak: angles go as the root of what friction lacks
    for number, slide in enumerate(below.slides):
        peak_phase = number + (peak.th8 - STEP_BEGINS) / np.pi
        assert slide.begin_phase == pytest.approx(peak_phase, abs=1e-3)
        assert abs(slide.distance) < 1e-9


def test_a_static_coefficient_alone_does_not_move_the_beginning():
    begins = {
        slip_walk(rough(TEXT, 0.2, mu_k), constant_speed(5.0), 0.6).slides[0].begin
        for mu_k in (0.2, 0.1, 0.05)
    }
    assert max(begins) - min(begins) < 1e-12


@every_drive
def test_slip_does_not_change_what_the_floor_carries(name):
    found = walked(name, SLIPPERY)
    for phase, time, _ in spread(found, 6):
        rows = found.rows(phase, time)
        there = inverse(TEXT, rows.th8, rows.rate, rows.acceleration)
        assert np.abs(rows.up - there.floor.imag).max() < 1e-10


@every_drive
def test_forces_are_those_of_the_seventy_equations(name):
    found = walked(name, SLIPPERY)
    for phase, time, _ in spread(found, 6):
        rows = found.rows(phase, time)
        if rows.direction[0] == 0.0:
            continue
        kinetic = rows.direction * SLIPPERY.mu_k
        there = sliding_inverse(SLIPPERY, rows.th8, rows.rate, rows.acceleration, kinetic)
        assert np.abs(rows.torque - there.torque).max() < 1e-10
        assert np.abs(rows.sliding - there.sliding).max() < 1e-11
        assert np.abs(rows.zmp - there.zmp).max() < 1e-11
