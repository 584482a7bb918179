"""The start nearest to a given one that robots with loops, gears and joint limits can have.

Coordinates that are named stay, and the others move, as far as the equations allow.

Of positions, a sequence of bounded linear least-squares problems: the way from the given posture is
made short, the violated equations count far more, and joint limits are bounds. What that leaves of
the equations goes in Newton steps of the coordinates that lie between their limits.
Source: the Gauss-Newton method, J. Nocedal, S. J. Wright: Numerical Optimization, Springer 2006,
section 10.3.

Of velocities, the change that costs the least kinetic energy, as Gauss's principle has it of an
impulse of the constraints (E. J. Routh: Elementary Rigid Dynamics, Macmillan 1905, chapter VIII):
else the first step would give that impulse, to the named velocities as well.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import null_space
from scipy.optimize import lsq_linear

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.constraints import geared, gears_of
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import (
    JointLimit,
    coordinate_names,
    coordinate_units,
    floating_joints,
    somewhere,
)
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.projection import least_change

# what a start may lie beyond a joint limit, or its loops open [m or rad], or open [m/s or rad/s]:
# files round their numbers
_BEYOND = 1e-6
_CLOSED = 1e-9  # m or rad, of a posture that was found
_BASE = 30.0  # weight of a link that is free in space, of joints 1: loops do not ask for it
_NAMED = 10.0  # weight of named coordinates that have to move all the same
_EQUATIONS = 1e4  # weight of the equations
_STEPS = 60
_STEP = 0.3  # m or rad, of one step: further the equations are not linear
_STILL = 1e-9  # m or rad: a step that ends the search
_NEWTON_STEPS = 5
_LISTED = 4  # coordinates in the line


class Nearest(NamedTuple):
    """A posture q (nq,), and one line about what was moved; empty where nothing had to be."""

    q: Array
    line: str
    moved: dict[str, float]


def nearest_posture(
    model: Model, contacts: ContactSet, q: Array, named: Sequence[Collection[int]] = ()
) -> Nearest:
    """Return the posture nearest to q that closes all loops and respects the joint limits.

    Distances are those of coordinates, in rad and m alike; a free base moves only where loops ask
    for it. named: places in q that are to stay, several such sets if need be, of which the first
    that the loops allow counts; those beyond a limit move to it. A posture that does both within a
    micrometre or microradian stays as it is. Raises ScenarioError with what is left where there is
    none nearby.
    """
    bounds = _Bounds(model.plant.num_velocities(), contacts.limits)
    beyond = bounds.beyond(q)
    if not model.constraints and beyond <= _BEYOND:
        return Nearest(q, "", {})
    dynamics = Dynamics(model, contacts)
    gap = _gap(dynamics, q)
    if max(gap, beyond) <= _BEYOND:
        return Nearest(q, "", {})
    gears, everything = gears_of(model.plant, model.constraints), named[0] if named else ()
    for places in (*named, ()):
        of_v = _velocities_of(dynamics, places)
        bounds.keep(of_v, q)
        weights = np.where(_velocities_of(dynamics, everything), _NAMED, 1.0)
        posture = geared(gears, q, places)
        if bounds.beyond(posture) > 0.0 or _gap(dynamics, posture) > _CLOSED:
            posture = _search(dynamics, bounds, posture, weights)
        left = _gap(dynamics, posture)
        if left <= _CLOSED:
            break
    else:
        raise ScenarioError(
            f"initial.positions: the loops are open by {gap:.3g} m (or rad), and the nearest "
            f"posture within the joint limits leaves {left:.3g}: correct the start, the limits or "
            "the constraints."
        )
    faults = [f"left loops or gears open by {gap:.3g} m or rad"] * (gap > _BEYOND)
    faults += [f"exceeded a joint limit by {beyond:.3g} m or rad"] * (beyond > _BEYOND)
    moved = _moved(dynamics, q, posture)
    line = f"the start {' and '.join(faults)} and was moved: "
    line += _moves_in_words(dynamics, q, posture)
    asked = named[-1] if named else ()
    gone = [k for k in asked if abs(posture[k] - q[k]) > _BEYOND]
    if gap > _BEYOND and gone:
        fixed, lost = (_velocities_of(dynamics, places) for places in (asked, gone))
        line += _advice(dynamics, fixed, lost, "positions")
    return Nearest(posture, line, moved)


def consistent_velocities(
    dynamics: Dynamics, state: Array, named: Collection[int]
) -> tuple[Array, str]:
    """Return velocities (nv,) that loops and gears allow at a state, and a line about what moved.

    named: places in v that stay as far as they can; of the others the change is smallest in the
    metric of M. Velocities that violate nothing by more than 1e-6 m/s or rad/s stay as they are.
    """
    v = state[dynamics.plant.num_positions() :].copy()
    dynamics.set_state(state)
    rows = dynamics.constraint_jacobian()
    open_by = float(np.abs(rows @ v).max(initial=0.0))
    if open_by <= _BEYOND:
        return v, ""
    gears = gears_of(dynamics.plant, dynamics.model.constraints)
    fixed = np.zeros(len(v), dtype=np.bool_)
    fixed[list(named)] = True
    velocities = geared(gears, v, named, rates=True)
    velocities += least_change(rows, dynamics.mass_matrix(), -rows @ velocities, fixed)
    line = (
        f"the velocities of the start opened loops or gears by {open_by:.3g} m/s or rad/s and were "
        f"moved: {_moves_in_words(dynamics, v, velocities, rates=True)}"
    )
    wanted = np.abs(velocities - v) > _BEYOND
    if wanted[fixed].any():
        line += _advice(dynamics, fixed, wanted, "velocities")
    return velocities, line


def _advice(
    dynamics: Dynamics, fixed: npt.NDArray[np.bool_], moved: npt.NDArray[np.bool_], field: str
) -> str:
    """Say which named coordinates move independently, at the posture of the scratch context.

    fixed, moved (nv,): those that are named, and those that moved all the same.
    """
    names = coordinate_names(dynamics.plant)[1]
    free = null_space(dynamics.constraint_jacobian(), rcond=1e-6)
    chosen: list[int] = []
    for k in sorted(np.flatnonzero(fixed), key=lambda k: moved[k]):
        rows = free[[*chosen, int(k)]]
        if np.linalg.matrix_rank(rows, tol=1e-6) > len(chosen):
            chosen.append(int(k))
    listed = ", ".join(names[k] for k in chosen)
    advice = f"name {listed} alone, which the others follow" if listed else "name others"
    return f"; what initial.{field} names cannot all stay: {advice}"


def _velocities_of(dynamics: Dynamics, places: Collection[int]) -> npt.NDArray[np.bool_]:
    """Return which velocities (nv,) change positions at some places."""
    plant = dynamics.plant
    if not places:
        return np.zeros(plant.num_velocities(), dtype=np.bool_)
    rates = plant.MakeVelocityToQDotMap(somewhere(plant)[0]).toarray()[list(places)]
    return np.asarray((rates != 0.0).any(axis=0))


class _Bounds:
    """Limits of coordinates whose rates are velocities, by velocity."""

    def __init__(self, size: int, limits: Sequence[JointLimit]) -> None:
        self._places: dict[int, int] = {}  # of the position, by the velocity
        self._lower, self._upper = np.full(size, -np.inf), np.full(size, np.inf)
        self._kept = np.zeros(size, dtype=np.bool_)
        for limit in limits:
            self._places[limit.velocity] = limit.position
            (self._lower if limit.sign > 0.0 else self._upper)[limit.velocity] = limit.bound

    def keep(self, fixed: npt.NDArray[np.bool_], q: Array) -> None:
        """Leave no room to some velocities and to no others, as far as q is within limits there."""
        self._kept[:] = False
        lower, upper = self.room(q)
        self._kept = fixed & (lower <= 0.0) & (upper >= 0.0)

    def room(self, q: Array) -> tuple[Array, Array]:
        """Distances that velocities may move positions down (not above 0 inside) and up, (nv,)."""
        lower, upper = self._lower.copy(), self._upper.copy()
        for velocity, position in self._places.items():
            lower[velocity] -= q[position]
            upper[velocity] -= q[position]
        lower[self._kept] = upper[self._kept] = 0.0
        return lower, upper

    def beyond(self, q: Array) -> float:
        """Largest distance beyond a limit."""
        lower, upper = self.room(q)
        return float(max(lower.max(initial=0.0), -upper.min(initial=0.0), 0.0))


def _gap(dynamics: Dynamics, q: Array) -> float:
    residual, _ = dynamics.bilateral_violation(q)
    return float(np.abs(residual).max(initial=0.0))


def _search(dynamics: Dynamics, bounds: _Bounds, start: Array, weights: Array) -> Array:
    """Return a posture that violates the equations least, nearest among several that do not."""
    weights = weights.copy()
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


def _moves_in_words(dynamics: Dynamics, before: Array, after: Array, *, rates: bool = False) -> str:
    """Name the coordinates that moved visibly, those that moved most first."""
    names = coordinate_names(dynamics.plant)[rates]
    units = coordinate_units(dynamics.plant)[rates]
    order = np.argsort(-np.abs(after - before), kind="stable")
    moved = [
        f"{names[k]} {before[k]:.5g} -> {after[k]:.5g} {units[k]}"
        for k in order
        if abs(after[k] - before[k]) > _BEYOND
    ]
    more = len(moved) - _LISTED
    return ", ".join(moved[:_LISTED]) + (f" and {more} more" if more > 0 else "")
