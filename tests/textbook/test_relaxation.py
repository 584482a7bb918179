"""Motion under a constant force and linear drag, against integration and against its limits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.textbook.motor import Relaxation
from footfall.textbook.ode import integrate

positive = st.floats(0.01, 100.0)
signed = st.floats(-100.0, 100.0)
motions = st.builds(Relaxation, positive, signed, st.floats(0.0, 100.0), signed, signed)


@given(motions, st.floats(0.01, 5.0))
def test_it_obeys_its_equation(motion, span):
    def rate(_time, y):
        return [y[1], (motion.F - motion.D * y[1]) / motion.J, y[1] ** 2]

    found = integrate(rate, span, [motion.angle, motion.speed, 0.0]).y[:, -1]
    exact = [motion.angle_at(span), motion.speed_at(span), motion.squared_speed(span)]
    size = 1.0 + np.abs(motion.F) / motion.J * span + np.abs(motion.speed)
    # tolerance of the integration, 1e-12 a step, with angles and squares of the sizes of these
    assert np.abs(found - exact).max() < 1e-9 * (1.0 + span) * (size**2 + np.abs(motion.angle))


@pytest.mark.parametrize("x", [1e-300, 1e-16, 1e-9, 1e-5, 1e-3, 0.1, 0.999999, 1.000001, 3.0, 20.0])
def test_no_digit_is_lost_at_any_drag(x):
    # at t = 1 and J = F = 1: speed, angle and integral of the squared speed by their integrands,
    # in which nothing cancels; sixty points of Gauss integrate them to roundings of their weights
    points, weights = np.polynomial.legendre.leggauss(60)
    s, ds = 0.5 * (points + 1.0), 0.5 * weights
    speed, angle = ds @ np.exp(-x * s), ds @ ((1.0 - s) * np.exp(-x * s))
    squared = ds @ (np.expm1(-x * s) / x) ** 2
    motion, one = Relaxation(1.0, 1.0, x), np.array(1.0)
    found = [motion.speed_at(one), motion.angle_at(one), motion.squared_speed(one)]
    np.testing.assert_allclose(found, [speed, angle, squared], rtol=1e-13)


@given(motions, st.floats(0.01, 5.0))
def test_the_time_of_a_speed_is_when_it_has_it(motion, span):
    speed = float(motion.speed_at(np.array(span)))
    found = motion.time_of(speed)
    # a speed that no longer changes is had at any time
    if abs(motion.F - motion.D * speed) / motion.J > 1e-3 * (1.0 + abs(speed)):
        assert found == pytest.approx(span, rel=1e-9)
    elif math.isfinite(found):
        assert float(motion.speed_at(np.array(found))) == pytest.approx(speed, abs=1e-9)


@pytest.mark.parametrize(
    ("motion", "speed"),
    [
        (Relaxation(1.0, 1.0, 1.0), 1.0),  # tends to it
        (Relaxation(1.0, 1.0, 1.0), 1.5),  # beyond
        (Relaxation(1.0, 1.0, 0.0), -0.5),  # the other way
        (Relaxation(1.0, 0.0, 0.0, 0.0, 2.0), 1.0),  # nothing changes
    ],
)
def test_a_speed_that_it_never_has_has_no_time(motion, speed):
    assert motion.time_of(speed) == math.inf
    assert motion.time_of(motion.speed) == 0.0
