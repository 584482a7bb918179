"""The compass on one leg: against Lagrange's equations, and laws that its formulas do not state."""

from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given
from tests.machines.compass.closed_form.cases import (
    UNEQUAL,
    angular_momentum,
    close,
    every_set,
    poses,
    states,
    walkers,
)
from tests.machines.compass.closed_form.lagrangian import Lagrangian

from footfall.machines.compass.closed_form.model import (
    AUTHORS,
    GOSWAMI,
    LAB_CASE_1,
    Compass,
    delta,
    heel_strike,
    sigma,
    swap,
)
from footfall.textbook.ode import integrate

STEP = 1e-30  # of a derivative by a step into the complex numbers: exact but for rounding


def along_motion(machine, x, function):
    """Rate of change of a function of x while the walker moves."""
    return np.imag(function(x + 1j * STEP * machine.derivative(0.0, x))) / STEP


# --- equations of motion -----------------------------------------------------------------------


@every_set
def test_equations_of_motion_are_lagranges(parameters):
    reference, machine = Lagrangian(parameters), Compass(parameters)
    for x in states(20, seed=1).T:
        q, v = x[:2], x[2:]
        inertia = reference.at(reference.inertia, q, v)
        bias = reference.at(reference.coriolis, q, v)
        gravity = reference.at(reference.gravity, q, v)
        assert close(machine.inertia(q), inertia)
        assert close(machine.coriolis(x), bias)
        assert close(machine.gravity(q), gravity)
        assert close(machine.kinetic_energy(x), reference.at(reference.T, q, v))
        assert close(machine.potential_energy(q), reference.at(reference.V, q, v))
        # a solution of two equations multiplies roundings by their condition number
        condition = np.linalg.cond(inertia)
        push = np.array([0.0, 0.7])
        expected = np.linalg.solve(inertia, push - bias - gravity)
        assert close(machine.acceleration(x, 0.7), expected, 1e-14 * condition)
        assert np.array_equal(machine.derivative(0.0, x, 0.7)[2:], machine.acceleration(x, 0.7))
        assert np.array_equal(machine.derivative(0.0, x)[:2], v)


@every_set
def test_energy_is_kept_between_impacts(parameters):
    machine = Compass(parameters)
    start = heel_strike(machine, np.array([-0.19, np.pi + 0.38, -2.0, -0.1]))
    path = integrate(machine.derivative, 0.6, start).y
    energy = machine.energy(path)
    # about 100 steps with an error of 1e-12 each
    assert np.abs(energy - energy[0]).max() <= 1e-10 * np.abs(energy[0])


@every_set
def test_the_torque_at_the_hip_works_on_q2_alone(parameters):
    machine = Compass(parameters)
    for x in states(10, seed=2).T:
        moved = x + 1j * STEP * machine.derivative(0.0, x, 3.0)
        power = machine.energy(moved).imag / STEP
        scale = np.abs(machine.derivative(0.0, x, 3.0)[2:]).max() * machine.inertia(x).max()
        assert power == pytest.approx(3.0 * x[3], abs=1e-13 * scale * np.abs(x[2:]).max())


# --- reaction and momentum ---------------------------------------------------------------------


def _momentum(machine, x):
    p, v = machine.parameters, machine.velocities(x)
    return p.m * (v.centre_1 + v.centre_2) + p.m_hip * v.hip


@every_set
def test_reaction_and_weight_change_the_momentum(parameters):
    machine, p = Compass(parameters), parameters
    weight = (2.0 * p.m + p.m_hip) * p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
    for x in states(20, seed=3).T:
        change = along_motion(machine, x, lambda at: _momentum(machine, at))
        force = machine.reaction(x, machine.acceleration(x))
        assert close(force + weight, change, 1e-12)


@every_set
def test_weight_alone_turns_the_walker_about_its_foot(parameters):
    # the reaction has no arm about the foot where it acts
    machine, p = Compass(parameters), parameters
    pull = p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
    for x in states(20, seed=4).T:
        at = machine.points(x)
        arm = p.m * (at.centre_1 + at.centre_2) + p.m_hip * at.hip
        change = along_motion(machine, x, lambda y: angular_momentum(machine, y, np.zeros(2)))
        assert close(change, arm[0] * pull[1] - arm[1] * pull[0], 1e-12)


def test_a_walker_at_rest_upright_on_the_level_stands_on_its_weight():
    machine = Compass(replace(GOSWAMI, theta=0.0))
    x = np.array([0.0, np.pi, 0.0, 0.0])
    # sin(pi) of a rounded pi is 1e-16
    assert machine.acceleration(x) == pytest.approx(np.zeros(2), abs=1e-13)
    assert machine.reaction(x, np.zeros(2)) == pytest.approx([0.0, 20.0 * 9.81], abs=1e-12)


# --- geometry ----------------------------------------------------------------------------------


@every_set
def test_points_are_the_legs_ends_and_move_with_their_velocities(parameters):
    machine, p = Compass(parameters), parameters
    for x in states(10, seed=5).T:
        at, moving = machine.points(x), machine.velocities(x)
        ahead = machine.points(x[:2] + 1j * STEP * x[2:])
        for point, velocity in zip(ahead, moving, strict=True):
            assert close(np.imag(point) / STEP, velocity)
        for end in (at.foot_1, at.foot_2):
            assert np.linalg.norm(end - at.hip) == pytest.approx(p.l, rel=1e-14)
        for centre in (at.centre_1, at.centre_2):
            assert np.linalg.norm(centre - at.hip) == pytest.approx(p.s, rel=1e-14)
        assert machine.swing_advance(x) == pytest.approx(at.foot_2[0], abs=1e-14)


