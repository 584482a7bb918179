"""Initial states of a hopper: one that the event-driven model cannot take is refused in a line."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.hopper.closed_form.model import CONTACT_POINTS, Hopper, P
from footfall.machines.hopper.closed_form.points import position

_ON_GROUND = 1e-9  # m; a height that is meant to be 0
_AT_REST = 1e-12  # m/s


def checked_initial_state(
    machine: Hopper, state: Array, where: str, *, standing: bool = False
) -> Array:
    """A start x (8,), its P exactly on the ground where it is meant to be there.

    where: what refuses, for the message. standing: whether P has to be on the ground. A line PR
    that leans too far is no fault here. Raises ScenarioError for the rest.
    """
    x = np.array(state, dtype=np.float64)
    if x.shape != (8,) or not np.isfinite(x).all():
        raise ScenarioError(f"{where}: the start has to be 8 finite numbers, got {x.tolist()}.")
    _require_unfolded(x, where)
    if abs(x[1]) <= _ON_GROUND:
        x[1] = 0.0
        x[5] = 0.0 if abs(x[5]) <= _AT_REST else x[5]
    if x[1] < 0.0 or (standing and x[1] > 0.0):
        side = "in" if x[1] < 0.0 else "above"
        raise ScenarioError(
            f"{where}: P is {abs(x[1]):.3g} m {side} the ground at the start: set z to 0."
        )
    if x[1] == 0.0 and x[5] < 0.0:
        raise ScenarioError(
            f"{where}: P moves into the ground at {-x[5]:.3g} m/s at the start: set the velocity "
            "of z to 0, or start above the ground."
        )
    _require_above(machine, x, where)
    return x


def _require_unfolded(x: Array, where: str) -> None:
    if abs(x[3]) >= math.pi:
        raise ScenarioError(
            f"{where}: theta2 is {math.degrees(x[3]):.4g} degrees at the start, where the links "
            "are folded or beyond: give an angle between -180 and 180."
        )


def _require_above(machine: Hopper, x: Array, where: str) -> None:
    for point in CONTACT_POINTS:
        height = float(position(machine, x, point)[1])
        if point is not P and height <= _ON_GROUND:
            raise ScenarioError(
                f"{where}: {point.name} is at a height of {height:.3g} m at the start, where the "
                "jump ends: choose theta1 and theta2 so that it is above the ground."
            )
