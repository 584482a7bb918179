"""Dense convex quadratic programmes by PIQP, an interior-point method, and what to do without.

R. Schwan, Y. Jiang, D. Kuhn, C. N. Jones, PIQP: a proximal interior-point quadratic programming
solver, IEEE CDC 2023.
"""

from dataclasses import replace
from enum import IntEnum

import numpy as np
import piqp

from footfall.arrays import Array
from footfall_controllers.whole_body.programme import Programme

_TOLERANCE = 1e-7  # of residuals and of the duality gap
_ITERATIONS = 60  # ten to fifteen do


class Outcome(IntEnum):
    """Outcome of a tick: solved, or what had to be left out for a solution."""

    SOLVED = 0
    WITHOUT_JOINT_LIMITS = 1
    WITHOUT_TORQUE_LIMITS = 2
    FALLBACK = 3


class Solver:
    """PIQP with memory for one size of programme; finds the same whatever it solved before."""

    def __init__(self, unknowns: int, driven: int) -> None:
        """Take the count of unknowns, and of the driven velocities among them."""
        self._driven = driven
        self._wide = np.full(driven, np.inf)
        self._memory: dict[tuple[int, int], piqp.DenseSolver] = {}
        self._unknowns = unknowns

    def solve(self, programme: Programme) -> tuple[Array, Outcome]:
        """Return x (n,), finite, and how it was found.

        Where limits contradict each other those of joints are left out, then those of torques,
        which the caller cuts; where even that fails, x is that without limits, cut to them.
        """
        nothing = np.zeros(self._unknowns)
        finite = all(np.isfinite(part).all() for part in (programme.P, programme.c, programme.t))
        if not finite:
            return nothing, Outcome.FALLBACK
        possible = (programme.low <= programme.high).all()
        x = self._try(programme) if possible else None
        if x is not None:
            return x, Outcome.SOLVED
        nd = self._driven
        low, high = programme.low.copy(), programme.high.copy()
        low[:nd], high[:nd] = -self._wide, self._wide
        loose = replace(programme, low=low, high=high)
        x = self._try(loose)
        if x is not None:
            return x, Outcome.WITHOUT_JOINT_LIMITS
        x = self._try(replace(loose, limit=np.full_like(programme.limit, np.inf)))
        if x is not None:
            return x, Outcome.WITHOUT_TORQUE_LIMITS
        x = np.clip(np.linalg.lstsq(programme.P, -programme.c)[0], low, high)
        return (x if np.isfinite(x).all() else nothing), Outcome.FALLBACK

    def _try(self, p: Programme) -> Array | None:
        """Return x, or None where PIQP finds none."""
        limited = np.flatnonzero(np.isfinite(p.limit))
        G = np.asfortranarray(p.T[limited])
        lower, upper = -p.limit[limited] - p.t[limited], p.limit[limited] - p.t[limited]
        size = (len(p.c), len(limited))
        solver = self._memory.get(size)
        P = p.P.T  # symmetric: its rows are its columns
        if solver is None:
            solver = self._memory[size] = piqp.DenseSolver()
            settings = solver.settings
            settings.eps_abs = settings.eps_duality_gap_abs = _TOLERANCE
            settings.max_iter = _ITERATIONS
            solver.setup(P, p.c, None, None, G, lower, upper, p.low, p.high)
        else:
            solver.update(P=P, c=p.c, G=G, h_l=lower, h_u=upper, x_l=p.low, x_u=p.high)
        if solver.solve() != piqp.PIQP_SOLVED:
            return None
        x: Array = np.array(solver.result.x)
        return x if np.isfinite(x).all() else None
