"""PASIBOT on a foot that slides: 70 equations against two, and laws that neither states."""

import numpy as np
import pytest
from tests.machines.pasibot import seventy_equations
from tests.machines.pasibot.assemblies import every_loaded_assembly, motions
from tests.machines.pasibot.seventy_equations import sliding_forward, sliding_inverse

from footfall.machines.pasibot.closed_form.linkage import (
    LINK_INDEX,
    LINKS,
    PAIRS,
    TEXT,
    bodies,
    total_mass,
)
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, pose
from footfall.machines.pasibot.closed_form.newton_euler import forward, inverse
from footfall.machines.pasibot.closed_form.thresholds import painleve_friction
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile, two_freedoms

# --- both forms --------------------------------------------------------------------------------


@every_loaded_assembly
def test_seventy_equations_and_two_agree_on_a_given_motion(parameters):
    th8, rate, change, friction = motions(300, seed=1)
    found = sliding_inverse(parameters, th8, rate, change, friction)
    at = two_freedoms(parameters, th8)
    two = at.inverse(rate, change, friction)
    # some hundred N and N m, and a matrix of condition 5e3
    assert np.abs(found.torque - two.torque).max() < 1e-11
    assert np.abs(found.sliding - two.sliding).max() < 1e-11
    assert np.abs(found.floor - two.along - 1j * two.up).max() < 1e-11
    # its moment: the place itself is far away where the floor hardly carries
    assert np.abs((found.zmp - at.zmp(rate, two)) * two.up).max() < 1e-11
    assert np.abs(found.sliding).max() > 10.0


@every_loaded_assembly
def test_seventy_equations_and_two_agree_under_a_given_torque(parameters):
    th8, rate, change, friction = motions(300, seed=2)
    torque = 0.2 * change
    found = sliding_forward(parameters, th8, rate, torque, friction)
    at = two_freedoms(parameters, th8)
    two = at.forward(rate, torque, friction)
    # accelerations of some hundred rad/s^2
    assert np.abs(found.acceleration - two.acceleration).max() < 1e-11 * 100.0
    assert np.abs(found.sliding - two.sliding).max() < 1e-11
    assert np.abs(found.floor - two.along - 1j * two.up).max() < 1e-10
    assert np.array_equal(found.torque, torque)


@every_loaded_assembly
def test_a_foot_that_is_held_is_that_of_the_69_equations(parameters):
    th8, rate, change, _ = motions(200, seed=4)
    there, at = inverse(parameters, th8, rate, change), two_freedoms(parameters, th8)
    held = at.inverse(rate, change)
    assert np.abs(there.torque - held.torque).max() < 1e-11
    assert np.abs(there.floor - held.along - 1j * held.up).max() < 1e-11
    assert np.abs((there.zmp - at.zmp(rate, held)) * held.up).max() < 1e-11
    driven = at.forward(rate, there.torque)
    again = forward(parameters, th8, rate, there.torque)
    assert np.abs(driven.acceleration - again.acceleration).max() < 1e-10
    for response in (held, driven):
        assert np.all(response.sliding == 0.0)


# --- laws --------------------------------------------------------------------------------------


@every_loaded_assembly
def test_every_link_obeys_newton_and_euler_with_the_forces_that_are_told(parameters):
    th8, rate, change, friction = motions(60, seed=6)
    at, of = pose(parameters, th8), bodies(parameters)
    found = sliding_inverse(parameters, th8, rate, change, friction)
    for link in LINKS[1:]:
        n, body = LINK_INDEX[link], of[link]
        force, moment = np.zeros_like(th8, dtype=complex), np.zeros_like(th8)
        for k, pair in enumerate(PAIRS):
            sign = (pair.second == link) - (pair.first == link)
            arm = at.joints.value[k] - at.centres.value[n]
            force = force + sign * found.joints[k]
            moment = moment + sign * np.imag(arm.conj() * found.joints[k])
        moment = moment + found.torque * ((link == "8") - 1.0 * (link == "13"))
        push = at.centres.acceleration(rate, change)[n] + found.sliding + 1j * parameters.g
        turn = at.angles.acceleration(rate, change)[n]
        assert np.abs(force - body.mass * push).max() < 1e-10
        assert np.abs(moment - body.inertia * turn).max() < 1e-10


@every_loaded_assembly
def test_the_motors_power_is_the_gain_of_energy_and_the_heat(parameters):
    # of a foot at a speed x1'; the rate of its energy by an imaginary step in time
    th8, rate, change, friction = motions(100, seed=9)
    speed = np.random.default_rng(10).uniform(-2.0, 2.0, 100)
    profile = SlidingProfile(parameters)
    found = profile(th8).inverse(rate, change, np.abs(friction) * np.sign(speed))
    step = 1e-30j
    then = profile(th8 + rate * step)
    energy = then.energy(rate + change * step, speed + found.sliding * step)
    heat = np.abs(friction * speed) * found.up
    assert found.torque * rate - heat == pytest.approx(energy.imag / 1e-30, abs=1e-9)


