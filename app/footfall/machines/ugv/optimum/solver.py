"""Solution of an optimum in stages, each kept in its checkpoint: grid and refinement.

Where no path meets the limits, the solver names the limit that no angles meet, and the place. What
single positions ask bounds all paths of the grid: any traversal has some angles at every station of
the front wheel, and some at every place of the rear one, which passes all on its way. So its torque
is somewhere no less than the least that any angles have there, and likewise for its other end, for
friction, normal force and clearance.
"""

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
from footfall.machines.ugv.optimum.grid import AngleGrid, grid_of, rear_samples
from footfall.machines.ugv.optimum.path_evaluation import EvaluatedPath, evaluate_path
from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    ENERGY,
    GRIP,
    NORMAL_FORCE,
    TORQUE_PEAK,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
    Angles,
    Limits,
    Problem,
)
from footfall.machines.ugv.optimum.programme import refined
from footfall.machines.ugv.optimum.samples import Samples
from footfall.machines.ugv.optimum.search import GridPath, Search

_PLACES = 201  # of the rear wheel
_NO_TORQUE = 1e-9  # N m: rounding of forces of some kN, on ground that is level


@dataclass(frozen=True)
class Bound:
    """Value that no angles of the grid beat.

    reason: where it comes from, in words.
    """

    value: float
    reason: str


def pointwise(grid: AngleGrid) -> Array:
    """Return the least and most of the criterion's quantity at every station, (n, 2).

    That is the torque, its size, the required friction, the smaller normal force, the clearance
    or the potential energy, over all angles of the grid.
    """
    nodes = _READ[grid.problem.criterion](grid.nodes)
    return np.stack((_least(nodes), -_least(-nodes)), axis=1)


def bound(grid: AngleGrid) -> Bound:
    """Return the bound of the criterion."""
    criterion = grid.problem.criterion
    if criterion == TORQUE_RMS:
        return Bound(0.0, "single positions do not bound a mean over the way")
    if criterion == WHEEL_ENERGY:
        return Bound(0.0, "legs that rise may do all that wheels do")
    values = _READ[criterion](grid.nodes)
    places, sides = _rear(grid)
    stacked = np.concatenate((values, _READ[criterion](sides).reshape(-1, values.shape[1])))
    least, most = _least(stacked), -_least(-stacked)

    def where(row: int) -> str:
        stations = grid.problem.stations
        if row < len(stations):
            return f"with the front wheel at {stations[row]:.3f} m"
        return f"with the rear wheel at {places[(row - len(stations)) // 2]:.3f} m"

    if criterion == TORQUE_RANGE:
        up, down = int(np.argmax(least)), int(np.argmin(most))
        high, low = float(least[up]), float(most[down])
        reason = (
            f"any angles need {high:.4g} N m or more {where(up)} and {low:.4g} N m or less "
            f"{where(down)}"
        )
        if np.nan_to_num(np.abs(stacked)).max(axis=1).min() < _NO_TORQUE:
            high, low = max(high, 0.0), min(low, 0.0)
            reason += ", and none on level ground"
        return Bound(max(high - low, 0.0), reason)
    if criterion in (NORMAL_FORCE, CLEARANCE):
        row = int(np.argmin(most))
        unit = "N on a wheel" if criterion == NORMAL_FORCE else "m of clearance"
        return Bound(float(most[row]), f"any angles leave {most[row]:.4g} {unit} {where(row)}")
    row = int(np.argmax(least))
    if criterion == ENERGY:
        start = grid.problem.limits.start
        node = slice(None) if start is None else _node(grid, start)
        rise = max(float(least[row]) - float(np.nanmax(values[0, node])), 0.0)
        reason = f"any angles rise by {rise:.4g} J of potential energy {where(row)}"
        return Bound(rise, reason)
    unit = "N m of torque" if criterion == TORQUE_PEAK else "of friction"
    return Bound(float(least[row]), f"any angles need {least[row]:.4g} {unit} {where(row)}")


def _rear(grid: AngleGrid) -> tuple[Array, Samples]:
    """Return places [m] that the rear wheel passes with all angles, samples at both sides of each.

    Non-smooth points of the track are among them.
    """
    problem = grid.problem
    even = np.linspace(problem.curve.begin, problem.end, _PLACES)[1:-1]
    places = np.union1d(even, grid.nonsmooth_points)
    sides = rear_samples(problem, places, grid.phi)
    passed = np.isfinite(sides.torque).all(axis=(1, 2))
    return places[passed], sides[passed]


def _node(grid: AngleGrid, angles: tuple[float, float]) -> int:
    """Node of the grid with given angles."""
    return int(np.argmin(np.abs(grid.phi - np.array(angles)[:, None]).max(axis=0)))


_READ: dict[str, Callable[[Samples], Array]] = {
    TORQUE_RANGE: lambda of: of.torque,
    TORQUE_PEAK: lambda of: np.abs(of.torque),
    TORQUE_RMS: lambda of: np.abs(of.torque),
    GRIP: lambda of: of.required,
    NORMAL_FORCE: lambda of: of.normal,
    CLEARANCE: lambda of: of.clearance,
    ENERGY: lambda of: of.potential,
    WHEEL_ENERGY: lambda of: of.potential,
}


def _least(of: Array) -> Array:
    """Least of every row where there is a pose."""
    return np.where(np.isfinite(of), of, np.inf).min(axis=-1)


def explain_infeasibility(grid: AngleGrid) -> str:
    """One line about the first place that no path of a grid comes by; there has to be one."""
    stations, limits = grid.problem.stations, grid.problem.limits
    k = int(np.argmin(Search(grid).reached().any(axis=1)))
    nodes, nonsmooth = grid.allowed()
    if not nodes[k].any():
        return f"{_asked(limits, grid.nodes[k])} with the front wheel at {stations[k]:.3f} m"
    for q in np.flatnonzero(~nonsmooth.any(axis=1)):
        limit = _asked(limits, grid.nonsmooth[q])
        return f"{limit} with the rear wheel at {grid.nonsmooth_points[q]:.3f} m"
    return (
        f"the legs cannot turn quickly enough to have angles that pass with the front wheel at "
        f"{stations[k]:.3f} m"
    )


def _asked(limits: Limits, of: Samples) -> str:
    """Return what of the limits no angles keep: the first one that would be too much by itself."""
    ends = " and ".join(f"{math.degrees(angle):g}" for angle in (limits.least, limits.most))
    who = f"no angles between {ends} degrees"
    stands = np.isfinite(of.torque)
    if not stands.any():
        return f"{who} put both wheels on the track"
    # of both sides of a non-smooth point the worse one counts
    sides = [np.atleast_2d(one) for one in (of.normal, of.required, of.clearance)]
    here = np.atleast_2d(stands).all(axis=0)
    normal, needed, clearance = (
        worst(one, axis=0)[here] for worst, one in zip((np.min, np.max, np.min), sides, strict=True)
    )
    least = max(limits.normal_margin, 0.0)
    if not (normal > least).any():
        return f"{who} keep a normal force above {least:g} N ({normal.max():.3g} N is the most)"
    if not (needed <= limits.usable_friction).any():
        return (
            f"{who} pass with a friction of {limits.usable_friction:g} ({needed.min():.3g} is the "
            "least that is required)"
        )
    if not (clearance >= limits.clearance_margin).any():
        return (
            f"{who} have a clearance of {limits.clearance_margin:g} m ({clearance.max():.3g} m is "
            "the most)"
        )
    return f"{who} keep normal force, friction and clearance at once"


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
