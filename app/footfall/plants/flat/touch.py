"""Contacts of a flat tree: points on the ground, stops and dry joints, in the order of their set.

Frames: W world, C contact with the axes [n, t, s] of ``footfall.plants.contacts.axes``.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import ContactAxes
from footfall.plants.flat.tree import Links, NotFlat

POINT, STOP, DRY = range(3)


class Touch(NamedTuple):
    """Contacts (c) as tables.

    kind; link, and place p (c, 3) in its frame, of points with a radius; position, velocity, sign
    and bound of stops, velocity of dry joints. axes (3, 3): rows n, t, s of the ground in W, level:
    its height along n.
    """

    kind: Indices
    link: Indices
    p: Array
    radius: Array
    position: Indices
    velocity: Indices
    sign: Array
    bound: Array
    axes: Array
    level: float
    dim: int


def touch_of(contacts: ContactSet, links: Links, axes: ContactAxes, level: float) -> Touch:
    """Read a set of contacts; raises NotFlat for what is not here."""
    if contacts.pairs:
        raise NotFlat("bodies may touch each other")
    count = len(contacts)
    kind, link, position, velocity = (np.zeros(count, dtype=np.int64) for _ in range(4))
    p, radius, sign, bound = np.zeros((count, 3)), np.zeros(count), np.ones(count), np.zeros(count)
    for shape in contacts.ground:
        if shape.points.num_moving:
            raise NotFlat("the lowest point of a round shape moves over it")
        body = int(shape.body.index())
        R, p_LB = links.pose[body]
        for k, point in enumerate(shape.points.fixed, start=shape.first):
            link[k], p[k], radius[k] = links.of_body[body], p_LB + R @ point, shape.points.radius
            velocity[k] = links.tree.last[link[k]]
    for k, stop in enumerate(contacts.limits, start=contacts.num_touching):
        kind[k], position[k], velocity[k] = STOP, stop.position, stop.velocity
        sign[k], bound[k] = stop.sign, stop.bound
    for k, dry in enumerate(contacts.frictions, start=count - len(contacts.frictions)):
        kind[k], velocity[k] = DRY, dry.velocity
    rows = np.ascontiguousarray(axes.on_ground().T)
    return Touch(kind, link, p, radius, position, velocity, sign, bound, rows, level, contacts.dim)


@njit
def gaps(
    kind: Indices,
    link: Indices,
    p: Array,
    radius: Array,
    position: Indices,
    sign: Array,
    bound: Array,
    axes: Array,
    level: float,
    q: Array,
    pose: Array,
    gap: Array,
    place: Array,
) -> None:
    """Fill gaps (c,) [m or rad] and places (c, 3) in W [m] of all contacts."""
    for c in range(kind.size):
        if kind[c] == POINT:
            l = link[c]
            height = -level - radius[c]
            for i in range(3):
                x = pose[l, i, 3]
                for k in range(3):
                    x += pose[l, i, k] * p[c, k]
                height += axes[0, i] * x
                place[c, i] = x - radius[c] * axes[0, i]
            gap[c] = height
        elif kind[c] == STOP:
            gap[c] = sign[c] * (q[position[c]] - bound[c])


@njit
def jacobian(
    kind: Indices,
    link: Indices,
    velocity: Indices,
    sign: Array,
    axes: Array,
    reference: Indices,
    depth: Indices,
    path: Indices,
    pose: Array,
    twist: Array,
    active: Indices,
    place: Array,
    nv: int,
) -> Array:
    """Jacobian of some contacts (k, 3, nv), rows [n, t, s]."""
    rows = np.zeros((active.size, 3, nv))
    for a, c in enumerate(active):
        end = velocity[c]
        if kind[c] != POINT:
            rows[a, 0 if kind[c] == STOP else 1, end] = sign[c]
            continue
        o = reference[link[c]]
        x, y, z = (
            place[c, 0] - pose[o, 0, 3],
            place[c, 1] - pose[o, 1, 3],
            place[c, 2] - pose[o, 2, 3],
        )
        for d in range(depth[end] + 1):
            k = path[end, d]
            u0 = twist[k, 3] + twist[k, 1] * z - twist[k, 2] * y
            u1 = twist[k, 4] + twist[k, 2] * x - twist[k, 0] * z
            u2 = twist[k, 5] + twist[k, 0] * y - twist[k, 1] * x
            for i in range(3):
                rows[a, i, k] = axes[i, 0] * u0 + axes[i, 1] * u1 + axes[i, 2] * u2
    return rows
