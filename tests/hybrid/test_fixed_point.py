"""Newton's method for fixed points against maps whose orbits are known."""

import math

import numpy as np
import pytest

from footfall.hybrid import Linearised, NoReturn, NotFound, find_fixed_point


class Logistic:
    """y -> p y (1 - y); it has no image outside of (0, 1)."""

    def value(self, y, p):
        return self.linearised(y, p).value

    def linearised(self, y, p):
        if not 0.0 < y[0] < 1.0:
            raise NoReturn("outside of (0, 1)")
        return Linearised(p * y * (1.0 - y), np.diag(p * (1.0 - 2.0 * y)), y * (1.0 - y))


class Henon:
    """(x, y) -> (1 - p x^2 + y, b x)."""

    b = -0.9

    def value(self, y, p):
        return self.linearised(y, p).value

    def linearised(self, y, p):
        image = np.array([1.0 - p * y[0] ** 2 + y[1], self.b * y[0]])
        D = np.array([[-2.0 * p * y[0], 1.0], [self.b, 0.0]])
        return Linearised(image, D, np.array([-(y[0] ** 2), 0.0]))


def test_a_fixed_point_of_the_logistic_map():
    found = find_fixed_point(Logistic(), [0.5], 2.8)
    assert found.orbit == pytest.approx(np.array([[1.0 - 1.0 / 2.8]]), abs=1e-15)
    assert found.multipliers == pytest.approx([2.0 - 2.8], abs=1e-14)
    assert found.stable
    assert found.residual <= 1e-15
    assert found.D_p == pytest.approx([found.orbit[0, 0] / 2.8], rel=1e-14)


@pytest.mark.parametrize("p", [3.2, 3.5])
def test_an_orbit_of_period_two(p):
    # the sum of its points is (p + 1) / p, their product (p + 1) / p^2; multiplier 4 + 2 p - p^2
    found = find_fixed_point(Logistic(), [0.5], p, period=2)
    assert found.orbit.sum() == pytest.approx((p + 1.0) / p, rel=1e-14)
    assert found.orbit.prod() == pytest.approx((p + 1.0) / p**2, rel=1e-14)
    assert found.multipliers == pytest.approx([4.0 + 2.0 * p - p**2], abs=1e-12)
    assert found.stable == (p < 1.0 + math.sqrt(6.0))
    # the derivative of the second power with p, by a difference of order 2
    step, start = 1e-5, found.orbit[0]

    def twice(q):
        return Logistic().value(Logistic().value(start, q), q)

    assert found.D_p == pytest.approx((twice(p + step) - twice(p - step)) / (2.0 * step), abs=1e-9)


def test_multipliers_of_a_pair_are_sorted_and_conjugate():
    found = find_fixed_point(Henon(), [0.3, -0.3], 0.4)
    assert np.prod(found.multipliers) == pytest.approx(-Henon.b, rel=1e-14)
    assert found.multipliers[0] == found.multipliers[1].conjugate()
    assert found.multipliers[0].imag > 0.0
    saddle = find_fixed_point(Henon(), [-5.0, 4.0], 0.4)
    moduli = np.abs(saddle.multipliers)
    assert moduli[0] > 1.0 > moduli[1]
    assert not saddle.stable


def test_steps_that_leave_the_domain_are_shortened():
    # the full step from 0.4 at p = 3.9 is 2.4, to where there is no image
    start, p = 0.4, 3.9
    full = (p * start * (1.0 - start) - start) / (1.0 - p * (1.0 - 2.0 * start))
    assert not 0.0 < start + full < 1.0
    found = find_fixed_point(Logistic(), [start], p)
    assert found.orbit[0, 0] == pytest.approx(1.0 - 1.0 / p, abs=1e-14)


class Away:
    """y -> y + 1 + y^2, without a fixed point."""

    def value(self, y, p):
        return self.linearised(y, p).value

    def linearised(self, y, p):
        return Linearised(y + p + y * y, np.diag(1.0 + 2.0 * y), np.ones(1))


def test_where_there_is_none_the_reader_is_told():
    with pytest.raises(NotFound, match=r"no fixed point of period 1 near .* residual stays at"):
        find_fixed_point(Away(), [0.3], 1.0)
    with pytest.raises(NotFound, match="does not return at p = 3: outside of"):
        find_fixed_point(Logistic(), [1.5], 3.0)
