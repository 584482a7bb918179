"""The document's formulas as printed, each against Lagrange's equations, and its conditions.

Where a formula is wrong, ``excess`` says by what: printed - right. Where a condition is wrong,
``where`` says which states it misjudges. The hopper's letters are all unlike, so that no slip
hides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.machines.hopper.closed_form.cases import STEP, UNEQUAL, close, standing, states
from tests.machines.hopper.closed_form.lagrangian import Lagrangian, held

from footfall.machines.hopper.closed_form.impact import impact
from footfall.machines.hopper.closed_form.model import CENTRE_1, CENTRE_2, CG, TEXT, Hopper, P, Q, R
from footfall.machines.hopper.closed_form.phases import (
    JumpPhase,
    acceleration,
    consistent_phases,
    force,
    lever,
    stick_conditions,
)
from footfall.machines.hopper.closed_form.points import margins, position

PAR = UNEQUAL
MACHINE, REF = Hopper(PAR), Lagrangian(PAR)
X = np.random.default_rng(3).uniform(-2.0, 2.0, 8)
POSE, V = X[:4], X[4:]
(XP, YP, TH1, TH2), (DX, DY, W1, W2) = POSE, V
TAU, SIG = 0.9, 1.0
m, l, mu, g = PAR.m, PAR.l, PAR.mu, PAR.g
s1, c1, s12, c12 = np.sin(TH1), np.cos(TH1), np.sin(TH1 + TH2), np.cos(TH1 + TH2)
s2, c2 = np.sin(TH2), np.cos(TH2)
I_C = m * l**2 / 3.0

M = REF.at(REF.inertia, POSE, V)
B = REF.at(REF.coriolis, POSE, V)
G = REF.at(REF.gravity, POSE, V)
T, POTENTIAL = (float(REF.at(of, POSE, V)) for of in (REF.T, REF.V))
W = REF.at(REF.jacobian, POSE, V)[:2]
F_Q = np.array([0.0, 0.0, 0.0, TAU])
MINV = np.linalg.inv(M)
A = W @ MINV @ W.T
ALPHA = W[1] @ MINV @ (W[1] - SIG * mu * W[0])
HELD, FORCE, _ = held(M, B + G, F_Q, W, np.zeros(2))
V1 = np.array([DX - l * W1 * s1, DY + l * W1 * c1])
V2 = np.array([DX - 2*l*W1*s1 - l*(W1 + W2)*s12, DY + 2*l*W1*c1 + l*(W1 + W2)*c12])  # fmt: skip


def rate(function):
    """Rate of change of a function of q while q moves with V."""
    return np.imag(function(POSE + 1j * STEP * V)) / STEP


def slip_force():
    """lambda of P sliding, by a system in which the friction is eliminated."""
    push = np.array([-SIG * mu, 1.0])
    system = np.block([[M, -(push @ W)[:, None]], [W[1:], np.zeros((1, 1))]])
    return np.linalg.solve(system, np.concatenate([F_Q - B - G, [0.0]]))[4] * push


SLIP = slip_force()
FLIGHT = np.linalg.solve(M, F_Q - B - G)
MIDDLE_1 = np.array([XP + l*c1, YP + l*s1])  # fmt: skip
MIDDLE_2 = np.array([XP + 2*l*c1 + l*c12, YP + 2*l*s1 + l*s12])  # fmt: skip


@dataclass(frozen=True)
class Printed:
    """A formula of the document: what is printed, what is right, by how much it is wrong."""

    formula: str
    printed: Any
    right: Any
    excess: Any = None  # printed - right as a formula, None for a right print
    ours: Callable[[], Any] | None = None  # what the code has for it


# fmt: off
RIGHT = [
    Printed("r_1c", MIDDLE_1, position(MACHINE, POSE, CENTRE_1)),
    Printed("r_2c", MIDDLE_2, position(MACHINE, POSE, CENTRE_2)),
    Printed("r_Q", np.array([XP + 2*l*c1, YP + 2*l*s1]), position(MACHINE, POSE, Q)),
    Printed("v_1c", V1, rate(lambda q: np.array([q[0] + l*np.cos(q[2]), q[1] + l*np.sin(q[2])]))),
    Printed("v_2c", V2, rate(lambda q: np.array(
        [q[0] + 2*l*np.cos(q[2]) + l*np.cos(q[2] + q[3]),
         q[1] + 2*l*np.sin(q[2]) + l*np.sin(q[2] + q[3])]))),
    Printed("T with I_c = m l^2/3", 0.5*m*(V1 @ V1 + V2 @ V2) + 0.5*I_C*(W1**2 + (W1 + W2)**2), T,
            ours=lambda: MACHINE.kinetic_energy(X)),
    Printed("V", 2*m*g*(YP + l*s12/2 + 3*l*s1/2), POTENTIAL,
            ours=lambda: MACHINE.potential_energy(X)),
    Printed("M", np.array([
        [2*m, 0, -l*m*(s12 + 3*s1), -l*m*s12],
        [0, 2*m, l*m*(c12 + 3*c1), l*m*c12],
        [-l*m*(s12 + 3*s1), l*m*(c12 + 3*c1), 4/3*l**2*m*(3*c2 + 5), 2*m*l**2/3*(3*c2 + 2)],
        [-l*m*s12, l*m*c12, 2*m*l**2/3*(3*c2 + 2), 4/3*m*l**2]]), M,
        ours=lambda: MACHINE.inertia(X)),
    Printed("B", np.array([
        -l*m*(W1**2*c12 + W2**2*c12 + 3*W1**2*c1 + 2*W1*W2*c12),
        -l*m*(W1**2*s12 + W2**2*s12 + 3*W1**2*s1 + 2*W1*W2*s12),
        -2*m*l**2*W2*s2*(2*W1 + W2), 2*m*l**2*W1**2*s2]), B, ours=lambda: MACHINE.convection(X)),
    Printed("G", np.array([0, 2*m*g, l*g*m*(c12 + 3*c1), l*g*m*c12]), G,
            ours=lambda: MACHINE.gravity(X)),
    Printed("W", np.eye(2, 4), W),
    Printed("EOM of stick, with the right lambda", MINV @ (W.T @ FORCE + F_Q - G - B), HELD,
            ours=lambda: acceleration(MACHINE, JumpPhase.STICK, X, TAU)),
    Printed("EOM of slip, with the right lambda_n",
            MINV @ ((W[1] - SIG*mu*W[0]) * SLIP[1] + F_Q - G - B),
            MINV @ (W.T @ SLIP + F_Q - G - B),
            ours=lambda: acceleration(MACHINE, JumpPhase.SLIP_FORWARD, X, TAU)),
    Printed("EOM of flight", MINV @ (F_Q - B - G), FLIGHT,
            ours=lambda: acceleration(MACHINE, JumpPhase.FLIGHT, X, TAU)),
    Printed("alpha of lambda_n,slip", W[1] @ MINV @ (W[1] - SIG*mu*W[0]), ALPHA,
            ours=lambda: lever(MACHINE, X, SIG)),
    # item 5: y and x of P are held by their own equations; tau stands alone, hence F_q
    Printed("tau = b theta12'' + a", 4*l**2*m/3 * FLIGHT[2:].sum()
            + l*m/3*(6*l*s2*W1**2 + 3*g*c12 + 3*FLIGHT[1]*c12 - 3*FLIGHT[0]*s12
                     + 6*l*FLIGHT[2]*c2), TAU),
]

MISPRINTS = [
    # y of the second row is left out; V has it
    Printed("r_CG", np.array([XP + 3/2*l*c1 + l*c12/2, 3/2*l*s1 + l*s12/2]),
            0.5*(MIDDLE_1 + MIDDLE_2), np.array([0.0, -YP]), lambda: position(MACHINE, X, CG)),
    # the torque is left out
    Printed("lambda", np.linalg.solve(A, W @ MINV @ (B + G)), FORCE,
            np.linalg.solve(A, W @ MINV @ F_Q), lambda: force(MACHINE, JumpPhase.STICK, X, TAU)),
    Printed("lambda_n,slip", W[1] @ MINV @ (B + G) / ALPHA, SLIP[1],
            W[1] @ MINV @ F_Q / ALPHA, lambda: force(MACHINE, JumpPhase.SLIP_FORWARD, X, TAU)[1]),
]
# fmt: on


def name(entry):
    return entry.formula


@pytest.mark.parametrize("entry", RIGHT, ids=name)
def test_right_prints_are_lagranges(entry):
    # some tens of roundings; solutions with matrices of condition 1e2
    assert close(np.asarray(entry.printed), np.asarray(entry.right), 1e-12)


@pytest.mark.parametrize("entry", MISPRINTS, ids=name)
def test_misprints_are_wrong_by_what_is_said(entry):
    excess = np.asarray(entry.printed) - np.asarray(entry.right)
    assert close(excess, np.asarray(entry.excess), 1e-12)
    # far above rounding: this hopper tells each of them
    assert np.abs(excess).max() > 0.1


@pytest.mark.parametrize("entry", [e for e in RIGHT + MISPRINTS if e.ours is not None], ids=name)
def test_the_code_has_what_is_right(entry):
    assert close(np.asarray(entry.ours()), np.asarray(entry.right), 1e-12)


def test_without_torque_the_printed_multipliers_are_right():
    free, _, _ = held(M, B + G, 0.0 * F_Q, W, np.zeros(2))
    printed = np.linalg.solve(A, W @ MINV @ (B + G))
    assert close(acceleration(MACHINE, JumpPhase.STICK, X), free, 1e-12)
    assert close(force(MACHINE, JumpPhase.STICK, X), printed, 1e-12)


# --- conditions --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Condition:
    """A condition of the document: what it prints, what is right, where the two part."""

    item: str
    printed: Callable[[dict[str, Any]], Any]
    right: Callable[[dict[str, Any]], Any]
    where: Callable[[dict[str, Any]], Any]


def seen():
    """A thousand states of the document's hopper with their torques, and what is asked of them."""
    x, tau = standing(1000, 30), np.random.default_rng(33).uniform(-20.0, 20.0, 1000)
    along, up = force(Hopper(TEXT), JumpPhase.STICK, x, tau)
    # a joint that turns further than folded
    return {"along": along, "up": up, "tau": tau, "theta2": 1.5 * states(1000, 32)[3]}


