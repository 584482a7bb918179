"""Stick-slip: a block on a belt, static friction above kinetic."""

import numpy as np

from footfall.arrays import Array
from footfall.textbook.belt import Belt
from footfall.trajectory import Trajectory
from footfall.verify.case import Case, CaseCurve, quantity
from footfall.verify.observables import at, position, position_curve, times

BELT = Belt(m=1.0, k=25.0, mu_s=0.4, mu_k=0.3, M=1e5, g=9.81)
SPEED = 0.1  # m/s, of the belt at the first break-away
BREAK_AWAY = 0.4  # s, a whole number of every step
_STEPS = (8e-3, 4e-3, 2e-3, 1e-3)
_DT = _STEPS[-1]
_PHASES = BELT.phases(SPEED, 3.0)
_AMPLITUDE = BELT.amplitude(SPEED)
_SECOND_SLIP = BREAK_AWAY + _PHASES[2].time


def _extension(time: Array) -> Array:
    """Extension [m] at times since the start of the run [s]: it begins in the stick phase."""
    W = np.sqrt(BELT.k / (BELT.M + BELT.m))
    back = W * (time - BREAK_AWAY)
    stick = BELT.break_away * np.cos(back) + SPEED / W * np.sin(back)
    later = BELT.extension(SPEED, np.maximum(time - BREAK_AWAY, 0.0))
    return np.where(time < BREAK_AWAY, stick, later)


def _first_cycle(trajectory: Trajectory) -> Array:
    """Extension up to the second break-away [m]."""
    return position(trajectory, "x")[times(trajectory) < _SECOND_SLIP - _STEPS[0]]


def _crossings(t: Array, x: Array) -> Array:
    """Return when x rises through x_k [s]; it does while it sticks, on a straight line."""
    rise = x - BELT.centre
    k = np.flatnonzero((rise[:-1] < 0.0) & (rise[1:] >= 0.0))
    return t[k] - rise[k] * (t[k + 1] - t[k]) / (rise[k + 1] - rise[k])


def _crossing(index: int, trajectory: Trajectory) -> float:
    rises = _crossings(times(trajectory), position(trajectory, "x"))
    return float(rises[index] - rises[0])


_FINE = np.linspace(0.0, 3.28, 32_801)
_EXACT = _crossings(_FINE, _extension(_FINE))

CASES = (
    Case(
        name="belt",
        title="Stick-slip on a belt",
        statement=(
            "A belt carries a block that a spring holds. It sticks until k x = μₛ m g, slips on a "
            "sine about μₖ m g/k of amplitude √(d² + v²/ω²), d = (μₛ − μₖ) m g/k, and sticks "
            "again when it is as fast as the belt: T = 2 d/v + 2 (π − arctan(d ω/v))/ω = 1.60 s. "
            "The belt weighs 10⁵ times the block; the closed form has what it loses of its speed."
        ),
        source=(
            "R. I. Leine, D. H. van Campen, A. de Kraker, L. van den Steen, Nonlinear Dynamics 16 "
            "(1998) 41–54; J. J. Thomsen, A. Fidlin, Int. J. Non-Linear Mechanics 38 "
            "(2003) 389–403"
        ),
        scenario="verify/belt",
        steps=_STEPS,
        quantities=(
            quantity(
                "largest extension of the first cycle",
                "m",
                BELT.centre + _AMPLITUDE,
                lambda t: float(_first_cycle(t).max()),
                1e-6,
                "rows lie beside the peak by half a step at most, ω² A dt²/8; without contacts "
                "that open or close the scheme is of second order",
                order=2.0,
            ),
            quantity(
                "smallest extension of the first cycle",
                "m",
                BELT.centre - _AMPLITUDE,
                lambda t: float(_first_cycle(t).min()),
                1e-6,
                "as the largest",
                order=2.0,
            ),
            quantity(
                "period of the first cycle",
                "s",
                float(_EXACT[1] - _EXACT[0]),
                lambda t: _crossing(1, t),
                1e-5,
                "where in its step the block comes to stick is chance, worth a dt²/8 of sliding",
            ),
            quantity(
                "length of two cycles",
                "s",
                float(_EXACT[2] - _EXACT[0]),
                lambda t: _crossing(2, t),
                _DT,
                "the second break-away is seen at the end of its step at the latest",
            ),
            quantity(
                "work of friction in the first slip",
                "J",
                -BELT.loss(_PHASES[0]),
                lambda t: at(_SECOND_SLIP - _STEPS[0], t, t.data["contact_work"].to_numpy()),
                1e-6,
                "the slid distance is of second order",
                order=2.0,
            ),
        ),
        curve=CaseCurve("extension of the spring (m)", position_curve("x"), _extension),
        drake_note=(
            "Drake's discrete contact has one coefficient and ignores μₛ. The block lets go at μₖ "
            "m g/k already and only just comes to stick again: a sine of amplitude v/ω = 20 mm in "
            "place of 44 mm, and a period of 2π/ω = 1.26 s in place of 1.60 s, in all three."
        ),
    ),
)
