"""Dynamic programming over stations and a grid of two angles.

Arrays: nodes (n, G) with G = rows times columns of the grid, rear angle first; at_nonsmooth
(q, G): the same as the rear wheel passes a non-smooth point with the angles of a node. windows
(n - 1, 2, longest axis, 2): first and last index on either axis from which one is reached. A
step from node i to node j passes all non-smooth points between their rear wheels; there the larger
of both nodes counts. A predecessor -1: not reached.
"""

import numpy as np

from footfall.arrays import Array, Indices
from footfall.jit import njit

SAME = 1e-9  # relative: sums that differ by less are ties


@njit
def nonsmooth_points_met(
    worst: float,
    i: int,
    j: int,
    back: Array,
    here: Array,
    nonsmooth_points: Array,
    at_nonsmooth: Array,
) -> float:
    """The largest of a value and what the non-smooth points between two nodes ask."""
    low, high = min(back[i], here[j]), max(back[i], here[j])
    for q in range(len(nonsmooth_points)):
        if low < nonsmooth_points[q] <= high:
            worst = max(worst, at_nonsmooth[q, i], at_nonsmooth[q, j])
    return worst


@njit
def bottleneck(
    nodes: Array,
    at_nonsmooth: Array,
    rear: Array,
    nonsmooth_points: Array,
    windows: Indices,
    columns: int,
) -> Array:
    """Least worst cost up to every node."""
    n, size = nodes.shape
    value = np.full((n, size), np.inf)
    value[0] = nodes[0]
    for k in range(1, n):
        for j in range(size):
            if nodes[k, j] == np.inf:
                continue
            best = np.inf
            r, f = j // columns, j % columns
            for a in range(windows[k - 1, 0, r, 0], windows[k - 1, 0, r, 1] + 1):
                for b in range(windows[k - 1, 1, f, 0], windows[k - 1, 1, f, 1] + 1):
                    i = a * columns + b
                    worst = max(value[k - 1, i], nodes[k, j])
                    if worst >= best:
                        continue
                    worst = nonsmooth_points_met(
                        worst, i, j, rear[k - 1], rear[k], nonsmooth_points, at_nonsmooth
                    )
                    best = min(best, worst)
            value[k, j] = best
    return value


@njit
def given_over(a: float, b: float, turn: float) -> float:
    """Positive part of the work of a torque that goes straight from a to b, over a turn."""
    if turn < 0.0:
        a, b, turn = -a, -b, -turn
    if a >= 0.0 and b >= 0.0:
        return 0.5 * (a + b) * turn
    if a <= 0.0 and b <= 0.0:
        return 0.0
    larger = max(a, b)
    return 0.5 * larger * larger / abs(a - b) * turn


@njit
def works_of_step(
    i: int,
    j: int,
    back: Array,
    here: Array,
    rears: tuple[Array, Array],
    nonsmooth_points: Array,
    at_nonsmooth: Array,
) -> tuple[float, float]:
    """Return energies given to wheels and legs over a step.

    Torques go straight, broken at non-smooth points. back, here (7, G): torque, leg_r,
    leg_f, theta_r, theta_f, phi_r, phi_f at both stations; at_nonsmooth (q, 2, 3, G): torques
    before and after, those of a crossing being the mean of both nodes'.
    """
    begin, wheels, legs = 0.0, 0.0, 0.0
    M, leg_r, leg_f = back[0, i], back[1, i], back[2, i]
    s_i, s_j = rears[0][i], rears[1][j]
    roll_r, roll_f = here[3, j] - back[3, i], here[4, j] - back[4, i]
    turn_r, turn_f = here[5, j] - back[5, i], here[6, j] - back[6, i]
    for q in range(len(nonsmooth_points)):
        if s_i < nonsmooth_points[q] <= s_j:
            part = (nonsmooth_points[q] - s_i) / (s_j - s_i) - begin
            e = at_nonsmooth[q]
            to = 0.5 * (e[0, 0, i] + e[0, 0, j])
            if not np.isfinite(to):
                continue  # a node that passes this point beyond the last station
            wheels += given_over(M, to, part * roll_r) + given_over(M, to, part * roll_f)
            to_r, to_f = 0.5 * (e[0, 1, i] + e[0, 1, j]), 0.5 * (e[0, 2, i] + e[0, 2, j])
            legs += given_over(leg_r, to_r, part * turn_r) + given_over(leg_f, to_f, part * turn_f)
            begin += part
            M = 0.5 * (e[1, 0, i] + e[1, 0, j])
            leg_r, leg_f = 0.5 * (e[1, 1, i] + e[1, 1, j]), 0.5 * (e[1, 2, i] + e[1, 2, j])
    part = 1.0 - begin
    wheels += given_over(M, here[0, j], part * roll_r) + given_over(M, here[0, j], part * roll_f)
    to_r, to_f = here[1, j], here[2, j]
    legs += given_over(leg_r, to_r, part * turn_r) + given_over(leg_f, to_f, part * turn_f)
    return wheels, legs


