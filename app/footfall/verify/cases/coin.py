"""Spinning bodies in space: a coin that rolls in a circle, a top that precesses on its tip."""

import math
from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.textbook.coin import Coin
from footfall.textbook.top import Top
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, case
from footfall.verify.observables import energy_lost, position, position_of, times, velocity

Measure = Callable[[Trajectory], float]

COIN = Coin(m=1.2, A=0.01204, C=0.024, r=0.2, c=0.01, theta=math.radians(60.0), rho=0.5)
TOP = Top(m=0.8, A=0.00206, C=0.004, l=0.08, theta=math.radians(30.0), omega3=60.0)

_DURATION = 1.0  # s, of both scenarios
_COIN_STEPS = (4e-3, 2e-3, 1e-3)
_TOP_STEPS = (*_COIN_STEPS, 5e-4)


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


def _coin(name: str, tolerances: tuple[float, ...]) -> Case:
    """The coin by a scheme, with what it is allowed of the quantities."""
    measured: dict[str, tuple[float, Measure]] = {
        "tilt after 1 s": (COIN.theta, _tilt("coin")),
        "precession in 1 s": (COIN.precession * _DURATION, _turned("coin")),
        "distance of the centre from the axis of its circle after 1 s": (COIN.rho, _radius),
        "friction on the rim": (COIN.friction_force, _mean_force("t", "s")),
        "force on the rim": (COIN.normal_force, _mean_force("n")),
        "energy lost": (0.0, energy_lost),
    }
    held = zip(measured.items(), tolerances, strict=True)
    quantities = {what: (*of, tolerance) for (what, of), tolerance in held}
    x = position_of("coin_x")
    return case(name, _COIN_STEPS, quantities, x, lambda t: COIN.rho * np.cos(COIN.precession * t))


_TOP_QUANTITIES = {
    "tilt after 1 s": (TOP.theta, _tilt("top"), 0.02),
    "precession in 1 s": (TOP.precession * _DURATION, _turned("top"), 0.02),
    "spin about the axis": (TOP.omega3, _spin, 1e-9),
    "force on the tip": (TOP.normal_force, _mean_force("n"), 4e-3),
    "energy lost": (0.0, energy_lost, 0.02),
    "gap under the tip at the end": (
        0.0,
        lambda trajectory: float(trajectory.data["gap"].to_numpy()[-1, 0]),
        1e-3,
    ),
}


CASES = (
    _coin("coin", (0.015, 0.04, 0.015, 0.06, 4e-3, 0.015)),
    _coin("coin_midpoint", (1e-5, 2e-5, 1e-5, 3e-5, 3e-7, 1e-5)),
    case(
        "top",
        _TOP_STEPS,
        _TOP_QUANTITIES,
        lambda trajectory: _tilts(trajectory, "top"),
        lambda t: np.full_like(t, TOP.theta),
    ),
)
