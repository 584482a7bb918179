"""Friction of a pair, restitution, modes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.contact import Mode, add_restitution, classify, combine_friction
from footfall.solvers import solve

coefficient = st.floats(0.0, 10.0)


@pytest.mark.slow
@given(coefficient, coefficient)
def test_combined_friction_is_symmetric_and_between_nothing_and_twice_the_smaller(a, b):
    pair = combine_friction(a, b)
    assert pair == combine_friction(b, a)
    assert 0.0 <= pair <= 2.0 * min(a, b) * (1.0 + 1e-15)


def test_combined_friction_of_equal_surfaces_is_theirs():
    assert combine_friction(0.7, 0.7) == pytest.approx(0.7)
    assert combine_friction(0.0, 0.0) == 0.0
    assert combine_friction(1.0, 0.5) == pytest.approx(2.0 / 3.0)
    assert combine_friction(0.2, 0.3) == pytest.approx(0.24)


@pytest.mark.parametrize("e_n", [0.0, 0.4, 1.0])
def test_newtons_law_for_a_landing_point(e_n):
    gamma = np.array([-2.0, 0.3])
    q = gamma.copy()
    add_restitution(q, gamma, np.array([e_n]), np.zeros(1), 2)
    r = solve(np.eye(2), q, 0.0, 2).r
    assert gamma[0] + r[0] == pytest.approx(-e_n * gamma[0])


@pytest.mark.parametrize("e_t", [0.0, 0.4, 1.0])
def test_tangential_restitution_turns_round_a_point_that_sticks(e_t):
    gamma = np.array([-2.0, 0.3])
    q = gamma.copy()
    add_restitution(q, gamma, np.zeros(1), np.array([e_t]), 2)
    r = solve(np.eye(2), q, 1.0, 2).r  # mu large enough to stick: 0.3 (1 + e_t) < 2
    assert gamma[1] + r[1] == pytest.approx(-e_t * gamma[1])


@pytest.mark.parametrize(("e_n", "held_at"), [(0.0, 0.0), (0.4, -0.2), (1.0, -0.3)])
def test_a_separating_contact_gives_way_at_most_at_e_n_times_its_speed(e_n, held_at):
    # it leaves at 0.5 m/s; an impact elsewhere would drive it back at 0.3 m/s
    q = np.array([-0.3, 0.0])
    add_restitution(q, np.array([0.5, 0.0]), np.array([e_n]), np.zeros(1), 2)
    r = solve(np.eye(2), q, 0.0, 2).r
    assert -0.3 + r[0] == pytest.approx(held_at)


@pytest.mark.parametrize("dim", [2, 3])
def test_every_contact_has_its_own_restitution(dim):
    rng = np.random.default_rng(1)
    q, gamma = rng.normal(size=(2, 4, dim))
    e_n, e_t = rng.uniform(size=(2, 4))
    expected = q + np.column_stack((e_n, *[e_t] * (dim - 1))) * gamma
    found = q.ravel().copy()
    add_restitution(found, gamma.ravel(), e_n, e_t, dim)
    assert found == pytest.approx(expected.ravel())


def test_modes_have_the_numbers_that_files_hold():
    assert [int(mode) for mode in (Mode.OPEN, Mode.STICK, Mode.SLIP)] == [0, 1, 2]


def _mode(impulse, velocity, mu):
    return Mode(classify(np.array([impulse]), np.array([velocity]), np.array([mu]))[0])


def test_modes():
    assert _mode([0.0, 0.0, 0.0], [0.2, 1.0, 0.0], 0.5) is Mode.OPEN
    assert _mode([1.0, 0.2, 0.1], [0.0, 0.0, 0.0], 0.5) is Mode.STICK
    assert _mode([1.0, -0.3, 0.4], [0.0, 0.3, -0.4], 0.5) is Mode.SLIP
    assert _mode([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0) is Mode.SLIP
    assert _mode([1.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0.0) is Mode.STICK  # rests without friction
    assert _mode([1.0, 0.5, 0.0], [0.0, 1e-17, 0.0], 0.5) is Mode.STICK  # about to slip
    # the cone grows with the load, and either tangent may slip
    assert _mode([4.0, 1.5, 0.0], [0.0, 1.0, 0.0], 0.5) is Mode.STICK
    assert _mode([0.5, 0.25, 0.0], [0.0, 1.0, 0.0], 0.5) is Mode.SLIP
    assert _mode([1.0, 0.0, 0.5], [0.0, 0.0, -1.0], 0.5) is Mode.SLIP
    # what a light machine bears is a load as well
    assert _mode([1e-9, 0.0, 0.0], [0.0, 0.0, 0.0], 0.5) is Mode.STICK
    # a load of exactly the share of the largest one that counts as nothing
    least = classify(np.array([[1e-8, 0.0, 0.0], [1.0, 0.0, 0.0]]), np.zeros((2, 3)), np.ones(2))
    assert least.tolist() == [Mode.OPEN, Mode.STICK]


def test_slow_is_a_share_of_the_speed_of_the_machine():
    at_its_edge = np.array([[1.0, 0.5, 0.0]]), np.array([[0.0, 2e-8, 0.0]]), np.array([0.5])
    assert classify(*at_its_edge).tolist() == [Mode.SLIP]
    assert classify(*at_its_edge, 1e-8, 2.0).tolist() == [Mode.STICK]
    nearly = (
        np.array([[1.0, 0.5 * (1.0 - 1e-6), 0.0]]),
        np.array([[0.0, 1.0, 0.0]]),
        np.array([0.5]),
    )
    assert classify(*nearly).tolist() == [Mode.STICK]
    assert classify(*nearly, 1e-5).tolist() == [Mode.SLIP]


def test_rounding_does_not_load_a_contact():
    impulse = np.array([[1.0, 0.0, 0.0], [1e-15, 0.0, 0.0]])
    modes = classify(impulse, np.zeros((2, 3)), np.array([0.5, 0.5]))
    assert modes.tolist() == [Mode.STICK, Mode.OPEN]


def test_modes_of_a_solved_step():
    # one foot lifts, one sticks, one slides
    W, mu = np.eye(6), np.array([0.5, 0.5, 0.5])
    impulses = solve(W, [0.1, 1.0, -1.0, 0.2, -1.0, 2.0], mu, 2)
    flat = [np.column_stack([v.reshape(3, 2), np.zeros(3)]) for v in (impulses.r, impulses.u)]
    assert classify(*flat, mu).tolist() == [Mode.OPEN, Mode.STICK, Mode.SLIP]
