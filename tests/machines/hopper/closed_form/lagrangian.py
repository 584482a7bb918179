"""Lagrange's equations of the hopper from where its masses are."""

import numpy as np
from pydrake.symbolic import cos, sin
from tests.textbook import lagrangian


class Lagrangian(lagrangian.Lagrangian):
    """The hopper's, with q = (x, y, theta1, theta2); its Jacobian is that of P, Q and R, (6, 4)."""

    def __init__(self, p):
        def along(q, first, second):
            turn = q[2] + q[3]
            return (
                q[0] + p.l * (first * cos(q[2]) + second * cos(turn)),
                q[1] + p.l * (first * sin(q[2]) + second * sin(turn)),
            )

        inertia = p.m * (2.0 * p.l) ** 2 / 12.0  # of a uniform rod about its middle
        super().__init__(
            4,
            lambda q: [(p.m, along(q, 1.0, 0.0)), (p.m, along(q, 2.0, 1.0))],
            lambda v: [(inertia, v[2]), (inertia, v[2] + v[3])],
            lambda q: [along(q, 0.0, 0.0), along(q, 2.0, 0.0), along(q, 2.0, 2.0)],
            np.array([0.0, -p.g]),
        )


def held(M, bias, push, W, drift):
    """Accelerations and force of M a + bias = push + W^T force, W a = -drift, by one system."""
    rows = len(W)
    system = np.block([[M, -W.T], [W, np.zeros((rows, rows))]])
    answer = np.linalg.solve(system, np.concatenate([push - bias, -drift]))
    return answer[: len(M)], answer[len(M) :], np.linalg.cond(system)
