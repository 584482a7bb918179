"""The walker again, by a recursive Newton-Euler from its trunk outwards.

Nothing of the closed form is used. Every body of the legs hangs from the trunk by its own hinge,
the toes as well; what the ground gives is the difference that is left. Angles, rates and
accelerations (12,) are theta2 to theta13.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation


class Link(NamedTuple):
    """Motion of a link and the inertia that is fixed to it, in the earth frame."""

    R: np.ndarray
    o: np.ndarray
    w: np.ndarray
    v: np.ndarray
    alpha: np.ndarray
    a: np.ndarray
    axis: np.ndarray


class Body(NamedTuple):
    """Mass, mass centre and inertia about it in a link's frame."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray


def bodies(p):
    """Bodies of links by their number: 0 trunk, then six of the left and six of the right leg."""
    toe = p.foot_m - p.sole_m
    sole = np.array([[p.sole_xx, 0, p.sole_xz], [0, p.sole_yy, 0], [p.sole_xz, 0, p.sole_zz]])
    # the slender toe's centre and inertia are what the table's foot has beyond its sole
    ahead = (p.foot_m * p.foot_x - p.sole_m * p.sole_x) / toe - p.d10 if toe else 0.0
    own = toe * (2.0 * ahead) ** 2 / 12.0
    leg = (
        Body(0.0, np.zeros(3), np.zeros((3, 3))),
        Body(p.m4, np.array([0, 0, -p.c4]), np.diag([p.thigh_t, p.thigh_t, p.thigh_z])),
        Body(p.m6, np.array([0, 0, -p.c6]), np.diag([p.shank_t, p.shank_t, p.shank_z])),
        Body(0.0, np.zeros(3), np.zeros((3, 3))),
        Body(p.sole_m, np.array([p.sole_x, 0, p.sole_z]), sole),
        Body(toe, np.array([ahead, 0, 0]), np.diag([0.0, own, own])),
    )
    hat = Body(p.m1, np.array([0, 0, p.c1]), np.diag([p.hat_xx, p.hat_yy, p.hat_zz]))
    return [hat, *leg, *leg]


def links(p, ground, angle, rate, acceleration):
    """Motion of all links, of a walker whose flat foot rests level at its place."""
    start = Link(np.eye(3), *(np.zeros(3),) * 6)
    foot = _outwards(p, start, angle, rate, acceleration)[5 + 6 * (ground.phase // 2)]
    R = foot.R.T
    o = ground.ankle - R @ foot.o
    w = -R @ foot.w
    v = -R @ foot.v - np.cross(w, R @ foot.o)
    still = Link(R, o, w, v, np.zeros(3), np.zeros(3), np.zeros(3))
    foot = _outwards(p, still, angle, rate, acceleration)[5 + 6 * (ground.phase // 2)]
    arm = foot.o - o
    alpha = -foot.alpha
    trunk = still._replace(alpha=alpha, a=-foot.a - np.cross(alpha, arm))
    return _outwards(p, trunk, angle, rate, acceleration)


def _outwards(p, trunk, angle, rate, acceleration):
    found = [trunk]
    for side in range(2):
        y = p.a1 / 2 if side == 0 else -p.a1 / 2
        offsets = (
            [0, y, 0],
            [0, 0, 0],
            [0, 0, -p.a4],
            [0, 0, -p.a6],
            [0, 0, 0],
            [p.d10, 0, -p.a10],
        )
        last = trunk
        for joint, (offset, name) in enumerate(zip(offsets, "xyyyxy", strict=True)):
            k = 2 * joint + side
            e = last.R[:, 0 if name == "x" else 1]
            r = last.R @ np.array(offset, dtype=float)
            last = Link(
                last.R @ Rotation.from_euler(name, angle[k]).as_matrix(),
                last.o + r,
                last.w + rate[k] * e,
                last.v + np.cross(last.w, r),
                last.alpha + acceleration[k] * e + rate[k] * np.cross(last.w, e),
                last.a + np.cross(last.alpha, r) + np.cross(last.w, np.cross(last.w, r)),
                e,
            )
            found.append(last)
    return found


class Momentum(NamedTuple):
    """Mass, mass centre, momentum, moment of momentum about the origin, energy; their rates."""

    mass: float
    centre: np.ndarray
    linear: np.ndarray
    angular: np.ndarray
    energy: float


def momentum(p, moving):
    """Sum over all bodies; energy is kinetic and potential."""
    mass, energy = 0.0, 0.0
    first, linear, angular = np.zeros(3), np.zeros(3), np.zeros(3)
    for body, link in zip(bodies(p), moving, strict=True):
        r = link.R @ body.centre
        v = link.v + np.cross(link.w, r)
        spin = link.R @ body.inertia @ link.R.T @ link.w
        mass += body.mass
        first += body.mass * (link.o + r)
        linear += body.mass * v
        angular += np.cross(link.o + r, body.mass * v) + spin
        energy += 0.5 * body.mass * v @ v + 0.5 * spin @ link.w
        energy += body.mass * p.g * (link.o + r)[2]
    return Momentum(mass, first / mass, linear, angular, energy)


def needed(p, moving):
    """Force and moment about the origin (13, 6) that each body's motion needs, weight met."""
    found = np.zeros((13, 6))
    for k, (body, link) in enumerate(zip(bodies(p), moving, strict=True)):
        r = link.R @ body.centre
        a = link.a + np.cross(link.alpha, r) + np.cross(link.w, np.cross(link.w, r))
        inertia = link.R @ body.inertia @ link.R.T
        force = body.mass * (a + np.array([0.0, 0.0, p.g]))
        turning = inertia @ link.alpha + np.cross(link.w, inertia @ link.w)
        found[k] = np.concatenate([force, np.cross(link.o + r, force) + turning])
    return found


def joint_wrenches(p, ground, moving, toe):
    """Wrench (12, 6) through every joint on the outer part, about the joint; and on the flat foot.

    toe (6,): wrench of the ground on the other toe about its hinge, 0 in single support. The
    ground's wrench (6,) on the flat foot is about its ankle, as `walker.Accelerations` has it: what
    the weight of foot and straight toe takes included.
    """
    flat = ground.phase // 2
    need = needed(p, moving)
    given = np.zeros((13, 6))
    hinge = moving[6 + 6 * (1 - flat)].o
    given[6 + 6 * (1 - flat)] = _about(toe, -hinge)
    given[5 + 6 * flat] = need.sum(axis=0) - given.sum(axis=0)
    through = np.zeros((12, 6))
    for side in range(2):
        for joint in range(6):
            outer = slice(1 + 6 * side + joint, 7 + 6 * side)
            sum_ = (need[outer] - given[outer]).sum(axis=0)
            through[2 * joint + side] = _about(sum_, moving[1 + 6 * side + joint].o)
    return through, _about(given[5 + 6 * flat], ground.ankle)


def _about(wrench, point):
    """The wrench [F; M about the origin] about another point."""
    return np.concatenate([wrench[:3], wrench[3:] - np.cross(point, wrench[:3])])
