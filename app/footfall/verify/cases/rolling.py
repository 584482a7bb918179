"""A sphere and a cylinder that slide, then roll; a sphere on a slope that rolls or slides."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.textbook.rolling import CYLINDER, SPHERE, Rolling
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, Quantity, quantity
from footfall.verify.observables import last_velocity, position, times, velocity, velocity_curve

Measure = Callable[[Trajectory], float]

SPHERE_START = Rolling(m=1.5, r=0.1, beta=SPHERE, mu=0.2, v0=1.0)
CYLINDER_START = Rolling(m=2.0, r=0.1, beta=CYLINDER, mu=0.2, v0=1.0)
ON_SLOPE = Rolling(m=1.5, r=0.1, beta=SPHERE, mu=0.2, alpha=float(np.deg2rad(20.0)))
SMOOTH = 0.05  # friction with which the slope is too steep to roll
ON_SMOOTH_SLOPE = replace(ON_SLOPE, mu=SMOOTH)

_FLAT_TIME, _SLOPE_TIME = 0.4, 0.5  # s, durations of the scenarios
_STEPS = (4e-3, 2e-3, 1e-3)
_ROUNDING = "rounding: velocities that grow linearly are exact at every step"
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


def _speed_and_loss(start: Rolling, body: str, end: float) -> tuple[Quantity, ...]:
    at = np.array(end)
    speed, spin, loss = (float(f(at)) for f in (start.speed, start.spin, start.loss))
    return (
        quantity("speed at the end", "m/s", speed, last_velocity(f"{body}_vx"), 1e-12, _ROUNDING),
        quantity("spin at the end", "rad/s", spin, last_velocity(f"{body}_wy"), 1e-11, _ROUNDING),
        quantity("energy lost to friction", "J", loss, _lost, 1e-12, _ROUNDING),
    )


def _on_flat_ground(start: Rolling, body: str) -> tuple[Quantity, ...]:
    distance = float(start.distance(np.array(_FLAT_TIME)))
    return (
        quantity(
            "time at which sliding ends",
            "s",
            start.sliding_time,
            _end_of_sliding(start, body),
            1e-11,
            _ROUNDING,
        ),
        *_speed_and_loss(start, body, _FLAT_TIME),
        quantity(
            "way at the end",
            "m",
            distance,
            _distance(body),
            start.mu * start.g * _STEPS[-1] ** 2 / 8.0,
            "the step in which sliding ends has a kink of mu g in its speed",
        ),
    )


def _down_the_slope(start: Rolling) -> tuple[Quantity, ...]:
    distance = float(start.distance(np.array(_SLOPE_TIME)))
    return (
        *_speed_and_loss(start, "sphere", _SLOPE_TIME),
        quantity(
            "way at the end",
            "m",
            distance,
            _distance("sphere"),
            1e-12,
            "rounding: the trapezoidal rule is exact for speeds that grow linearly",
        ),
    )


def _speed_curve(start: Rolling, body: str) -> CaseCurve:
    return CaseCurve("speed of the centre (m/s)", velocity_curve(f"{body}_vx"), start.speed)


_SOURCE = (
    "A. Sommerfeld, Mechanics (Lectures on Theoretical Physics I), 1952, on billiards; "
    "footfall.textbook.rolling"
)
CASES = (
    Case(
        name="rolling_sphere",
        title="A sphere slides, then rolls",
        statement=(
            "A homogeneous sphere starts at v₀ = 1 m/s without spin on flat ground with μ = 0.2. "
            "It slides until t = 2v₀/(7μg) = 0.1456 s and then rolls at 5/7 v₀ for ever; friction "
            "takes 2/7 of its energy. The angular momentum about the ground stays m r v₀."
        ),
        source=_SOURCE,
        scenario="verify/rolling_sphere",
        steps=_STEPS,
        quantities=_on_flat_ground(SPHERE_START, "sphere"),
        curve=_speed_curve(SPHERE_START, "sphere"),
        drake_note=(
            "Drake's sphere lies a little in the ground (0.1 mm with lagged and similar, 3 µm with "
            "sap) and rolls on that much smaller a radius: its speed is 0.05 mm/s (sap) to "
            "0.2 mm/s (lagged) too low, its loss up to 0.7 % too high. Only sap's errors shrink "
            "with the step."
        ),
    ),
    Case(
        name="rolling_cylinder",
        title="A cylinder slides, then rolls",
        statement=(
            "A homogeneous cylinder, free in space, starts at v₀ = 1 m/s across its axis without "
            "spin on flat ground with μ = 0.2. It slides until t = v₀/(3μg) = 0.1699 s and then "
            "rolls at 2/3 v₀; friction takes a third of its energy. Two rims carry it, so that the "
            "impulses are not unique, but the motion is."
        ),
        source=_SOURCE,
        scenario="verify/rolling_cylinder",
        steps=_STEPS,
        quantities=_on_flat_ground(CYLINDER_START, "cylinder"),
        curve=_speed_curve(CYLINDER_START, "cylinder"),
        drake_note=(
            "As with the sphere: the speed is 0.05 mm/s (sap) to 0.2 mm/s (lagged) too low for the "
            "depth at which the cylinder lies."
        ),
    ),
    Case(
        name="rolling_slope",
        title="A sphere rolls down a slope",
        statement=(
            "A homogeneous sphere is released on a slope of α = 20° with μ = 0.2, less steep than "
            "tan α = 7μ/2. It rolls at once with 5/7 g sin α, and friction takes nothing."
        ),
        source=_SOURCE,
        scenario="verify/rolling_slope",
        steps=_STEPS,
        quantities=_down_the_slope(ON_SLOPE),
        curve=_speed_curve(ON_SLOPE, "sphere"),
        drake_note=(
            "Rolling costs Drake's sphere a little energy, 0.04 mJ with sap and 1.2 mJ with lagged "
            "and similar of the 1.5 J that it gains, at every step. Its way is of first order, for "
            "the step takes the end velocity alone."
        ),
    ),
    Case(
        name="rolling_slope_smooth",
        title="A sphere slides and turns down a smooth slope",
        statement=(
            "The same slope with μ = 0.05 is steeper than tan α = 7μ/2: the sphere slides for ever "
            "with g (sin α − μ cos α), while friction spins it up with 5μg cos α/(2r)."
        ),
        source=_SOURCE,
        scenario="verify/rolling_slope",
        settings=(f"friction={SMOOTH}",),
        steps=_STEPS,
        quantities=_down_the_slope(ON_SMOOTH_SLOPE),
        curve=_speed_curve(ON_SMOOTH_SLOPE, "sphere"),
        drake_note=(
            "Speed and loss hang on the normal force, which swings until the start has died out in "
            "Drake's spring: the spin is 0.02 % (similar) to 0.3 % (sap) too low at the finest "
            "step."
        ),
    ),
)
