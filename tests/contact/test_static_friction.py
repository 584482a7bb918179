"""Coefficient of friction of a contact: resting, breaking away, sliding."""

import numpy as np

from footfall.contact import friction

MU, STATIC = np.array([0.3, 0.3]), np.array([0.5, 0.5])


def friction_at_start(mu, static, gamma, dim, rest):
    chosen = np.empty(len(mu))
    friction.friction_at_start(mu, static, gamma, dim * np.arange(len(mu) + 1), rest, chosen)
    return chosen


def break_away(chosen, mu, r, u, dim, rest):
    return friction.break_away(chosen, mu, r, u, dim * np.arange(len(mu) + 1), rest)


def catch_reversed(chosen, static, caught, gamma, u, dim):
    rows = dim * np.arange(len(static) + 1)
    return friction.catch_reversed(chosen, static, caught, gamma, u, rows)


def test_what_rests_has_static_friction_and_what_slides_has_not():
    gamma = np.array([-1.0, 0.0, 0.0, 0.2])  # the first one lands without sliding
    assert friction_at_start(MU, STATIC, gamma, 2, 1e-8).tolist() == [0.5, 0.3]


def test_sliding_along_the_side_counts():
    gamma = np.array([0.0, 0.0, 1e-3, 0.0, 0.0, 1e-9])
    assert friction_at_start(MU, STATIC, gamma, 3, 1e-8).tolist() == [0.3, 0.5]


def test_a_contact_that_slides_in_spite_of_static_friction_breaks_away():
    chosen = STATIC.copy()
    r, u = np.array([1.0, 0.5, 1.0, 0.4]), np.array([0.0, -0.1, 0.0, 0.0])
    assert break_away(chosen, MU, r, u, 2, 1e-8)
    assert chosen.tolist() == [0.3, 0.5]
    assert not break_away(chosen, MU, r, u, 2, 1e-8)


def test_an_open_contact_does_not_break_away():
    chosen = STATIC.copy()
    assert not break_away(chosen, MU, np.zeros(4), np.ones(4), 2, 1e-8)
    assert chosen.tolist() == STATIC.tolist()


def test_a_contact_that_stops_within_the_step_is_caught_once():
    chosen, caught = MU.copy(), np.zeros(2, dtype=bool)
    gamma, u = np.array([0.0, 0.1, 0.0, 0.1]), np.array([0.0, -0.01, 0.0, 0.01])
    assert catch_reversed(chosen, STATIC, caught, gamma, u, 2)
    assert chosen.tolist() == [0.5, 0.3]
    chosen[0] = MU[0]  # even static friction did not hold it
    assert not catch_reversed(chosen, STATIC, caught, gamma, u, 2)


def test_contacts_are_told_apart_in_space():
    """Four contacts: at rest, sliding along s, open, sliding back; each for itself."""
    mu, static = np.full(4, 0.3), np.array([0.5, 0.6, 0.7, 0.3])
    gamma = np.zeros((4, 3))
    gamma[1, 2] = 0.2
    assert friction_at_start(mu, static, gamma.ravel(), 3, 1e-8).tolist() == [0.5, 0.3, 0.7, 0.3]
    assert friction_at_start(mu, static, gamma.ravel(), 3, 0.2).tolist() == static.tolist()
    r, u = np.zeros((4, 3)), np.zeros((4, 3))
    r[[0, 1, 3], 0], u[:, 2] = 1.0, [0.1, 0.0, 0.1, 0.1]
    chosen = static.copy()
    assert break_away(chosen, mu, r.ravel(), u.ravel(), 3, 1e-8)
    assert chosen.tolist() == [0.3, 0.6, 0.7, 0.3]
    chosen = static.copy()
    assert not break_away(chosen, mu, r.ravel(), u.ravel(), 3, 0.1)  # no faster than what rests
    gamma[:, 1], gamma[:, 2] = 0.1, [0.1, 0.1, 0.0, 0.1]
    u[:, 1], u[:, 2] = [0.1, -0.1, 0.1, -0.3], [-0.3, 0.05, 0.5, 0.0]
    chosen, caught = mu.copy(), np.zeros(4, dtype=bool)
    assert catch_reversed(chosen, static, caught, gamma.ravel(), u.ravel(), 3)
    assert chosen.tolist() == [0.5, 0.6, 0.3, 0.3]
    assert caught.tolist() == [True, True, False, False]  # the last has no more to hold with
    chosen = mu.copy()
    still = np.zeros(12)  # at rest at the end: not turned round
    assert not catch_reversed(chosen, static, np.zeros(4, dtype=bool), gamma.ravel(), still, 3)


def test_each_contact_is_judged_by_its_own_numbers():
    """The middle one of three alone; beside it numbers that would say otherwise."""
    mu, static = np.full(3, 0.3), np.full(3, 0.5)
    r, u = np.zeros((3, 3)), np.zeros((3, 3))
    r[1, 0], u[1, 2] = 1.0, 0.1
    chosen = static.copy()
    assert break_away(chosen, mu, r.ravel(), u.ravel(), 3, 1e-8)
    assert chosen.tolist() == [0.5, 0.3, 0.5]
    # it is pressed in and stopped while it slides on, which is no reversal
    gamma = np.array([[0.0, 9.0, 9.0], [-4.0, 0.1, 0.2], [0.0, 0.0, 0.0]])
    u = np.array([[0.0, 9.0, 9.0], [2.0, 0.1, 0.2], [0.0, 0.0, 0.0]])
    caught = np.zeros(3, dtype=bool)
    assert not catch_reversed(mu.copy(), static, caught, gamma.ravel(), u.ravel(), 3)
    # now it slides back, and the contacts beside it go the other way
    gamma = np.array([[0.0, -9.0, -9.0], [0.0, 0.1, 0.2], [0.0, -9.0, -9.0]])
    u = np.array([[0.0, -9.0, -9.0], [0.0, -0.1, -0.2], [0.0, -9.0, -9.0]])
    chosen = mu.copy()
    assert catch_reversed(chosen, static, caught, gamma.ravel(), u.ravel(), 3)
    assert chosen.tolist() == [0.3, 0.5, 0.3]
