"""A path of angles as it is driven: its traversal in closed form, its value, and what it breaks."""

import math
from dataclasses import dataclass, replace

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.places import all_places, poses_at
from footfall.machines.ugv.closed_form.traversal import Traversal, traversal
from footfall.machines.ugv.optimum.problem import (
    ENERGY,
    MORE_IS_BETTER,
    TORQUE_RANGE,
    TORQUE_RMS,
    WHEEL_ENERGY,
    Limits,
    Problem,
)
from footfall.machines.ugv.optimum.samples import Samples, allowed, cost, fault_at, samples_at

_MORE = 1.0 + 1e-6  # of what is lacking, so that rounding does not leave a margin just short
ROUNDING = 1e-9  # rad: of a change of angles that a solver or a grid has made


@dataclass(frozen=True, eq=False)
class EvaluatedPath:
    """A path: angles (2, n) [rad] at the stations, its traversal, and what counts along it.

    places (m,) [m]: of the front wheel's centre, the traversal's rows and those between, where
    angles are linear; samples: there. value: of the criterion, the less the better but for those of
    MORE_IS_BETTER, of all places; at_stations: of the traversal's rows alone. fault: the first
    limit that is broken anywhere, with its place, in words; empty where it passes.
    """

    problem: Problem
    phi: Array
    traversal: Traversal
    places: Array
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

    def tightened(self, limits: Limits, times: int) -> Limits:
        """Limits whose margins are larger by so many times what this path lacks of its problem's.

        A search that looks at stations alone finds by them a path that lacks less between; by how
        much less is not known, so that whoever searches again and again asks for more each time.
        """
        own, of = self.problem.limits, self.samples
        slips = np.nanmax(of.required) - own.usable_friction
        lifts = max(own.normal_margin, 0.0) - np.nanmin(of.normal)
        bottoms = own.clearance_margin - np.nanmin(of.clearance)
        return replace(
            limits,
            friction_margin=limits.friction_margin + times * _lack(slips),
            normal_margin=limits.normal_margin + times * _lack(lifts),
            clearance_margin=limits.clearance_margin + times * _lack(bottoms),
        )


def _lack(lack: float) -> float:
    """Return what is lacking of a margin, if anything is, and a bit more for rounding."""
    return _MORE * float(lack) if 0.0 < lack < math.inf else 0.0


def evaluate_path(problem: Problem, phi: Array) -> EvaluatedPath:
    """Drive a path (2, n); raises ValueError, one line, where the vehicle has no place."""
    rows = traversal(problem.parameters, problem.curve, problem.stations, *phi)
    places = all_places(problem.parameters, rows)
    samples = samples_at(problem, poses_at(problem.parameters, rows, places))
    return EvaluatedPath(
        problem,
        phi,
        rows,
        places,
        samples,
        _value(problem, rows, samples),
        _value(problem, rows, samples[np.isin(places, rows.s)]),
        _fault(problem, phi, places, samples),
    )


def _value(problem: Problem, rows: Traversal, of: Samples) -> float:
    """Value of the criterion over samples; what adds up is an integral over all places."""
    if problem.criterion == ENERGY:
        return float(rows.works.supplied[-1])
    if problem.criterion == WHEEL_ENERGY:
        return float(rows.works.driven[-1])
    if problem.criterion == TORQUE_RMS:
        return math.sqrt(float(rows.works.square[-1]) / float(rows.s[-1] - rows.s[0]))
    if problem.criterion == TORQUE_RANGE:
        return float(np.nanmax(of.torque) - np.nanmin(of.torque))
    worst = float(np.nanmax(cost(problem.criterion, of)))
    return -worst if problem.criterion in MORE_IS_BETTER else worst


def _fault(problem: Problem, phi: Array, places: Array, of: Samples) -> str:
    limits = problem.limits
    fine = allowed(limits, of)
    if not fine.all():
        index = int(np.argmin(fine))
        return f"{fault_at(limits, of, index)} at s = {places[index]:.3f} m"
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
