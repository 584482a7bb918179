"""Walkers, states and tolerances that the tests of the compass share."""

import numpy as np
import pytest
from hypothesis import strategies as st

from footfall.machines.compass.closed_form.model import (
    AUTHORS,
    GOSWAMI,
    LAB_CASE_1,
    LAB_CASE_2,
    CompassParameters,
)

# nothing alike, so that a mixed-up letter shows
UNEQUAL = CompassParameters(l=0.9, m=1.7, I=0.13, s=0.37, m_hip=2.3, theta=0.21, g=9.7)
SETS = {
    "authors": AUTHORS,
    "case 1": LAB_CASE_1,
    "case 2": LAB_CASE_2,
    "Goswami": GOSWAMI,
    "unequal": UNEQUAL,
}
every_set = pytest.mark.parametrize("parameters", SETS.values(), ids=SETS)


def states(count, seed):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.uniform(-np.pi, np.pi, (2, count)), rng.uniform(-4, 4, (2, count))])


def angular_momentum(machine, x, point):
    # of the whole walker about a point (2, ...) at rest
    p = machine.parameters
    at, v = machine.points(x), machine.velocities(x)
    total = p.I * (2.0 * x[2] + x[3])
    for mass, r, speed in (
        (p.m, at.centre_1, v.centre_1),
        (p.m_hip, at.hip, v.hip),
        (p.m, at.centre_2, v.centre_2),
    ):
        total = total + mass * ((r[0] - point[0]) * speed[1] - (r[1] - point[1]) * speed[0])
    return total


def close(value, expected, roundings=1e-13):
    # some tens of roundings of the largest entry
    return np.abs(value - expected).max() <= roundings * max(np.abs(expected).max(), 1.0)


walkers = st.builds(
    lambda l, m, I, part, m_hip, theta: CompassParameters(l, m, I, part * l, m_hip, theta),
    st.floats(0.2, 2.0),
    st.floats(0.1, 20.0),
    st.floats(1e-3, 1.0),
    st.floats(0.0, 1.0),
    st.floats(0.0, 50.0),
    st.floats(-0.5, 0.5),
)
poses = st.tuples(*[st.floats(-3.0, 3.0)] * 2, *[st.floats(-5.0, 5.0)] * 2).map(np.array)


def foot_jacobian(machine, q):
    """J_R2(q), (62): velocity of foot 2 = J_R2 (x', y', q1', q2')."""
    turn, l = q[0] + q[1], machine.parameters.l
    along, normal = -l * np.cos(turn), -l * np.sin(turn)
    return np.array([[1.0, 0.0, along, along], [0.0, 1.0, normal, normal]])
