"""Maps whose bifurcations are known in closed form."""

import numpy as np

from footfall.hybrid.return_map import Linearised, NoReturn


class Logistic:
    """x -> p x (1 - x): flips at 3 and 1 + sqrt(6)."""

    def value(self, y, p):
        return p * y * (1.0 - y)

    def linearised(self, y, p):
        return Linearised(self.value(y, p), np.array([p * (1.0 - 2.0 * y)]), y * (1.0 - y))


class Henon:
    """(x, y) -> (1 - p x^2 + y, b x): fold at -(1 - b)^2/4, flips at 3 (1 - b)^2/4 and from 2 to 4
    at (1 - b)^2 + (1 + b)^2/4."""

    def __init__(self, b=0.3):
        self.b = b

    def value(self, y, p):
        return np.array([1.0 - p * y[0] ** 2 + y[1], self.b * y[0]])

    def linearised(self, y, p):
        D = np.array([[-2.0 * p * y[0], 1.0], [self.b, 0.0]])
        return Linearised(self.value(y, p), D, np.array([-(y[0] ** 2), 0.0]))


class Delayed:
    """(x, y) -> (p x (1 - y), x), the delayed logistic map: Neimark and Sacker's at 2."""

    def value(self, y, p):
        return np.array([p * y[0] * (1.0 - y[1]), y[0]])

    def linearised(self, y, p):
        D = np.array([[p * (1.0 - y[1]), -p * y[0]], [1.0, 0.0]])
        return Linearised(self.value(y, p), D, np.array([y[0] * (1.0 - y[1]), 0.0]))


class Quintic:
    """x -> -(1 + p) x - x^3 + x^5: subcritical flip at 0, orbits of period two at p = x^4 - x^2."""

    def value(self, y, p):
        return -(1.0 + p) * y - y**3 + y**5

    def linearised(self, y, p):
        return Linearised(self.value(y, p), np.array([-(1.0 + p) - 3.0 * y**2 + 5.0 * y**4]), -y)


class SaddleNode:
    """x -> x + p - x^2: fold at 0, fixed points +-sqrt(p); with a cliff, nothing returns beyond."""

    def __init__(self, cliff=np.inf):
        self.cliff = cliff

    def value(self, y, p):
        if y[0] > self.cliff:
            raise NoReturn(f"{y[0]} is beyond the cliff")
        return y + p - y**2

    def linearised(self, y, p):
        return Linearised(self.value(y, p), np.array([1.0 - 2.0 * y]), np.ones(1))


class Saddle:
    """(x, y) -> (2 x, p y): multipliers 2 and p."""

    def value(self, y, p):
        return np.array([2.0, p]) * y

    def linearised(self, y, p):
        return Linearised(self.value(y, p), np.diag([2.0, p]), np.array([0.0, y[1]]))
