"""Housner's rocking block: from corner to corner, and lying, where both corners stop it."""

from collections.abc import Callable

import numpy as np

from footfall.arrays import Array
from footfall.textbook.rocking_block import RockingBlock
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, Measured, case
from footfall.verify.observables import energy_lost, last_velocity, position, times, velocity

Measure = Callable[[Trajectory], float]

SLENDER = RockingBlock(b=0.1, h=0.4, m=3.0)
RELEASED = 0.12  # rad
LYING = RockingBlock(b=0.4, h=0.1, m=3.0)
RELEASED_LYING = 0.15  # rad
QUARTER_TURN = 0.5 * np.pi  # rad, between the joint's angle and the tilt of the lying block

_STEPS = (2e-3, 1e-3, 5e-4)
_DT = _STEPS[-1]
_NEAR = 0.02  # s, before and after an impact
# corners of the box by the signs of x, y, z: that on which the block turns at first, and that on
# which it lands, each on either side in y
_SLENDER_CORNERS = ((4, 6), (0, 2))
_LYING_CORNERS = ((5, 7), (4, 6))


def _passes(trajectory: Trajectory, upright: float) -> Array:
    """Times at which the tilt changes its sign [s]."""
    t, theta = times(trajectory), position(trajectory, "theta") - upright
    before = np.flatnonzero(theta[:-1] * theta[1:] < 0.0)
    share = theta[before] / (theta[before] - theta[before + 1])
    return t[before] + share * (t[before + 1] - t[before])


def _pass(count: int, upright: float = 0.0) -> Measure:
    return lambda trajectory: float(_passes(trajectory, upright)[count])


def _rate_at_impact(block: RockingBlock, upright: float, after: float) -> Measure:
    """Rate at theta = 0 that the energy gives from a row ``after`` the first impact [rad/s]."""

    def measure(trajectory: Trajectory) -> float:
        moment = _passes(trajectory, upright)[0] + after
        row = int(np.searchsorted(times(trajectory), moment))
        theta = abs(position(trajectory, "theta")[row] - upright)
        rate = velocity(trajectory, "theta")[row]
        height = np.cos(block.alpha - theta) - np.cos(block.alpha)
        return float(np.sqrt(rate**2 + 2.0 * block.p**2 * height))

    return measure


def _ratio(block: RockingBlock) -> Measure:
    before = _rate_at_impact(block, 0.0, -_NEAR)
    after = _rate_at_impact(block, 0.0, _NEAR)
    return lambda trajectory: after(trajectory) / before(trajectory)


def _share_of_old_corner(corners: tuple[tuple[int, int], tuple[int, int]]) -> Measure:
    """Share of the first corner in the largest impulse of all steps."""
    old, new = (list(pair) for pair in corners)

    def measure(trajectory: Trajectory) -> float:
        impulse = trajectory.data["impulse"].sel(axis="n").to_numpy()
        largest = impulse[int(impulse.sum(axis=1).argmax())]
        return float(largest[old].sum() / largest[old + new].sum())

    return measure


def _tilts(
    name: str,
    quantities: dict[str, Measured],
    block: RockingBlock,
    released: float,
    upright: float = 0.0,
) -> Case:
    """Case of a block that is released at a tilt."""
    return case(
        name,
        _STEPS,
        quantities,
        lambda trajectory: position(trajectory, "theta") - upright,
        lambda t: block.tilt(t, released),
    )


_ARRIVAL = SLENDER.arrival(RELEASED)
_TIMES = SLENDER.impact_times(RELEASED, 2)
_ARRIVAL_LYING = LYING.arrival(RELEASED_LYING)
_STOP = LYING.impact(_ARRIVAL_LYING)
_SHARE = _STOP.old / (_STOP.old + _STOP.new)

_SLENDER_QUANTITIES: dict[str, Measured] = {
    "time of the first impact": (float(_TIMES[0]), _pass(0), 0.1 * _DT),
    "rate after the impact over that before": (SLENDER.ratio, _ratio(SLENDER), 5e-3),
    "share of the old corner in the impulse of the impact": (
        0.0,
        _share_of_old_corner(_SLENDER_CORNERS),
        1e-9,
    ),
    "tilt on the other side": (
        SLENDER.next_peak(RELEASED),
        lambda trajectory: -float(position(trajectory, "theta").min()),
        3.0 * _ARRIVAL * _DT,
    ),
    "time of the second impact": (float(_TIMES[1]), _pass(1), 8.0 * _DT),
}

_LYING_QUANTITIES: dict[str, Measured] = {
    "time of the impact": (LYING.fall_time(RELEASED_LYING), _pass(0, QUARTER_TURN), 0.5 * _DT),
    "rate before the impact": (_ARRIVAL_LYING, _rate_at_impact(LYING, QUARTER_TURN, -_NEAR), 1e-3),
    "rate at the end": (0.0, last_velocity("theta"), 1e-9),
    "share of the old corner in the impulse of the impact": (
        _SHARE,
        _share_of_old_corner(_LYING_CORNERS),
        2e-3,
    ),
    "tilt at the end": (
        0.0,
        lambda trajectory: float(position(trajectory, "theta")[-1] - QUARTER_TURN),
        _ARRIVAL_LYING * _DT,
    ),
    "energy lost": (_STOP.loss, energy_lost, LYING.m * LYING.g * LYING.b * _ARRIVAL_LYING * _DT),
}

CASES = (
    _tilts("rocking_block", _SLENDER_QUANTITIES, SLENDER, RELEASED),
    _tilts("rocking_block_lying", _LYING_QUANTITIES, LYING, RELEASED_LYING, QUARTER_TURN),
)
