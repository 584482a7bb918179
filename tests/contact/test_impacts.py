"""Poisson's and Chatterjee-Ruina's laws against what their authors say that they do."""

import numpy as np
import pytest

from footfall.contact import chatterjee_ruina, expansion_problem, total_impulses
from footfall.solvers import solve

# W of three equal balls of 1 kg in a row, without friction: each contact joins two neighbours
CRADLE = np.array([[2.0, 0.0, -1.0, 0.0], [0.0, 0.0, 0.0, 0.0]] * 2)
CRADLE[2:] = [[-1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0]]


def poisson(W, gamma, mu, e_n, dim):
    """Both phases, each solved by the fallback chain."""
    mu, e_n = np.asarray(mu, float), np.asarray(e_n, float)
    compression = solve(W, gamma, mu, dim)
    W_e, q_e, mu_e, stored = expansion_problem(W, compression.u, compression.r, mu, e_n, dim)
    expansion = solve(W_e, q_e, mu_e, dim)
    return total_impulses(compression.r, expansion.r, stored, dim), compression


def random_contact(generator, dim):
    """W of one contact of a random rigid body, an approach, mu, e_n."""
    rows = generator.standard_normal((dim, dim + 2))
    gamma = generator.standard_normal(dim)
    gamma[0] = -abs(gamma[0])
    return rows @ rows.T, gamma, generator.uniform(0.0, 2.0), generator.uniform()


@pytest.mark.parametrize("dim", [2, 3])
def test_poissons_law_at_one_contact_gives_no_energy_and_stays_in_the_cone(dim):
    generator = np.random.default_rng(3)
    for _ in range(300):
        W, gamma, mu, e_n = random_contact(generator, dim)
        r, compression = poisson(W, gamma, [mu], [e_n], dim)
        after = gamma + W @ r
        # all solved to 1e-10 of the impulse
        slack = 1e-8 * np.linalg.norm(r)
        assert after[0] >= -slack
        assert r[0] >= (1.0 + e_n) * compression.r[0] - slack
        assert np.linalg.norm(r[1:]) <= mu * r[0] + slack
        assert r @ (gamma + after) <= slack


def test_poissons_and_newtons_law_agree_without_friction():
    generator = np.random.default_rng(4)
    for _ in range(50):
        W, gamma, _, e_n = random_contact(generator, 2)
        r, _ = poisson(W, gamma, [0.0], [e_n], 2)
        assert (gamma + W @ r)[0] == pytest.approx(-e_n * gamma[0], rel=1e-8)


def test_poissons_law_shares_the_impact_of_a_cradle_among_all_balls():
    # compression leaves all three at v0/3, and each contact gives its impulse back: -1/3, 2/3, 2/3
    gamma = np.array([-1.0, 0.0, 0.0, 0.0])
    r, _ = poisson(CRADLE, gamma, [0.0, 0.0], [1.0, 1.0], 2)
    first, second = r[0], r[2]
    assert [1.0 - first, first - second, second] == pytest.approx([-1 / 3, 2 / 3, 2 / 3])


def test_a_contact_without_impulse_of_compression_gives_none_back():
    gamma = np.array([-1.0, 0.0, 0.5, 0.0])
    W = np.eye(4)
    r, _ = poisson(W, gamma, [0.3, 0.3], [0.5, 0.5], 2)
    assert r == pytest.approx([1.5, 0.0, 0.0, 0.0])


@pytest.mark.parametrize("dim", [2, 3])
def test_chatterjee_and_ruinas_law_keeps_its_promises(dim):
    generator = np.random.default_rng(5)
    for _ in range(1000):
        W, gamma, mu, e_n = random_contact(generator, dim)
        e_t = generator.uniform(-1.0, 1.0)
        P = chatterjee_ruina(W, gamma, mu, e_n, e_t)
        after = gamma + W @ P
        slack = 1e-10 * np.linalg.norm(P)
        assert after[0] == pytest.approx(-e_n * gamma[0], rel=1e-8)
        assert np.linalg.norm(P[1:]) <= mu * P[0] + slack
        assert P @ (gamma + after) <= slack
        if np.linalg.solve(W, -gamma)[0] > 1e-3:  # else even a rough contact slips
            both = gamma + W @ chatterjee_ruina(W, gamma, 1e6, e_n, e_n)
            assert both == pytest.approx(-e_n * gamma, rel=1e-6, abs=1e-8)


def test_chatterjee_and_ruinas_law_without_friction_is_newtons():
    W, gamma = np.array([[2.0, 0.7], [0.7, 1.0]]), np.array([-1.0, 3.0])
    assert chatterjee_ruina(W, gamma, 0.0, 0.5, 0.3) == pytest.approx([0.75, 0.0])


def test_chatterjee_and_ruinas_law_at_a_contact_that_cannot_move_sideways():
    W = np.array([[2.0, 0.0], [0.0, 0.0]])  # a joint limit, or a mass on a rail
    assert chatterjee_ruina(W, np.array([-1.0, 0.0]), 0.8, 0.5, 1.0) == pytest.approx([0.75, 0.0])