MU, TAU_MAX = TEXT.mu, TEXT.tau_max
CONDITIONS = [
    Condition(
        "no-slip: lambda_t <= mu lambda_n",
        lambda of: of["along"] <= MU * of["up"],
        lambda of: (of["up"] >= 0.0) & (np.abs(of["along"]) <= MU * of["up"]),
        lambda of: (of["along"] < -MU * of["up"]) & (of["along"] <= MU * of["up"]),
    ),
    Condition(
        "tau <= tau_max",
        lambda of: of["tau"] <= TAU_MAX,
        lambda of: np.abs(of["tau"]) <= TAU_MAX,
        lambda of: of["tau"] < -TAU_MAX,
    ),
    Condition(
        "folding in flight: theta2 != pi, an event at one side only",
        lambda of: of["theta2"] < np.pi,
        lambda of: np.abs(of["theta2"]) < np.pi,
        lambda of: of["theta2"] <= -np.pi,
    ),
]


@pytest.mark.parametrize("entry", CONDITIONS, ids=lambda entry: entry.item)
def test_conditions_misjudge_what_is_said(entry):
    of = seen()
    wrong = entry.printed(of) != entry.right(of)
    assert np.array_equal(wrong, entry.where(of))
    # not a rare case: more than one state in twenty
    assert 50 < wrong.sum() < 1000