@njit
def cheapest(  # noqa: C901 (one nest of loops, which numba compiles whole)
    weights: Array,
    rows: Array,
    row_nonsmooth: Array,
    nodes: Array,
    at_nonsmooth: Array,
    rear: Array,
    nonsmooth_points: Array,
    windows: Indices,
    columns: int,
    spacing: Array,
) -> tuple[Array, Array, Indices]:
    """Least sum up to every node that may be used, of ties the smoothest; with the node before.

    weights (2,): of the energies of wheels and legs; what is done on a leg that gives way is not
    taken back. With none all paths are ties. rows (n, 7, G), row_nonsmooth (q, 2, 3, G) as
    `works_of_step` has them; nodes, at_nonsmooth: 0 where a node may be used, infinite where not;
    spacing (n - 1,) [m], over which squared turns are divided: the sum of these comes second.
    """
    n, size = nodes.shape
    weighted = weights[0] > 0.0 or weights[1] > 0.0
    value = np.full((n, size), np.inf)
    rough = np.full((n, size), np.inf)
    before = np.full((n, size), -1)
    for j in range(size):
        if nodes[0, j] <= 0.0:
            value[0, j] = rough[0, j] = 0.0
    for k in range(1, n):
        for j in range(size):
            if nodes[k, j] > 0.0:
                continue
            best, best_rough, chosen = np.inf, np.inf, -1
            r, f = j // columns, j % columns
            for a in range(windows[k - 1, 0, r, 0], windows[k - 1, 0, r, 1] + 1):
                for b in range(windows[k - 1, 1, f, 0], windows[k - 1, 1, f, 1] + 1):
                    i = a * columns + b
                    if value[k - 1, i] > best * (1.0 + SAME) or value[k - 1, i] == np.inf:
                        continue
                    if (
                        nonsmooth_points_met(
                            -np.inf, i, j, rear[k - 1], rear[k], nonsmooth_points, at_nonsmooth
                        )
                        > 0.0
                    ):
                        continue
                    total = value[k - 1, i]
                    if weighted:
                        wheels, legs = works_of_step(
                            i,
                            j,
                            rows[k - 1],
                            rows[k],
                            (rear[k - 1], rear[k]),
                            nonsmooth_points,
                            row_nonsmooth,
                        )
                        total += weights[0] * wheels + weights[1] * legs
                    turn_r, turn_f = (
                        rows[k, 5, j] - rows[k - 1, 5, i],
                        rows[k, 6, j] - rows[k - 1, 6, i],
                    )
                    bent = rough[k - 1, i] + (turn_r**2 + turn_f**2) / spacing[k - 1]
                    near = SAME * max(best, 1.0) if best < np.inf else 0.0
                    if total < best - near or (total <= best + near and bent < best_rough):
                        best, best_rough, chosen = total, bent, i
            value[k, j], rough[k, j], before[k, j] = best, best_rough, chosen
    return value, rough, before
