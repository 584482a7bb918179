"""The hopper: against Lagrange's equations, and laws that its formulas do not state."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from tests.machines.hopper.closed_form.cases import (
    CENTRES,
    STEP,
    UNEQUAL,
    along_motion,
    angular_momentum_about,
    close,
    convection,
    every_set,
    hoppers,
    jacobian,
    point_acceleration,
    poses,
    states,
)
from tests.machines.hopper.closed_form.lagrangian import Lagrangian

from footfall.machines.hopper.closed_form.model import (
    CG,
    CODE,
    CONTACT_POINTS,
    TEXT,
    Hopper,
    P,
    Q,
    R,
    impact,
    margins,
    momentum,
    position,
    velocity,
)
from footfall.machines.hopper.closed_form.phases import (
    JumpPhase,
    acceleration,
    derivative,
    force,
)

TORQUE = 0.7

# --- equations of motion -----------------------------------------------------------------------


@every_set
def test_equations_of_motion_are_lagranges(parameters):
    reference, machine = Lagrangian(parameters), Hopper(parameters)
    for x in states(20, seed=1).T:
        q, v = x[:4], x[4:]
        inertia = reference.at(reference.inertia, q, v)
        bias = reference.at(reference.coriolis, q, v)
        gravity = reference.at(reference.gravity, q, v)
        assert close(machine.inertia(q), inertia)
        assert close(convection(machine, x), bias)
        assert close(machine.gravity(q), gravity)
        assert close(machine.kinetic_energy(x), reference.at(reference.T, q, v))
        assert close(machine.potential_energy(q), reference.at(reference.V, q, v))
        rows = [jacobian(machine, q, point) for point in CONTACT_POINTS]
        assert close(np.vstack(rows), reference.at(reference.jacobian, q, v))
        expected = np.linalg.solve(inertia, np.array([0.0, 0.0, 0.0, TORQUE]) - bias - gravity)
        # a solution of four equations multiplies roundings by their condition number
        roundings = 1e-14 * np.linalg.cond(inertia)
        assert close(acceleration(machine, JumpPhase.FLIGHT, x, TORQUE), expected, roundings)


@every_set
def test_the_answer_to_a_force_is_that_of_the_whole_matrix(parameters):
    machine = Hopper(parameters)
    for x in states(20, seed=2).T:
        M = machine.inertia(x)
        for point in CONTACT_POINTS:
            W = jacobian(machine, x, point)
            answer = np.linalg.solve(M, W.T)
            roundings = 1e-14 * np.linalg.cond(M)
            assert close(machine.contact_matrix(x, point), W @ answer, roundings)
            push = np.array([0.3, -0.8])
            assert close(machine.kick(x, point, push), answer @ push, roundings)


@every_set
def test_the_torque_works_on_theta2_alone(parameters):
    machine = Hopper(parameters)
    for x in states(10, seed=3).T:
        moving = derivative(machine, JumpPhase.FLIGHT, x, TORQUE)
        power = along_motion(x, moving, machine.energy)
        scale = np.abs(machine.inertia(x)).max() * np.abs(moving[4:]).max() * np.abs(x[4:]).max()
        assert power == pytest.approx(TORQUE * x[7], abs=1e-13 * scale)


@every_set
def test_in_flight_the_mass_centre_falls_and_spin_is_kept(parameters):
    # neither is written in the equations: the torque is internal
    machine = Hopper(parameters)
    for x in states(10, seed=4).T:
        moving = derivative(machine, JumpPhase.FLIGHT, x, TORQUE)
        falling = point_acceleration(machine, x, moving[4:], CG)
        # accelerations of several hundred m/s^2 at the links' ends cancel
        assert close(falling, [0.0, -parameters.g], 1e-12 * np.abs(moving).max())
        turning = along_motion(x, moving, machine.centroidal_angular_momentum)
        scale = machine.turning * np.abs(moving).max()
        assert turning == pytest.approx(0.0, abs=1e-13 * max(scale, 1.0))
        about = angular_momentum_about(machine, x, position(machine, x, CG))
        assert close(machine.centroidal_angular_momentum(x), about)


# --- geometry ----------------------------------------------------------------------------------


@every_set
def test_points_are_on_the_links_and_move_with_them(parameters):
    machine = Hopper(parameters)
    for x in states(10, seed=5).T:
        for point in (P, Q, R, *CENTRES, CG):
            assert close(velocity(machine, x, point), jacobian(machine, x, point) @ x[4:])
        at_P, at_Q, at_R = (position(machine, x, point) for point in CONTACT_POINTS)
        for end in (at_P, at_R):
            length = 2.0 * parameters.l
            assert np.linalg.norm(at_Q - end) == pytest.approx(length, rel=1e-14)
        middle = 0.25 * (at_P + 2.0 * at_Q + at_R)  # of two equal links
        assert close(position(machine, x, CG), middle, 1e-14)
        assert close(momentum(machine, x), 2.0 * parameters.m * velocity(machine, x, CG))


def test_margins_tell_what_the_points_do():
    machine, x = Hopper(), states(500, seed=6)
    x[3] *= 1.5  # further than folded
    of = margins(machine, x, 3.0)
    at_P, at_Q, at_R = (position(machine, x, point)[1] for point in CONTACT_POINTS)
    assert close(np.array([of.height_P, of.height_Q, of.height_R]), np.array([at_P, at_Q, at_R]))
    assert np.array_equal(of.Q_above_P > 0.0, at_Q > at_P)
    assert np.array_equal(of.R_above_Q > 0.0, at_R > at_Q)
    # the same in the document's angles, taken once around
    assert np.array_equal(of.Q_above_P > 0.0, np.arctan2(np.sin(x[2]), np.cos(x[2])) > 0.0)
    turn = x[2] + x[3]
    assert np.array_equal(of.R_above_Q > 0.0, np.arctan2(np.sin(turn), np.cos(turn)) > 0.0)
    assert np.array_equal(of.unfolded_left > 0.0, x[3] < np.pi)
    assert np.array_equal(of.unfolded_right > 0.0, x[3] > -np.pi)
    assert (of.torque_above, of.torque_below) == (7.0, 13.0)


def test_the_line_from_P_to_R_leans_by_theta1_and_half_theta2():
    # where Q is between P and R the printed angles are those of the line itself
    machine, x = Hopper(), states(2000, seed=7)
    of = margins(machine, x)
    line = position(machine, x, R) - position(machine, x, P)
    steep = np.arctan2(np.abs(line[0]), line[1]) < np.deg2rad(60.0)
    posed = (x[2] > 0.0) & (x[2] < np.pi) & (x[2] + x[3] > 0.0) & (x[2] + x[3] < np.pi)
    both = (of.PR_forward > 0.0) & (of.PR_backward > 0.0)
    assert 300 < posed.sum() < 700
    assert np.array_equal(both[posed], steep[posed])
    assert both[posed].any()
    assert not both[posed].all()
    # and to the side that the name says: R is ahead of P where PR_forward is the smaller
    ahead = line[0][posed] > 0.0
    assert np.array_equal(of.PR_forward[posed] < of.PR_backward[posed], ahead)


def test_a_pose_of_the_document_meets_everything():
    # 109 and -108 degrees: what the authors' program starts with
    x = np.array([0.0, 0.0, np.deg2rad(109.0), np.deg2rad(-108.0), *np.zeros(4)])
    of = margins(Hopper(), x)
    assert of.height_P == 0.0
    assert all(margin > 0.0 for name, margin in of._asdict().items() if name != "height_P")


# --- shapes ------------------------------------------------------------------------------------

FUNCTIONS = {
    **{
        f"derivative {phase}": lambda machine, x, at=phase: derivative(machine, at, x, TORQUE)
        for phase in JumpPhase
    },
    **{
        f"force {phase}": lambda machine, x, at=phase: force(machine, at, x, TORQUE)
        for phase in JumpPhase
    },
    "inertia": lambda machine, x: machine.inertia(x),
    "gravity": lambda machine, x: machine.gravity(x),
    "matrix of R": lambda machine, x: machine.contact_matrix(x, R),
    "kick at Q": lambda machine, x: machine.kick(x, Q, np.array([0.3, 0.2])),
    "kinetic": lambda machine, x: machine.kinetic_energy(x),
    "potential": lambda machine, x: machine.potential_energy(x),
    "spin": lambda machine, x: machine.centroidal_angular_momentum(x),
    "position": lambda machine, x: position(machine, x, R),
    "velocity": lambda machine, x: velocity(machine, x, R),
    "margins": lambda machine, x: np.array([row + 0.0 * x[0] for row in margins(machine, x)]),
    **{
        f"impact of {point.name}": lambda machine, x, at=point: (
            impact(machine, approaching(machine, x, at), at).x
        )
        for point in CONTACT_POINTS
    },
}


def approaching(machine, x, point):
    """The same pose and turning, P so fast that the point moves down at 1 m/s, along at 2."""
    change = np.array([2.0, -1.0])[(..., *[None] * (x.ndim - 1))] - velocity(machine, x, point)
    return np.concatenate([x[:4], x[4:6] + change, x[6:]])


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_many_states_at_once_are_each_of_them(function):
    machine, x = Hopper(UNEQUAL), states(5, seed=8)
    together = function(machine, x)
    alone = np.stack([function(machine, column) for column in x.T], axis=-1)
    assert together.shape == alone.shape
    # math's sine and numpy's differ by a rounding, which slip magnifies
    assert close(together, alone, 1e-12)


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions_are_analytic_in_the_state(function):
    machine, x = Hopper(UNEQUAL), states(1, seed=9)[:, 0]
    for along in np.eye(8):
        exact = np.imag(function(machine, x + 1j * STEP * along)) / STEP
        many = np.imag(function(machine, (x + 1j * STEP * along)[:, None])) / STEP
        step = 1e-6
        difference = function(machine, x + step * along) - function(machine, x - step * along)
        # central differences: 1e-12 of curvature, 1e-10 of rounding, of numbers up to 1000
        assert close(exact, difference / (2.0 * step), 1e-7)
        assert close(many[..., 0], exact, 1e-12)


# --- parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("l", np.nan), ("mu", np.inf), ("l", 0.0), ("m", -1.0), ("g", 0.0), ("mu", -0.1)),
        *(("tau_max", -1.0), ("e_n", 1.1), ("e_n", -0.1), ("e_t", -1.1), ("e_t", 1.1)),
    ],
)
def test_numbers_that_no_hopper_has_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} is {value}: give"):
        replace(TEXT, **{name: value})


def test_sets_are_those_of_the_document_and_its_program():
    assert (TEXT.m, TEXT.l, TEXT.mu, TEXT.tau_max, TEXT.g) == (0.3, 0.15, 0.3, 10.0, 10.0)
    assert (TEXT.e_n, TEXT.e_t) == (0.0, 0.0)
    assert replace(TEXT, g=9.8) == CODE


# --- whatever the hopper -----------------------------------------------------------------------


@given(parameters=hoppers, x=poses)
def test_any_hopper_has_a_regular_inertia_and_keeps_its_energy(parameters, x):
    machine = Hopper(parameters)
    eigenvalues = np.linalg.eigvalsh(machine.inertia(x))
    assert eigenvalues[0] > 0.0
    moving = derivative(machine, JumpPhase.FLIGHT, x)
    power = along_motion(x, moving, machine.energy)
    # terms of v^T M q'' + v^T G cancel
    speed = np.abs(x[4:]).max()
    terms = speed * np.abs(machine.inertia(x)).max() * (np.abs(moving[4:]).max() + speed**2)
    assert abs(power) <= 1e-13 * (terms + speed * np.abs(machine.gravity(x)).max())
