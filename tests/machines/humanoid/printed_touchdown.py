"""Inverse kinematics at a touch-down in closed form: (3.157) to (3.198) of the thesis.

Both feet are level and straight ahead when a double support starts. A leg of five joints reaches
every place of the trunk and its roll, but neither its pitch nor its yaw: the thesis neglects both.
Misprints: the sign of (3.157), whose rotation is exp(-u1~ (theta2 + theta10)) by (3.2); the
arguments of (3.194), which is atan2(xi9, eta9).
"""

import math
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.humanoid.closed_form.chain import (
    angular_jacobian,
    chain_motion,
    jacobian,
    leg_from_foot,
    leg_from_toe,
    rotation,
)
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import (
    ANKLE_PITCH,
    ANKLE_ROLL,
    HIP_PITCH,
    HIP_ROLL,
    KNEE,
    NUM_ANGLES,
    SIDES,
    GaitPhase,
    moving_joints,
)
from footfall.machines.humanoid.closed_form.walker import Ground

_CUT = 1e-6  # singular values below this, over the largest, are taken for zero


class Rates(NamedTuple):
    """Rates (12,) [rad/s] after a touch-down, and what the trunk's velocity lacks by them.

    lacks (6,): angular velocity [rad/s], then velocity of O1 [m/s], found less wanted.
    """

    rate: Array
    lacks: Array


def roll(angle: Array, side: int) -> float:
    """Roll of the trunk that is carried on, of a walker that stood on the foot of a side."""
    return -float(angle[2 * HIP_ROLL + side] + angle[2 * ANKLE_ROLL + side])  # (3.157)


def posture(p: Numbers, O1: Array, rolled: float, heels: Array) -> Array:
    """Return the angles (12,) of a walker on two level feet.

    O1 (3,): place of the trunk; rolled: its roll; heels (2, 3): left and right, on the ground.
    Raises RunError, one line, for feet out of reach.
    """
    angle = np.zeros(NUM_ANGLES)
    for side in range(2):
        angle[side::2][:5] = _leg(p, side, O1, rolled, heels[side])
    return angle


def _leg(p: Numbers, side: int, O1: Array, rolled: float, heel: Array) -> Array:
    """Hip roll, hip pitch, knee, ankle pitch, ankle roll of a leg; letters of the right one."""
    C = rotation(0, rolled)
    hip = 0.5 * p.a1 * (1.0 - 2.0 * side)
    r = O1 - heel - np.array([0.0, 0.0, p.a10]) + hip * C[:, 1]  # (3.158), (3.196)
    t11 = math.atan2(r[1], r[2])  # (3.164), sigma11 = 1
    turned = rotation(0, t11) @ C  # (3.165)
    t3 = math.atan2(turned[1, 2], turned[1, 1])  # (3.170)
    phi = math.atan2(turned[2, 0], turned[0, 0])  # (3.176)
    r = rotation(0, t11) @ r  # (3.177)
    xi7 = (r[0] ** 2 + r[2] ** 2 - p.a6**2 - p.a4**2) / (2.0 * p.a4 * p.a6)  # (3.186)
    if not -1.0 <= xi7 <= 1.0:
        message = (
            f"no posture lands both feet: the {SIDES[side]} foot is {math.hypot(r[0], r[2]):.4g} m "
            f"from its hip, and its leg reaches from {abs(p.a4 - p.a6):.4g} to {p.a4 + p.a6:.4g} m."
        )
        raise RunError(message)
    t7 = math.atan2(math.sqrt(1.0 - xi7**2), xi7)  # (3.188), sigma7 = 1
    along, across = p.a6 + p.a4 * math.cos(t7), p.a4 * math.sin(t7)
    t9 = math.atan2(-along * r[0] - across * r[2], along * r[2] - across * r[0])  # (3.194)
    found = np.zeros(5)
    for joint, value in (
        (HIP_ROLL, t3),
        (HIP_PITCH, phi - (t9 + t7)),  # (3.195)
        (KNEE, t7),
        (ANKLE_PITCH, t9),
        (ANKLE_ROLL, t11),
    ):
        found[joint] = value
    return found


def rates(p: Numbers, ground: Ground, angle: Array, w: Array, v: Array) -> Rates:
    """Return the rates that come nearest to an angular velocity and a velocity of O1, (3,) each.

    The flat foot's leg by the pseudo-inverse of its Jacobian (3.198), the other one by the
    constraints (3.28), (3.31). Close to the rank loss of `dynamics`, where the trunk's yaw takes a
    fast lift of the heel behind, they are as fast as that.
    """
    phase = GaitPhase(ground.phase)
    columns = moving_joints(phase)
    y = 0.5 * p.a1 * (1.0 - 2.0 * phase.side)
    front, rear = columns[:5:-1], columns[:6]
    flat = np.concatenate([angle[front], np.zeros(5)])
    leg = chain_motion(leg_from_foot(p, phase.side), ground.ankle, flat, np.zeros(10))
    J = np.vstack([angular_jacobian(leg, 4), jacobian(leg, 4, np.array([0.0, -y, 0.0]))])[:, :5]
    toe = chain_motion(leg_from_toe(p), ground.toe, angle[rear], np.zeros(6))
    K = np.vstack([angular_jacobian(toe, 5), jacobian(toe, 5, np.array([0.0, y, 0.0]))])
    wanted = np.concatenate([w, v])
    found = np.zeros(NUM_ANGLES)
    found[front] = np.linalg.pinv(J, rcond=_CUT) @ wanted
    trunk = J @ found[front]
    found[rear] = np.linalg.pinv(K, rcond=_CUT) @ trunk
    return Rates(found, trunk - wanted)
