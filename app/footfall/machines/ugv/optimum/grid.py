"""The closed form over stations and a grid of both angles, from which paths are chosen.

The non-smooth points of the curve of centres that the front wheel passes are stations. When the
rear wheel passes one depends on the angles: its centre is known then, and the front one is on the
curve at the distance of the wheelbase.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array, Flags, Indices
from footfall.machines.ugv.closed_form.position import VehiclePose, base, pose
from footfall.machines.ugv.optimum.problem import (
    BESIDE,
    Problem,
    Samples,
    allowed,
    axis,
    samples_at,
)

_SAME = 1e-9  # rad, m
_STEPS = 30
_CLOSE = 1e-13  # m: Newton steps that are shorter are rounding
_AT_ONCE = 20_000  # poses, for the sake of memory


@dataclass(frozen=True, eq=False)
class AngleGrid:
    """Angles of a grid and all that counts there.

    axes: rear and front angles [rad]. phi (2, G): of every node, the front angle running first.
    nodes (n, G): at the stations. nonsmooth (q, 2, G): before and after the rear wheel passes one
    of the nonsmooth_points (q,) [m] with the angles of a node; NaN where it does not on this task.
    """

    problem: Problem
    axes: tuple[Array, Array]
    phi: Array
    nodes: Samples
    nonsmooth: Samples
    nonsmooth_points: Array

    def windows(self) -> Indices:
        """Places (n - 1, 2, longest axis, 2) from which others are reached, first and last."""
        reach = self.problem.reach
        longest = max(len(one) for one in self.axes)
        places = np.zeros((len(reach), 2, longest, 2), dtype=np.int64)
        for k, most in enumerate(reach):
            for side, one in enumerate(self.axes):
                places[k, side, : len(one), 0] = np.searchsorted(one, one - most - _SAME)
                places[k, side, : len(one), 1] = np.searchsorted(one, one + most + _SAME) - 1
        return places

    def allowed(self) -> tuple[Flags, Flags]:
        """Return which nodes (n, G) and non-smooth points (q, G) keep the limits, ends included."""
        limits = self.problem.limits
        nodes = allowed(limits, self.nodes)
        for row, angles in ((0, limits.start), (-1, limits.end)):
            if angles is not None:
                apart = np.abs(self.phi - np.array(angles)[:, None]).max(axis=0)
                nodes[row] &= apart < _SAME
        met = np.isfinite(self.nonsmooth.torque[:, 0])
        return nodes, allowed(limits, self.nonsmooth).all(axis=1) | ~met

    def worst(self, of: Callable[[Samples], Array]) -> tuple[Array, Array]:
        """Costs of nodes (n, G) and non-smooth points (q, G): inf if barred, -inf if not passed."""
        nodes, nonsmooth = self.allowed()
        met = np.isfinite(self.nonsmooth.torque[:, 0])
        asked = of(self.nonsmooth).max(axis=1, initial=-np.inf)
        at_nonsmooth = np.where(met, np.where(nonsmooth, asked, np.inf), -np.inf)
        return np.where(nodes, of(self.nodes), np.inf), at_nonsmooth


def grid_of(
    problem: Problem,
    count: int,
    also: tuple[tuple[float, float], ...] = (),
    tell: Callable[[float], None] = lambda _share: None,
) -> AngleGrid:
    """Evaluate the closed form; also: angles that have to be on the grid, tell: share done."""
    limits = problem.limits
    asked = [angles for angles in (limits.start, limits.end, *also) if angles is not None]
    axes = (
        axis(limits, count, [one[0] for one in asked]),
        axis(limits, count, [one[1] for one in asked]),
    )
    phi = np.array([one.ravel() for one in np.meshgrid(*axes, indexing="ij")])
    stations = problem.stations
    rows = max(1, _AT_ONCE // phi.shape[1])
    parts = []
    for first in range(0, len(stations), rows):
        s = stations[first : first + rows, None]
        parts.append(samples_at(problem, pose(problem.parameters, problem.curve, s, *phi)))
        tell(min(1.0, (first + rows) / len(stations)))
    nodes = Samples(*map(np.concatenate, zip(*parts, strict=True)))
    nonsmooth_points = _nonsmooth_points_passed(problem, nodes.rear)
    nonsmooth = _rear_samples(problem, nonsmooth_points, phi)
    return AngleGrid(problem, axes, phi, nodes, nonsmooth, nonsmooth_points)


def _rear_samples(problem: Problem, points: Array, phi: Array) -> Samples:
    """Samples (q, 2, G) just before and after points (q,) [m] of the rear wheel's centre.

    phi (2, G): angles. NaN where the front wheel is beyond the stations then.
    """
    given, curve = problem.parameters, problem.curve
    own = base(given, *phi)
    at = np.array([_front(problem, point, np.abs(own)) for point in points.tolist()])
    at = at.reshape(len(points), phi.shape[1])
    beside = np.array([-BESIDE, BESIDE])[:, None, None]
    front, rear = curve.at(at + 0.0 * beside), curve.at(points[:, None] + beside + 0.0 * at)
    phi_r, phi_f = (np.broadcast_to(leg, front.s.shape) for leg in phi)
    psi = np.angle((front.s - rear.s + 1j * (front.z - rear.z)) * np.conj(own))
    R = np.broadcast_to(np.abs(own), front.s.shape)
    sides = samples_at(problem, VehiclePose(front, rear, phi_r, phi_f, R, psi))
    return Samples(*(np.swapaxes(values, 0, 1) for values in sides))


def _front(problem: Problem, point: float, R: Array) -> Array:
    """Abscissas (G,) [m] of the front centre at distances R ahead of the rear one at a point."""
    curve, rear = problem.curve, problem.curve.at(point)
    s = point + R
    for _ in range(_STEPS):
        front = curve.at(np.clip(s, curve.begin, curve.end))
        d = front.s - rear.s + 1j * (front.z - rear.z)
        slope = np.real(np.conj(d) * (1.0 + 1j * np.tan(front.beta))) / np.abs(d)
        after = s - np.clip((np.abs(d) - R) / slope, -0.2, 0.2)
        moved = np.abs(after - s)
        s = after
        if not (moved > _CLOSE).any():
            break
    passed = (s >= problem.stations[0]) & (s <= problem.stations[-1]) & (moved < _SAME)
    return np.where(passed & (2.0 * problem.parameters.r < R), s, np.nan)


def _nonsmooth_points_passed(problem: Problem, rear: Array) -> Array:
    """Non-smooth points between the first and the last place of the rear wheel."""
    nonsmooth, there = problem.rear_nonsmooth_points, rear[np.isfinite(rear)]
    if not len(there):
        return nonsmooth[:0]
    return nonsmooth[(nonsmooth > there.min()) & (nonsmooth <= there.max())]
