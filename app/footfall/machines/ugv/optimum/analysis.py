"""Leg angles along the track that are best by a criterion: the document's Figure 25.

Dynamic programming over stations and a grid of both angles finds the best path of the grid. It is
compared with angles that stay, the best ones and given ones. The result has arrays over the track,
metrics, claims, and traversals to be driven.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import asdict, dataclass, replace

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.functions import labelled
from footfall.arrays import Array
from footfall.checked import Checked, between, not_negative, one_of, positive
from footfall.errors import RunError, ScenarioError
from footfall.machines.ugv.balance import (
    ANGLES,
    LEG_ANGLE,
    TraversalTask,
    check_engine,
    check_stations,
    columns_of,
    traversal_task,
    with_stations,
)
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.tracks import TrackKind
from footfall.machines.ugv.measures import (
    RESIDUAL,
    STATEMENTS,
    TRAVERSAL_METRICS,
    is_documents,
    traversal_metrics,
)
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
from footfall.machines.ugv.optimum.search import (
    AngleGrid,
    EvaluatedPath,
    Search,
    evaluate_path,
    grid_of,
)
from footfall.metrics import Metric
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM

_RAMP = 1.0  # s: in which a drive comes to its speed
_REST = 0.5  # s, behind the last station
_MOST_STATIONS = 1000
_MOST_ANGLES = 100
_MOST_POINTS = 500_000  # of the grid
GIVEN, FIXED, BEST = PATHS = ("given", "fixed", "best")
_NONE_STAYS = (
    "some that move do, but they are compared with angles that stay, of which none keep both "
    "wheels on the ground all the way; choose a gentler track or a shorter way"
)

Paths = dict[str, EvaluatedPath]
"""By the names of PATHS, as many as there are."""


def best_paths(
    problem: Problem, angles: int, given: Angles | None, analysis: AnalysisContext
) -> Paths:
    """Search the grid of so many angles of each leg; given: angles that stay, to be compared.

    Raises RunError, one line, where no angles keep the limits.
    """
    grid = grid_of(
        problem,
        angles,
        () if given is None else (given,),
        lambda share: analysis.go_on("closed form over the grid", 0.6 * share),
    )
    analysis.go_on("best path over the grid", 0.6)
    path = Search(grid).best()
    fixed = _best_fixed(grid)
    if path is None or fixed is None:
        why = Search(grid).why_none() if path is None else _NONE_STAYS
        raise RunError(f"no leg angles are found that pass: {why}.")
    paths = {}
    if given is not None:
        still = np.repeat(np.array(given)[:, None], len(problem.stations), axis=1)
        paths[GIVEN] = _evaluated(problem, still)
    paths[FIXED], best = _evaluated(problem, fixed), _evaluated(problem, path)
    # between stations angles that stay may turn out to be better
    paths[BEST] = paths[FIXED] if paths[FIXED].cost < best.cost else best
    if not paths[BEST].passes:
        spacing = (problem.end - problem.begin) / (problem.evenly - 1)
        raise RunError(
            f"no leg angles are found that pass: at stations {spacing:.3g} m apart they do, and "
            f"between them {paths[BEST].fault}; give more stations or larger margins."
        )
    return paths


def _best_fixed(grid: AngleGrid) -> Array | None:
    """The best angles that stay, with fewer limits if need be, since they show where they fail."""
    limits = replace(grid.problem.limits, start=None, end=None)
    slips = replace(limits, friction=math.inf)
    bottoms = replace(slips, clearance_margin=-math.inf)
    for eased in (grid.problem.limits, slips, bottoms, replace(bottoms, normal_margin=0.0)):
        path = Search(replace(grid, problem=replace(grid.problem, limits=eased))).fixed()
        if path is not None:
            return path
    return None


def _evaluated(problem: Problem, phi: Array) -> EvaluatedPath:
    try:
        return evaluate_path(problem, phi)
    except ValueError as error:
        first = " and ".join(f"{math.degrees(angle):.4g}" for angle in phi[:, 0])
        raise RunError(f"the leg angles {first} degrees: {error}.") from error


def summarize(task: TraversalTask, problem: Problem, paths: Paths, speed: float) -> AnalysisResult:
    """Arrays, metrics, claims, and the paths as settings; speed [m/s] of the drive."""
    each = [traversal_metrics(task.parameters, task.track, one.traversal) for one in paths.values()]
    metrics: dict[str, Metric] = {name: [one[name] for one in each] for name in each[0]}
    metrics["criterion_values"] = [one.value for one in paths.values()]
    metrics["criterion_values_at_stations"] = [one.at_stations for one in paths.values()]
    scenarios = {
        name: _settings(problem, paths[name], speed) for name in (FIXED, BEST) if paths[name].passes
    }
    return AnalysisResult(_data(task, problem, paths), metrics, _claims(problem, paths), scenarios)


def _data(task: TraversalTask, problem: Problem, by_name: Paths) -> xr.Dataset:
    """Poses and forces of all paths at the places that any of them has, vehicle and track."""
    paths = list(by_name.values())
    s = np.unique(np.concatenate([one.traversal.s for one in paths]))
    phi = np.array([[np.interp(s, problem.stations, leg) for leg in one.phi] for one in paths])
    at = pose(task.parameters, task.curve, s, phi[:, 0], phi[:, 1])

    def work(name: str) -> Array:
        return np.array(
            [np.interp(s, one.traversal.s, getattr(one.traversal.works, name)) for one in paths]
        )

    along = {
        **columns_of(task, at, forces(task.parameters, at)),
        "phi_r": (phi[:, 0], *ANGLES["phi_r"]),
        "phi_f": (phi[:, 1], *ANGLES["phi_f"]),
        "wheel_work": (work("wheels"), "J", "work of the wheels' motors up to a place"),
        "leg_work_r": (work("leg_r"), "J", "work of the rear leg's actuator up to a place"),
        "leg_work_f": (work("leg_f"), "J", "work of the front leg's actuator up to a place"),
    }
    criterion = problem.criterion
    faults = np.array([one.fault for one in paths], dtype=np.str_)
    of_paths = {
        "value": ([one.value for one in paths], UNITS[criterion], MEANINGS[criterion]),
        "supplied_energy": (
            [_supplied(one) for one in paths],
            "J",
            "what motors and actuators give while they drive",
        ),
        "fault": (faults, "1", "what a path breaks of the limits, empty where it passes"),
    }
    beyond = 2.0 * task.parameters.r
    x, z = task.track.outline(task.curve.begin - beyond, task.curve.end + beyond)
    ground = {"ground_x": (x, "m", "points of the track"), "ground_z": (z, "m", "their heights")}
    attrs = {
        "track": task.track.label,
        "is_text": int(is_documents(task.parameters, task.track)),
        "friction": task.friction,
        **asdict(task.parameters),
        "engine": CLOSED_FORM,
        "criterion": criterion,
        "least_angle": problem.limits.least,
        "most_angle": problem.limits.most,
        "rate": problem.limits.rate,
        "usable_friction": problem.limits.friction,
    }
    names = np.array(list(by_name), dtype=np.str_)
    meaning = "angles that stay, given ones and the best, and the best that move"
    data = labelled(along, ("path", "station"))
    data = data.merge(labelled(of_paths, ("path",))).merge(labelled(ground, ("ground",)))
    data = with_stations(data, s).assign_attrs(attrs)
    return data.assign_coords(path=("path", names, {"units": "1", "long_name": meaning}))


def _settings(problem: Problem, path: EvaluatedPath, speed: float) -> list[str]:
    """Settings that drive a path; monotone cubics take the place of its straight lines."""
    s = problem.stations
    apart = np.concatenate(([True], np.diff(s) > ONE_PLACE))
    arc = path.traversal.pose.front.arc
    duration = _RAMP + _REST + float(arc[-1] - arc[0]) / speed
    stations = ", ".join(
        f"{{position: {position:.6g}, rear: {rear:.6g}, front: {front:.6g}}}"
        for position, rear, front in zip(s[apart], *np.degrees(path.phi[:, apart]), strict=True)
    )
    return [
        f"duration={math.ceil(10.0 * duration) / 10.0:g}",
        f"controller.speed={speed:g}",
        f"controller.ramp={_RAMP:g}",
        f"controller.stations=[{stations}]",
    ]


def _supplied(path: EvaluatedPath) -> float:
    return float(path.traversal.works.supplied[-1])


def _claims(problem: Problem, paths: Paths) -> list[Claim]:
    """Return what the document says of its vehicle and Figure 25, on its bump.

    That moving legs vary the torque less than the best that stay is none: a search cannot but find
    it.
    """
    of_document = is_documents(problem.parameters, problem.track)
    if problem.criterion != TORQUE_RANGE or not of_document:
        return []
    fixed, best = paths[FIXED], paths[BEST]
    if not (fixed.passes and best.passes):
        return []
    given = {
        "angles": " and ".join(f"{math.degrees(angle):.3g}" for angle in fixed.phi[:, 0]),
        "best": best.value,
        "fixed": fixed.value,
        "best_energy": _supplied(best),
        "fixed_energy": _supplied(fixed),
    }
    return [STATEMENTS["moving_legs"].of(best.value / fixed.value, **given)]


@dataclass
class AnglePair:
    """Angles between the body and the legs [degrees]: 90 stands down, 180 is in line with it."""

    # Of the rear leg.
    rear: float = 115.0
    # Of the front leg.
    front: float = 115.0


@dataclass
class LegAngles(Checked, at="analysis."):
    """Angles of the legs along the track that are best by a criterion."""

    # What is to be least: torque_range (largest less smallest torque), torque_peak, energy (given
    # while wheels and legs drive, nothing taken back), wheel_energy (of the wheels alone), grip
    # (largest friction required); or most: normal_force (the least of either wheel).
    criterion: str = one_of(TORQUE_RANGE, CRITERIA)
    # Where it drives: !Bump, !Steps, !Sine or !TrackPoints. Absent: on the track of the model.
    track: TrackKind | None = None
    # Abscissas of the centre of the front wheel, from and to [m].
    begin: float = 1.5
    end: float = 7.5
    # Places between them, evenly spaced, between which the legs turn evenly.
    stations: int = 121
    # How many angles of either leg the grid has, evenly spaced.
    angles: int = between(29, 2, _MOST_ANGLES, f"give 2 to {_MOST_ANGLES}")
    # Angles between body and leg that are allowed, from and to [degrees].
    least_angle: float = between(90.0, 0.0, 180.0, LEG_ANGLE)
    most_angle: float = between(160.0, 0.0, 180.0, LEG_ANGLE)
    # How fast a leg turns at most [degrees/s], 0: not at all, .inf: at once; while the front wheel
    # goes ahead at a speed [m/s].
    leg_speed: float = between(20.0, 0.0, math.inf, "give a number from 0 on, .inf for at once")
    speed: float = positive(0.2)
    # What has to be left of the normal forces [N] and of the clearance [m].
    normal_margin: float = not_negative(0.0)
    clearance_margin: float = not_negative(0.0)
    # Angles at the first and at the last place, {rear, front} in degrees; absent: free.
    start: AnglePair | None = None
    finish: AnglePair | None = None
    # Angles that stay, to be compared besides the best that stay; absent: none.
    given: AnglePair | None = None
    # closed-form: quasi-static balance.
    engine: str = CLOSED_FORM

    def __post_init__(self) -> None:
        """Refuse what is no problem."""
        super().__post_init__()
        check_engine(self.engine)
        check_stations(self.begin, self.end, self.stations, _MOST_STATIONS)
        points = self.stations * self.angles**2
        if points > _MOST_POINTS:
            raise ScenarioError(
                f"analysis: {self.stations} stations and {self.angles} angles of each leg are "
                f"{points} points: ask for {_MOST_POINTS} at most."
            )
        self._check_angles()
        self._check_turn()

    def _check_angles(self) -> None:
        if not self.least_angle < self.most_angle:
            raise ScenarioError(
                f"analysis: least_angle is {self.least_angle:g}, most_angle {self.most_angle:g} "
                "degrees: give the smaller one first."
            )
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
        paths = ", ".join(PATHS[self.given is None :])
        known = TRAVERSAL_METRICS | RESIDUAL
        meanings = {
            name: (unit, f"{meaning}; of paths {paths}") for name, (unit, meaning) in known.items()
        }
        unit, meaning = UNITS[self.criterion], MEANINGS[self.criterion]
        meanings["criterion_values"] = (unit, f"{meaning}; of paths {paths}")
        meanings["criterion_values_at_stations"] = (
            unit,
            f"{meaning}, of stations and sides of kinks alone; of the same paths",
        )
        return meanings

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Search; raises RunError, one line, where no angles keep the limits."""
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
        paths = best_paths(problem, self.angles, _angles(self.given), analysis)
        return summarize(task, problem, paths, self.speed)

    def _limits(self, friction: float) -> Limits:
        return Limits(
            least=math.radians(self.least_angle),
            most=math.radians(self.most_angle),
            rate=math.radians(self.leg_speed) / self.speed,
            friction=friction,
            normal_margin=self.normal_margin,
            clearance_margin=self.clearance_margin,
            start=_angles(self.start),
            end=_angles(self.finish),
        )


def _angles(pair: AnglePair | None) -> Angles | None:
    """A pair in radians."""
    return None if pair is None else (math.radians(pair.rear), math.radians(pair.front))
