"""The smallest change of q that takes residuals away, where equations may say the same twice."""

import numpy as np
import numpy.typing as npt
from scipy.linalg import blas, lapack, null_space

from footfall.arrays import Array

_RANK = 1e-6  # of the largest pivot: rows below say what others say
_ROUNDING = 1e-9


def smallest_change(rows: Array, mass: Array, residual: Array) -> Array:
    """The dq (nv,) with G dq = g that is smallest in the metric of M.

    rows: G (m, nv). mass: M (nv, nv). residual: g (m,). With M = L L^T, (G L^-T)^T = Q R with
    column pivoting picks the rows of G that count; the others get what they ask for as far as the
    equations agree.
    """
    upper = np.linalg.cholesky(mass).T
    # by dtrsv, a row at a time: dtrtrs and dtrsm wake all threads of OpenBLAS for a few unknowns,
    # and wait some time slices for them where the cores have other work
    half = np.stack([blas.dtrsv(upper, row, trans=1) for row in rows], axis=1)
    factors, pivots, tau, _, _ = lapack.dgeqp3(half)
    diagonal = np.abs(np.diagonal(factors))
    rank = int((diagonal > _RANK * diagonal.max(initial=0.0)).sum())
    if rank == 0:
        return np.zeros(len(mass))
    along = blas.dtrsv(factors[:rank, :rank], residual[pivots[:rank] - 1], trans=1)
    basis, _, _ = lapack.dorgqr(factors[:, :rank], tau[:rank])
    return np.asarray(blas.dtrsv(upper, basis @ along))


def least_change(rows: Array, mass: Array, residual: Array, kept: npt.NDArray[np.bool_]) -> Array:
    """The dv (nv,) with G dv = g in which the kept ones (nv,) change only by what others cannot do.

    rows, mass, residual: as of `smallest_change`, whose metric measures kept ones and the others,
    one after the other.
    """
    step = np.zeros(len(mass))
    alone = null_space(rows[:, ~kept].T, rcond=_RANK).T  # equations that only kept ones can meet
    # redundant equations leave rounding alone
    alone = alone[np.abs(alone @ rows[:, kept]).max(axis=1, initial=0.0) > _RANK]
    if len(alone) and np.abs(alone @ residual).max() > _ROUNDING:
        held = mass[np.ix_(kept, kept)]
        step[kept] = smallest_change(alone @ rows[:, kept], held, alone @ residual)
    if not kept.all():
        free = mass[np.ix_(~kept, ~kept)]
        step[~kept] = smallest_change(rows[:, ~kept], free, residual - rows @ step)
    return step
