"""Stick, slip and flight of the hopper: against linear systems, balances and provoked phases."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.machines.hopper.closed_form.cases import (
    along_motion,
    angular_momentum_about,
    close,
    every_set,
    hoppers,
    lever,
    poses,
    sliding,
    standing,
    states,
)
from tests.machines.hopper.closed_form.lagrangian import Lagrangian, held

from footfall.machines.hopper.closed_form.model import (
    CONTACT_POINTS,
    TEXT,
    Hopper,
    P,
    Q,
    R,
    momentum,
    position,
)
from footfall.machines.hopper.closed_form.phases import (
    SIGMA,
    JumpPhase,
    acceleration,
    consistent_phases,
    critical_friction,
    derivative,
    force,
)
from footfall.textbook.ode import integrate

TORQUE = -0.6
START = np.array([0.0, 0.0, np.deg2rad(109.0), np.deg2rad(-108.0), *np.zeros(4)])


def in_phase(phase, count, seed):
    if phase is JumpPhase.STICK:
        return standing(count, seed)
    if phase is JumpPhase.FLIGHT:
        return states(count, seed)
    return sliding(count, seed, SIGMA[phase])


every_phase = pytest.mark.parametrize("phase", JumpPhase)

# --- accelerations and forces ------------------------------------------------------------------


def by_one_system(reference, parameters, phase, x):
    """q'', force and the condition of the system that is solved: no closed form has a part."""
    q, v = x[:4], x[4:]
    M, W = reference.at(reference.inertia, q, v), reference.at(reference.jacobian, q, v)[:2]
    bias = reference.at(reference.coriolis, q, v) + reference.at(reference.gravity, q, v)
    push = np.array([0.0, 0.0, 0.0, TORQUE])
    if phase is JumpPhase.FLIGHT:
        return np.linalg.solve(M, push - bias), np.zeros(2), np.linalg.cond(M)
    if phase is JumpPhase.STICK:
        return held(M, bias, push, W, np.zeros(2))
    # the normal is held, and each newton of it brings -sigma mu along the ground
    along = -SIGMA[phase] * parameters.mu
    system = np.block([[M, -(W[1:] + along * W[:1]).T], [W[1:], np.zeros((1, 1))]])
    answer = np.linalg.solve(system, np.concatenate([push - bias, [0.0]]))
    return answer[:4], answer[4] * np.array([along, 1.0]), np.linalg.cond(system)


@every_phase
@every_set
def test_accelerations_and_forces_solve_lagranges_equations(parameters, phase):
    reference, machine = Lagrangian(parameters), Hopper(parameters)
    for x in in_phase(phase, 20, seed=20).T:
        second, push, condition = by_one_system(reference, parameters, phase, x)
        roundings = 1e-14 * condition
        assert close(acceleration(machine, phase, x, TORQUE), second, roundings)
        assert close(force(machine, phase, x, TORQUE), push, roundings)
        rates = derivative(machine, phase, x, TORQUE)
        assert np.array_equal(rates[:4], x[4:])
        assert np.array_equal(rates[4:], acceleration(machine, phase, x, TORQUE))


@every_set
def test_what_the_ground_holds_has_no_acceleration_at_all(parameters):
    machine = Hopper(parameters)
    assert not acceleration(machine, JumpPhase.STICK, standing(5, seed=21), TORQUE)[:2].any()
    for phase, sigma in SIGMA.items():
        assert not acceleration(machine, phase, sliding(5, 22, sigma), TORQUE)[1].any()


@every_phase
@every_set
def test_force_and_weight_change_the_momenta(parameters, phase):
    machine, place = Hopper(parameters), np.array([0.3, 0.0])
    for x in in_phase(phase, 10, seed=23).T:
        rates, push = derivative(machine, phase, x, TORQUE), force(machine, phase, x, TORQUE)
        weight = np.array([0.0, -machine.mass * parameters.g])
        scale = 1e-13 * max(np.abs(rates).max(), 1.0)
        assert close(along_motion(x, rates, lambda y: momentum(machine, y)), push + weight, scale)
        # about a place of the ground: the force acts at P
        spinning = along_motion(x, rates, lambda y: angular_momentum_about(machine, y, place))
        arm, fall = position(machine, x, P) - place, mass_centre(machine, x) - place
        moment = arm[0] * push[1] - arm[1] * push[0] + fall[0] * weight[1]
        assert close(spinning, moment, scale)


def mass_centre(machine, x):
    """Mass centre as the mean of the links' middles."""
    at_P, at_Q, at_R = (position(machine, x, point) for point in CONTACT_POINTS)
    return 0.25 * (at_P + at_Q) + 0.25 * (at_Q + at_R)


