"""Hoppers, states and tolerances that the tests of the hopper share."""

import numpy as np
import pytest
from hypothesis import strategies as st

from footfall.machines.hopper.closed_form.model import CODE, TEXT, HopperParameters

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
