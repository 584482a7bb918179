"""Chains of balls: the laws against what they leave alone, and against answers found by hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footfall.textbook.cradle import newton, one_after_another, poisson

ARRIVING = np.array([1.0, 0.0, 0.0])
EQUAL = np.ones(3)
ELASTIC = np.ones(2)


@pytest.mark.parametrize("law", [newton, poisson])
@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_the_first_ball_collides_with_all_others_as_with_one_body(law, n):
    start = np.eye(n)[0]
    after, _ = law(np.ones(n), np.ones(n - 1), start)
    # elastic collision of a mass of 1 with one of n - 1
    expected = np.full(n, 2.0 / n)
    expected[0] = (2.0 - n) / n
    assert after == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_balls_apart_pass_the_speed_to_the_last(n):
    after = one_after_another(np.ones(n), np.ones(n - 1), np.eye(n)[0], np.arange(n, dtype=float))
    assert after == pytest.approx(np.eye(n)[-1], abs=1e-12)


def test_poissons_contact_gives_back_what_it_stored_and_newtons_does_not():
    # contact 1|2 plastic, 2|3 elastic: both compress to v0 / 3 with impulses 2/3 and 1/3
    e = np.array([0.0, 1.0])
    after_newton, impulses_newton = newton(EQUAL, e, ARRIVING)
    # 2|3 was not approaching, so Newton asks nothing of it
    assert after_newton == pytest.approx(EQUAL / 3.0, abs=1e-12)
    assert impulses_newton == pytest.approx([2.0 / 3.0, 1.0 / 3.0], abs=1e-12)
    # 2|3 gives back 1/3; the second ball is thrown against the first, which 1|2 prevents with 1/6
    after_poisson, impulses_poisson = poisson(EQUAL, e, ARRIVING)
    assert after_poisson == pytest.approx([1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], abs=1e-12)
    assert impulses_poisson == pytest.approx([5.0 / 6.0, 2.0 / 3.0], abs=1e-12)


@pytest.mark.parametrize("law", [newton, poisson])
def test_random_chains_keep_momentum_and_push_only(law):
    generator = np.random.default_rng(4)
    for _ in range(50):
        n = int(generator.integers(2, 6))
        m, v = generator.uniform(0.2, 3.0, n), generator.standard_normal(n)
        e = np.full(n - 1, generator.uniform())
        after, impulses = law(m, e, v)
        assert m @ after == pytest.approx(m @ v, abs=1e-12)
        assert impulses.min() >= -1e-12
        # one e everywhere and no friction: no law gives energy
        assert m @ after**2 <= m @ v**2 + 1e-12
        assert np.diff(after).min() >= -e[0] * np.diff(v).max(initial=0.0) - 1e-12


def test_two_balls_obey_all_laws_alike():
    m, v, e = np.array([1.0, 3.0]), np.array([2.0, -1.0]), np.array([0.6])
    expected = (m @ v + m[::-1] * e[0] * np.diff(v)[0] * np.array([1.0, -1.0])) / m.sum()
    for law in (newton, poisson):
        assert law(m, e, v)[0] == pytest.approx(expected, rel=1e-12)
    assert one_after_another(m, e, v, np.array([0.0, 1.0])) == pytest.approx(expected, rel=1e-12)


def test_elastic_balls_that_touch_do_none_of_the_three():
    # Hertz: m x'' = k d^(3/2) in every contact; the outcome depends on no k
    def rates(_, y):
        force = np.maximum(-np.diff(y[:3]), 0.0) ** 1.5
        return [*y[3:], *(np.append(0.0, force) - np.append(force, 0.0))]

    after = solve_ivp(rates, (0.0, 20.0), [*np.zeros(3), *ARRIVING], rtol=1e-10, atol=1e-12).y[
        3:, -1
    ]
    assert after.sum() == pytest.approx(1.0, abs=1e-9)
    assert (after**2).sum() == pytest.approx(1.0, abs=1e-6)
    # the last ball takes nearly all, the first comes back a little
    assert after == pytest.approx([-0.071, 0.076, 0.995], abs=1e-3)


def test_balls_must_be_apart_to_collide_one_after_another():
    with pytest.raises(ValueError, match="apart"):
        one_after_another(EQUAL, ELASTIC, ARRIVING, np.array([0.0, 1.0, 1.0]))