# --- energy ------------------------------------------------------------------------------------


def with_work(machine, phase, torque):
    """Rates of (x, work of the torque, work of friction)."""

    def rate(t, y):
        x, tau = y[:8], torque(t)
        powers = tau * x[7], force(machine, phase, x, tau)[0] * x[4]
        return np.concatenate([derivative(machine, phase, x, tau), powers])

    return rate


@every_phase
@every_set
def test_energy_is_what_torque_and_friction_give(parameters, phase):
    machine = Hopper(parameters)
    x = START.copy()
    x[4] = SIGMA.get(phase, 0.0) * 3.0
    path = integrate(
        with_work(machine, phase, lambda t: 0.4 * np.sin(30.0 * t)), 0.1, np.append(x, [0.0, 0.0])
    ).y
    gained = machine.energy(path[:8]) - machine.energy(x)
    # some tens of steps with an error of 1e-12 each
    assert np.abs(gained - path[8] - path[9]).max() <= 1e-10 * machine.energy(x)
    assert np.abs(path[8]).max() > 1e-3
    if phase in SIGMA:
        # the ground pressed it all the time, and it slid without turning back
        assert (SIGMA[phase] * path[4] > 0.0).all()
        assert (np.diff(path[9]) < 0.0).all()
    else:
        assert not path[9].any()


# --- what a phase requires ---------------------------------------------------------------------


def conditions(machine, x, torque):
    """Forces that stick requires to be positive [N]: P is pressed, and is off both edges."""
    t, n = force(machine, JumpPhase.STICK, x, torque)
    mu = machine.parameters.mu
    return np.array([n, mu * n - t, mu * n + t])


@pytest.mark.parametrize("edge", [1, 2])
def test_on_the_edge_of_the_cone_slip_begins_with_the_force_of_stick(edge):
    # the torque at which a condition of stick is lost; it is linear in the torque
    machine, x = Hopper(), START
    at_0, at_1 = (conditions(machine, x, tau) for tau in (0.0, 1.0))
    torque = at_0[edge] / (at_0[edge] - at_1[edge])
    phase = JumpPhase.SLIP_BACKWARD if edge == 1 else JumpPhase.SLIP_FORWARD
    stuck, slipping = (force(machine, at, x, torque) for at in (JumpPhase.STICK, phase))
    assert close(stuck, slipping, 1e-12)
    assert stuck[1] > 0.0
    # a little further on it slides to that side and no other way goes on
    further = torque + 1e-3 * np.sign(torque)
    assert consistent_phases(machine, x, further) == (phase,)
    assert consistent_phases(machine, x, torque - 1e-3 * np.sign(torque)) == (JumpPhase.STICK,)


def test_torques_lead_a_resting_machine_into_every_phase():
    # straightening it presses, folding it lifts
    machine = Hopper()
    seen = {tau: consistent_phases(machine, START, tau) for tau in np.linspace(-10.0, 10.0, 201)}
    assert all(len(phases) == 1 for phases in seen.values())
    assert {phases[0] for phases in seen.values()} == set(JumpPhase)
    assert seen[0.0] == (JumpPhase.STICK,)


def test_a_point_that_leaves_is_in_flight_and_one_that_arrives_calls_for_an_impact():
    machine, x = Hopper(), START.copy()
    x[5] = 0.1
    assert consistent_phases(machine, x) == (JumpPhase.FLIGHT,)
    assert consistent_phases(machine, x, still=0.2) == (JumpPhase.STICK,)
    x[5] = -0.1
    with pytest.raises(ValueError, match="impact"):
        consistent_phases(machine, x)


def test_smooth_ground_holds_a_point_only_where_it_presses():
    # flat on the ground nothing pushes along it, and the cone is a line
    machine, x = Hopper(replace(TEXT, mu=0.0)), np.zeros(8)
    assert consistent_phases(machine, x, 0.0) == (JumpPhase.STICK,)
    ways = {tau: consistent_phases(machine, x, tau) for tau in (-2.0, 2.0)}
    assert set(ways.values()) == {(JumpPhase.STICK,), (JumpPhase.FLIGHT,)}


