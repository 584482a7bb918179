"""Coefficient of friction of a contact: resting, breaking away, sliding."""

import numpy as np

from footfall.contact import break_away, catch_reversed, friction_at_start

MU, STATIC = np.array([0.3, 0.3]), np.array([0.5, 0.5])


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
