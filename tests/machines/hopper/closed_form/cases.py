"""Hoppers, states and tolerances that the tests of the hopper share."""

import numpy as np
import pytest
from hypothesis import strategies as st

from footfall.machines.hopper.closed_form.model import (
    CODE,
    TEXT,
    HopperParameters,
    P,
    Point,
    impact,
    position,
    velocity,
)

# nothing alike, so that a mixed-up letter shows
UNEQUAL = HopperParameters(m=1.7, l=0.37, mu=0.6, tau_max=4.0, g=9.7, e_n=0.4, e_t=0.3)
SETS = {"text": TEXT, "code": CODE, "unequal": UNEQUAL}
every_set = pytest.mark.parametrize("parameters", SETS.values(), ids=SETS)

STEP = 1e-30  # of a derivative by a step into the complex numbers: exact but for rounding


def states(count, seed):
    rng = np.random.default_rng(seed)
    pose = [rng.uniform(-1, 1, (2, count)), rng.uniform(-np.pi, np.pi, (2, count))]
    return np.concatenate([*pose, rng.uniform(-2, 2, (2, count)), rng.uniform(-9, 9, (2, count))])


def standing(count, seed):
    """States whose P is at rest on the ground."""
    x = states(count, seed)
    x[[1, 4, 5]] = 0.0
    return x


def sliding(count, seed, sigma):
    """States whose P moves along the ground in the direction sigma."""
    x = states(count, seed)
    x[[1, 5]], x[4] = 0.0, sigma * (0.1 + np.abs(x[4]))
    return x


def along_motion(x, rates, function):
    """Rate of change of a function of x while x changes with the given rates."""
    return np.imag(function(x + 1j * STEP * rates)) / STEP


# --- what the document and mechanics have besides, of the closed form -----------------------------

CENTRES = (Point("1c", 1.0, 0.0), Point("2c", 2.0, 1.0))  # of the links


def convection(machine, x):
    """B(q, q') as printed: Coriolis and centrifugal terms (4,) [N, N m]."""
    lm, l = machine.parameters.l * machine.parameters.m, machine.parameters.l
    th1, th2, w1, w2 = x[[2, 3, 6, 7]]
    both, bend = (w1 + w2) ** 2, 2.0 * lm * l * np.sin(th2)
    return np.array(
        [
            -lm * (both * np.cos(th1 + th2) + 3.0 * w1 * w1 * np.cos(th1)),
            -lm * (both * np.sin(th1 + th2) + 3.0 * w1 * w1 * np.sin(th1)),
            -bend * w2 * (2.0 * w1 + w2),
            bend * w1 * w1,
        ]
    )


def jacobian(machine, q, point):
    """W(q) of a point in the order (t, n), (2, 4): its place, differentiated."""
    moved = [position(machine, q[:4] + 1j * STEP * along, point) for along in np.eye(4)]
    return np.imag(moved).T / STEP


def point_acceleration(machine, x, second, point):
    """Acceleration of a point (2,) [m/s^2] in a motion with q'' (4,): its velocity's change."""
    rates = np.concatenate([x[4:], second])
    return along_motion(x, rates, lambda y: velocity(machine, y, point))


def angular_momentum_about(machine, x, about):
    """Angular momentum of both links about a place (2,) at rest [kg m^2/s]."""
    m, l = machine.parameters.m, machine.parameters.l
    total = m * l * l / 3.0 * (2.0 * x[6] + x[7])  # of uniform links of length 2 l
    for centre in CENTRES:
        r, v = position(machine, x, centre), velocity(machine, x, centre)
        total = total + m * ((r[0] - about[0]) * v[1] - (r[1] - about[1]) * v[0])
    return total


def lost_energy(machine, x, point=P):
    """Kinetic energy that an impact takes [J]."""
    return machine.kinetic_energy(x) - machine.kinetic_energy(impact(machine, x, point).x)


def close(value, expected, roundings=1e-13):
    # some tens of roundings of the largest entry
    return np.abs(value - expected).max() <= roundings * max(np.abs(expected).max(), 1.0)


hoppers = st.builds(
    lambda m, l, mu, g, e_n, e_t: HopperParameters(m, l, mu, g=g, e_n=e_n, e_t=e_t),
    st.floats(0.05, 20.0),
    st.floats(0.05, 2.0),
    st.floats(0.0, 3.0),
    st.floats(1.0, 20.0),
    st.floats(0.0, 1.0),
    st.floats(-1.0, 1.0),
)
angles, rates = st.floats(-3.2, 3.2), st.floats(-10.0, 10.0)
poses = st.tuples(
    *[st.floats(-2.0, 2.0)] * 2, angles, angles, *[st.floats(-3.0, 3.0)] * 2, rates, rates
).map(np.array)


def lever(machine, q, sigma, point=P):
    """Alpha of lambda_n,slip = beta/alpha: below 0 pressing a point that slides lifts it."""
    A = machine.contact_matrix(q, point)
    return A[1, 1] - sigma * machine.parameters.mu * A[0, 1]
