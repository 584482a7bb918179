"""Optimisation problem: vehicle, track, stations along it, criterion, limits, and what they ask.

What counts at a pose is a sample: forces, friction needed, clearance, angles that work is done
over.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array, Flags, Indices
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
    wheel. friction: coefficient that there is. normal_margin [N], clearance_margin [m]: what has to
    be left of normal forces and clearance. start, end [rad]: angles phi_r, phi_f at the ends, None
    where they are free.
    """

    least: float = math.radians(90.0)
    most: float = math.radians(160.0)
    rate: float = math.inf
    friction: float = math.inf
    normal_margin: float = 0.0
    clearance_margin: float = 0.0
    start: Angles | None = None
    end: Angles | None = None


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


class Samples(NamedTuple):
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

    def at(self, places: int | Indices | Flags) -> "Samples":
        """Those at some places."""
        return Samples(*(values[places] for values in self))


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


def limits_kept(limits: Limits, of: Samples) -> list[tuple[Flags, Array, Callable[[float], str]]]:
    """Return of every limit where it is kept, what has to be large for that, and words for it."""
    least, most = max(limits.normal_margin, 0.0), limits.friction
    clear = limits.clearance_margin
    return [
        (
            of.normal > least,
            of.normal,
            lambda x: (
                f"a wheel is pressed by {x:.4g} N, and more than {least:.4g} N have to be left"
            ),
        ),
        (
            of.required <= most,
            -of.required,
            lambda x: f"a wheel slips: friction of {-x:.4g} is required, more than {most:.4g}",
        ),
        (
            of.clearance >= clear,
            of.clearance,
            lambda x: f"the underside has a clearance of {x:.4g} m, less than {clear:.4g} m",
        ),
    ]


def allowed(limits: Limits, of: Samples) -> Flags:
    """Return where nothing slips, lifts or touches the ground, margins kept."""
    flags = (kept for kept, _, _ in limits_kept(limits, of))
    return np.asarray(np.logical_and.reduce((np.isfinite(of.torque), *flags)))


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
    kept = limits_kept(limits, of)
    return next((words(values[index]) for flags, values, words in kept if not flags[index]), "")


def lacking(limits: Limits, of: Samples) -> str:
    """Return what of the limits no angles keep, the first that is too much alone.

    of: at a station (G,), or at both sides of a non-smooth point (2, G), the worse of which counts.
    """
    ends = " and ".join(f"{math.degrees(angle):g}" for angle in (limits.least, limits.most))
    stands = np.isfinite(np.atleast_2d(of.torque)).all(axis=0)
    if not stands.any():
        return f"no angles between {ends} degrees put both wheels on the track"
    for kept, values, words in limits_kept(limits, of):
        both = np.logical_and.reduce(np.atleast_2d(kept))
        if not (both & stands).any():
            best = float(np.atleast_2d(values).min(axis=0)[stands].max())
            return f"at the best angles between {ends} degrees {words(best)}"
    return f"no angles between {ends} degrees keep normal force, friction and clearance at once"
