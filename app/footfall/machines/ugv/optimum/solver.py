"""Solution of an optimum in stages, each kept in its checkpoint: grid and refinement."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from footfall.analysis.context import AnalysisContext
from footfall.analysis.nonlinear_programme import Effort
from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.ugv.optimum.bounds import Bound, bound, pointwise
from footfall.machines.ugv.optimum.grid import AngleGrid, grid_of
from footfall.machines.ugv.optimum.infeasibility import explain_infeasibility
from footfall.machines.ugv.optimum.path_evaluation import EvaluatedPath, evaluate_path
from footfall.machines.ugv.optimum.problem import Angles, Limits, Problem
from footfall.machines.ugv.optimum.programme import refined
from footfall.machines.ugv.optimum.search import GridPath, Search

GIVEN, FIXED, GRID, REFINED = PATHS = ("given", "fixed", "grid", "refined")
_ROUNDS = 8  # of searches with larger margins
_NONE_STAYS = (
    "some that move do, but they are compared with angles that stay, of which none keep both "
    "wheels on the ground all the way; choose a gentler track or a shorter way"
)
_AS_GOOD = 1e-9  # relative: of two paths as good as each other the later one is taken


@dataclass(frozen=True, eq=False)
class Optimum:
    """Paths by the names of PATHS, as many as there are, the last one the best.

    pointwise (n, 2): as `bounds.pointwise`. solver: what it said of the refinement. won: whose path
    the refined one is, the solver's or the grid's.
    """

    paths: dict[str, EvaluatedPath]
    bound: Bound
    pointwise: Array
    solver: str
    won: str


@dataclass(frozen=True, eq=False)
class OptimumSolver:
    """Solver of a problem: search on a grid, then refinement.

    angles: how many of each leg on the grid. given: angles that stay, to be compared, or None.
    """

    problem: Problem
    angles: int
    effort: Effort
    given: Angles | None
    analysis: AnalysisContext

    def optimum(self) -> Optimum:
        """All tasks; raises RunError, one line, where no angles keep the limits."""
        found = self.analysis.checkpoint.result("grid", self._on_grid)
        paths = {}
        if self.given is not None:
            paths[GIVEN] = self._evaluate(self._still(self.given))
        paths[FIXED] = self._evaluate(self._still(found["fixed"]))
        if found["grid"] is not None:
            paths[GRID] = self._best_of(paths[FIXED], self._evaluate(np.array(found["grid"])))
        self.analysis.go_on("refinement", 0.5)
        start = paths.get(GRID, paths[FIXED])
        last = self.analysis.checkpoint.result("refinement", lambda: self._refined(start.phi))
        path = None if last["phi"] is None else self._evaluate(np.array(last["phi"]))
        if path is not None and path.cost <= start.cost + _AS_GOOD * abs(start.cost):
            paths[REFINED], won = path, "solver"
        else:
            paths[REFINED], won = start, "grid"
        if not paths[REFINED].passes:
            why = found["why"] or self._lacking(paths[REFINED])
            raise RunError(f"no leg angles are found that pass: {why}.")
        below = Bound(*found["bound"])
        return Optimum(paths, below, np.array(found["pointwise"]), last["solver"], won)

    @cached_property
    def _grid(self) -> AngleGrid:
        also = () if self.given is None else (self.given,)
        return grid_of(
            self.problem,
            self.angles,
            also,
            lambda share: self.analysis.go_on("closed form over the grid", 0.3 * share),
        )

    def _on_grid(self) -> dict[str, Any]:
        """The best path (2, n) and the best angles that stay."""
        grid = self._grid
        self.analysis.go_on("best path over the grid", 0.3)
        best = self._held(grid, Search.best)
        fixed = None
        for eased in _eased(self.problem.limits):
            problem = replace(self.problem, limits=eased)
            fixed = self._held(replace(grid, problem=problem), Search.fixed)
            if fixed is not None:
                break
        why = explain_infeasibility(grid) if best is None else ""
        if fixed is None:
            raise RunError(f"no leg angles are found that pass: {why or _NONE_STAYS}.")
        return {
            "grid": None if best is None else best.tolist(),
            "fixed": fixed[:, 0].tolist(),
            "why": why,
            "bound": [(below := bound(grid)).value, below.reason],
            "pointwise": pointwise(grid).tolist(),
        }

    def _held(self, grid: AngleGrid, search: Callable[[Search], GridPath | None]) -> Array | None:
        """Angles (2, n) of the path of a grid that a search finds to be the best.

        A search sees stations alone. Where its path breaks limits between them it is made again
        with larger margins; the last path found is what there is if it breaks them still. None
        where no path keeps the limits at the stations.
        """
        problem, path = grid.problem, None
        for times in range(1, _ROUNDS + 1):
            found = search(Search(grid))
            if found is None:
                break
            path = grid.phi[:, found.nodes]
            driven = self._evaluate(path, problem)
            tightened = driven.tightened(grid.problem.limits, times)
            if tightened == grid.problem.limits:
                break
            grid = replace(grid, problem=replace(problem, limits=tightened))
        return path

    def _lacking(self, path: EvaluatedPath) -> str:
        """Return why a path fails that keeps the limits at the stations, in words."""
        apart = (self.problem.end - self.problem.begin) / (self.problem.evenly - 1)
        return (
            f"at stations {apart:.3g} m apart they do, and between them {path.fault}; give more "
            "stations or larger margins"
        )

    def _refined(self, start: Array) -> dict[str, Any]:
        try:
            path, message = refined(self.problem, start, self.effort)
        except ValueError as error:
            return {"phi": None, "solver": f"{self.effort.solver}: {error}"}
        return {"phi": path.phi.tolist(), "solver": message}

    def _still(self, angles: Angles) -> Array:
        return np.repeat(np.array(angles)[:, None], len(self.problem.stations), axis=1)

    def _evaluate(self, phi: Array, problem: Problem | None = None) -> EvaluatedPath:
        try:
            return evaluate_path(problem or self.problem, phi)
        except ValueError as error:
            raise RunError(f"the leg angles {_in_degrees(phi)}: {error}.") from error

    def _best_of(self, fixed: EvaluatedPath, path: EvaluatedPath) -> EvaluatedPath:
        """The path, unless angles that stay are better once both are driven."""
        return fixed if fixed.cost < path.cost else path


def _eased(limits: Limits) -> list[Limits]:
    """Limits, then fewer of them, for angles that stay and yet are to be shown where they fail."""
    free = replace(limits, start=None, end=None)
    slips = replace(free, friction=math.inf, friction_margin=0.0)
    bottoms = replace(slips, clearance_margin=-math.inf)
    return [limits, slips, bottoms, replace(bottoms, normal_margin=0.0)]


def _in_degrees(phi: Array) -> str:
    """Angles at the first station, in words."""
    return " and ".join(f"{math.degrees(angle):.4g}" for angle in phi[:, 0]) + " degrees"