def test_guards_tell_where_the_swinging_foot_is():
    machine = Compass(LAB_CASE_1)
    x = states(200, seed=6)
    x[0], x[1] = 0.1 * x[0], np.pi + 0.2 * x[1]  # legs that a walker has
    assert np.array_equal(np.sign(machine.swing_advance(x)), np.sign(delta(x)))
    assert np.array_equal(np.sign(machine.points(x).foot_2[1]), np.sign(sigma(x) * delta(x)))


def test_the_legs_are_alike():
    # the same walker told with its legs exchanged: seen from the other foot, every point is there
    machine = Compass(UNEQUAL)
    x = states(10, seed=7)
    here, there = machine.points(x), machine.points(swap(x))
    for mine, yours in zip(here, reversed(there), strict=True):
        assert close(mine - here.foot_2, yours)
    assert close(swap(swap(x)), x, 1e-14)


# --- shapes ------------------------------------------------------------------------------------

FUNCTIONS = {
    "derivative": lambda machine, x: machine.derivative(0.0, x, 0.3),
    "acceleration": lambda machine, x: machine.acceleration(x),
    "inertia": lambda machine, x: machine.inertia(x),
    "coriolis": lambda machine, x: machine.coriolis(x),
    "gravity": lambda machine, x: machine.gravity(x),
    "reaction": lambda machine, x: machine.reaction(x, machine.acceleration(x)),
    "kinetic": lambda machine, x: machine.kinetic_energy(x),
    "potential": lambda machine, x: machine.potential_energy(x),
    "spin": lambda machine, x: angular_momentum(machine, x, np.array([0.3, 0.2])),
    "points": lambda machine, x: np.array(machine.points(x)),
    "velocities": lambda machine, x: np.array(machine.velocities(x)),
    "advance": lambda machine, x: machine.swing_advance(x),
    "sigma": lambda _, x: sigma(x),
    "delta": lambda _, x: delta(x),
    "swap": lambda _, x: swap(x),
    "heel strike": heel_strike,
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_many_states_at_once_are_each_of_them(function):
    machine, x = Compass(UNEQUAL), states(5, seed=8)
    together = function(machine, x)
    alone = np.stack([function(machine, column) for column in x.T], axis=-1)
    assert together.shape == alone.shape
    # math's sine and numpy's differ by a rounding
    assert close(together, alone)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions_are_analytic_in_the_state(function):
    machine, x = Compass(UNEQUAL), states(1, seed=9)[:, 0]
    for along in np.eye(4):
        exact = np.imag(function(machine, x + 1j * STEP * along)) / STEP
        many = np.imag(function(machine, (x + 1j * STEP * along)[:, None])) / STEP
        step = 1e-6
        difference = function(machine, x + step * along) - function(machine, x - step * along)
        # central differences: 1e-12 of curvature, 1e-10 of rounding, of numbers up to 100
        assert close(exact, difference / (2.0 * step), 1e-7)
        assert close(many[..., 0], exact)


@pytest.mark.parametrize("name", asdict(UNEQUAL))
def test_functions_are_analytic_in_the_parameters(name):
    x, value, step = states(1, seed=10)[:, 0], getattr(UNEQUAL, name), 1e-6

    def at(number):
        machine = Compass(replace(UNEQUAL, **{name: number}))
        struck = heel_strike(machine, x)
        return np.concatenate([machine.derivative(0.0, x), struck, [machine.energy(x)]])

    exact = at(value + 1j * STEP).imag / STEP
    # as above
    assert close(exact, (at(value + step) - at(value - step)) / (2.0 * step), 1e-7)


@pytest.mark.parametrize("along", [0.0, 1j * STEP], ids=["real", "complex"])
def test_many_walkers_at_once_are_each_of_them(along):
    x, torques = states(4, seed=11) + along, np.array([0.0, 0.3, -1.2, 5.0])
    slopes, hips = np.linspace(-0.2, 0.3, 4) + along, np.linspace(0.0, 9.0, 4)
    together = Compass(replace(UNEQUAL, theta=slopes, m_hip=hips)).derivative(0.0, x, torques)
    for k in range(4):
        machine = Compass(replace(UNEQUAL, theta=slopes[k], m_hip=hips[k]))
        alone = machine.derivative(0.0, x[:, k], torques[k])
        assert close(together[:, k].real, alone.real)
        assert close(together[:, k].imag / STEP, alone.imag / STEP)


# --- parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"l": np.nan}, "finite"),
        ({"theta": np.inf}, "finite"),
        ({"l": 0.0, "s": 0.0}, "positive"),
        ({"m": -1.0}, "positive"),
        ({"g": 0.0}, "positive"),
        ({"I": -0.1}, "negative"),
        ({"m_hip": -0.1}, "negative"),
        ({"s": 0.81}, "0 <= s <= l"),
        ({"s": -0.1}, "0 <= s <= l"),
        ({"theta": 1.6}, "slope"),
        ({"I": 0.0, "s": 0.0}, "singular"),
        ({"I": 0.0, "s": 0.8}, "singular"),
    ],
)
def test_numbers_that_no_walker_has_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        replace(AUTHORS, **wrong)


# --- whatever the walker -----------------------------------------------------------------------


@given(parameters=walkers, x=poses)
def test_any_walker_has_a_regular_inertia_and_keeps_its_energy(parameters, x):
    machine = Compass(parameters)
    a, b = np.linalg.eigvalsh(machine.inertia(x))
    assert 0.0 < a <= b
    power = along_motion(machine, x, machine.energy)
    # terms of q'^T A q'' cancel; q'' comes from a system of condition b / a
    terms = np.abs(x[2:]).max() * b * (np.abs(machine.acceleration(x)).max() + 1.0)
    assert abs(power) <= 1e-14 * (b / a) * terms + 1e-13 * np.abs(machine.gravity(x)).max()
