"""Vectors in space as tuples of three numbers: compiled code makes them without any memory."""

import math
from typing import TypeAlias

from footfall.arrays import Array
from footfall.jit import njit

Vector: TypeAlias = tuple[float, float, float]


@njit
def row(array: Array, i: int) -> Vector:
    """Row i of a (k, 3) array."""
    return array[i, 0], array[i, 1], array[i, 2]


@njit
def column(array: Array, k: int) -> Vector:
    """Column k of a (3, 3) array."""
    return array[0, k], array[1, k], array[2, k]


@njit
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@njit
def plus(a: Vector, factor: float, b: Vector) -> Vector:
    """A vector and a multiple of another, a + factor b."""
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]


@njit
def minus(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit
def scaled(factor: float, a: Vector) -> Vector:
    """Multiple of a vector."""
    return factor * a[0], factor * a[1], factor * a[2]


@njit
def length_of(a: Vector) -> float:
    """Euclidean length."""
    return math.sqrt(dot(a, a))


@njit
def unit(a: Vector) -> Vector:
    """A vector brought to length one; zero stays zero."""
    length = math.sqrt(dot(a, a))
    return scaled(1.0 / length, a) if length > 0.0 else a


@njit
def across(d: Vector, axis: Vector) -> Vector:
    """Unit vector across a unit axis in the plane of a unit vector d; zero if d is the axis."""
    radial = plus(d, -dot(axis, d), axis)
    if length_of(radial) <= 1e-9:  # rounding, which may point anywhere
        return (0.0, 0.0, 0.0)
    radial = unit(radial)
    return unit(plus(radial, -dot(axis, radial), axis))  # what rounding left along the axis


@njit
def tangents(n: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors t, s across a unit vector n, so that t x s = n."""
    t = unit(cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)))
    return t, cross(n, t)


@njit
def turned(X: Array, v: Vector) -> Vector:
    """A vector given in the frame of a pose (3, 4), in the frame in which the pose is given."""
    return (
        X[0, 0] * v[0] + X[0, 1] * v[1] + X[0, 2] * v[2],
        X[1, 0] * v[0] + X[1, 1] * v[1] + X[1, 2] * v[2],
        X[2, 0] * v[0] + X[2, 1] * v[1] + X[2, 2] * v[2],
    )


@njit
def turned_back(X: Array, v: Vector) -> Vector:
    """The other way round."""
    return (
        X[0, 0] * v[0] + X[1, 0] * v[1] + X[2, 0] * v[2],
        X[0, 1] * v[0] + X[1, 1] * v[1] + X[2, 1] * v[2],
        X[0, 2] * v[0] + X[1, 2] * v[1] + X[2, 2] * v[2],
    )


@njit
def carried(X: Array, p: Vector) -> Vector:
    """A point given in the frame of a pose (3, 4), in the frame in which the pose is given."""
    x, y, z = turned(X, p)
    return x + X[0, 3], y + X[1, 3], z + X[2, 3]
