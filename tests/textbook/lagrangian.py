"""Lagrange's equations of any planar machine, derived symbolically from where its masses are."""

import numpy as np
from pydrake.symbolic import Expression, Jacobian, MakeVectorContinuousVariable


def _gradient(expression, variables):
    return Jacobian([Expression(0.0) + expression], variables)[0]


def _dot(a, b):
    # numpy's @ asks symbols whether they are NaN
    return sum((x * y for x, y in zip(a, b, strict=True)), Expression(0.0))


class Lagrangian:
    """d/dt dT/dv - dT/dq + dV/dq from T and V alone.

    size: number of coordinates. masses(q) gives a list of (mass, place (2,)), spins(v) one of
    (inertia, rate), points(q) the places whose Jacobian is asked for; pull: gravity (2,).
    """

    def __init__(self, size, masses, spins, points, pull):
        self.q = MakeVectorContinuousVariable(size, "q")
        self.v = MakeVectorContinuousVariable(size, "v")
        self.T = sum((0.5 * I * rate * rate for I, rate in spins(self.v)), Expression(0.0))
        self.V = Expression(0.0)
        for mass, place in masses(self.q):
            speed = [_dot(_gradient(e, self.q), self.v) for e in place]
            self.T += 0.5 * mass * _dot(speed, speed)
            self.V -= mass * _dot(place, pull)
        momentum = _gradient(self.T, self.v)
        self.inertia = Jacobian(momentum, self.v)
        turning = Jacobian(momentum, self.q)
        falling = _gradient(self.T, self.q)
        self.coriolis = np.array(
            [_dot(row, self.v) - f for row, f in zip(turning, falling, strict=True)]
        )
        self.gravity = _gradient(self.V, self.q)
        rows = [Expression(0.0) + e for place in points(self.q) for e in place]
        self.jacobian = Jacobian(rows, self.q)

    def at(self, expression, q, v):
        """Value of one of the expressions above at numbers q and v."""
        env = dict(zip(self.q, q, strict=True)) | dict(zip(self.v, v, strict=True))
        values = [Expression.Evaluate(Expression(0.0) + e, env) for e in np.ravel(expression)]
        return np.array(values).reshape(np.shape(expression))
