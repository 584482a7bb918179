"""The four-bar linkage against three bars with Lagrange multipliers."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.four_bar import FourBar

LINKAGE = FourBar(a=0.3, b=0.9, c=0.8, d=1.0, m_a=0.5, m_b=1.1, m_c=0.7, g=9.7)
AROUND = np.linspace(0.0, 2.0 * np.pi, 60)


def loop(angles):
    """Distance between the ends of coupler and rocker, as complex numbers."""
    phi, beta, psi = angles
    p = LINKAGE
    ends = p.a * np.exp(1j * phi) + p.b * np.exp(1j * beta)
    return ends - p.d - p.c * np.exp(1j * psi)


def test_the_loop_is_closed_all_the_way_round():
    assert np.abs(loop(LINKAGE.angles(AROUND))).max() < 1e-14


def test_the_branch_does_not_jump():
    psi = LINKAGE.angles(np.linspace(0.0, 2.0 * np.pi, 2000)).psi
    # one step of the crank times the largest ratio of the rates
    assert np.abs(np.diff(psi)).max() < 4e-3


def test_rates_are_derivatives_of_the_angles():
    step = 1e-6
    ahead, behind = LINKAGE.angles(AROUND + step), LINKAGE.angles(AROUND - step)
    rates = LINKAGE.ratios(LINKAGE.angles(AROUND))
    for name in ("phi", "beta", "psi"):
        slope = (getattr(ahead, name) - getattr(behind, name)) / (2.0 * step)
        assert getattr(rates, name) == pytest.approx(slope, abs=1e-8)  # differences: step^2


def multipliers(_, state):
    """Accelerations of three bars on their own, with the loop as a constraint.

    Crank and rocker turn about fixed pivots; the coupler is free, held at both its ends.
    """
    p = LINKAGE
    q, v = state[:5], state[5:]  # phi, psi, x and z of the coupler's centre, beta
    mass = np.diag(
        [p.m_a * p.a**2 / 3.0, p.m_c * p.c**2 / 3.0, p.m_b, p.m_b, p.m_b * p.b**2 / 12.0]
    )
    force = -p.g * np.array(
        [p.m_a * p.a / 2.0 * np.cos(q[0]), p.m_c * p.c / 2.0 * np.cos(q[1]), 0.0, p.m_b, 0.0]
    )
    half = p.b / 2.0
    G, convective = np.zeros((4, 5)), np.zeros(4)
    for row, bar, length, side in ((0, 0, p.a, -1.0), (2, 1, p.c, 1.0)):
        # centre + side half (cos beta, sin beta) - pivot - length (cos, sin) = 0
        G[row, 2] = G[row + 1, 3] = 1.0
        G[row : row + 2, 4] = side * half * np.array([-np.sin(q[4]), np.cos(q[4])])
        G[row : row + 2, bar] = -length * np.array([-np.sin(q[bar]), np.cos(q[bar])])
        convective[row : row + 2] = -side * half * v[4] ** 2 * np.array(
            [np.cos(q[4]), np.sin(q[4])]
        ) + length * v[bar] ** 2 * np.array([np.cos(q[bar]), np.sin(q[bar])])
    system = np.block([[mass, -G.T], [G, np.zeros((4, 4))]])
    solved = np.linalg.solve(system, np.concatenate((force, -convective)))
    return np.concatenate((v, solved[:5]))


def test_the_crank_turns_as_the_bars_with_multipliers_do():
    p, phi, rate = LINKAGE, 0.3, 9.0
    _, beta, psi = (float(x) for x in p.angles(phi))
    _, beta_rate, psi_rate = (rate * float(x) for x in p.ratios(p.angles(phi)))
    half = p.b / 2.0
    start = [
        phi, psi, p.a * np.cos(phi) + half * np.cos(beta), p.a * np.sin(phi) + half * np.sin(beta),
        beta, rate, psi_rate,
        -p.a * np.sin(phi) * rate - half * np.sin(beta) * beta_rate,
        p.a * np.cos(phi) * rate + half * np.cos(beta) * beta_rate, beta_rate,
    ]  # fmt: skip
    times = np.linspace(0.0, 1.0, 20)
    solved = solve_ivp(
        multipliers, (0.0, 1.0), start, method="DOP853", rtol=1e-11, atol=1e-12, t_eval=times
    )
    # the constraint is kept on acceleration level alone, from which the loop drifts by some 1e-9
    assert p.turn(phi, rate, times) == pytest.approx(solved.y[0], abs=1e-7)
    assert p.angles(solved.y[0]).psi == pytest.approx(np.mod(solved.y[1], 2.0 * np.pi), abs=1e-7)


def test_a_crank_that_swings_back_is_refused():
    with pytest.raises(ValueError, match="turns back"):
        LINKAGE.turn(0.0, 0.5, np.array([1.0]))


@pytest.mark.parametrize(
    ("change", "message"), [({"a": 0.95}, "shortest"), ({"b": 2.0}, "round"), ({"d": 0.0}, "pos")]
)
def test_linkages_whose_crank_does_not_go_round_are_refused(change, message):
    good = {"a": 0.3, "b": 0.9, "c": 0.8, "d": 1.0, "m_a": 0.5, "m_b": 1.0, "m_c": 1.0}
    with pytest.raises(ValueError, match=message):
        FourBar(**(good | change))
