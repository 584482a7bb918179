"""Swing-foot contact filter: the foot behind has no contact until it is ahead and above the ground.

Straight legs are too long at mid-swing: the swing foot goes some millimetres below the ground, and
published models of such walkers pass over it. The rule, the same in every engine: after a foot that
is ahead has closed, the foot behind is *off*, until it is ahead of the other one and above the
ground. So a foot comes down descending and ahead. At heel strike both are on: that only the new
foot gets an impulse is for the law of impact to say.

A foot of several points is ahead where their middle is, and above the ground with its lowest one.

Of a walk in which the old foot leaves as the new one closes, the rule takes nothing but the
scuffing. A machine that falls back, or is to rest on both feet, falls through the ground.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

from pydrake.geometry import GeometryId

from footfall.arrays import Array, Indices
from footfall.checked import Checked, checked, metadata, not_negative
from footfall.jit import scratch_njit

# first and second foot: which is off; gap or place [m]; which has closed
Pair = tuple[bool, bool]
Lengths = tuple[float, float]

_LEVEL = 1e-9  # m: feet of the same height, both on the ground, that rounding tells apart


@dataclass
class SwingFeet(Checked, at="alternating_feet."):
    """Two feet that take turns, and the direction of walking."""

    # The two feet by the names of their collision shapes, as "compass::foot_1", or by patterns
    # where a foot has several, as "robot::left_*". Each must meet the ground.
    feet: list[str] = field(default_factory=list)
    # Direction of walking along x and y of the terrain, of any length.
    ahead: list[float] = checked(
        [1.0, 0.0],
        metadata(
            lambda ahead: len(ahead) == 2 and 0.0 < math.hypot(*ahead) < math.inf,
            "give a direction along x and y of the terrain, such as [1, 0]",
        ),
    )
    # Height [m] below which a foot that is on counts as closed, whether or not it has an impulse:
    # for feet that come down so softly that the first impulse may be late; 0: none does.
    landed: float = not_negative(0.0, "give a finite height from 0 on")


@dataclass(frozen=True)
class Foot:
    """points: its contacts, (k,) indices of the contact set. geometries: its collision shapes."""

    points: Indices
    geometries: tuple[GeometryId, ...]


@dataclass(frozen=True)
class SwingFootFilter:
    """Two feet that take turns while walking along ahead_W, a unit vector in the world, (3,).

    landed: height [m] below which a foot that is on counts as closed.
    """

    feet: tuple[Foot, Foot]
    ahead_W: Array
    landed: float = not_negative(0.0, "give a finite height from 0 on")

    def off_at_start(self, gap: Array, p_WC: Array) -> Pair:
        """Return which feet are off where a motion begins; see the function of this name.

        gap (n,) [m] and p_WC (n, 3) [m]: of all contacts.
        """
        return off_at_start(*self._lowest(gap, p_WC))

    def off_after_step(self, off: Pair, gap: Array, p_WC: Array, closed: Indices) -> Pair:
        """Return which feet are off after a step; see the function of this name.

        gap (n,) [m] and p_WC (n, 3) [m]: of all contacts. closed (k,): indices of those with an
        impulse in the step.
        """
        those = set(closed.tolist())
        gaps, places = self._lowest(gap, p_WC)
        first, second = (
            not those.isdisjoint(points) or (not off[k] and gaps[k] < self.landed > 0.0)
            for k, points in enumerate(self._points)
        )
        return off_after_step(off, gaps, places, (first, second))

    def _lowest(self, gap: Array, p_WC: Array) -> tuple[Lengths, Lengths]:
        """Gaps of the feet's lowest points, and how far ahead the feet's middles are."""
        first, second = (min(points, key=gap.item) for points in self._points)
        one, other = (float((p_WC[points] @ self.ahead_W).mean()) for points in self._points)
        return (gap.item(first), gap.item(second)), (one, other)

    @cached_property
    def _points(self) -> tuple[list[int], ...]:
        """The points of each foot as numbers of Python, which are quicker for a few."""
        return tuple(foot.points.tolist() for foot in self.feet)


def off_at_start(gaps: Lengths, places: Lengths) -> Pair:
    """Return which of two feet are off where a motion begins.

    gaps: of their lowest points [m]; places: of their middles along the direction of walking [m].
    The lower foot stands, of two at the same height the one ahead; the other is on only if it is
    ahead and above the ground.
    """
    if abs(gaps[0] - gaps[1]) <= _LEVEL:
        standing = int(places[1] > places[0])
    else:
        standing = int(gaps[1] < gaps[0])
    other = 1 - standing
    off = not (places[other] > places[standing] and gaps[other] > 0.0)
    return (off, False) if other == 0 else (False, off)


@scratch_njit
def off_after_step(off: Pair, gaps: Lengths, places: Lengths, closed: Pair) -> Pair:
    """Return which of two feet are off after a step.

    off: in the step. gaps: of their lowest points [m]; places: of their middles along the direction
    of walking [m]. closed: which had an impulse in the step. Carried out twice it does what it does
    once.
    """
    return _off_next(0, off, gaps, places, closed), _off_next(1, off, gaps, places, closed)


@scratch_njit
def _off_next(foot: int, off: Pair, gaps: Lengths, places: Lengths, closed: Pair) -> bool:
    other = 1 - foot
    if closed[other] and places[other] > places[foot]:
        return True
    return off[foot] and not (places[foot] > places[other] and gaps[foot] > 0.0)
