"""Summary of an optimum: arrays over the track, metrics, claims, traversals to be driven."""

import math

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.context import AnalysisResult
from footfall.arrays import Array
from footfall.machines.ugv.analyses.labelled import dataset, rows
from footfall.machines.ugv.analyses.traversal_task import TraversalTask
from footfall.machines.ugv.claims import VARIED, is_published, is_soft_bump, structural
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.measures import traversal_metrics
from footfall.machines.ugv.optimum.path_evaluation import EvaluatedPath
from footfall.machines.ugv.optimum.problem import MEANINGS, ONE_PLACE, TORQUE_RANGE, UNITS, Problem
from footfall.machines.ugv.optimum.solver import FIXED, REFINED, Optimum
from footfall.metrics import Metric
from footfall.registry.claims import Claim
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
