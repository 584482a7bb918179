"""A path of angles as it is driven: its traversal in closed form, its value, and what it breaks."""

import math
from dataclasses import dataclass, fields

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.traversal import Traversal, traversal
from footfall.machines.ugv.optimum.problem import (
    ENERGY,
    MORE_IS_BETTER,
    NORMAL_FORCE,
    ONE_PLACE,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
    Problem,
)
from footfall.machines.ugv.optimum.samples import Samples, allowed, cost, fault_at, samples_at

_SHARES = np.linspace(0.0, 1.0, 5)[1:-1]  # of the way between stations
_HALVINGS = 6  # of that distance, about extremes
_NEAR = 0.02  # of the spread: local extremes that may be the largest
ROUNDING = 1e-9  # rad: of a change of angles that a solver or a grid has made


@dataclass(frozen=True, eq=False)
class EvaluatedPath:
    """A path: angles (2, n) [rad] at the stations, its traversal, and what counts along it.

    value: of the criterion, the less the better but for those of MORE_IS_BETTER, of all places,
    those between stations as well, where angles are linear; at_stations: of the traversal's rows
    alone. fault: the first limit that is broken at a station, with its place, in words; empty where
    it passes.
    """

    problem: Problem
    phi: Array
    traversal: Traversal
    samples: Samples
    value: float
    at_stations: float
    fault: str

    @property
    def passes(self) -> bool:
        """Return whether it keeps all limits."""
        return not self.fault

    @property
    def cost(self) -> float:
        """The value, the less the better; infinite for a path that does not pass."""
        if not self.passes:
            return float("inf")
        return -self.value if self.problem.criterion in MORE_IS_BETTER else self.value


def evaluate_path(problem: Problem, phi: Array) -> EvaluatedPath:
    """Drive a path (2, n); raises ValueError, one line, where the vehicle has no place."""
    rows = traversal(problem.parameters, problem.curve, problem.stations, *phi)
    samples = samples_at(problem, rows.pose)
    return EvaluatedPath(
        problem,
        phi,
        rows,
        samples,
        _value(problem, rows, samples, _between(problem, phi)),
        _value(problem, rows, samples),
        _fault(problem, phi, rows, samples),
    )


def _between(problem: Problem, phi: Array) -> Samples:
    """Samples between the stations, where angles are linear, closer where something is extreme.

    Places that the vehicle does not have are left out; the traversal refuses those at stations.
    """
    s = problem.stations
    wide = np.diff(s) > ONE_PLACE
    places = (s[:-1][wide, None] + np.diff(s)[wide, None] * _SHARES).ravel()
    if not len(places):
        return samples_at(problem, pose(problem.parameters, problem.curve, s[:0], *phi[:, :0]))
    found = _at(problem, phi, places)
    for _ in range(_HALVINGS):
        more = _beside_extremes(problem, places, found)
        if not len(more):
            break
        at_more = _at(problem, phi, more)
        order = np.argsort(np.concatenate((places, more)), kind="stable")
        places = np.concatenate((places, more))[order]
        found = Samples(
            *(
                np.concatenate((getattr(found, one.name), getattr(at_more, one.name)))[order]
                for one in fields(Samples)
            )
        )
    return found[np.isfinite(found.torque)]


def _at(problem: Problem, phi: Array, places: Array) -> Samples:
    angles = [np.interp(places, problem.stations, leg) for leg in phi]
    return samples_at(problem, pose(problem.parameters, problem.curve, places, *angles))


def _beside_extremes(problem: Problem, places: Array, of: Samples) -> Array:
    """Middles on both sides of places where a quantity is nearly as extreme as anywhere [m]."""
    found: list[Array] = []
    looked_at = [of.torque, -of.torque, of.required, -of.clearance]
    if problem.criterion == NORMAL_FORCE:
        looked_at.append(-of.normal)
    for values in looked_at:
        known = np.where(np.isfinite(values), values, -np.inf)
        top, spread = known.max(), np.ptp(known[np.isfinite(known)]) if len(known) else 0.0
        inner = known[1:-1]
        peaks = (inner >= known[:-2]) & (inner >= known[2:]) & (inner > top - _NEAR * spread)
        index = np.flatnonzero(peaks) + 1
        found += [0.5 * (places[index] + places[index + side]) for side in (-1, 1)]
    middles = np.unique(np.concatenate(found))
    return middles[np.abs(middles[:, None] - places).min(axis=1, initial=np.inf) > ONE_PLACE]


def _value(problem: Problem, rows: Traversal, *parts: Samples) -> float:
    """Value of the criterion over all parts; what adds up is an integral over all places."""
    if problem.criterion == ENERGY:
        return float(rows.works.supplied[-1])
    if problem.criterion == WHEEL_ENERGY:
        return float(rows.works.driven[-1])
    if problem.criterion == TORQUE_RMS:
        return math.sqrt(float(rows.works.square[-1]) / float(rows.s[-1] - rows.s[0]))
    if problem.criterion == TORQUE_RANGE:
        return float(np.ptp(np.concatenate([of.torque for of in parts])))
    worst = float(max(cost(problem.criterion, of).max(initial=-np.inf) for of in parts))
    return -worst if problem.criterion in MORE_IS_BETTER else worst


def _fault(problem: Problem, phi: Array, rows: Traversal, of: Samples) -> str:
    limits = problem.limits
    fine = allowed(limits, of)
    if not fine.all():
        index = int(np.argmin(fine))
        return f"{fault_at(limits, of, index)} at s = {rows.s[index]:.3f} m"
    turned = np.abs(np.diff(phi, axis=1)).max(axis=0)
    if (turned > problem.reach + ROUNDING).any():
        index = int(np.argmax(turned - problem.reach))
        return f"the legs turn too fast at s = {problem.stations[index]:.3f} m"
    if phi.min() < limits.least - ROUNDING or phi.max() > limits.most + ROUNDING:
        return "the legs leave their range"
    for end, angles in ((0, limits.start), (-1, limits.end)):
        if angles is not None and np.abs(phi[:, end] - angles).max() > ROUNDING:
            return "the legs do not have the angles asked for at an end"
    return ""
