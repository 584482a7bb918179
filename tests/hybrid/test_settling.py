"""Points that are iterated until they are near a known orbit or lost."""

import math

import numpy as np

from footfall.hybrid.settling import SINK, UNDECIDED, settle


def everywhere(function):
    def image(y):
        return function(y), np.ones(y.shape[1], dtype=bool)

    return image


def newton(y):
    # Newton's method for z^2 = 1: to the root on the same side of the imaginary axis (Cayley 1879)
    z = y[0] + 1j * y[1]
    z = 0.5 * (z + 1.0 / z)
    return np.array([z.real, z.imag])


def test_settling_on_known_orbits():
    x, y = np.meshgrid(np.linspace(-2.95, 2.95, 60), np.linspace(-2.0, 2.0, 41))
    start = np.array([x.ravel(), y.ravel()])
    found = settle(
        everywhere(newton), start, [[[1.0, 0.0]], [[-1.0, 0.0]]], most=60, tolerance=1e-3
    )
    # a half plane each, to the last cell: the iterates are exact
    np.testing.assert_array_equal(found.label, np.where(start[0] > 0.0, 1, 2))
    assert found.steps.min() >= 0
    few = settle(everywhere(newton), start, [[[1.0, 0.0]]], most=3, tolerance=1e-3)
    assert (few.label[start[0] < 0.0] == UNDECIDED).all()
    assert (few.steps[few.label == UNDECIDED] == 3).all()


def test_settling_on_an_orbit_of_period_two_and_falling():
    root = math.sqrt(4.2 * 0.2)
    orbit = np.array([[(4.2 - root) / 6.4], [(4.2 + root) / 6.4]])

    def image(y):
        z = 3.2 * y * (1.0 - y)
        return np.where(z >= 0.0, z, np.nan), z[0] >= 0.0

    start = np.array([[-0.1, 0.2, 0.5, 0.77, 1.2]])
    found = settle(image, start, [orbit], most=200, tolerance=1e-6)
    assert found.label.tolist() == [SINK, 1, 1, 1, SINK]
    assert found.steps[[0, 4]].tolist() == [1, 1]
    # the multiplier of the orbit is 4 + 2 r - r^2 = 0.16: from 0.1 to 1e-6 in about 2 ln(1e5)/1.83
    assert found.steps[[1, 2, 3]].max() < 30
