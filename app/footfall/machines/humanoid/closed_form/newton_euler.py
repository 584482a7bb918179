"""Newton-Euler equations of the four phases, (3.63) to (3.116), every reaction an unknown.

Six bodies and 36 equations, each resolved in the frame of its body as in the thesis:

    Gamma [q''; F; M] + b = A T

SINGLE support, 36 unknowns: ten joint accelerations, six reaction forces, eight reaction moments
(tables 3.1 and 3.2). DOUBLE support, 42 unknowns: eleven joint accelerations, seven forces, ten
moments (tables 3.3 and 3.4); six equations more close the loop, (3.101) and (3.102). T: torques of
the joints, of the link nearer to the trunk on the one farther from it.

Where two hinges cross, at hips and ankles, the moment has one unknown component, z in the frame
of the reaction, because the two torques fix the others.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.jit import njit
from footfall.machines.humanoid.closed_form.chain import (
    Motion,
    angular_jacobian,
    chain_motion,
    cross,
    drift,
    jacobian,
    leg_from_foot,
    leg_from_toe,
    place,
    product,
    skew,
)
from footfall.machines.humanoid.closed_form.parameters import Numbers

NUM_EQUATIONS = 36
GROUND = -1


class Equations(NamedTuple):
    """Gamma (36, n + r), b (36,) and A (36, n) of n joints and r components of reactions.

    closure (6, n) q'' + bias (6,) = 0 closes the loop: angular accelerations of the trunk by one
    leg less those by the other, then accelerations of O1; no rows in single support. force,
    moment: for every reaction its matrix from the unknowns [N], [N m] in the earth frame
    (k, 3, n + r), and the part of the moment that the torques give (k, 3, n). point (k, 3): where
    the forces act [m].
    """

    gamma: Array
    b: Array
    A: Array
    closure: Array
    bias: Array
    force: Array
    moment: Array
    moment_by_torque: Array
    point: Array


class Bodies(NamedTuple):
    """Motion and inertia of the six bodies.

    R (6, 3, 3): orientation; w (6, 3): angular velocity; centre (6, 3): mass centre; angular,
    linear (6, 3, n) and alpha, a (6, 3): derivatives and remainders of angular and linear
    acceleration; mass (6,); inertia (6, 3, 3) in the body's frame.
    """

    R: Array
    w: Array
    centre: Array
    angular: Array
    alpha: Array
    linear: Array
    a: Array
    mass: Array
    inertia: Array


class Reactions(NamedTuple):
    """Reactions in k joints.

    inner, outer (k,): bodies on either side, inner nearer to the chain's ground, GROUND for it;
    frame (k,): the body in whose frame the unknowns are; acts (k,): +1 where they act on the outer
    body, -1 on the inner; first, second (k,): columns of the joint's angles, second -1 where it has
    one; axes (k, 2, 3): of these; point (k, 3): place of the joint [m].
    """

    inner: Array
    outer: Array
    frame: Array
    acts: Array
    first: Array
    second: Array
    axes: Array
    point: Array


@njit
def single_support(p: Numbers, side: int, ankle: Array, angle: Array, rate: Array) -> Equations:
    """Equations of a walker on one flat foot.

    side: of that foot; ankle (3,): its place [m]; angle, rate (10,): in the order of
    `phases.moving_joints`.
    """
    motion = chain_motion(leg_from_foot(p, side), ankle, angle, rate)
    y = 0.5 * p.a1 * (1.0 - 2.0 * side)
    bodies = _bodies(6, 10)
    every = np.arange(10)
    _put(bodies, 0, motion, 1, np.array([0.0, 0.0, p.a6 - p.c6]), p.m6, _shank(p), every)
    _put(bodies, 1, motion, 2, np.array([0.0, 0.0, p.a4 - p.c4]), p.m4, _thigh(p), every)
    _put(bodies, 2, motion, 4, np.array([0.0, -y, p.c1]), p.m1, _hat(p), every)
    _put(bodies, 3, motion, 6, np.array([0.0, 0.0, -p.c4]), p.m4, _thigh(p), every)
    _put(bodies, 4, motion, 7, np.array([0.0, 0.0, -p.c6]), p.m6, _shank(p), every)
    foot = np.diag(np.array([p.foot_xx, p.foot_yy, p.foot_zz]))
    _put(bodies, 5, motion, 9, np.array([p.foot_x, 0.0, p.foot_z]), p.foot_m, foot, every)
    first = np.array([0, 2, 3, 5, 7, 8])
    second = np.array([1, -1, 4, 6, -1, 9])
    reactions = Reactions(
        np.array([GROUND, 0, 1, 2, 3, 4]),
        np.array([0, 1, 2, 3, 4, 5]),
        np.array([0, 0, 1, 2, 3, 4]),
        np.array([1.0, -1.0, -1.0, 1.0, 1.0, 1.0]),
        first,
        second,
        np.empty((6, 2, 3)),
        np.empty((6, 3)),
    )
    for k in range(6):
        reactions.point[k] = motion.o[first[k]]
        reactions.axes[k, 0] = motion.e[first[k]]
        reactions.axes[k, 1] = motion.e[max(second[k], 0)]
    return _equations(bodies, reactions, np.zeros((0, 10)), np.zeros(0), p.g)


@njit
def double_support(
    p: Numbers, side: int, ankle: Array, toe: Array, angle: Array, rate: Array
) -> Equations:
    """Equations of a walker on one flat foot and the toe of the other.

    side: of the flat foot; ankle (3,): its place; toe (3,): the hinge of the other foot's toe, both
    [m]; angle, rate (11,): in the order of `phases.moving_joints`. Both legs are followed from
    their own ground, and the trunk over the flat foot.
    """
    flat = chain_motion(leg_from_foot(p, side), ankle, _padded(angle), _padded(rate))
    swing = chain_motion(leg_from_toe(p), toe, angle[:6], rate[:6])
    y = 0.5 * p.a1 * (1.0 - 2.0 * side)
    bodies = _bodies(6, 11)
    rear, front = np.arange(6), np.arange(10, 5, -1)
    sole = np.array(
        [[p.sole_xx, 0.0, p.sole_xz], [0.0, p.sole_yy, 0.0], [p.sole_xz, 0.0, p.sole_zz]]
    )
    centre = np.array([p.sole_x - p.d10, 0.0, p.sole_z + p.a10])
    _put(bodies, 0, swing, 0, centre, p.sole_m, sole, rear)
    _put(bodies, 1, swing, 2, np.array([0.0, 0.0, p.a6 - p.c6]), p.m6, _shank(p), rear)
    _put(bodies, 2, swing, 3, np.array([0.0, 0.0, p.a4 - p.c4]), p.m4, _thigh(p), rear)
    _put(bodies, 3, flat, 4, np.array([0.0, -y, p.c1]), p.m1, _hat(p), front)
    _put(bodies, 4, flat, 2, np.array([0.0, 0.0, p.a4 - p.c4]), p.m4, _thigh(p), front)
    _put(bodies, 5, flat, 1, np.array([0.0, 0.0, p.a6 - p.c6]), p.m6, _shank(p), front)
    # toe, ankle, knee and hip of the leg on its toe, then hip, knee and ankle of the other
    reactions = Reactions(
        np.array([GROUND, 0, 1, 2, 4, 5, GROUND]),
        np.array([0, 1, 2, 3, 3, 4, 5]),
        np.array([GROUND, 0, 1, 2, 3, 4, 5]),
        np.array([-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0]),
        np.array([0, 1, 3, 4, 6, 8, 9]),
        np.array([-1, 2, -1, 5, 7, -1, 10]),
        np.empty((7, 2, 3)),
        np.empty((7, 3)),
    )
    for k in range(7):
        for slot in range(2):
            column = max(reactions.first[k] if slot == 0 else reactions.second[k], 0)
            reactions.axes[k, slot] = swing.e[column] if column < 6 else flat.e[10 - column]
        column = reactions.first[k]
        reactions.point[k] = swing.o[column] if column < 6 else flat.o[10 - column]
    closure = np.zeros((6, 11))
    bias = np.empty(6)
    here, there = np.array([0.0, y, 0.0]), np.array([0.0, -y, 0.0])
    turning, moving = angular_jacobian(flat, 4), jacobian(flat, 4, there)
    closure[:3, :6] = angular_jacobian(swing, 5)
    closure[3:, :6] = jacobian(swing, 5, here)
    for k in range(5):
        closure[:3, 10 - k] = -turning[:, k]
        closure[3:, 10 - k] = -moving[:, k]
    bias[:3] = swing.alpha[5] - flat.alpha[4]
    bias[3:] = drift(swing, 5, here) - drift(flat, 4, there)
    return _equations(bodies, reactions, closure, bias, p.g)


@njit
def _padded(values: Array) -> Array:
    """The flat leg's five values from the ground up, and five that nothing asks for."""
    padded = np.zeros(10)
    padded[:5] = values[:5:-1]
    return padded


