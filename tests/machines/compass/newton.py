"""The compass by Newton's laws of its three bodies: an oracle that shares nothing with footfall.

Legs and hip fly free in the plane and are held together, and to the ground, by constraint forces:

    M a - J^T f = g,  J a = -J' v;  at an impact  M (v+ - v-) = J^T F,  J v+ = 0

So the masses, the kinematics of every body and the places of the pins are all that goes in.
Coordinates: mass centre (x, y) and angle of leg 1, of leg 2, and the hip (x, y); angles from the
slope's normal. State x = (q1, q2, q1', q2') as everywhere.
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

# integration at rounding level; the event is a root of the interpolant, whose order is one less,
# so that the steps are kept short
_TIGHT = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-14, "max_step": 0.02}


class Step(NamedTuple):
    """A step: its time, x before and after the strike, impulse (t, n), kinetic energy it takes."""

    time: float
    before: np.ndarray
    after: np.ndarray
    impulse: np.ndarray
    lost: float


def _along(angle):
    return np.array([-np.sin(angle), np.cos(angle)])


def _across(angle):
    """Its change with the angle."""
    return np.array([-np.cos(angle), -np.sin(angle)])


class NewtonWalker:
    """The three bodies of a set of parameters."""

    def __init__(self, p):
        self.p = p
        self.M = np.diag([p.m, p.m, p.I, p.m, p.m, p.I, p.m_hip, p.m_hip])
        along = p.g * np.array([np.sin(p.theta), -np.cos(p.theta)])
        pull = np.concatenate([along, [0.0], along, [0.0], along])
        self.weight = self.M @ pull

    def motion(self, x):
        """Velocities of all bodies while foot 1 stands, (8,)."""
        p, (a, b, turn_a, turn_b) = self.p, self.angles(x)
        hip = p.l * _across(a) * turn_a
        centre_1 = (p.l - p.s) * _across(a) * turn_a
        centre_2 = hip + p.s * _across(b) * turn_b
        return np.concatenate([centre_1, [turn_a], centre_2, [turn_b], hip])

    @staticmethod
    def angles(x):
        """Angles and rates of both legs in the plane."""
        return x[0], x[0] + x[1], x[2], x[2] + x[3]

    def held(self, x, foot):
        """J and J' v of a foot on the ground and of both legs' pins at the hip."""
        p, (a, b, turn_a, turn_b) = self.p, self.angles(x)
        J, bias = np.zeros((6, 8)), np.zeros(6)
        one, two, hip = np.s_[0:2], np.s_[3:5], np.s_[6:8]
        # foot: c_1 - (l - s) u(a) or c_2 + (l - s) u(b)
        at, angle, turn, sign, centre = (
            (2, a, turn_a, -1.0, one) if foot == 1 else (5, b, turn_b, 1.0, two)
        )
        J[0:2, centre] = np.eye(2)
        J[0:2, at] = sign * (p.l - p.s) * _across(angle)
        bias[0:2] = -sign * (p.l - p.s) * _along(angle) * turn**2
        # pins: hip - c_1 - s u(a) and c_2 - hip - s u(b)
        J[2:4, hip], J[2:4, one] = np.eye(2), -np.eye(2)
        J[2:4, 2], bias[2:4] = -p.s * _across(a), p.s * _along(a) * turn_a**2
        J[4:6, two], J[4:6, hip] = np.eye(2), -np.eye(2)
        J[4:6, 5], bias[4:6] = -p.s * _across(b), p.s * _along(b) * turn_b**2
        return J, bias

    def _solve(self, J, top, below):
        system = np.block([[self.M, -J.T], [J, np.zeros((6, 6))]])
        return np.split(np.linalg.solve(system, np.concatenate([top, below])), [8])

    def accelerate(self, x, torque=0.0):
        """Accelerations of (q1, q2) and the force of the ground on foot 1 (tangential, normal)."""
        J, bias = self.held(x, foot=1)
        load = self.weight.copy()
        load[2] -= torque
        load[5] += torque
        a, force = self._solve(J, load, -bias)
        return np.array([a[2], a[5] - a[2]]), force[0:2]

    def strike(self, x):
        """State x after a heel strike with the legs' names exchanged, impulse and energy lost."""
        J, _ = self.held(x, foot=2)
        before = self.motion(x)
        after, impulse = self._solve(J, self.M @ before, np.zeros(6))
        lost = 0.5 * (before @ self.M @ before - after @ self.M @ after)
        names = np.array([x[0] + x[1] - np.pi, 2.0 * np.pi - x[1], after[5], after[2] - after[5]])
        return names, impulse[0:2], lost

    def step(self, x):
        """From just after a heel strike to just after the next one."""

        def rates(_, x):
            return np.concatenate([x[2:], self.accelerate(x)[0]])

        def cross(_, x):
            return x[1] - np.pi

        def land(_, x):
            return 2.0 * x[0] + x[1] - np.pi

        cross.terminal = land.terminal = True
        cross.direction, land.direction = 1.0, -1.0
        swing = solve_ivp(rates, (0.0, 5.0), x, events=cross, **_TIGHT)
        start = swing.t[-1], swing.y[:, -1]
        ahead = solve_ivp(rates, (start[0], 5.0), start[1], events=land, **_TIGHT)
        before = ahead.y[:, -1]
        return Step(ahead.t[-1], before, *self.strike(before))

    def returns(self, y):
        """The return map of y = (q1, q1', q2') just after a heel strike."""
        return self.step(np.array([y[0], np.pi - 2.0 * y[0], y[1], y[2]])).after[[0, 2, 3]]
