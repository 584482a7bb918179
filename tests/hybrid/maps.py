"""Maps whose bifurcations are known in closed form."""

import numpy as np

from footfall.hybrid.fixed_point import Linearised, NoReturn


class PointMap:
    """A map by its ``derivatives(y, p)``: image, D and D_p of one point."""

    def linearised(self, y, p):
        points = [self.derivatives(each, p) for each in y.T]
        return Linearised(*(np.stack(each, axis=-1) for each in zip(*points, strict=True)))


class Logistic(PointMap):
    """x -> p x (1 - x): flips at 3 and 1 + sqrt(6); with bounds, none outside of (0, 1) returns."""

    def __init__(self, *, bounded=False):
        self.bounded = bounded

    def derivatives(self, y, p):
        if self.bounded and not 0.0 < y[0] < 1.0:
            raise NoReturn("outside of (0, 1)")
        return p * y * (1.0 - y), np.array([p * (1.0 - 2.0 * y)]), y * (1.0 - y)


class Henon(PointMap):
    """(x, y) -> (1 - p x^2 + y, b x): fold at -(1 - b)^2/4, flips at 3 (1 - b)^2/4 and from 2 to 4
    at (1 - b)^2 + (1 + b)^2/4."""

    def __init__(self, b=0.3):
        self.b = b

    def derivatives(self, y, p):
        image = np.array([1.0 - p * y[0] ** 2 + y[1], self.b * y[0]])
        return image, np.array([[-2.0 * p * y[0], 1.0], [self.b, 0.0]]), np.array([-(y[0] ** 2), 0])


class Quintic(PointMap):
    """x -> -(1 + p) x - x^3 + x^5: subcritical flip at 0, orbits of period two at p = x^4 - x^2."""

    def derivatives(self, y, p):
        image = -(1.0 + p) * y - y**3 + y**5
        return image, np.array([-(1.0 + p) - 3.0 * y**2 + 5.0 * y**4]), -y


class SaddleNode(PointMap):
    """x -> x + p - x^2: fold at 0, fixed points +-sqrt(p); with a cliff, nothing returns beyond."""

    def __init__(self, cliff=np.inf):
        self.cliff = cliff

    def derivatives(self, y, p):
        if y[0] > self.cliff:
            raise NoReturn(f"{y[0]} is beyond the cliff")
        return y + p - y**2, np.array([1.0 - 2.0 * y]), np.ones(1)
