"""The posture nearest to a given one that closes a robot's loops within its joint limits.

A sequence of bounded linear least-squares problems: the way from the given posture is made short,
the violated equations count far more, and joint limits are bounds. What that leaves of the
equations goes in Newton steps of the coordinates that lie between their limits.
Source: the Gauss-Newton method, J. Nocedal, S. J. Wright: Numerical Optimization, Springer 2006,
section 10.3.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import lsq_linear

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names, coordinate_units, floating_joints
from footfall.plants.dynamics import Dynamics
from footfall.plants.limits import JointLimit
from footfall.plants.load import Model

# what a start may lie beyond a joint limit, or its loops open [m or rad]: the law acts on
# velocities, which leaves it there, and files round their numbers
_BEYOND = 1e-6
_CLOSED = 1e-9  # m or rad, of a posture that was found
_BASE = 30.0  # weight of a link that is free in space, of joints 1: loops do not ask for it
_EQUATIONS = 1e4  # weight of the equations
_STEPS = 60
_STEP = 0.3  # m or rad, of one step: further the equations are not linear
_STILL = 1e-9  # m or rad: a step that ends the search
_NEWTON_STEPS = 5
_TOLD = 4  # coordinates in the line


class Nearest(NamedTuple):
    """A posture q (nq,), and one line about what was moved; empty where nothing had to be."""

    q: Array
    line: str
    moved: dict[str, float]


def nearest_posture(model: Model, contacts: ContactSet, q: Array) -> Nearest:
    """Return the posture nearest to q that closes all loops and respects the joint limits.

    Distances are those of coordinates, in rad and m alike; a free base moves only where loops ask
    for it. A posture that does both within a micrometre or microradian stays as it is. Raises
    ScenarioError with what is left where there is none nearby.
    """
    bounds = _Bounds(model.plant.num_velocities(), contacts.limits)
    beyond = bounds.beyond(q)
    if not model.constraints and beyond <= _BEYOND:
        return Nearest(q, "", {})
    dynamics = Dynamics(model, contacts)
    gap = _gap(dynamics, q)
    if max(gap, beyond) <= _BEYOND:
        return Nearest(q, "", {})
    found = _search(dynamics, bounds, q)
    left = _gap(dynamics, found)
    if left > _CLOSED:
        raise ScenarioError(
            f"initial.positions: the loops are open by {gap:.3g} m (or rad), and the nearest "
            f"posture within the joint limits leaves {left:.3g}: correct the start, the limits or "
            "the constraints."
        )
    faults = [f"did not close the loops (open by {gap:.3g} m or rad)"] * (gap > _BEYOND)
    faults += [f"exceeded a joint limit by {beyond:.3g} m or rad"] * (beyond > _BEYOND)
    moved = _moved(dynamics, q, found)
    line = f"the start {' and '.join(faults)} and was moved to the nearest that does not: "
    return Nearest(found, line + _told(dynamics, q, found), moved)


class _Bounds:
    """Limits of coordinates whose rates are velocities, by velocity."""

    def __init__(self, size: int, limits: Sequence[JointLimit]) -> None:
        self._places: dict[int, int] = {}  # of the position, by the velocity
        self._lower, self._upper = np.full(size, -np.inf), np.full(size, np.inf)
        for limit in limits:
            self._places[limit.velocity] = limit.position
            (self._lower if limit.sign > 0.0 else self._upper)[limit.velocity] = limit.bound

    def room(self, q: Array) -> tuple[Array, Array]:
        """Distances that velocities may move positions down (not above 0 inside) and up, (nv,)."""
        lower, upper = self._lower.copy(), self._upper.copy()
        for velocity, position in self._places.items():
            lower[velocity] -= q[position]
            upper[velocity] -= q[position]
        return lower, upper

    def beyond(self, q: Array) -> float:
        """Largest distance beyond a limit."""
        lower, upper = self.room(q)
        return float(max(lower.max(initial=0.0), -upper.min(initial=0.0), 0.0))


def _gap(dynamics: Dynamics, q: Array) -> float:
    residual, _ = dynamics.bilateral_violation(q)
    return float(np.abs(residual).max(initial=0.0))


def _search(dynamics: Dynamics, bounds: _Bounds, start: Array) -> Array:
    """Return a posture that violates the equations least, nearest among several that do not."""
    weights = np.ones(dynamics.plant.num_velocities())
    for joint in floating_joints(dynamics.plant).values():
        weights[joint.velocity_start() :][: joint.num_velocities()] = _BASE
    way = np.clip(0.0, *bounds.room(start))
    q = dynamics.advance_positions(start, way, 1.0)
    for _ in range(_STEPS):
        residual, rows = dynamics.bilateral_violation(q)
        lower, upper = bounds.room(q)
        step = lsq_linear(
            np.vstack((np.diag(weights), _EQUATIONS * rows)),
            np.concatenate((-weights * way, -_EQUATIONS * residual)),
            (np.clip(lower, -_STEP, -_STILL / 1e3), np.clip(upper, _STILL / 1e3, _STEP)),
            method="bvls",
        ).x
        step = np.clip(step, np.minimum(lower, 0.0), np.maximum(upper, 0.0))
        q, way = dynamics.advance_positions(q, step, 1.0), way + step
        if np.abs(step).max(initial=0.0) < _STILL:
            break
    return _closed(dynamics, bounds, q)


def _closed(dynamics: Dynamics, bounds: _Bounds, q: Array) -> Array:
    """Return q after Newton steps of inner coordinates, which close what is left open."""
    for _ in range(_NEWTON_STEPS):
        residual, rows = dynamics.bilateral_violation(q)
        lower, upper = bounds.room(q)
        inner = (lower < -_BEYOND) & (upper > _BEYOND)
        step = np.zeros(len(inner))
        step[inner] = -np.linalg.lstsq(rows[:, inner], residual, rcond=1e-9)[0]
        if np.abs(step).max(initial=0.0) > _STEP:
            break  # nowhere near
        q = dynamics.advance_positions(q, np.clip(step, lower, upper) * inner, 1.0)
    return q


def _moved(dynamics: Dynamics, before: Array, after: Array) -> dict[str, float]:
    """New values of the coordinates that moved."""
    names, _ = coordinate_names(dynamics.plant)
    return {names[k]: float(after[k]) for k in np.flatnonzero(after != before)}


def _told(dynamics: Dynamics, before: Array, after: Array) -> str:
    """Name the coordinates that moved visibly, those that moved most first."""
    names, _ = coordinate_names(dynamics.plant)
    units, _ = coordinate_units(dynamics.plant)
    order = np.argsort(-np.abs(after - before), kind="stable")
    moved = [
        f"{names[k]} {before[k]:.5g} -> {after[k]:.5g} {units[k]}"
        for k in order
        if abs(after[k] - before[k]) > _BEYOND
    ]
    more = len(moved) - _TOLD
    return ", ".join(moved[:_TOLD]) + (f" and {more} more" if more > 0 else "")
