"""Smallest changes of positions or velocities that meet equations, in the metric of M."""

import numpy as np
import numpy.typing as npt
from scipy.linalg import null_space

from footfall.arrays import Array
from footfall.jit import njit
from footfall.plants.flat.factor import factor
from footfall.plants.flat.held import REDUNDANT, Held, change_least, held_for

_ROUNDING = 1e-9


@njit
def _smallest_change(mass: Array, held: Held, change: Array) -> bool:
    nv = change.size
    depth, path, L = np.arange(nv), np.empty((nv, nv), dtype=np.int64), mass.copy()
    for k in range(nv):
        path[k] = depth
    if not factor(depth, path, L):
        return False
    change_least(depth, path, L, held, held.right.size, change)
    return True


def smallest_change(rows: Array, mass: Array, residual: Array) -> Array:
    """The dq (nv,) with G dq = g that is smallest in the metric of M.

    rows: G (m, nv). mass: M (nv, nv). residual: g (m,). Of redundant rows those that have most to
    say count; the others get what they ask for as far as the equations agree.
    """
    held, change = held_for(len(rows), len(mass)), np.zeros(len(mass))
    held.rows[:], held.right[:] = rows, residual
    if not _smallest_change(np.ascontiguousarray(mass), held, change):
        raise np.linalg.LinAlgError("the mass matrix is not positive definite")
    return change


def least_change(rows: Array, mass: Array, residual: Array, fixed: npt.NDArray[np.bool_]) -> Array:
    """The dv (nv,) with G dv = g in which fixed ones (nv,) change only by what others cannot do.

    rows, mass, residual: as of `smallest_change`, whose metric measures fixed ones and the others,
    one after the other.
    """
    step = np.zeros(len(mass))
    # equations that only fixed ones can meet
    alone = null_space(rows[:, ~fixed].T, rcond=REDUNDANT).T
    # redundant equations leave rounding alone
    alone = alone[np.abs(alone @ rows[:, fixed]).max(axis=1, initial=0.0) > REDUNDANT]
    if len(alone) and np.abs(alone @ residual).max() > _ROUNDING:
        held = mass[np.ix_(fixed, fixed)]
        step[fixed] = smallest_change(alone @ rows[:, fixed], held, alone @ residual)
    if not fixed.all():
        free = mass[np.ix_(~fixed, ~fixed)]
        step[~fixed] = smallest_change(rows[:, ~fixed], free, residual - rows @ step)
    return step
