"""Impact laws of one planar contact against what defines them, and against energy."""

import numpy as np
import pytest

from footfall.textbook.planar_impact import (
    all_solutions,
    chatterjee_ruina,
    energy_change,
    newton,
    poisson,
)

LAWS = [newton, poisson, chatterjee_ruina]
ROUNDING = 1e-12  # of numbers of order 1


def impacts(count, seed):
    """Random W, approach, mu and e_n; W of a machine with two coordinates."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        J, M = rng.standard_normal((2, 2)), np.diag(rng.uniform(0.5, 2.0, 2))
        W = J @ M @ J.T
        mu = rng.uniform(0.0, 0.9 * W[0, 0] / max(abs(W[0, 1]), 0.1))  # short of Painleve's region
        yield W, np.array([-rng.uniform(0.1, 1.0), rng.standard_normal()]), mu, rng.uniform()


def test_every_solution_obeys_signorini_and_coulomb():
    rng = np.random.default_rng(0)
    for W, _, mu, _ in impacts(200, 1):
        q = rng.standard_normal(2)
        for mode, r in all_solutions(W, q, 3.0 * mu):
            u = W @ r + q
            assert min(u[0], r[0]) > -ROUNDING, mode
            assert abs(u[0] * r[0]) < ROUNDING * max(1.0, r @ r)
            assert abs(r[1]) <= 3.0 * mu * r[0] + ROUNDING
            # power of friction is the most that the cone can take
            assert r[1] * u[1] == pytest.approx(-3.0 * mu * r[0] * abs(u[1]), abs=1e-9)


def test_there_is_one_solution_short_of_painleves_region():
    rng = np.random.default_rng(2)
    for W, _, mu, _ in impacts(200, 3):
        assert len(all_solutions(W, rng.standard_normal(2), mu)) == 1


def test_beyond_it_there_are_three_or_none_that_slide_on():
    # W_nn + mu W_nt < 0 for an end that slides towards -t
    W, mu = np.array([[1.0, -1.0], [-1.0, 3.0]]), 2.0
    lifting = {mode for mode, _ in all_solutions(W, np.array([0.01, -1.0]), mu)}
    pressed = {mode for mode, _ in all_solutions(W, np.array([-0.01, -1.0]), mu)}
    assert lifting == {"open", "stick", "slide-"}
    assert pressed == {"stick"}


def test_newton_returns_its_share_of_the_approach():
    for W, u, mu, e_n in impacts(200, 4):
        after = u + W @ newton(W, u, mu, e_n).r
        assert after[0] == pytest.approx(-e_n * u[0], abs=ROUNDING)


def test_poisson_returns_its_share_of_the_impulse_of_compression():
    for W, u, mu, e_n in impacts(200, 5):
        compression = newton(W, u, mu, 0.0).r
        assert poisson(W, u, mu, e_n).r[0] == pytest.approx((1.0 + e_n) * compression[0])


@pytest.mark.parametrize("law", LAWS)
def test_impulses_stay_in_the_cone(law):
    for W, u, mu, e_n in impacts(200, 6):
        r = law(W, u, mu, e_n).r
        assert abs(r[1]) <= mu * r[0] + ROUNDING


@pytest.mark.parametrize("law", LAWS)
def test_without_friction_all_laws_are_one(law):
    for W, u, _, e_n in impacts(50, 7):
        assert law(W, u, 0.0, e_n).r == pytest.approx([-(1.0 + e_n) * u[0] / W[0, 0], 0.0])


@pytest.mark.parametrize("law", LAWS)
def test_the_energy_is_that_of_the_velocities(law):
    # with M = 1 and J square, v = J^-1 u
    rng = np.random.default_rng(8)
    for _ in range(50):
        J = rng.standard_normal((2, 2))
        u, mu = np.array([-1.0, rng.standard_normal()]), 0.1
        W = J @ J.T
        if mu * abs(W[0, 1]) >= W[0, 0]:
            continue
        r = law(W, u, mu, 0.5).r
        before, after = np.linalg.solve(J, u), np.linalg.solve(J, u + W @ r)
        gained = 0.5 * (after @ after - before @ before)
        # a nearly singular J makes large speeds, whose rounding this is
        assert energy_change(W, u, r) == pytest.approx(gained, abs=1e-9 * max(before @ before, 1.0))


@pytest.mark.parametrize("law", [poisson, chatterjee_ruina])
def test_poisson_and_chatterjee_ruina_never_give_energy(law):
    changes = [energy_change(W, u, law(W, u, mu, e_n).r) for W, u, mu, e_n in impacts(1000, 9)]
    assert max(changes) < ROUNDING


def test_newton_does():
    changes = [energy_change(W, u, newton(W, u, mu, e_n).r) for W, u, mu, e_n in impacts(1000, 9)]
    assert max(changes) > 0.1
