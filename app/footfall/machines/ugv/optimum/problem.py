"""Optimisation problem: vehicle, track, stations along it, criterion, limits, and what they ask.

What counts at a pose is a sample: forces, friction needed, clearance, angles that work is done
over.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from footfall.arrays import Array, Flags
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import clearance, forces, required_friction
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose
from footfall.machines.ugv.closed_form.tracks import Track

Angles = tuple[float, float]

TORQUE_RANGE, TORQUE_PEAK = ("torque_range", "torque_peak")
ENERGY, WHEEL_ENERGY = ENERGIES = ("energy", "wheel_energy")
"""Criteria that add up along the way; the others are what the worst places make of them."""
GRIP, NORMAL_FORCE = ("grip", "normal_force")
CRITERIA = (TORQUE_RANGE, TORQUE_PEAK, *ENERGIES, GRIP, NORMAL_FORCE)
UNITS = {
    TORQUE_RANGE: "N m",
    TORQUE_PEAK: "N m",
    ENERGY: "J",
    WHEEL_ENERGY: "J",
    GRIP: "1",
    NORMAL_FORCE: "N",
}
MEANINGS = {
    TORQUE_RANGE: "largest torque less the smallest",
    TORQUE_PEAK: "largest torque either way",
    ENERGY: "energy that wheels and legs are given",
    WHEEL_ENERGY: "energy that the wheels alone are given",
    GRIP: "largest friction that is required",
    NORMAL_FORCE: "least normal force of either wheel",
}

BESIDE = 1e-9  # m: distance of the two sides of a non-smooth point from it
ONE_PLACE = 1e-6  # m: stations that are nearer have the same angles


@dataclass(frozen=True)
class Limits:
    """Limits that a traversal must keep.

    least, most [rad]: of both angles. rate [rad/m]: of either angle over the way of the front
    wheel. friction: coefficient that there is, friction_margin of which is not to be needed.
    normal_margin [N], clearance_margin [m]: what has to be left of normal forces and clearance.
    start, end [rad]: angles phi_r, phi_f at the ends, None where they are free.
    """

    least: float = math.radians(90.0)
    most: float = math.radians(160.0)
    rate: float = math.inf
    friction: float = math.inf
    friction_margin: float = 0.0
    normal_margin: float = 0.0
    clearance_margin: float = 0.0
    start: Angles | None = None
    end: Angles | None = None

    @property
    def usable_friction(self) -> float:
        """Friction that may be needed at most."""
        return self.friction - self.friction_margin


@dataclass(frozen=True, eq=False)
class Problem:
    """A traversal to be made best, from begin to end [m] of the front wheel's centre.

    curve: of the wheels' centres, as far behind as the rear wheel can be. evenly: count of stations
    between. Both sides of every non-smooth point that the front wheel passes are stations, too.
    """

    parameters: UgvParameters
    curve: CentreCurve
    begin: float
    end: float
    evenly: int
    criterion: str
    limits: Limits

    @property
    def track(self) -> Track:
        """The ground."""
        return self.curve.track

    @cached_property
    def stations(self) -> Array:
        """Abscissas of the front wheel's centre (n,) [m], rising."""
        own = np.linspace(self.begin, self.end, self.evenly)
        nonsmooth_points = self.curve.nonsmooth_points
        nonsmooth_points = nonsmooth_points[
            (nonsmooth_points > self.begin + ONE_PLACE) & (nonsmooth_points < self.end - ONE_PLACE)
        ]
        if len(nonsmooth_points):
            near = np.abs(own[:, None] - nonsmooth_points).min(axis=1) < ONE_PLACE
            own = own[~near]
        return np.unique(
            np.concatenate((own, nonsmooth_points - BESIDE, nonsmooth_points + BESIDE))
        )

    @property
    def rear_nonsmooth_points(self) -> Array:
        """Non-smooth points that a rear wheel may pass [m], rising."""
        return self.curve.nonsmooth_points[self.curve.nonsmooth_points < self.end]

    @cached_property
    def reach(self) -> Array:
        """By how much an angle may change from each station to the next [rad], (n - 1,)."""
        spacing = np.diff(self.stations)
        if math.isinf(self.limits.rate):
            return np.where(spacing < ONE_PLACE, 0.0, math.inf)
        return np.where(spacing < ONE_PLACE, 0.0, self.limits.rate * spacing)


def axis(limits: Limits, count: int, also: Sequence[float] = ()) -> Array:
    """Angles of a grid [rad]: evenly from the least to the most, and those that have to be."""
    even = np.linspace(limits.least, limits.most, count)
    apart = [angle for angle in also if np.abs(even - angle).min() > 1e-9]
    return np.unique(np.concatenate((even, apart)))


@dataclass(frozen=True, eq=False)
class Samples:
    """Quantities at poses, arrays of one shape; NaN where there is no pose.

    torque, leg_r, leg_f [N m], normal_r, normal_f [N] as in `forces.Forces`; required friction;
    clearance [m]; theta_r, theta_f [rad]: of the wheels against their legs; rear
    [m]: abscissa of the rear wheel's centre.
    """

    torque: Array
    normal_r: Array
    normal_f: Array
    leg_r: Array
    leg_f: Array
    required: Array
    clearance: Array
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
