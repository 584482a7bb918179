"""A rimless wheel that rolls down a slope: plastic impacts that hand over from foot to foot."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, quantity
from footfall.verify.observables import position, times, velocity, velocity_curve

WHEEL = RimlessWheel(m=1.0, J=0.05, l=0.5, n=8, gamma=math.radians(6.0), g=9.81)
START = 3.0  # rad/s, just after an impact
_STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4)
_COUNT = 6  # stances; the later ones are hardly different
_STANCES = WHEEL.stances(START, _COUNT)


def _rates(trajectory: Trajectory) -> tuple[Array, Array]:
    """Times [s] and rates of turn [rad/s] at which a spoke stands along the normal of the slope."""
    t, turn, rate = times(trajectory), position(trajectory, "turn"), velocity(trajectory, "turn")
    marks = 2.0 * WHEEL.alpha * np.arange(_COUNT)
    if turn[-1] < marks[-1] or (np.diff(turn) < 0.0).any():
        raise ValueError("the wheel does not roll on")
    return np.interp(marks, turn, t), np.interp(marks, turn, rate)


def _map_line(trajectory: Trajectory) -> tuple[float, float]:
    """Slope and fixed point of the line through the squared rates of successive stances."""
    squared = _rates(trajectory)[1] ** 2
    slope, offset = np.polyfit(squared[:-1], squared[1:], 1)
    return float(slope), float(offset / (1.0 - slope))


def _both(trajectory: Trajectory) -> float:
    """Largest share of a landing's normal impulse that another foot bears [1]."""
    impulse = np.sort(trajectory.data["impulse"].sel(axis="n").to_numpy(), axis=1)[1:]
    return float((impulse[:, -2] / np.maximum(impulse[:, -1], 1e-12)).max())


CASES = (
    Case(
        name="rimless_wheel",
        title="A rimless wheel rolls to its limit cycle",
        statement=(
            "A wheel of eight spokes without a rim rolls down 6°. At every impact the new foot "
            "sticks, the old one lifts, and ω⁺ = η ω⁻ with η = (m l² cos 2α + J)/(m l² + J) = "
            "0.756; gravity adds the same energy in every step. So ω² obeys a linear map with the "
            "multiplier η² and the fixed point ω*² = 4 m g l sin γ sin α/((m l² + J)(1 − η²)) "
            "before the impact."
        ),
        source=(
            "T. McGeer, International Journal of Robotics Research 9 (1990) 62–82; M. J. Coleman, "
            "PhD thesis, Cornell University 1998"
        ),
        scenario="verify/rimless_wheel",
        steps=_STEPS,
        quantities=(
            quantity(
                "largest error of the rate of turn in 6 stances",
                "rad/s",
                0.0,
                lambda t: float(np.abs(_rates(t)[1] - _STANCES.rate).max()),
                1e-2,
                "a foot lands up to a step late and stands that much too deep, at chance",
                order=1.0,
            ),
            quantity(
                "largest error of the times of 6 stances",
                "s",
                0.0,
                lambda t: float(np.abs(_rates(t)[0] - _STANCES.time).max()),
                1e-2,
                "as the rates, added up over the stances",
            ),
            quantity(
                "multiplier of the return map",
                "1",
                WHEEL.eta**2,
                lambda t: _map_line(t)[0],
                2e-2,
                "the error of the rates over their range",
            ),
            quantity(
                "fixed point, rate of turn squared in stance",
                "rad²/s²",
                WHEEL.stance_fixed_point,
                lambda t: _map_line(t)[1],
                6e-2,
                "the error of the rates times 2 ω, over 1 − η²",
            ),
            quantity(
                "largest share that a second foot bears",
                "1",
                0.0,
                _both,
                1e-9,
                "none: the old foot lifts at the impact, as derived",
            ),
        ),
        curve=CaseCurve(
            "rate of turn (rad/s)",
            velocity_curve("turn"),
            lambda time: WHEEL.motion(START, time)[1],
        ),
        drake_note=(
            "A plastic landing is what compliant contact with enough dissipation does by itself: "
            "at 0.5 ms all three roll as the map says, to 9 mrad/s. At 8 ms lagged rolls so "
            "slowly that it does not come to the sixth stance in time."
        ),
    ),
)
