"""Lagrange's equations of the compass from where its masses are."""

import numpy as np
from pydrake.symbolic import cos, sin
from tests.textbook import lagrangian


class Lagrangian(lagrangian.Lagrangian):
    """The compass's; its Jacobian is that of foot 2.

    free: coordinates (x, y, q1, q2) of a walker in the air, x and y of its hip; else (q1, q2) of
    one whose foot 1 is fixed at the origin.
    """

    def __init__(self, p, *, free=False):
        def hip(q):
            return (q[0], q[1]) if free else (-p.l * sin(q[-2]), p.l * cos(q[-2]))

        def masses(q):
            (x, y), (q1, q2) = hip(q), q[-2:]
            return [
                (p.m, (x + p.s * sin(q1), y - p.s * cos(q1))),
                (p.m, (x - p.s * sin(q1 + q2), y + p.s * cos(q1 + q2))),
                (p.m_hip, (x, y)),
            ]

        def spins(v):
            return [(p.I, v[-2]), (p.I, v[-2] + v[-1])]

        def foot_2(q):
            (x, y), turn = hip(q), q[-2] + q[-1]
            return [(x - p.l * sin(turn), y + p.l * cos(turn))]

        # x falls, with theta
        pull = p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
        super().__init__(4 if free else 2, masses, spins, foot_2, pull)
