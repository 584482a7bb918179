"""A sphere and a cylinder that slide, then roll; a sphere on a slope that rolls or slides."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.textbook.rolling import CYLINDER, SPHERE, Rolling
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, Measured, case
from footfall.verify.observables import last_velocity, position, times, velocity, velocity_of

Measure = Callable[[Trajectory], float]

SPHERE_START = Rolling(m=1.5, r=0.1, beta=SPHERE, mu=0.2, v0=1.0)
CYLINDER_START = Rolling(m=2.0, r=0.1, beta=CYLINDER, mu=0.2, v0=1.0)
ON_SLOPE = Rolling(m=1.5, r=0.1, beta=SPHERE, mu=0.2, alpha=float(np.deg2rad(20.0)))
SMOOTH = 0.05  # friction with which the slope is too steep to roll
ON_SMOOTH_SLOPE = replace(ON_SLOPE, mu=SMOOTH)

_FLAT_TIME, _SLOPE_TIME = 0.4, 0.5  # s, durations of the scenarios
_STEPS = (4e-3, 2e-3, 1e-3)
_SLOW = 1e-3  # m/s: slower than this counts as rolling


def _slip(trajectory: Trajectory, start: Rolling, body: str) -> Array:
    return velocity(trajectory, f"{body}_vx") - start.r * velocity(trajectory, f"{body}_wy")


def _end_of_sliding(start: Rolling, body: str) -> Measure:
    """Time at which the slip would be zero if it went on as from its half to shortly before [s]."""

    def measure(trajectory: Trajectory) -> float:
        t, slip = times(trajectory), _slip(trajectory, start, body)
        a = int(np.flatnonzero(slip < 0.5 * start.v0)[0])
        b = int(np.flatnonzero(slip < _SLOW)[0]) - 2
        return float(t[b] + slip[b] * (t[b] - t[a]) / (slip[a] - slip[b]))

    return measure


def _distance(body: str) -> Measure:
    def measure(trajectory: Trajectory) -> float:
        x = position(trajectory, f"{body}_x")
        return float(x[-1] - x[0])

    return measure


def _lost(trajectory: Trajectory) -> float:
    return -float(trajectory.data["contact_work"].to_numpy()[-1])


def _speed_and_loss(start: Rolling, body: str, end: float) -> dict[str, Measured]:
    at = np.array(end)
    speed, spin, loss = (float(f(at)) for f in (start.speed, start.spin, start.loss))
    return {
        "speed at the end": (speed, last_velocity(f"{body}_vx"), 1e-12),
        "spin at the end": (spin, last_velocity(f"{body}_wy"), 1e-11),
        "energy lost to friction": (loss, _lost, 1e-12),
    }


def _on_flat_ground(start: Rolling, body: str) -> dict[str, Measured]:
    distance = float(start.distance(np.array(_FLAT_TIME)))
    return {
        "time at which sliding ends": (start.sliding_time, _end_of_sliding(start, body), 1e-11),
        **_speed_and_loss(start, body, _FLAT_TIME),
        "way at the end": (distance, _distance(body), start.mu * start.g * _STEPS[-1] ** 2 / 8.0),
    }


def _down_the_slope(start: Rolling) -> dict[str, Measured]:
    distance = float(start.distance(np.array(_SLOPE_TIME)))
    return {
        **_speed_and_loss(start, "sphere", _SLOPE_TIME),
        "way at the end": (distance, _distance("sphere"), 1e-12),
    }


def _rolls(name: str, quantities: dict[str, Measured], start: Rolling, body: str) -> Case:
    return case(name, _STEPS, quantities, velocity_of(f"{body}_vx"), start.speed)


CASES = (
    _rolls("rolling_sphere", _on_flat_ground(SPHERE_START, "sphere"), SPHERE_START, "sphere"),
    _rolls(
        "rolling_cylinder", _on_flat_ground(CYLINDER_START, "cylinder"), CYLINDER_START, "cylinder"
    ),
    _rolls("rolling_slope", _down_the_slope(ON_SLOPE), ON_SLOPE, "sphere"),
    _rolls("rolling_slope_smooth", _down_the_slope(ON_SMOOTH_SLOPE), ON_SMOOTH_SLOPE, "sphere"),
)