def test_slip_begins_at_both_edges_of_the_cone():
    # printed: no-slip to slippage at lambda_t = mu lambda_n
    machine, x = Hopper(TEXT), np.array([0.0, 0.0, 1.9, -1.9, 0.0, 0.0, 0.0, 0.0])
    at_0, at_1 = (np.array(stick_conditions(machine, x, tau)) for tau in (0.0, 1.0))
    torque = at_0[2] / (at_0[2] - at_1[2])
    along, up = force(machine, JumpPhase.STICK, x, torque)
    assert up > 0.0
    assert along == pytest.approx(-TEXT.mu * up, rel=1e-12)
    assert along < 0.5 * TEXT.mu * up  # far from the printed edge


def test_transitions_that_the_table_leaves_out():
    # stick to separation, slip to stick and slip to slip the other way
    machine, x = Hopper(TEXT), np.array([0.0, 0.0, 1.9, -1.9, 0.0, 0.0, 0.0, 0.0])
    assert consistent_phases(machine, x, 0.0) == (JumpPhase.STICK,)
    torques = np.linspace(-10.0, 10.0, 401)
    after_jump = {consistent_phases(machine, x, tau) for tau in torques}
    assert (JumpPhase.FLIGHT,) in after_jump
    # a slip whose speed has come down to 0 at those torques
    assert {(JumpPhase.STICK,), (JumpPhase.SLIP_FORWARD,), (JumpPhase.SLIP_BACKWARD,)} <= after_jump


