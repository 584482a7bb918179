"""Distance of two convex solids by the walk of Gilbert, Johnson and Keerthi (1988).

The nearest point to the origin of the difference A - B is sought by corners of it, up to four at a
time: the nearest point of what they span tells the direction in which the next corner lies.

Frames: W world, A and B the links of the solids.
"""

import math

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.contacts.separation import support
from footfall.plants.contacts.shapes import Solid
from footfall.plants.contacts.vectors import (
    Vector,
    carried,
    cross,
    dot,
    minus,
    plus,
    row,
    scaled,
    turned_back,
)

_WALK = 64  # corners at most
_GAIN = 1e-12  # of the distance squared: what another corner must promise
_TOUCHING = 1e-9  # m: what is less apart may as well overlap


@njit
def distance_of(
    a: Solid, b: Solid, X_WA: Array, X_WB: Array, start: Vector, room: Array
) -> tuple[float, Vector, Vector]:
    """Distance [m] of two solids, the unit vector in W from b to a, and the nearest point of a.

    The distance is 0, and the rest counts for nothing, if they touch. a, b: in the frames of their
    links, whose poses (3, 4) are given. start: a direction to begin with. room (4, 7): to write in,
    corners of the difference, those of a, and the shares of the nearest point.
    """
    v, size, length = start, 0, math.inf
    for _ in range(_WALK):
        on_a = carried(X_WA, support(a, turned_back(X_WA, scaled(-1.0, v))))
        corner = minus(on_a, carried(X_WB, support(b, turned_back(X_WB, v))))
        if size > 0 and length - dot(v, corner) <= _GAIN * length:
            break
        for i in range(3):
            room[size, i], room[size, 3 + i] = corner[i], on_a[i]
        size = _reduced(room, size + 1)
        nearest = _weighed(room, size, 0)
        last, length = length, math.sqrt(dot(nearest, nearest))
        if size == 4 or length <= _TOUCHING:
            return 0.0, v, v
        v = scaled(1.0 / length, nearest)
        if length >= last:  # rounding
            break
    return length, v, _weighed(room, size, 3)


@njit
def _weighed(room: Array, size: int, first: int) -> Vector:
    """The sum of what stands in three columns, by the shares."""
    x, y, z = 0.0, 0.0, 0.0
    for k in range(size):
        x += room[k, 6] * room[k, first]
        y += room[k, 6] * room[k, first + 1]
        z += room[k, 6] * room[k, first + 2]
    return x, y, z


@njit
def _reduced(room: Array, size: int) -> int:
    """Find the nearest point of what some corners span; drop those that it does not need.

    Returns how many are left, 4 where the origin is within.
    """
    shares = (1.0, 0.0, 0.0, 0.0)
    p, q, r, s = row(room, 0), row(room, 1), row(room, 2), row(room, 3)
    if size == 2:
        along = minus(q, p)
        t = _share(-dot(along, p), dot(along, along))
        shares = (1.0 - t, t, 0.0, 0.0)
    elif size == 3:
        x, y, z = _of_triangle(p, q, r)
        shares = (x, y, z, 0.0)
    elif size == 4:
        if _holds_origin(p, q, r, s):
            return 4
        x, y, z = _of_triangle(p, q, s)
        shares, best = (x, y, 0.0, z), _squared(p, q, s, x, y, z)
        x, y, z = _of_triangle(p, r, s)
        if _squared(p, r, s, x, y, z) < best:
            shares, best = (x, 0.0, y, z), _squared(p, r, s, x, y, z)
        x, y, z = _of_triangle(q, r, s)
        if _squared(q, r, s, x, y, z) < best:
            shares, best = (0.0, x, y, z), _squared(q, r, s, x, y, z)
        x, y, z = _of_triangle(p, q, r)
        if _squared(p, q, r, x, y, z) < best:
            shares = (x, y, z, 0.0)
    left = 0
    for k in range(size):
        if shares[k] > 0.0:
            for i in range(6):
                room[left, i] = room[k, i]
            room[left, 6] = shares[k]
            left += 1
    return left


@njit
def _holds_origin(p: Vector, q: Vector, r: Vector, s: Vector) -> bool:
    """Return whether the origin is within a tetrahedron."""
    to_q, to_r, to_s = minus(q, p), minus(r, p), minus(s, p)
    volume = dot(cross(to_q, to_r), to_s)
    sign = 1.0 if volume > 0.0 else -1.0
    # shares of the corners times the volume
    of_q = -sign * dot(cross(to_r, to_s), p)
    of_r = -sign * dot(cross(to_s, to_q), p)
    of_s = -sign * dot(cross(to_q, to_r), p)
    return min(of_q, of_r, of_s, abs(volume) - of_q - of_r - of_s) > 0.0


@njit
def _squared(p: Vector, q: Vector, r: Vector, x: float, y: float, z: float) -> float:
    """Squared distance of a point of a triangle from the origin."""
    point = plus(plus(scaled(x, p), y, q), z, r)
    return dot(point, point)


@njit
def _of_triangle(p: Vector, q: Vector, r: Vector) -> Vector:
    """Shares of the corners in the point of a triangle that is nearest to the origin.

    Ericson, Real-Time Collision Detection, 2005, 5.1.5.
    """
    to_q, to_r = minus(q, p), minus(r, p)
    d1, d2 = -dot(to_q, p), -dot(to_r, p)
    d3, d4 = -dot(to_q, q), -dot(to_r, q)
    d5, d6 = -dot(to_q, r), -dot(to_r, r)
    if d1 <= 0.0 and d2 <= 0.0:
        return (1.0, 0.0, 0.0)
    if d3 >= 0.0 and d4 <= d3:
        return (0.0, 1.0, 0.0)
    if d6 >= 0.0 and d5 <= d6:
        return (0.0, 0.0, 1.0)
    of_r, of_q, of_p = d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4
    if of_r <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = _share(d1, d1 - d3)
        return (1.0 - t, t, 0.0)
    if of_q <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = _share(d2, d2 - d6)
        return (1.0 - t, 0.0, t)
    if of_p <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = _share(d4 - d3, d4 - d3 + d5 - d6)
        return (0.0, 1.0 - t, t)
    whole = of_p + of_q + of_r
    return (of_p / whole, of_q / whole, of_r / whole)


@njit
def _share(part: float, whole: float) -> float:
    return min(max(part / whole, 0.0), 1.0) if whole > 0.0 else 0.0
