"""Spinning bodies in space: a coin that rolls in a circle, a top that precesses on its tip."""

import math
from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.textbook.coin import Coin
from footfall.textbook.top import Top
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, Quantity, quantity
from footfall.verify.observables import energy_lost, position, position_curve, times, velocity

Measure = Callable[[Trajectory], float]

COIN = Coin(m=1.2, A=0.01204, C=0.024, r=0.2, c=0.01, theta=math.radians(60.0), rho=0.5)
TOP = Top(m=0.8, A=0.00206, C=0.004, l=0.08, theta=math.radians(30.0), omega3=60.0)

_DURATION = 1.0  # s, of both scenarios
_COIN_STEPS = (4e-3, 2e-3, 1e-3)
_TOP_STEPS = (*_COIN_STEPS, 5e-4)
_FIRST_ORDER = "first order: gyroscopic forces are those of the start of the step"
_DRIFT = "first order: an explicit step leaves the curved path of the contact by v² dt/(2 r) a step"


def _axis(trajectory: Trajectory, body: str) -> Array:
    """Axis e3 of the body in the world, (N, 3); Drake's quaternions grow longer than one."""
    quaternion = np.array([position(trajectory, f"{body}_q{name}") for name in "wxyz"])
    w, x, y, z = quaternion / np.linalg.norm(quaternion, axis=0)
    return np.stack((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)), axis=1)


def _tilts(trajectory: Trajectory, body: str) -> Array:
    axis = _axis(trajectory, body)
    return np.arctan2(np.hypot(axis[:, 0], axis[:, 1]), axis[:, 2])


def _tilt(body: str) -> Measure:
    return lambda trajectory: float(_tilts(trajectory, body)[-1])


def _turned(body: str) -> Measure:
    """Angle by which the axis has gone round the vertical at the end [rad]."""

    def measure(trajectory: Trajectory) -> float:
        axis = _axis(trajectory, body)
        heading = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
        return float(heading[-1] - heading[0])

    return measure


def _spin(trajectory: Trajectory) -> float:
    """Angular velocity of the top about its axis at the end [rad/s]."""
    omega = np.array([velocity(trajectory, f"top_w{name}")[-1] for name in "xyz"])
    return float(omega @ _axis(trajectory, "top")[-1])


def _radius(trajectory: Trajectory) -> float:
    x, y = (position(trajectory, f"coin_{name}")[-1] for name in "xy")
    return float(np.hypot(x, y))


def _mean_force(*axes: str) -> Measure:
    """Mean over the run of the length of the force along some axes of the ground [N]."""

    def measure(trajectory: Trajectory) -> float:
        impulse = trajectory.data["impulse"].sel(axis=list(axes)).to_numpy()[1:].sum(axis=1)
        span = times(trajectory)[-1] - times(trajectory)[0]
        return float(np.linalg.norm(impulse, axis=1).sum() / span)

    return measure


def _coin_quantities(
    tolerances: tuple[float, ...], order: float, reason: str, lost: str
) -> tuple[Quantity, ...]:
    """Quantities of a scheme; lost: the reason of the energy's tolerance."""
    theta, rho, turned = COIN.theta, COIN.rho, COIN.precession * _DURATION
    friction, normal = COIN.friction_force, COIN.normal_force
    distance = "distance of the centre from the axis of its circle after 1 s"
    measured: tuple[tuple[str, str, float, Measure, str], ...] = (
        ("tilt after 1 s", "rad", theta, _tilt("coin"), reason),
        ("precession in 1 s", "rad", turned, _turned("coin"), reason),
        (distance, "m", rho, _radius, reason),
        ("friction on the rim", "N", friction, _mean_force("t", "s"), reason),
        ("force on the rim", "N", normal, _mean_force("n"), reason),
        ("energy lost", "J", 0.0, energy_lost, lost),
    )
    return tuple(
        quantity(name, unit, exact, measure, tolerance, why, order=order)
        for (name, unit, exact, measure, why), tolerance in zip(measured, tolerances, strict=True)
    )


_COIN_CURVE = CaseCurve(
    "x of the centre (m)",
    position_curve("coin_x"),
    lambda t: COIN.rho * np.cos(COIN.precession * t),
)