@njit
def _bodies(count: int, joints: int) -> Bodies:
    return Bodies(
        np.empty((count, 3, 3)),
        np.empty((count, 3)),
        np.empty((count, 3)),
        np.zeros((count, 3, joints)),
        np.empty((count, 3)),
        np.zeros((count, 3, joints)),
        np.empty((count, 3)),
        np.empty(count),
        np.empty((count, 3, 3)),
    )


@njit
def _put(
    bodies: Bodies,
    index: int,
    motion: Motion,
    link: int,
    centre: Array,
    mass: float,
    inertia: Array,
    columns: npt.NDArray[np.int64],
) -> None:
    """Enter a body whose mass centre is at centre in a link's frame; columns: of its joints."""
    bodies.R[index], bodies.w[index] = motion.R[link], motion.w[link]
    bodies.centre[index] = place(motion, link, centre)
    bodies.alpha[index], bodies.a[index] = motion.alpha[link], drift(motion, link, centre)
    bodies.mass[index], bodies.inertia[index] = mass, inertia
    for j in range(link + 1):
        bodies.angular[index, :, columns[j]] = motion.e[j]
        arm = bodies.centre[index] - motion.o[j]
        bodies.linear[index, :, columns[j]] = cross(motion.e[j], arm)


@njit
def _shank(p: Numbers) -> Array:
    return np.diag(np.array([p.shank_t, p.shank_t, p.shank_z]))


