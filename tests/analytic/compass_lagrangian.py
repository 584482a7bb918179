"""Lagrange's equations of the compass, derived symbolically from where its masses are."""

import numpy as np
from pydrake.symbolic import Expression, Jacobian, MakeVectorContinuousVariable, cos, sin


def _gradient(expression, variables):
    return Jacobian([Expression(0.0) + expression], variables)[0]


def _dot(a, b):
    # numpy's @ asks symbols whether they are NaN
    return sum((x * y for x, y in zip(a, b, strict=True)), Expression(0.0))


class Lagrangian:
    """d/dt dT/dv - dT/dq + dV/dq from T and V alone.

    free: coordinates (x, y, q1, q2) of a walker in the air, x and y of its hip; else (q1, q2) of
    one whose foot 1 is fixed at the origin.
    """

    def __init__(self, p, *, free=False):
        self.q = MakeVectorContinuousVariable(4 if free else 2, "q")
        self.v = MakeVectorContinuousVariable(4 if free else 2, "v")
        q1, q2 = self.q[-2:]
        x, y = self.q[:2] if free else (-p.l * sin(q1), p.l * cos(q1))
        self.foot_2 = (x - p.l * sin(q1 + q2), y + p.l * cos(q1 + q2))
        masses = [
            (p.m, (x + p.s * sin(q1), y - p.s * cos(q1))),
            (p.m, (x - p.s * sin(q1 + q2), y + p.s * cos(q1 + q2))),
            (p.m_hip, (x, y)),
        ]
        v1, v2 = self.v[-2:]
        self.T = 0.5 * p.I * (v1 * v1 + (v1 + v2) * (v1 + v2))
        self.V = Expression(0.0)
        for mass, (along, normal) in masses:
            speed = [_dot(_gradient(e, self.q), self.v) for e in (along, normal)]
            self.T += 0.5 * mass * _dot(speed, speed)
            # height over a horizontal through the origin; x falls, with theta
            self.V += mass * p.g * (normal * np.cos(p.theta) - along * np.sin(p.theta))
        momentum = _gradient(self.T, self.v)
        self.inertia = Jacobian(momentum, self.v)
        turning = Jacobian(momentum, self.q)
        falling = _gradient(self.T, self.q)
        self.coriolis = np.array(
            [_dot(row, self.v) - f for row, f in zip(turning, falling, strict=True)]
        )
        self.gravity = _gradient(self.V, self.q)
        self.jacobian = Jacobian([Expression(0.0) + e for e in self.foot_2], self.q)

    def at(self, expression, q, v):
        """Value of one of the expressions above at numbers q and v."""
        env = dict(zip(self.q, q, strict=True)) | dict(zip(self.v, v, strict=True))
        values = [Expression.Evaluate(Expression(0.0) + e, env) for e in np.ravel(expression)]
        return np.array(values).reshape(np.shape(expression))

    def derivative_of_inertia(self, q, v):
        """Return dA_ij / dq_k, shape (n, n, n)."""
        n = len(self.q)
        rows = [[_gradient(entry, self.q) for entry in row] for row in self.inertia]
        return self.at(np.array(rows).reshape(n, n, n), q, v)
