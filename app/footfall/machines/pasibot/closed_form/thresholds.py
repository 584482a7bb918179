"""Starting torque of PASIBOT and friction that keeps its foot; the two fitted scales.

Two scalars are all that the text says in numbers: 0.84 N m, "the torque above which the biped can
start walking" from rest at th8 = pi/2, and 0.08, the least friction without slip at 3 rad/s. The
first goes as the weight times l8, the second as l8 th8'^2 / g with the shares of the masses fixed.
Together they fix l8 and the density, once everything else is assumed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms

START_TORQUE, LEAST_FRICTION, FRICTION_RATE = 0.84, 0.08, 3.0  # [N m], [1], [rad/s]


class Peak(NamedTuple):
    """The greatest value of something over a step, and the th8 [rad] where it is."""

    value: float
    th8: float


def static_torque(parameters: PasibotParameters) -> Peak:
    """Greatest V' [N m]: what holds the machine at rest anywhere in a step."""
    return peak(lambda th8: two_freedoms(parameters, th8).gravity)


def start_torque(parameters: PasibotParameters) -> Peak:
    """Least constant torque [N m] that carries the machine through a step from rest at pi/2.

    The work of the torque has to exceed V - V(pi/2) all the way: max of the slope of V's secant.
    Less than `static_torque`, since the machine brings speed along.
    """
    begin = two_freedoms(parameters, STEP_BEGINS)

    def secant(th8: Array) -> Array:
        turned, rise = th8 - STEP_BEGINS, two_freedoms(parameters, th8).potential - begin.potential
        slope = np.full_like(turned, begin.gravity)  # of the secant of length 0
        return np.divide(rise, turned, out=slope, where=turned > 0.0)

    return peak(secant)


def least_friction(parameters: PasibotParameters, rate: float) -> Peak:
    """Greatest |f01x| / f01y of a step at constant th8' = rate [rad/s] without slip.

    Raises ValueError at speeds at which the floor would have to pull.
    """

    def demand(th8: Array) -> Array:
        held = two_freedoms(parameters, th8).inverse(rate, 0.0)
        if (held.up <= 0.0).any():
            raise ValueError(f"at {rate} rad/s the floor would have to hold the foot down")
        return np.asarray(np.abs(held.along) / held.up)

    return peak(demand)


def fitted(
    parameters: PasibotParameters,
    torque: float = START_TORQUE,
    friction: float = LEAST_FRICTION,
    rate: float = FRICTION_RATE,
) -> PasibotParameters:
    """The same machine with the l8 and the density that give the two published scalars.

    torque [N m] is its `start_torque`, friction its `least_friction` at a rate [rad/s].
    """
    scaled = parameters
    for _ in range(20):
        peak = least_friction(scaled, rate)
        if abs(peak.value - friction) <= 1e-14:
            break
        # inertia forces grow with l8, the weight per mass does not: exact at this th8
        held, weight = (
            two_freedoms(scaled, peak.th8).inverse(rate, 0.0),
            total_mass(scaled) * scaled.g,
        )
        growth = friction * weight / (abs(float(held.along)) - friction * (float(held.up) - weight))
        scaled = replace(scaled, l8=scaled.l8 * growth)
    return replace(scaled, density=scaled.density * torque / start_torque(scaled).value)


def peak(value: Callable[[Array], Array]) -> Peak:
    """The greatest of a grid, and from there between its neighbours."""
    grid = np.linspace(STEP_BEGINS, STEP_ENDS, 721)
    values = value(grid)
    best = int(np.argmax(values))
    between = (grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)])
    finer = minimize_scalar(
        lambda th8: -float(value(np.array([th8]))[0]),
        bounds=between,
        method="bounded",
        options={"xatol": 1e-10},
    )
    if -finer.fun > values[best]:
        return Peak(float(-finer.fun), float(finer.x))
    return Peak(float(values[best]), float(grid[best]))


def painleve_friction(parameters: PasibotParameters) -> Peak:
    """Least mu_k at which a sliding foot has no answer somewhere in a step, and where that is.

    The determinant of (36) vanishes there: no force of the floor is large enough. The direction of
    sliding is the sign of S V' there. Below it a torque and the rates determine all forces.
    """

    def negative(th8: Array) -> Array:
        at = two_freedoms(parameters, th8)
        whole = at.inertia * at.mass - at.sway * at.sway
        return np.asarray(-at.g * whole / np.abs(at.sway * at.gravity))

    least = peak(negative)
    return Peak(-least.value, least.th8)
