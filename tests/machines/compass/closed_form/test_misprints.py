"""The document's equations (1)-(62) as printed, each against Lagrange's equations.

Where a print is wrong, ``excess`` says by what: printed - right, as a formula. The document has no
hip mass, so the walker here has none; its letters are all unlike, so that no slip hides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.machines.compass.closed_form.cases import close
from tests.machines.compass.closed_form.lagrangian import Lagrangian

from footfall.machines.compass.closed_form.impact import foot_jacobian, free_inertia, impact
from footfall.machines.compass.closed_form.model import Compass, CompassParameters

P = CompassParameters(l=0.8, m=2.3, I=0.13, s=0.47, theta=0.21)
MACHINE, STANCE, AIR = Compass(P), Lagrangian(P), Lagrangian(P, free=True)
X = np.random.default_rng(62).uniform(-2.0, 2.0, 4)
Q, V = X[:2], X[2:]
AIR_Q = np.concatenate([[0.3, 0.7], Q])
(Q1, Q2), (W1, W2) = Q, V
S1, C1, S12, C12 = np.sin(Q1), np.cos(Q1), np.sin(Q1 + Q2), np.cos(Q1 + Q2)
S2, C2 = np.sin(Q2), np.cos(Q2)
L, M, I, S, TH, G = P.l, P.m, P.I, P.s, P.theta, P.g
MLS = M * L * S
GRAVITY = G * np.array([np.sin(TH), -np.cos(TH)])
U1, U2 = np.array([-S1, C1]), np.array([-S12, C12])
E1, E2 = np.array([-C1, -S1]), np.array([-C12, -S12])
QDD = MACHINE.acceleration(X)
XY = np.array([0.6, -0.4])  # some velocity of the hip
FREE_V = np.concatenate([XY, V])

A = STANCE.at(STANCE.inertia, Q, V)
H = STANCE.at(STANCE.coriolis, Q, V)
GRAV = STANCE.at(STANCE.gravity, Q, V)
DA = STANCE.derivative_of_inertia(Q, V)
A1 = AIR.at(AIR.inertia, AIR_Q, FREE_V)
JR2 = AIR.at(AIR.jacobian, AIR_Q, FREE_V)
T_FREE = float(AIR.at(AIR.T, AIR_Q, FREE_V))
T_STANCE = float(STANCE.at(STANCE.T, Q, V))
POINTS, SPEEDS = MACHINE.points(Q), MACHINE.velocities(X)


def rate(function):
    """Rate of change of a function of x in the motion with accelerations QDD."""
    return np.imag(function(X + 1e-30j * np.concatenate([V, QDD]))) / 1e-30


B1 = np.array([[(S - L) * C1, 0.0], [(S - L) * S1, 0.0]])
B2 = np.array([[-L * C1 - S * C12, -S * C12], [-L * S1 - S * S12, -S * S12]])
ONE, BOTH = np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]])
T_LEG_1 = 0.5 * (M * SPEEDS.centre_1 @ SPEEDS.centre_1 + I * W1**2)
T_LEG_2 = 0.5 * (M * SPEEDS.centre_2 @ SPEEDS.centre_2 + I * (W1 + W2) ** 2)
AIR_1, AIR_2 = XY - S * W1 * E1, XY + S * (W1 + W2) * E2  # (50) and (52)


def arms(factor):
    """Coefficients between hip and legs of A1, upper right: a13, a14, a23, a24."""
    return factor * np.array([[C1 - C12, -C12], [S1 - S12, -S12]])


@dataclass(frozen=True)
class Printed:
    """An equation of the document: what is printed, what is right, by how much it is wrong."""

    equation: str
    printed: Any
    right: Any
    excess: Any = None  # printed - right as a formula, None for a right print
    ours: Callable[[], Any] | None = None  # what the code has for it


# fmt: off
RIGHT = [
    Printed("(2) OG1", (L - S) * U1, POINTS.centre_1),
    Printed("(4) OG2", L * U1 + S * U2, POINTS.centre_2),
    Printed("(6) vG1", (L - S) * W1 * E1, rate(lambda x: MACHINE.points(x).centre_1)),
    Printed("(8) vG2", L * W1 * E1 + S * (W1 + W2) * E2,
            rate(lambda x: MACHINE.points(x).centre_2)),
    Printed("(10) EC1", 0.5 * (M * (L - S)**2 + I) * W1**2, T_LEG_1),
    Printed("(11) EC2", 0.5 * (M * (L**2 * W1**2 + S**2 * (W1 + W2)**2
                                   + 2 * L * S * W1 * (W1 + W2) * C2) + I * (W1 + W2)**2), T_LEG_2),
    Printed("(12) EC", 0.5 * ((M * (L - S)**2 + I) * W1**2 + M * (L**2 * W1**2
            + S**2 * (W1 + W2)**2 + 2 * L * S * W1 * (W1 + W2) * C2) + I * (W1 + W2)**2), T_STANCE),
    Printed("(15) B1", B1 @ V, SPEEDS.centre_1),
    Printed("(17) B2", B2 @ V, SPEEDS.centre_2),
    Printed("(22) A by B1, B2, C1, C2",
            M * B1.T @ B1 + I * ONE.T @ ONE + M * B2.T @ B2 + I * BOTH.T @ BOTH, A),
    Printed("(23) A12, A21", np.full(2, M * S * (L * C2 + S) + I), A[[0, 1], [1, 0]]),
    Printed("(26) gravity turned by R", np.array([[np.cos(TH), -np.sin(TH)],
            [np.sin(TH), np.cos(TH)]]) @ [0.0, -G], GRAVITY),
    Printed("(27) gravity in the slope frame", -G * np.array([-np.sin(TH), np.cos(TH)]), GRAVITY),
    Printed("(28) U1", M * G * (L - S) * np.cos(Q1 - TH), -M * GRAVITY @ POINTS.centre_1),
    Printed("(29) U2", M * G * (L * np.cos(Q1 - TH) + S * np.cos(TH - Q1 - Q2)),
            -M * GRAVITY @ POINTS.centre_2),
    Printed("(31) Q2", M * G * S * np.sin(TH - Q1 - Q2), GRAV[1],
            ours=lambda: MACHINE.gravity(Q)[1]),
    Printed("(33) B112, B212", np.array([DA[0, 0, 1] + DA[0, 1, 0] - DA[0, 1, 0],
                                         DA[1, 0, 1] + DA[1, 1, 0] - DA[0, 1, 1]]),
            np.array([-2 * MLS * S2, 0.0])),
    Printed("(32), (34), (36): H", np.array([-2 * MLS * S2 * W1 * W2 - MLS * S2 * W2**2,
                                             MLS * S2 * W1**2]), H),
    Printed("(37) H2", MLS * S2 * W1**2, H[1], ours=lambda: MACHINE.coriolis(X)[1]),
    Printed("(42) aG1", -(L - S) * W1**2 * U1 + (L - S) * QDD[0] * E1,
            rate(lambda x: MACHINE.velocities(x).centre_1)),
    Printed("(43) aG2", -L * W1**2 * U1 - S * (W1 + W2)**2 * U2 + L * QDD[0] * E1
            + S * QDD.sum() * E2, rate(lambda x: MACHINE.velocities(x).centre_2)),
    Printed("(41), (44), (45) F with M = 2 m", 2 * M * rate(lambda x: 0.5 * (
            MACHINE.velocities(x).centre_1 + MACHINE.velocities(x).centre_2)) - 2 * M * GRAVITY,
            MACHINE.reaction(X, QDD)),
    Printed("(53) EC1 in the air", 0.5 * (M * ((XY[0] + S * W1 * C1)**2 + (XY[1] + S * W1 * S1)**2)
                                          + I * W1**2), 0.5 * (M * AIR_1 @ AIR_1 + I * W1**2)),
    Printed("(50), (52) velocities in the air", 0.5 * M * (AIR_1 @ AIR_1 + AIR_2 @ AIR_2)
            + 0.5 * I * (W1**2 + (W1 + W2)**2), T_FREE),
    Printed("4.4 a11, a12, a21, a22", 2 * M * np.eye(2), A1[:2, :2]),
    Printed("4.4 a33, a34, a44", np.array([2 * M * S**2 + 2 * I, I + M * S**2, M * S**2 + I]),
            A1[[2, 2, 3], [2, 3, 3]]),
    Printed("(60) vF2", XY + L * (W1 + W2) * E2, JR2 @ FREE_V),
    Printed("(62) JR2", np.array([[1.0, 0.0, -L * C12, -L * C12], [0.0, 1.0, -L * S12, -L * S12]]),
            JR2, ours=lambda: foot_jacobian(MACHINE, Q)),
]

MISPRINTS = [
    # gravity is left out although the function takes theta
    Printed("(1) accelerations", np.linalg.solve(A, -H), np.linalg.solve(A, -H - GRAV),
            np.linalg.solve(A, GRAV), lambda: MACHINE.acceleration(X)),
    # before (14): E with both signs +, against (7); what follows from it there is right again
    Printed("before (14) vG1", (L - S) * W1 * np.array([C1, -S1]), SPEEDS.centre_1,
            2 * (L - S) * W1 * np.array([C1, 0.0]), lambda: MACHINE.velocities(X).centre_1),
    Printed("before (16) second term", S * (W1 + W2) * np.array([C12, -S12]), S * (W1 + W2) * E2,
            2 * S * (W1 + W2) * np.array([C12, 0.0])),
    # I for 3 I
    Printed("(23) A11", M * (S - L)**2 + 2 * I + M * L**2 + 2 * MLS * C2 + M * S**2 + I, A[0, 0],
            I, lambda: MACHINE.inertia(Q)[0, 0]),
    # 1 for I
    Printed("(23) A22", M * S**2 + 1.0, A[1, 1], 1.0 - I, lambda: MACHINE.inertia(Q)[1, 1]),
    # sign of the whole; (28) itself is right
    Printed("before (28) U1", M * G * (L - S) * (-np.sin(TH) * S1 - np.cos(TH) * C1),
            -M * GRAVITY @ POINTS.centre_1, -2 * M * G * (L - S) * np.cos(Q1 - TH)),
    # U1 again at the end of the line; (29) itself is right
    Printed("before (29) U2", M * G * (L - S) * np.cos(Q1 - TH), -M * GRAVITY @ POINTS.centre_2,
            -M * G * S * (np.cos(Q1 - TH) + np.cos(TH - Q1 - Q2))),
    # + for -
    Printed("(30) Q1", -M * G * ((2 * L - S) * np.sin(Q1 - TH) + S * np.sin(TH - Q1 - Q2)), GRAV[0],
            -2 * M * G * S * np.sin(TH - Q1 - Q2), lambda: MACHINE.gravity(Q)[0]),
    # indices: dA_ij/dq_j - 1/2 dA_jj/dq_i is meant, and used in the lines below it
    Printed("(35) C", np.array([[DA[i, i, i] - 0.5 * DA[i, j, i] for j in (0, 1)] for i in (0, 1)]),
            np.array([[DA[i, j, j] - 0.5 * DA[j, j, i] for j in (0, 1)] for i in (0, 1)]),
            MLS * S2 * np.array([[0.0, 1.0], [-0.5, 0.0]])),
    # a factor 2 before q1' q2', which (34) has
    Printed("(37) H1", -MLS * S2 * W1 * W2 - MLS * S2 * W2**2, H[0], MLS * S2 * W1 * W2,
            lambda: MACHINE.coriolis(X)[0]),
    # the second m multiplies one square of two
    Printed("(54), (55) EC", 0.5 * (M * AIR_1 @ AIR_1 + I * W1**2)
            + 0.5 * (M * AIR_2[0]**2 + AIR_2[1]**2 + I * (W1 + W2)**2), T_FREE,
            0.5 * (1.0 - M) * AIR_2[1]**2),
    # s is missing in all eight
    Printed("4.4 a13, a14, a23, a24", arms(M), A1[:2, 2:], arms(M * (1.0 - S)),
            lambda: free_inertia(MACHINE, Q)[:2, 2:]),
    Printed("4.4 a31, a32, a41, a42", arms(M).T, A1[2:, :2], arms(M * (1.0 - S)).T,
            lambda: free_inertia(MACHINE, Q)[2:, :2]),
    # a symmetric matrix has a43 = a34
    Printed("4.4 a43", I + 2 * M * S**2, A1[3, 2], M * S**2,
            lambda: free_inertia(MACHINE, Q)[3, 2]),
]
# fmt: on


def name(entry):
    return entry.equation


@pytest.mark.parametrize("entry", RIGHT, ids=name)
def test_right_prints_are_lagranges(entry):
    # some tens of roundings
    assert close(np.asarray(entry.printed), np.asarray(entry.right))


@pytest.mark.parametrize("entry", MISPRINTS, ids=name)
def test_misprints_are_wrong_by_what_is_said(entry):
    excess = np.asarray(entry.printed) - np.asarray(entry.right)
    assert close(excess, np.asarray(entry.excess))
    # far above rounding: this walker tells each of them
    assert np.abs(excess).max() > 0.01


@pytest.mark.parametrize("entry", [e for e in RIGHT + MISPRINTS if e.ours is not None], ids=name)
def test_the_code_has_what_is_right(entry):
    # accelerations are solved for: roundings times a condition number of 10
    assert close(np.asarray(entry.ours()), np.asarray(entry.right), 1e-12)


def test_46_is_two_systems_that_fit():
    # printed: J^T below A1, and the unknown impulse among the rows
    A1_, J = free_inertia(MACHINE, Q), foot_jacobian(MACHINE, Q)
    with pytest.raises(ValueError, match="dimension"):
        np.block([[A1_, -J.T], [J.T, np.zeros((2, 2))]])
    before = np.concatenate([SPEEDS.hip, V])
    struck = impact(MACHINE, X)
    after = np.concatenate([struck.hip, struck.x[2:]])
    # the impulse on the foot changes the momenta of T, and the foot is at rest
    assert close(A1 @ (after - before), JR2.T @ struck.impulse, 1e-12)
    assert close(JR2 @ after, np.zeros(2), 1e-12)
