"""Quantities at a pose: forces, friction needed, clearance, angles that work is done over."""

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from footfall.arrays import Array, Flags
from footfall.machines.ugv.closed_form.criteria import clearance, required_friction
from footfall.machines.ugv.closed_form.energy import potential
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import VehiclePose
from footfall.machines.ugv.optimum.problem import (
    CLEARANCE,
    GRIP,
    NORMAL_FORCE,
    TORQUE_PEAK,
    Limits,
    Problem,
)


@dataclass(frozen=True, eq=False)
class Samples:
    """Quantities at poses, arrays of one shape; NaN where there is no pose.

    torque, leg_r, leg_f [N m], normal_r, normal_f [N] as in `forces.Forces`; required friction;
    clearance [m]; potential [J]; theta_r, theta_f [rad]: of the wheels against their legs; rear
    [m]: abscissa of the rear wheel's centre.
    """

    torque: Array
    normal_r: Array
    normal_f: Array
    leg_r: Array
    leg_f: Array
    required: Array
    clearance: Array
    potential: Array
    theta_r: Array
    theta_f: Array
    rear: Array

    @property
    def normal(self) -> Array:
        """The smaller normal force [N]."""
        return np.minimum(self.normal_r, self.normal_f)

    def __getitem__(self, index: Any) -> "Samples":  # noqa: ANN401 - all that arrays take
        """Those at some places."""
        return Samples(*(getattr(self, field.name)[index] for field in fields(self)))


def samples_at(problem: Problem, at: VehiclePose) -> Samples:
    """All that counts at poses."""
    given = problem.parameters
    of = forces(given, at)
    return Samples(
        torque=of.torque,
        normal_r=of.normal_r,
        normal_f=of.normal_f,
        leg_r=of.leg_r,
        leg_f=of.leg_f,
        required=required_friction(of),
        clearance=clearance(given, problem.track, at),
        potential=potential(given, at),
        theta_r=at.rear.arc / given.r + at.psi - at.phi_r,
        theta_f=at.front.arc / given.r + at.psi + at.phi_f,
        rear=at.rear.s,
    )


def allowed(limits: Limits, of: Samples) -> Flags:
    """Return where nothing slips, lifts or touches the ground, margins kept."""
    stands = np.isfinite(of.torque) & (of.normal > max(limits.normal_margin, 0.0))
    grips = of.required <= limits.usable_friction
    return stands & grips & (of.clearance >= limits.clearance_margin)


def cost(criterion: str, of: Samples) -> Array:
    """Return what the worst place of a traversal makes of a criterion, the less the better."""
    if criterion == TORQUE_PEAK:
        return np.abs(of.torque)
    if criterion == GRIP:
        return of.required
    if criterion == NORMAL_FORCE:
        return -of.normal
    if criterion == CLEARANCE:
        return -of.clearance
    raise ValueError(f"{criterion} has no worst place")


def fault_at(limits: Limits, of: Samples, index: int) -> str:
    """Return what of the limits is broken at a place, in words; empty where nothing is."""
    if not math.isfinite(of.torque[index]):
        return "the wheels find no place"
    if of.normal[index] <= 0.0:
        return f"the vehicle rolls over: a normal force of {of.normal[index]:.4g} N is left"
    if of.normal[index] <= limits.normal_margin:
        return (
            f"a wheel is pressed by {of.normal[index]:.4g} N alone, and {limits.normal_margin:g} N "
            "have to be left"
        )
    if of.required[index] > limits.usable_friction:
        return (
            f"a wheel slips: friction of {of.required[index]:.4g} is required, more than "
            f"{limits.usable_friction:.4g}"
        )
    if of.clearance[index] < limits.clearance_margin:
        return (
            f"the underside has a clearance of {of.clearance[index]:.4g} m, less than "
            f"{limits.clearance_margin:.4g} m"
        )
    return ""
