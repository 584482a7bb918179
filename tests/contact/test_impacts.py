"""Poisson's and Chatterjee-Ruina's laws against what their authors say that they do."""

import numpy as np
import pytest

from footfall import contact
from footfall.solvers import solve

# as plain Python: to compile each by itself takes longer than all that is asked of it here
chatterjee_ruina = contact.chatterjee_ruina.py_func
expansion_problem = contact.expansion_problem.py_func
total_impulses = contact.total_impulses.py_func

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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_a_contact_that_expansion_presses_in_again_bears_more():
    # balls of the cradle at 1.2, 0.2 and 0: compression leaves all at 1.4/3; the first contact
    # gives 1.2 - 1.4/3 back, and the other two balls, whose contact gives none, share it
    r, _ = poisson(CRADLE, np.array([-1.0, 0.0, -0.2, 0.0]), [0.0, 0.0], [1.0, 0.0], 2)
    shared, back = 1.4 / 3.0, 1.2 - 1.4 / 3.0
    assert r == pytest.approx([2.0 * back, 0.0, shared + 0.5 * back, 0.0])


@pytest.mark.parametrize("dim", [2, 3])
def test_poissons_law_at_several_contacts_is_what_its_authors_write(dim):
    generator, copies, pressed = np.random.default_rng(6), 0, 0
    for _ in range(60):
        n = 3
        rows = generator.standard_normal((n * dim, n * dim + 2))
        W, gamma = rows @ rows.T, generator.standard_normal(n * dim)
        gamma[::dim] = -np.abs(gamma[::dim])  # all approach
        mu, e_n = generator.uniform(0.1, 1.0, n), generator.choice([0.0, 0.5, 0.9], n)
        compression = solve(W, gamma, mu, dim)
        r, _ = poisson(W, gamma, mu, e_n, dim)
        expansion = (r - compression.r).reshape(n, dim)
        after, scale = (gamma + W @ r).reshape(n, dim), np.abs(r).max()
        stored = e_n * compression.r.reshape(n, dim)[:, 0]
        # r_En - e_n r_Cn and u_En, of which one is zero
        more, parts = expansion[:, 0] - stored, after[:, 0]
        assert more.min() >= -1e-8 * scale
        assert parts.min() >= -1e-8 * scale
        assert np.abs(np.minimum(more / scale, parts / np.abs(gamma).max())).max() <= 1e-7
        friction = np.linalg.norm(expansion[:, 1:], axis=1)
        assert np.all(friction <= mu * expansion[:, 0] + 1e-8 * scale)
        for k in range(n):  # friction against the velocity at the end, all of it where it slips
            slip = np.linalg.norm(after[k, 1:])
            if slip > 1e-6 * np.abs(gamma).max() and expansion[k, 0] > 1e-6 * scale:
                expected = -mu[k] * expansion[k, 0] * after[k, 1:] / slip
                assert expansion[k, 1:] == pytest.approx(expected, abs=1e-5 * scale)
        copies += int((stored > 0.0).sum() > 1)
        pressed += int((more > 1e-6 * scale).any())
    assert min(copies, pressed) > 5  # both have occurred


def test_a_contact_without_impulse_of_compression_gives_none_back():
    gamma = np.array([-1.0, 0.0, 0.5, 0.0])
    W = np.eye(4)
    r, _ = poisson(W, gamma, [0.3, 0.3], [0.5, 0.5], 2)
    assert r == pytest.approx([1.5, 0.0, 0.0, 0.0])


def test_only_what_was_pressed_and_gives_back_has_a_part_of_its_own_in_expansion():
    r_c = np.array([1.0, 0.2, 0.0, 0.0, 2.0, 0.0])
    e_n, mu = np.array([0.0, 0.5, 0.5]), np.full(3, 0.3)
    W_e, _, _, stored = expansion_problem(np.eye(6), np.zeros(6), r_c, mu, e_n, 2)
    assert stored.tolist() == [2]
    assert W_e.shape == (8, 8)


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
        plain = -(1.0 + e_t) * np.linalg.solve(W, gamma)
        plain[0] += (e_n - e_t) * -gamma[0] / W[0, 0]
        if np.linalg.norm(plain[1:]) < 0.999 * mu * plain[0]:
            assert plain == pytest.approx(P)
        elif np.linalg.norm(plain[1:]) > 1.001 * mu * plain[0]:  # on the cone
            assert np.linalg.norm(P[1:]) == pytest.approx(mu * P[0])
        if np.linalg.solve(W, -gamma)[0] > 1e-3:  # else even a rough contact slips
            both = gamma + W @ chatterjee_ruina(W, gamma, 1e6, e_n, e_n)
            assert both == pytest.approx(-e_n * gamma, rel=1e-6, abs=1e-8)


def test_chatterjee_and_ruinas_law_without_friction_is_newtons():
    W, gamma = np.array([[2.0, 0.7], [0.7, 1.0]]), np.array([-1.0, 3.0])
    assert chatterjee_ruina(W, gamma, 0.0, 0.5, 0.3) == pytest.approx([0.75, 0.0])


def test_chatterjee_and_ruinas_law_at_a_contact_that_cannot_move_sideways():
    W = np.array([[2.0, 0.0], [0.0, 0.0]])  # a joint limit, or a mass on a rail
    assert chatterjee_ruina(W, np.array([-1.0, 0.0]), 0.8, 0.5, 1.0) == pytest.approx([0.75, 0.0])