@every_loaded_assembly
def test_energy_and_momentum_are_those_of_all_links(parameters):
    th8, rate, _, _ = motions(50, seed=11)
    speed = np.random.default_rng(12).uniform(-2.0, 2.0, 50)
    at, of = pose(parameters, th8), bodies(parameters)
    energy, momentum = np.zeros(50), np.zeros(50)
    for link in LINKS:
        n, body = LINK_INDEX[link], of[link]
        moving = at.centres.velocity(rate)[n] + speed
        energy += 0.5 * body.mass * np.abs(moving) ** 2
        energy += 0.5 * body.inertia * at.angles.velocity(rate)[n] ** 2
        energy += body.mass * parameters.g * at.centres.value[n].imag
        momentum += body.mass * moving.real
    two = two_freedoms(parameters, th8)
    assert two.energy(rate, speed) == pytest.approx(energy, rel=1e-13)
    assert two.momentum(rate, speed) == pytest.approx(momentum, abs=1e-13)


@pytest.mark.parametrize("forces", ["motion", "torque"])
def test_a_foot_slides_the_way_that_friction_does_not_hold_it(forces):
    # below Painleve's friction: x1'' has the direction of what friction lacks, and only then
    th8, rate, change, friction = motions(2000, seed=13)
    friction, at = np.abs(friction), two_freedoms(TEXT, th8)
    held = at.inverse(rate, change) if forces == "motion" else at.forward(rate, 0.2 * change)
    carried = held.up > 0.0
    way = -np.sign(held.along)
    if forces == "motion":
        found = at.inverse(rate, change, way * friction)
    else:
        found = at.forward(rate, 0.2 * change, way * friction)
    slides = np.abs(held.along) > friction * held.up
    assert np.array_equal((way * found.sliding > 0.0)[carried], slides[carried])
    assert 0.1 < slides[carried].mean() < 0.9


# --- Painleve ----------------------------------------------------------------------------------


@every_loaded_assembly
def test_at_painleves_friction_the_determinant_changes_its_sign(parameters):
    peak = painleve_friction(parameters)
    at = two_freedoms(parameters, peak.th8)
    way = np.sign(at.sway * at.gravity)
    assert 1.0 < peak.value < 3.0
    links = pose(parameters, np.array(peak.th8)), bodies(parameters)
    signs = []
    for factor in (0.999, 1.001):
        friction = np.array(way * factor * peak.value)
        A, _, slope = seventy_equations.system(parameters, *links, np.array(0.0), friction)
        A[:, 68] = -slope
        signs.append(np.linalg.slogdet(A).sign)
    assert signs[0] == -signs[1] != 0.0
    # the other way of sliding does not know it
    two_freedoms(parameters, peak.th8).determinant(-5.0 * way * peak.value)


@every_loaded_assembly
def test_painleves_friction_is_where_the_floor_cannot_push_a_sliding_foot_up(parameters):
    # a third freedom, upwards, of mass matrix M3: force N upwards and -mu N along, on x and y
    peak = painleve_friction(parameters)
    at, mass = two_freedoms(parameters, peak.th8), total_mass(parameters)
    lift = at.gravity / parameters.g
    M3 = np.array([[at.inertia, at.sway, lift], [at.sway, mass, 0.0], [lift, 0.0, mass]])
    answers = np.linalg.inv(M3)
    way = np.sign(at.sway * at.gravity)
    rise = answers[2, 2] - way * peak.value * answers[2, 1]
    assert rise == pytest.approx(0.0, abs=1e-8 * answers[2, 2])
    # and nowhere in a step with less
    th8 = np.linspace(STEP_BEGINS, STEP_ENDS, 3001)
    for sign in (-1.0, 1.0):
        found = two_freedoms(parameters, th8).determinant(sign * peak.value * (1.0 - 1e-9))
        assert found.min() > 0.0


def test_friction_beyond_painleves_is_refused_in_one_line():
    peak = painleve_friction(TEXT)
    way = float(np.sign(two_freedoms(TEXT, peak.th8).sway * two_freedoms(TEXT, peak.th8).gravity))
    beyond = way * peak.value * 1.01
    for answer in (
        lambda: sliding_forward(TEXT, peak.th8, 1.0, 0.5, beyond),
        lambda: two_freedoms(TEXT, peak.th8).forward(1.0, 0.5, beyond),
    ):
        with pytest.raises(ValueError, match=r"friction of 1\.487 is beyond Painleve's") as refusal:
            answer()
        assert "\n" not in str(refusal.value)
    # a motion that is prescribed has no such friction
    assert np.isfinite(sliding_inverse(TEXT, peak.th8, 1.0, 0.0, 2.0 * beyond).sliding)
