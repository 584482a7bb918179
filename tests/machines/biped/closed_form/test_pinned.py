"""The biped on one foot: against the closed form of all six coordinates, and laws of mechanics."""

import numpy as np
import pytest

from footfall.machines.biped.closed_form.model import (
    BipedParameters,
    convective_kernel,
    h_kernel,
    jacobians_kernel,
    mass_matrix_kernel,
    points_kernel,
)
from footfall.machines.biped.closed_form.pinned import (
    FOOT,
    HIP,
    INTERNAL,
    OTHER_FOOT,
    OTHER_LEG,
    PinnedBiped,
)

PARAMETERS = BipedParameters(m=(1.0, 0.6, 0.4, 0.6, 0.4), l=(1.1, 0.9, 1.1, 0.9))
PACKED = PARAMETERS.packed()
BIPED = PinnedBiped(PARAMETERS)
RNG = np.random.default_rng(5)
STATES = [
    (RNG.normal(0.0, 0.4, 4), RNG.normal(0.0, 2.0, 4), RNG.normal(0.0, 5.0, 3)) for _ in range(5)
]
# relative from absolute angles, and how internal torques act on theta1 to theta4
JOINTS = np.array([[0, 1.0, 0, 0], [1.0, -1.0, 0, 0], [0, 0, 1.0, 0], [0, 0, -1.0, 1.0]])
TORQUES = np.array([[0, -1.0, 0], [1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])


def whole(a, w):
    """q, u of all six coordinates with foot A at the origin, at rest."""
    hip, velocity = BIPED.place(HIP, a), BIPED.velocity(HIP, a, w)
    return np.concatenate((hip, JOINTS @ a)), np.concatenate((velocity, JOINTS @ w))


def equations(q, u):
    jac = jacobians_kernel(q, PACKED.lengths)
    convective = convective_kernel(q, u, PACKED.lengths)
    mass = mass_matrix_kernel(jac, PACKED)
    return jac, convective, mass, h_kernel(jac, convective, PACKED.masses, PACKED.gravity)


@pytest.mark.parametrize(("a", "w", "torques"), STATES)
def test_it_moves_as_six_coordinates_with_a_foot_at_rest(a, w, torques):
    q, u = whole(a, w)
    jac, convective, mass, h = equations(q, u)
    J = jac[2]
    A = np.block([[mass, -J.T], [J, np.zeros((2, 2))]])
    pushed = np.concatenate(([0.0, 0.0], TORQUES @ torques))
    found = np.linalg.solve(A, np.concatenate((h + pushed, -convective[2])))
    rates = BIPED.acceleration(a, w, torques)
    np.testing.assert_allclose(JOINTS @ rates, found[2:6], atol=1e-10)
    np.testing.assert_allclose(BIPED.ground_force(a, w, rates), found[6:], atol=1e-10)
    np.testing.assert_allclose(points_kernel(q, PACKED.lengths)[2], 0.0, atol=1e-15)
    free, by = BIPED.decoupled(a, w)
    np.testing.assert_allclose(free + by @ torques, rates, atol=1e-10)


@pytest.mark.parametrize(("a", "w"), [state[:2] for state in STATES])
def test_a_strike_is_plastic_and_lets_the_other_foot_go(a, w):
    q, u = whole(a, w)
    jac, _, mass, _ = equations(q, u)
    J = jac[4]
    A = np.block([[mass, -J.T], [J, np.zeros((2, 2))]])
    found = np.linalg.solve(A, np.concatenate((mass @ u, np.zeros(2))))
    hit = BIPED.strike(a, w)
    np.testing.assert_allclose(JOINTS @ hit.rates, found[2:6], atol=1e-11)
    np.testing.assert_allclose(hit.impulse, found[6:], atol=1e-11)
    np.testing.assert_allclose(hit.left, jac[2] @ found[:6], atol=1e-11)
    # seen from the foot that has landed the one that left moves as the other foot does
    legs = list(OTHER_LEG)
    seen = BIPED.velocity(OTHER_FOOT, a[legs], hit.rates[legs])
    np.testing.assert_allclose(seen, hit.left, atol=1e-11)
    assert np.abs(BIPED.velocity(FOOT, a, w)).max() == 0.0


def test_torques_alone_change_the_energy():
    a, w, torques = STATES[0]
    h = 1e-5
    rates = BIPED.acceleration(a, w, torques)

    def later(time):
        return BIPED.energy(a + time * w + 0.5 * time**2 * rates, w + time * rates)

    power = torques @ (INTERNAL.T @ w)
    assert (later(h) - later(-h)) / (2.0 * h) == pytest.approx(power, rel=1e-6)
    # what is internal turns nothing as a whole
    np.testing.assert_allclose(INTERNAL.sum(axis=0), 0.0)


def test_many_states_are_those_of_each():
    a, w, torques = (np.stack([state[k] for state in STATES], axis=1) for k in range(3))
    together = BIPED.acceleration(a, w, torques)
    strikes = BIPED.strike(a, w)
    for k, state in enumerate(STATES):
        np.testing.assert_allclose(together[:, k], BIPED.acceleration(*state), atol=1e-12)
        np.testing.assert_allclose(strikes.rates[:, k], BIPED.strike(*state[:2]).rates, atol=1e-11)


def test_legs_that_differ_and_rotors_are_refused():
    with pytest.raises(ValueError, match="two legs that are alike"):
        PinnedBiped(BipedParameters(l=(1.0, 1.0, 1.0, 0.9)))
    with pytest.raises(ValueError, match="no rotors"):
        PinnedBiped(BipedParameters(reflected=(0.1, 0.0, 0.1, 0.0)))