def test_a_standing_point_is_let_go_only_through_the_edge_of_its_cone():
    # where lambda_n is 0 the cone is a point: without a jump of the torque slip comes before flight
    machine = Hopper()
    for x in standing(50, seed=26).T:
        at_0, at_1 = (conditions(machine, x, tau) for tau in (0.0, 1.0))
        torque = at_0[0] / (at_0[0] - at_1[0])
        pressing, below, above = conditions(machine, x, torque)
        assert abs(pressing) <= 1e-10 * (1.0 + abs(below))
        assert min(below, above) <= 1e-10 * (1.0 + abs(below))


@given(parameters=hoppers, x=poses, torque=st.floats(-10.0, 10.0), side=st.sampled_from([-1, 0, 1]))
def test_below_the_paradox_exactly_one_phase_goes_on(parameters, x, torque, side):
    machine = Hopper(replace(parameters, mu=min(parameters.mu, 0.88)))
    x[[1, 5]], x[4] = 0.0, side * (0.01 + abs(x[4]))
    phases = consistent_phases(machine, x, torque)
    assert len(phases) == 1
    (phase,) = phases
    pressing = force(machine, phase, x, torque)
    assert abs(pressing[0]) <= machine.parameters.mu * pressing[1] * (1.0 + 1e-12)
    # friction never drives, and the ground is not left downwards
    assert force(machine, phase, x, torque)[0] * x[4] <= 0.0
    assert acceleration(machine, phase, x, torque)[1] >= 0.0


# --- Painleve ----------------------------------------------------------------------------------


def poses_of_a_grid(step):
    """All theta1 and theta2 that are whole multiples of a step [deg], (4, k)."""
    angle = np.deg2rad(np.arange(-180, 181, step))
    first, second = np.meshgrid(angle, angle)
    zero = np.zeros(first.size)
    return np.array([zero, zero, first.ravel(), second.ravel()])


@pytest.mark.parametrize(
    ("point", "least"),
    [(P, np.sqrt(7.0) / 3.0), (Q, 4.0 / 3.0), (R, np.sqrt(7.0) / 3.0)],
    ids=["P", "Q", "R"],
)
@every_set
def test_least_friction_of_the_paradox(parameters, point, least):
    # both links on one line at an angle phi: A is (1 + 6 s^2, 6 s c, 1 + 6 c^2)/(2 m) for the ends
    # and a rod's, 3 for 6, for the folded middle; the least of (1 + n c^2)/(n s c) is sqrt(n + 1)/n
    # times 2, at tan(phi)^2 = n + 1
    n = {P: 6.0, Q: 3.0, R: 6.0}[point]
    assert 2.0 * np.sqrt(n + 1.0) / n == pytest.approx(least, rel=1e-15)
    machine = Hopper(parameters)
    phi = np.arctan(np.sqrt(n + 1.0))
    at = np.array([0.0, 0.0, phi, np.pi if point is Q else 0.0])
    assert critical_friction(machine, at, point) == pytest.approx(least, rel=1e-13)
    everywhere = critical_friction(machine, poses_of_a_grid(2), point)
    # a grid of 2 degrees misses the least by its square
    assert least * (1.0 - 1e-13) <= everywhere.min() <= least * 1.001


def test_with_much_friction_a_sliding_point_has_two_ways_or_none():
    # straight and steep, sliding away from where it leans to: friction turns it into the ground
    machine = Hopper(replace(TEXT, mu=1.2))
    x = np.zeros(8)
    x[2], x[4] = np.arctan(np.sqrt(7.0)), -1.0
    assert lever(machine, x, -1.0) < 0.0 < lever(machine, x, 1.0)
    assert consistent_phases(machine, x) == ()  # gravity presses, and pressing lifts
    x[6] = 30.0  # it turns fast enough to lift P
    assert consistent_phases(machine, x) == (JumpPhase.SLIP_BACKWARD, JumpPhase.FLIGHT)
    # with the friction of the document the same states have one way on
    assert consistent_phases(Hopper(TEXT), x) == (JumpPhase.FLIGHT,)
    x[6] = 0.0
    assert consistent_phases(Hopper(TEXT), x) == (JumpPhase.SLIP_BACKWARD,)
