"""Bilateral rows G v = 0 at velocity level: their impulses are eliminated before contact is solved.

With M = L L^T and H = G L^-T, the impulses lambda of the rows that bring G v to zero are
-(H H^T)^+ G v; the pseudo-inverse allows rows that are redundant.
"""

from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.engines.cholesky import back_substitute, forward_substitute
from footfall.jit import njit


class Held(NamedTuple):
    """G (m, nv), H (m, nv) and the pseudo-inverse of H H^T (m, m)."""

    rows: Array
    half: Array
    inverse: Array


@njit
def hold(lower: Array, constraints: Array) -> Held:
    """Prepare the rows G (m, nv) of a step; m may be 0."""
    half = forward_substitute(lower, constraints)
    count = constraints.shape[0]
    inverse = np.zeros((count, count))
    if count > 0:
        inverse[:] = np.linalg.pinv(half @ half.T, 1e-12)
    return Held(constraints, half, inverse)


@njit
def held_velocity(lower: Array, held: Held, v: Array) -> Array:
    """The velocity nearest to v in the metric of M that satisfies G v = 0."""
    if held.rows.shape[0] == 0:
        return v
    return v - back_substitute(lower, held.half.T @ (held.inverse @ (held.rows @ v)))


@njit
def held_rows(held: Held, half: Array) -> Array:
    """Rows J L^-T (k, nv) without their part along the constraints."""
    if held.rows.shape[0] == 0:
        return half
    return half - (half @ held.half.T) @ held.inverse @ held.half


@njit
def work_of_holding(
    held: Held, half: Array, r: Array, free: Array, v: Array, v_end: Array
) -> float:
    """Work of the rows' impulses [J] in a change of velocity from v to v_end.

    free: the velocity without any impulse; r with rows half = J L^-T, not yet projected: the
    impulses of the contacts. What makes G v = 0 in spite of both is lambda.
    """
    if held.rows.shape[0] == 0:
        return 0.0
    multipliers = held.inverse @ (held.rows @ free + held.half @ (half.T @ r))
    return float(-0.5 * multipliers @ (held.rows @ (v + v_end)))
