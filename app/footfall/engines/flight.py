"""Trees of links that spin and touch nothing: their forces are those of the mean velocity."""

from footfall.arrays import Array, Indices
from footfall.engines.factored import solve_both
from footfall.engines.ports import DIVERGED
from footfall.engines.tables import (
    FORCE,
    FREE,
    GAIN,
    GAINS,
    MIDDLE,
    SCRATCH,
    V_FREE,
    V_I,
    Machine,
    Memory,
)
from footfall.jit import scratch_njit
from footfall.plants.flat.dynamics import inward_force, outward
from footfall.plants.flat.held import hold_velocity
from footfall.plants.flat.tree import SLOW_SPIN

_ITERATIONS, _SAME_VELOCITY = 10, 1e-12


@scratch_njit
def flying(m: Machine, w: Memory, count: int, v: Array) -> bool:
    """Mark the velocities of trees that spin and touch nothing by a 1; say if there are any."""
    tree, s, active, marked = m.tree, m.surfaces, w.begun.active, w.vectors[GAIN]
    found = False
    for k in range(v.size):
        marked[k] = 0.0
    for k in m.spins:
        if not abs(v[k]) > SLOW_SPIN or marked[k] > 0.0:
            continue
        if _is_touched(tree.tree[k], count, active, s.links, s.column, tree.last, tree.tree):
            continue
        found = True
        for j in range(v.size):
            if tree.tree[j] == tree.tree[k]:
                marked[j] = 1.0
    return found


@scratch_njit
def _is_touched(
    number: int,
    count: int,
    active: Indices,
    links: Indices,
    columns: Indices,
    last: Indices,
    tree_of: Indices,
) -> bool:
    for i in range(count):
        c = active[i]
        if c >= links.shape[0]:
            if tree_of[columns[c - links.shape[0], 1]] == number:
                return True
            continue
        for end in range(2):
            if last[links[c, end]] >= 0 and tree_of[last[links[c, end]]] == number:
                return True
    return False


@scratch_njit
def in_flight(m: Machine, w: Memory, v: Array) -> None:
    """Let h of trees that spin and touch nothing be that of their mean velocity in the step.

    Dampers are beside M and stay; where bilateral rows hold, G v_E = 0 is known here as well.
    """
    tree, work, nv, dt = m.tree, w.work, v.size, m.rules.dt
    force, flies = w.vectors[FORCE], w.vectors[GAIN]
    x, middle, ends = w.vectors[SCRATCH], w.vectors[MIDDLE], w.vectors[FREE]
    start, now, gains = w.vectors[V_FREE], w.vectors[V_I], w.vectors[GAINS]
    y, z = w.group.vectors[0], w.group.vectors[1]
    outward(tree, work, v)
    inward_force(tree, work, start)
    for k in range(nv):
        middle[k], gains[k] = v[k], 0.0
    for _ in range(_ITERATIONS):
        for k in range(nv):
            x[k] = force[k] + gains[k]
        solve_both(m.depth, m.path, w.L, x)
        for k in range(nv):
            ends[k] = v[k] + dt * x[k]
        if w.counts[1] > 0:
            hold_velocity(m.depth, m.path, w.L, w.held.basis, w.counts[1], ends, y, z)
        change = largest = 0.0
        for k in range(nv):
            if flies[k] > 0.0:
                moved = 0.5 * (v[k] + ends[k])
                change = max(change, abs(moved - middle[k]))
                largest = max(largest, abs(moved))
                middle[k] = moved
        if not change < DIVERGED:  # nor where it is NaN
            break
        outward(tree, work, middle)
        inward_force(tree, work, now)
        for k in range(nv):
            if flies[k] > 0.0:
                gains[k] = now[k] - start[k]
        if change <= _SAME_VELOCITY * largest:
            break
    for k in range(nv):
        force[k] += gains[k]
