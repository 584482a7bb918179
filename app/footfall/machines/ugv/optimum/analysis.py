"""Leg angles along the track that are best by a criterion: the document's Figure 25.

Dynamic programming over stations and a grid of both angles finds the best path of the grid, a
nonlinear programme refines it. The summary has arrays over the track, metrics, claims, and
traversals to be driven.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.nonlinear_programme import SOLVERS, Effort
from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.ugv.analyses.labelled import dataset, rows
from footfall.machines.ugv.analyses.traversal_task import (
    TraversalTask,
    check_engine,
    check_map,
    check_range,
    check_stations,
    traversal_task,
)
from footfall.machines.ugv.claims import VARIED, is_published, is_soft_bump, structural
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.measures import RESIDUAL, TRAVERSAL_METRICS, traversal_metrics
from footfall.machines.ugv.optimum.path_evaluation import EvaluatedPath
from footfall.machines.ugv.optimum.problem import (
    CRITERIA,
    MEANINGS,
    ONE_PLACE,
    TORQUE_RANGE,
    UNITS,
    Angles,
    Limits,
    Problem,
    axis,
)
from footfall.machines.ugv.optimum.solver import FIXED, PATHS, REFINED, Optimum, OptimumSolver
from footfall.machines.ugv.tracks import Bump, Sine, Steps, TrackPoints
from footfall.metrics import Metric
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

_MEANINGS = {
    "wheel_work": ("J", "work of the wheels' motors up to a place"),
    "leg_work_r": ("J", "work of the rear leg's actuator up to a place"),
    "leg_work_f": ("J", "work of the front leg's actuator up to a place"),
    "supplied_energy": ("J", "what motors and actuators give while they drive"),
    "fault": ("1", "what a path breaks of the limits, empty where it passes"),
    "path": ("1", "angles that stay, the best of a grid, and the best of all that were found"),
}
_CONSTANT = 0.1  # ours
_RAMP = 1.0  # s: in which a drive comes to its speed
_REST = 0.5  # s, behind the last station


def summarize(
    task: TraversalTask, problem: Problem, found: Optimum, speed: float
) -> AnalysisResult:
    """All that is told; speed [m/s] of the drive."""
    paths = list(found.paths.values())
    each = [traversal_metrics(task.parameters, task.track, one.traversal) for one in paths]
    metrics: dict[str, Metric] = {name: [one[name] for one in each] for name in each[0]}
    metrics["criterion_values"] = [one.value for one in paths]
    metrics["criterion_values_at_stations"] = [one.at_stations for one in paths]
    metrics["criterion_bound"] = found.bound.value
    scenarios = {
        name: _settings(problem, found.paths[name], speed)
        for name in (FIXED, REFINED)
        if found.paths[name].passes
    }
    return AnalysisResult(_data(task, problem, found), metrics, _claims(problem, found), scenarios)


def _data(task: TraversalTask, problem: Problem, found: Optimum) -> xr.Dataset:
    """PathConstraints of all paths at the places that any of them has."""
    paths = list(found.paths.values())
    s = np.unique(np.concatenate([one.traversal.s for one in paths]))
    phi = np.array([[np.interp(s, problem.stations, leg) for leg in one.phi] for one in paths])
    at = pose(task.parameters, task.curve, s, phi[:, 0], phi[:, 1])
    of = forces(task.parameters, at)

    def work(name: str) -> Array:
        return np.array(
            [np.interp(s, one.traversal.s, getattr(one.traversal.works, name)) for one in paths]
        )

    over = ("path", "station")
    variables: dict[str, tuple[tuple[str, ...], npt.ArrayLike]] = {
        name: (over, values) for name, values in rows(task, at, of).items()
    }
    variables |= {
        "phi_r": (over, phi[:, 0]),
        "phi_f": (over, phi[:, 1]),
        "wheel_work": (over, work("wheels")),
        "leg_work_r": (over, work("leg_r")),
        "leg_work_f": (over, work("leg_f")),
        "value": (("path",), [one.value for one in paths]),
        "supplied_energy": (("path",), [float(one.traversal.works.supplied[-1]) for one in paths]),
        "fault": (("path",), np.array([one.fault for one in paths], dtype=np.str_)),
        "lowest": (("station",), np.interp(s, problem.stations, found.pointwise[:, 0])),
        "highest": (("station",), np.interp(s, problem.stations, found.pointwise[:, 1])),
    }
    criterion, unit = problem.criterion, UNITS[problem.criterion]
    meanings = _MEANINGS | {
        "value": (unit, MEANINGS[criterion]),
        "lowest": (unit, "least that any angles of the grid have at a place"),
        "highest": (unit, "most that any angles of the grid have at a place"),
    }
    attrs = {
        "engine": CLOSED_FORM,
        "criterion": criterion,
        "bound": found.bound.value,
        "bound_reason": found.bound.reason,
        "least_angle": problem.limits.least,
        "most_angle": problem.limits.most,
        "rate": problem.limits.rate,
        "usable_friction": problem.limits.usable_friction,
        "solver": found.solver,
        "won": found.won,
    }
    coordinates = {
        "path": (("path",), np.array(list(found.paths), dtype=np.str_)),
        "station": (("station",), s),
    }
    return dataset(task, variables, coordinates, meanings, attrs)


def _settings(problem: Problem, path: EvaluatedPath, speed: float) -> list[str]:
    """Settings that drive a path; monotone cubics take the place of its straight lines."""
    s = problem.stations
    kept = np.concatenate(([True], np.diff(s) > ONE_PLACE))
    arc = path.traversal.pose.front.arc
    duration = _RAMP + _REST + float(arc[-1] - arc[0]) / speed
    stations = ", ".join(
        f"{{position: {position:.6g}, rear: {rear:.6g}, front: {front:.6g}}}"
        for position, rear, front in zip(s[kept], *np.degrees(path.phi[:, kept]), strict=True)
    )
    return [
        f"duration={math.ceil(10.0 * duration) / 10.0:g}",
        f"controller.speed={speed:g}",
        f"controller.ramp={_RAMP:g}",
        f"controller.stations=[{stations}]",
    ]


def _supplied(path: EvaluatedPath) -> float:
    return float(path.traversal.works.supplied[-1])


def _claims(problem: Problem, found: Optimum) -> list[Claim]:
    """Return what the document says of its vehicle and Figure 25, on its bump.

    That moving legs vary the torque less than the best that stay is none: a search cannot but find
    it.
    """
    of_document = is_published(problem.parameters) and is_soft_bump(problem.track)
    if problem.criterion != TORQUE_RANGE or not of_document:
        return []
    fixed, best = found.paths[FIXED], found.paths[REFINED]
    if not (fixed.passes and best.passes):
        return []
    angles = " and ".join(f"{math.degrees(angle):.3g}" for angle in fixed.phi[:, 0])
    reason = (
        "keeps the torque 'constant and/or minimized', says section 1; a tenth of what legs that "
        f"stay leave is ours: {best.value:.4g} N m with moving legs, {fixed.value:.4g} N m with "
        f"legs that stay at the best angles of the grid, {angles} degrees, all places between "
        f"stations looked at; single places ask for {found.bound.value:.4g} N m of any angles of "
        f"the grid, so that no motion of the legs makes the torque even; moving legs "
        f"are given {_supplied(best):.0f} J, "
        f"legs that stay {_supplied(fixed):.0f} J; limits of angles and rates are ours"
    )
    return [
        structural(
            "legs that move keep the torque constant over the soft bump (its range over that of "
            "the best legs that stay)",
            "1",
            best.value / fixed.value,
            _CONSTANT,
            "at most",
            source=VARIED,
            reason=reason,
        )
    ]


@dataclass
class AnglePair:
    """Angles between the body and the legs [degrees]: 90 stands down, 180 is in line with it."""

    # Of the rear leg.
    rear: float = 115.0
    # Of the front leg.
    front: float = 115.0


@dataclass
class LegAngles:
    """Angles of the legs along the track that are best by a criterion."""

    # What is to be least: torque_range (largest less smallest torque), torque_peak, torque_rms
    # (over the way), energy (given while wheels and legs drive, nothing taken back), wheel_energy
    # (of the wheels alone), grip (largest friction required); or most: normal_force, clearance (the
    # least of each).
    criterion: str = TORQUE_RANGE
    # Where it drives: !Bump, !Steps, !Sine or !TrackPoints. Absent: on the track of the model.
    track: Bump | Steps | Sine | TrackPoints | None = None
    # Abscissas of the centre of the front wheel, from and to [m].
    begin: float = 1.5
    end: float = 7.5
    # Places between them, evenly spaced, between which the legs turn evenly.
    stations: int = 121
    # How many angles of either leg the grid has, evenly spaced.
    angles: int = 29
    # Angles between body and leg that are allowed, from and to [degrees].
    least_angle: float = 90.0
    most_angle: float = 160.0
    # How fast a leg turns at most [degrees/s], 0: not at all, .inf: at once; while the front wheel
    # goes ahead at a speed [m/s].
    leg_speed: float = 20.0
    speed: float = 0.2
    # What is not to be used of the friction that there is; what has to be left of the normal forces
    # [N] and of the clearance [m].
    friction_margin: float = 0.0
    normal_margin: float = 0.0
    clearance_margin: float = 0.0
    # Angles at the first and at the last place, {rear, front} in degrees; absent: free.
    start: AnglePair | None = None
    finish: AnglePair | None = None
    # Angles that stay, to be compared besides the best that stay; absent: none.
    given: AnglePair | None = None
    # snopt or ipopt, and how many iterations at most.
    solver: str = "snopt"
    iterations: int = 300

    # closed-form: quasi-static balance.
    engine: str = CLOSED_FORM

    def __post_init__(self) -> None:
        """Refuse what is no problem."""
        check_engine(self.engine)
        if self.criterion not in CRITERIA:
            message = f"analysis.criterion is '{self.criterion}': choose {', '.join(CRITERIA)}."
            raise ScenarioError(message)
        check_stations(self.begin, self.end, self.stations)
        self._check_angles()
        if not (0.0 < self.speed < math.inf and self.leg_speed >= 0.0):
            raise ScenarioError(
                f"analysis: speed is {self.speed} m/s, leg_speed {self.leg_speed} degrees/s: give "
                "a positive speed, and a leg speed that is not negative."
            )
        check_map(self.stations, self.angles)
        self._check_turn()
        margins = (self.friction_margin, self.normal_margin, self.clearance_margin)
        if not all(0.0 <= margin < math.inf for margin in margins):
            raise ScenarioError(f"analysis: the margins are {margins}: give none below 0.")
        if self.solver not in SOLVERS or self.iterations < 1:
            raise ScenarioError(
                f"analysis: solver {self.solver}, iterations {self.iterations}: give one of "
                f"{', '.join(SOLVERS)}, and one iteration or more."
            )

    def _check_angles(self) -> None:
        check_range("least_angle", self.least_angle, "most_angle", self.most_angle)
        for name in ("start", "finish", "given"):
            pair = getattr(self, name)
            for leg in ("rear", "front") if pair is not None else ():
                if not self.least_angle <= getattr(pair, leg) <= self.most_angle:
                    raise ScenarioError(
                        f"analysis.{name}.{leg} is {getattr(pair, leg):g} degrees: give one "
                        f"between {self.least_angle:g} and {self.most_angle:g}."
                    )

    def _check_turn(self) -> None:
        """Refuse legs that turn, but by less than a step of the grid between stations."""
        step = (self.most_angle - self.least_angle) / (self.angles - 1)
        turn = self.leg_speed / self.speed * (self.end - self.begin) / (self.stations - 1)
        if 0.0 < turn < step:
            raise ScenarioError(
                f"analysis: legs of {self.leg_speed:g} degrees/s turn by {turn:.3g} degrees "
                f"between stations, and those of the grid are {step:.3g} apart: give more angles, "
                "fewer stations, or leg_speed 0."
            )

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        paths = ", ".join(path for path in PATHS[1:])
        known = TRAVERSAL_METRICS | RESIDUAL
        found = {
            name: (unit, f"{meaning}; of paths {paths}") for name, (unit, meaning) in known.items()
        }
        unit, meaning = UNITS[self.criterion], MEANINGS[self.criterion]
        found["criterion_values"] = (unit, f"{meaning}; of paths {paths}")
        found["criterion_values_at_stations"] = (
            unit,
            f"{meaning}, of stations and sides of kinks alone; of the same paths",
        )
        found["criterion_bound"] = (unit, "what no angles of the grid beat")
        return found

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Search and refine; raises RunError, one line, where no angles keep the limits."""
        stations = np.array([self.begin, self.end])
        even = axis(self._limits(math.inf), self.angles)
        task = traversal_task(context, self.track, stations, even[:, None], even)
        problem = Problem(
            task.parameters,
            task.curve,
            self.begin,
            self.end,
            self.stations,
            self.criterion,
            self._limits(task.friction),
        )
        effort = Effort(self.solver, self.iterations)
        solver = OptimumSolver(problem, self.angles, effort, _angles(self.given), analysis)
        return summarize(task, problem, solver.optimum(), self.speed)

    def _limits(self, friction: float) -> Limits:
        return Limits(
            least=math.radians(self.least_angle),
            most=math.radians(self.most_angle),
            rate=math.radians(self.leg_speed) / self.speed,
            friction=friction,
            friction_margin=self.friction_margin,
            normal_margin=self.normal_margin,
            clearance_margin=self.clearance_margin,
            start=_angles(self.start),
            end=_angles(self.finish),
        )


def _angles(pair: AnglePair | None) -> Angles | None:
    """A pair in radians."""
    return None if pair is None else (math.radians(pair.rear), math.radians(pair.front))