@njit
def _thigh(p: Numbers) -> Array:
    return np.diag(np.array([p.thigh_t, p.thigh_t, p.thigh_z]))


@njit
def _hat(p: Numbers) -> Array:
    return np.diag(np.array([p.hat_xx, p.hat_yy, p.hat_zz]))


@njit
def _equations(
    bodies: Bodies, reactions: Reactions, closure: Array, bias: Array, g: float
) -> Equations:
    """Enter accelerations body by body, then every reaction into the rows of its two bodies."""
    n, count = bodies.angular.shape[2], len(reactions.inner)
    hinges = 0
    for k in range(count):
        hinges += 1 if reactions.second[k] < 0 else 0
    size = n + 4 * count + hinges
    gamma = np.zeros((NUM_EQUATIONS, size))
    b = np.empty(NUM_EQUATIONS)
    A = np.zeros((NUM_EQUATIONS, n))
    for i in range(6):
        R, inertia = bodies.R[i].T.copy(), bodies.inertia[i]
        w = R @ bodies.w[i]
        row = 6 * i
        gamma[row : row + 3, :n] = bodies.mass[i] * product(R, bodies.linear[i])
        gamma[row + 3 : row + 6, :n] = product(product(inertia, R), bodies.angular[i])
        pull = bodies.a[i].copy()
        pull[2] += g
        b[row : row + 3] = bodies.mass[i] * (R @ pull)
        b[row + 3 : row + 6] = inertia @ (R @ bodies.alpha[i]) + cross(w, inertia @ w)
    force = np.zeros((count, 3, size))
    moment = np.zeros((count, 3, size))
    by_torque = np.zeros((count, 3, n))
    column = n + 3 * count
    for k in range(count):
        frame = reactions.frame[k]
        R = np.eye(3) if frame == GROUND else bodies.R[frame].copy()
        at, begin = n + 3 * k, column
        force[k, :, at : at + 3] = R
        column = _moment(reactions, k, R, column, moment[k], by_torque[k])
        for outer in (True, False):
            body = reactions.outer[k] if outer else reactions.inner[k]
            if body == GROUND:
                continue
            sign = reactions.acts[k] if outer else -reactions.acts[k]
            turn = sign * bodies.R[body].T
            arm = skew(reactions.point[k] - bodies.centre[body])
            row = 6 * body
            # of the unknowns only the reaction's own enter
            gamma[row : row + 3, at : at + 3] -= product(turn, R)
            gamma[row + 3 : row + 6, at : at + 3] -= product(turn, product(arm, R))
            gamma[row + 3 : row + 6, begin:column] -= product(turn, moment[k, :, begin:column])
            A[row + 3 : row + 6] += product(turn, by_torque[k])
    return Equations(gamma, b, A, closure, bias, force, moment, by_torque, reactions.point)


@njit
def _moment(
    reactions: Reactions, k: int, R: Array, column: int, moment: Array, by_torque: Array
) -> int:
    """Enter a joint's moment in the earth frame, by unknowns and torques; return the next column.

    On the outer body the moment along an axis of the joint is that axis's torque.
    """
    first, second = reactions.first[k], reactions.second[k]
    one = R.T @ reactions.axes[k, 0]
    acts = reactions.acts[k]
    if second < 0:  # a hinge about y of the frame
        moment[:, column] = R[:, 0]
        moment[:, column + 1] = R[:, 2]
        by_torque[:, first] = acts / one[1] * R[:, 1]
        return column + 2
    two = R.T @ reactions.axes[k, 1]
    det = one[0] * two[1] - one[1] * two[0]
    x = -(one[2] * two[1] - one[1] * two[2]) / det
    y = -(one[0] * two[2] - one[2] * two[0]) / det
    moment[:, column] = x * R[:, 0] + y * R[:, 1] + R[:, 2]
    by_torque[:, first] = acts / det * (two[1] * R[:, 0] - two[0] * R[:, 1])
    by_torque[:, second] = acts / det * (one[0] * R[:, 1] - one[1] * R[:, 0])
    return column + 1
