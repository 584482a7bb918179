"""Numbers of docs/theory/event_driven.md, see scripts/page_numbers.py."""

from collections.abc import Sequence

import numpy as np
from passage import Passage

from footfall.arrays import Array
from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    Options,
    SectionMap,
    Transition,
    find_fixed_point,
    simulate,
)
from footfall.textbook.bouncing_ball import BouncingBall
from footfall.textbook.rimless_wheel import RimlessWheel

_BALL = BouncingBall(h=1.0, e=0.8, g=9.81)
_WHEEL = RimlessWheel(m=1.4, J=0.06, l=0.6, n=9, gamma=np.deg2rad(7.0), g=9.7)


def _ball() -> float:
    """Largest error of the times at which the page's ball bounces [s]."""

    def bounce(_: float, x: Array) -> Transition:
        return Transition("air", np.array([x[0], -_BALL.e * x[1]]))

    floor = Guard("floor", lambda _, x: x[0], FALLING, bounce)
    air = HybridMode("air", lambda _, x: np.array([x[1], -_BALL.g + 0.0 * x[1]]), (floor,))
    run = simulate(HybridSystem({"air": air}, ("q", "v")), "air", [_BALL.h, 0.0], (0.0, 2.0))
    times = np.array([event.time for event in run.events])
    return float(np.abs(times - _BALL.impact_times(len(times))).max())


def _rolling(gamma: float) -> HybridSystem:
    """The wheel on a slope: angle and rate of the standing spoke."""
    weight = _WHEEL.m * _WHEEL.g * _WHEEL.l / _WHEEL.inertia

    def strike(_: float, x: Array) -> Transition:
        return Transition("roll", np.array([x[0] - 2.0 * _WHEEL.alpha, _WHEEL.eta * x[1]]))

    ahead = Guard("strike", lambda _, x: x[0] - gamma - _WHEEL.alpha, RISING, strike)
    roll = HybridMode("roll", lambda _, x: np.array([x[1], weight * np.sin(x[0])]), (ahead,))
    return HybridSystem({"roll": roll}, ("theta", "omega"))


def _wheel() -> Sequence[float]:
    """Errors of the wheel's fixed point [rad/s], of its multiplier and of a step's time [s]."""
    steps = SectionMap(
        _rolling,
        "roll",
        "strike",
        embed=lambda y, gamma: np.array([gamma - _WHEEL.alpha, y[0]]),
        project=lambda x, _: x[1:],
        most_time=5.0,
    )
    found = find_fixed_point(steps, np.array([2.0]), _WHEEL.gamma)
    rate = float(found.orbit[0, 0])
    return [
        abs(rate - _WHEEL.eta * _WHEEL.fixed_point),
        float(abs(found.multipliers[0] - _WHEEL.eta**2)),
        abs(steps.passage(found.orbit[0], _WHEEL.gamma).time - _WHEEL.step_time(rate)),
    ]


PASSAGES = (
    Passage("come out to about {:.0e}.", lambda: [max(_ball(), *_wheel())], bound=True),
    Passage("relative tolerance {:.0e} unless", lambda: [Options().relative]),
    Passage("`Options.grazing` ({:.0e} in units", lambda: [Options().grazing]),
    Passage("`Options.zeno` ({:.0e} s)", lambda: [Options().zeno]),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "constants of footfall.hybrid": ("with h = 1e-30, which",),
    "tolerances of tests/hybrid": ("differences of order 6, to 1e-10",),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