_TOP_QUANTITIES = (
    quantity("tilt after 1 s", "rad", TOP.theta, _tilt("top"), 0.02, _FIRST_ORDER, order=1.0),
    quantity(
        "precession in 1 s",
        "rad",
        TOP.precession * _DURATION,
        _turned("top"),
        0.02,
        _FIRST_ORDER,
        order=1.0,
    ),
    quantity(
        "spin about the axis",
        "rad/s",
        TOP.omega3,
        _spin,
        1e-9,
        "rounding: no force has a moment about the axis, and the step keeps its momentum",
    ),
    quantity(
        "force on the tip", "N", TOP.normal_force, _mean_force("n"), 4e-3, _FIRST_ORDER, order=1.0
    ),
    quantity("energy lost", "J", 0.0, energy_lost, 0.02, _DRIFT, order=1.0),
    quantity(
        "gap under the tip at the end",
        "m",
        0.0,
        lambda trajectory: float(trajectory.data["gap"].to_numpy()[-1, 0]),
        1e-3,
        _DRIFT,
        order=1.0,
    ),
)


CASES = (
    Case(
        name="coin",
        title="A coin rolls in a circle",
        statement=(
            "A coin of radius 0.2 m, tilted by 60°, rolls on its edge so that its centre runs on a "
            "circle of 0.5 m. Without slip tilt and rates stay as they are, with the precession "
            "Ω² = m g a/[sin θ (A cos θ + C (ρ − c sin θ)/r) + m ρ H] = (2.57 rad/s)²; the ground "
            "gives N = m g and the friction m Ω² ρ. Nothing is lost."
        ),
        source=(
            "E. J. Routh, Advanced Rigid Dynamics, 6th ed. 1905, article 244; O. M. O'Reilly, The "
            "dynamics of rolling disks and sliding disks, Nonlinear Dynamics 10 (1996) 287-305; "
            "footfall.textbook.coin"
        ),
        scenario="verify/coin",
        steps=_COIN_STEPS,
        quantities=_coin_quantities(
            (0.015, 0.04, 0.015, 0.06, 4e-3, 0.015), 1.0, _FIRST_ORDER, _DRIFT
        ),
        curve=_COIN_CURVE,
        drake_note=(
            "A contact that stays loaded is what compliance is good at: at the finest step sap's "
            "tilt is off by 0.29° against the 0.47° of Moreau's scheme, its precession by 15 mrad "
            "against 22 mrad, and it loses 2.1 mJ against 7.1 mJ; lagged and similar 3.3 mJ. All "
            "converge with first order."
        ),
    ),
    Case(
        name="coin_midpoint",
        title="The same coin by the implicit midpoint rule",
        statement=(
            "With moreau.scheme: implicit-midpoint gyroscopic forces are those of the mean "
            "velocity, and the contact, which moves round the rim, is at rest at both ends of a "
            "step: all errors fall with dt²."
        ),
        source="M. Jean, Computer Methods in Applied Mechanics and Engineering 177 (1999) 235-257",
        scenario="verify/coin",
        settings=("moreau.scheme=implicit-midpoint",),
        steps=_COIN_STEPS,
        quantities=_coin_quantities(
            (1e-5, 2e-5, 1e-5, 3e-5, 3e-7, 1e-5), 2.0, "second order", "second order"
        ),
        curve=_COIN_CURVE,
        drake=(),
    ),
    Case(
        name="top",
        title="A top precesses on its tip",
        statement=(
            "A symmetric top with a pointed tip on rough ground spins with ω₃ = 60 rad/s at a tilt "
            "of 30°. With C ω₃ Ω − (A + m l²) Ω² cos θ = m g l it precesses steadily, Ω = "
            "2.82 rad/s, and keeps tilt, spin and energy."
        ),
        source=(
            "H. Goldstein, Classical Mechanics, 2nd ed. 1980, section 5-7; footfall.textbook.top"
        ),
        scenario="verify/top",
        steps=_TOP_STEPS,
        quantities=_TOP_QUANTITIES,
        curve=CaseCurve(
            "tilt (rad)",
            lambda trajectory: (times(trajectory), _tilts(trajectory, "top")),
            lambda t: np.full_like(t, TOP.theta),
        ),
        drake_note=(
            "Tilt and precession err as much as those of Moreau's scheme, for gyroscopic forces "
            "are explicit in both. Drake loses 4 to 5 mJ against 10 mJ: its spring keeps the tip "
            "at the ground, from which Moreau's, held at velocity level alone, sinks."
        ),
    ),
)
