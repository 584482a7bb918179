"""M = L^T L by depth, and what is solved with it: free velocities, rows of contacts and held ones.

M is kept by velocity and depth, as `footfall.plants.flat.dynamics` gives it, and so is L, whose row
k has entries at the ancestors of k alone (R. Featherstone, Rigid Body Dynamics Algorithms, Springer
2008, section 6.5). Rows J (n, nv) are kept as their transpose, (nv, n), in which loops run along
rows; Y = J L^-1 likewise, so that J M^-1 J^T = Y^T Y.
"""

from footfall.arrays import Array, Flags, Indices
from footfall.jit import scratch_njit
from footfall.plants.flat.factor import solve, times


@scratch_njit
def times_mass(depth: Indices, path: Indices, mass: Array, x: Array, out: Array) -> None:
    """Fill M x (nv,)."""
    for k in range(depth.size):
        n = depth[k]
        total = mass[k, n] * x[k]
        for d in range(n):
            j = path[k, d]
            total += mass[k, d] * x[j]
            out[j] += mass[k, d] * x[k]
        out[k] = total


@scratch_njit
def solve_both(depth: Indices, path: Indices, L: Array, x: Array) -> None:
    """Solve M y = x (nv,) in place."""
    for k in range(depth.size - 1, -1, -1):
        n = depth[k]
        x[k] /= L[k, n]
        for d in range(n):
            x[path[k, d]] -= L[k, d] * x[k]
    solve(depth, path, L, x)


@scratch_njit
def use_ancestors(depth: Indices, path: Indices, used: Flags) -> None:
    """Mark the velocities on the ways to those that are marked."""
    for k in range(used.size - 1, -1, -1):
        if used[k] and depth[k] > 0:
            used[path[k, depth[k] - 1]] = True


@scratch_njit
def half_rows(
    depth: Indices, path: Indices, L: Array, used: Flags, J: Array, n: int, Y: Array
) -> None:
    """Fill Y = J L^-1 of n rows; used (nv,): the velocities of which they may have entries."""
    for k in range(depth.size):
        if used[k]:
            for i in range(n):
                Y[k, i] = J[k, i]
    for k in range(depth.size - 1, -1, -1):
        if not used[k]:
            continue
        inverse = 1.0 / L[k, depth[k]]
        for i in range(n):
            Y[k, i] *= inverse
        for d in range(depth[k]):
            j, h = path[k, d], L[k, d]
            for i in range(n):
                Y[j, i] -= h * Y[k, i]


@scratch_njit
def gram(used: Flags, Y: Array, n: int, W: Array) -> None:
    """Fill W = Y^T Y (n, n)."""
    for i in range(n):
        for j in range(n):
            W[i, j] = 0.0
    for k in range(used.size):
        if used[k]:
            for i in range(n):
                y = Y[k, i]
                if y != 0.0:
                    for j in range(i + 1):
                        W[i, j] += y * Y[k, j]
    for i in range(n):
        for j in range(i):
            W[j, i] = W[i, j]


@scratch_njit
def along_rows(used: Flags, J: Array, n: int, v: Array, out: Array) -> None:
    """Fill J v (n,)."""
    for i in range(n):
        out[i] = 0.0
    for k in range(used.size):
        if used[k] and v[k] != 0.0:
            for i in range(n):
                out[i] += J[k, i] * v[k]


@scratch_njit
def by_rows(used: Flags, Y: Array, n: int, r: Array, out: Array) -> None:
    """Fill Y r (nv,), of which nothing is elsewhere than at the used velocities."""
    for k in range(used.size):
        total = 0.0
        if used[k]:
            for i in range(n):
                total += Y[k, i] * r[i]
        out[k] = total


@scratch_njit
def hold_rows(basis: Array, rank: int, n: int, Y: Array, along: Array) -> None:
    """Take from n rows Y (nv, n) their part along what holds, Q of `footfall.plants.flat.held`.

    along (rank, n): gets Q Y, as it was before.
    """
    for k in range(rank):
        for i in range(n):
            along[k, i] = 0.0
        for j in range(Y.shape[0]):
            share = basis[k, j]
            if share != 0.0:
                for i in range(n):
                    along[k, i] += share * Y[j, i]
    for k in range(rank):
        for j in range(Y.shape[0]):
            share = basis[k, j]
            if share != 0.0:
                for i in range(n):
                    Y[j, i] -= share * along[k, i]


@scratch_njit
def work_of_holding(
    depth: Indices,
    path: Indices,
    L: Array,
    basis: Array,
    rank: int,
    along: Array,
    n: int,
    r: Array,
    free: Array,
    v: Array,
    v_end: Array,
    y: Array,
    z: Array,
    both: Array,
) -> float:
    """Work [J] of the impulses that hold, in a change of velocity from v to v_end.

    free: the velocity without any impulse; r (n,): impulses of contacts, along (rank, n): as
    `hold_rows` fills it. y, z, both (nv,): scratch.
    """
    work = 0.0
    if rank == 0:
        return work
    times(depth, path, L, free, y)
    for k in range(v.size):
        both[k] = v[k] + v_end[k]
    times(depth, path, L, both, z)
    for k in range(rank):
        taken = moved = 0.0
        for i in range(n):
            taken += along[k, i] * r[i]
        for j in range(v.size):
            taken += basis[k, j] * y[j]
            moved += basis[k, j] * z[j]
        work -= 0.5 * taken * moved
    return work
