"""Optimisation problem: vehicle, track, stations along it, criterion and limits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.tracks import Track

Angles = tuple[float, float]

TORQUE_RANGE, TORQUE_PEAK, TORQUE_RMS = TORQUES = ("torque_range", "torque_peak", "torque_rms")
ENERGY, WHEEL_ENERGY = ENERGIES = ("energy", "wheel_energy")
GRIP, NORMAL_FORCE, CLEARANCE = ("grip", "normal_force", "clearance")
CRITERIA = (*TORQUES, *ENERGIES, GRIP, NORMAL_FORCE, CLEARANCE)
SUMS = (*ENERGIES, TORQUE_RMS)
"""Criteria that add up along the way; the others are what the worst places make of them."""
MORE_IS_BETTER = (NORMAL_FORCE, CLEARANCE)
UNITS = {
    **dict.fromkeys(TORQUES, "N m"),
    **dict.fromkeys(ENERGIES, "J"),
    GRIP: "1",
    NORMAL_FORCE: "N",
    CLEARANCE: "m",
}
MEANINGS = {
    TORQUE_RANGE: "largest torque less the smallest",
    TORQUE_PEAK: "largest torque either way",
    TORQUE_RMS: "root mean square of the torque over the way of the front wheel",
    ENERGY: "energy that wheels and legs are given",
    WHEEL_ENERGY: "energy that the wheels alone are given",
    GRIP: "largest friction that is required",
    NORMAL_FORCE: "least normal force of either wheel",
    CLEARANCE: "least clearance",
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