def test_a_negative_force_after_landing_is_no_paradox():
    # item 4 takes lambda_n < 0 after the impact for Painleve's paradox: it only lifts off
    machine, seen_phases = Hopper(TEXT), set()
    for x in standing(200, seed=34).T:
        if force(machine, JumpPhase.STICK, x, 0.5)[1] < 0.0:
            assert min(lever(machine, x, 1.0), lever(machine, x, -1.0)) > 0.0
            # it is decided by the normal acceleration without the ground, not by lambda_n in stick
            leaves = acceleration(machine, JumpPhase.FLIGHT, x, 0.5)[1] >= 0.0
            (phase,) = consistent_phases(machine, x, 0.5)
            assert (phase is JumpPhase.FLIGHT) == leaves
            seen_phases.add(phase)
    # nor does it always lift off: sliding, some of them are pressed
    assert seen_phases == {JumpPhase.FLIGHT, JumpPhase.SLIP_BACKWARD}


def test_impact_takes_e_t_where_the_task_says_e_r():
    # kappa = 1 + e_t inside the cone, as the document's own table has it
    machine = Hopper(UNEQUAL)
    x = standing(1, seed=35)[:, 0]
    x[5] = -1.0
    post_impact = impact(machine, x)
    W_x = np.eye(2, 4)
    A_x = W_x @ np.linalg.solve(machine.inertia(x), W_x.T)
    first = np.array([0.0, 1.0 / A_x[1, 1]])
    second = np.linalg.solve(A_x, [0.0, 1.0])
    hat = (1.0 + UNEQUAL.e_n) * first + (1.0 + UNEQUAL.e_t) * (second - first)
    if abs(hat[0]) <= UNEQUAL.mu * hat[1]:
        kappa = 1.0 + UNEQUAL.e_t
    else:
        lack = abs(second[0]) - UNEQUAL.mu * (second[1] - first[1])
        kappa = UNEQUAL.mu * (1.0 + UNEQUAL.e_n) * first[1] / lack
    printed = (1.0 + UNEQUAL.e_n) * first + kappa * (second - first)
    assert post_impact.kappa == pytest.approx(kappa, rel=1e-12)
    assert close(post_impact.impulse, printed, 1e-12)


def test_the_sixty_degree_line_is_that_of_an_isosceles_triangle():
    # "characteristic of equilateral triangles": 30 < theta1 + theta2/2 < 150 holds for any theta2
    for theta2 in (-2.0, -0.3, 0.0, 1.1, 2.9):
        q = np.array([0.0, 0.0, np.deg2rad(30.0) - 0.5 * theta2, theta2])
        line = position(MACHINE, q, R) - position(MACHINE, q, P)
        assert np.arctan2(line[1], line[0]) == pytest.approx(np.deg2rad(30.0), rel=1e-13)
        assert margins(MACHINE, q).PR_forward == pytest.approx(0.0, abs=1e-15)
