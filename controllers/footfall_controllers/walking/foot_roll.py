"""Roll of a foot from heel to toe: its pitch over a step, and the edge that it turns about.

A pitch is positive where the heel is higher than the front edge. A foot lands on its heel edge,
rolls onto its sole, and leaves the ground over its front edge, or over a toe that is hinged there.
Both happen while all feet stand, so that a foot which bears alone is flat.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, between, checked, metadata, positive
from footfall_controllers.walking.gait_schedule import GaitSchedule, Phase
from footfall_controllers.walking.swing_foot import least_jerk

FRONT, REAR = 0.0, 1.0
"""Shares of the way from the front edge of a sole to its heel edge."""

_SAME = 1e-9  # s
_SHARES = metadata(
    lambda shares: len(shares) == 2 and 0.0 <= shares[0] <= shares[1] <= 1.0,
    "give two shares from 0 to 1",
)


@dataclass
class FootRoll(Checked, at="controller.walk.roll."):
    """Roll of feet from heel to toe, along the x axis of the links that are led."""

    # Angle with the ground at which a foot lands on its heel edge, and at which it leaves over its
    # front edge or its toe [deg].
    strike: float = between(10.0, 0.0, 90.0, open_high=True)
    lift: float = between(15.0, 0.0, 90.0, open_high=True)
    # Time from the landing until the sole is flat, and in which the heel rises before the foot
    # leaves [s]; neither is longer than overlap.
    settle: float = positive(0.1)
    rise: float = positive(0.15)
    # Shares of the sole, from heel edge to front edge, at which the zero-moment point begins and
    # ends the swing of the other feet.
    pressure: list[float] = checked([0.4, 0.8], _SHARES)

    def require_within(self, overlap: float) -> None:
        """Raise ScenarioError for a roll that is longer than the overlap of a walk [s]."""
        for name in ("settle", "rise"):
            if getattr(self, name) > overlap + _SAME:
                raise self.refusal(
                    f"{name} is {getattr(self, name)} s: give at most the overlap of the walk, "
                    f"{overlap} s"
                )


def pitch_of(
    roll: FootRoll,
    schedule: GaitSchedule,
    phase: Phase,
    step: int,
    foot: str,
    time: float,
    length: float,
) -> tuple[float, float]:
    """Return pitch [rad] of a foot, and its pivot, from FRONT to REAR.

    time: since the phase began, length: of the phase [s]. The first swing begins flat, the last one
    ends so.
    """
    lift = np.radians(roll.lift) if step else 0.0
    strike = np.radians(roll.strike) if step < schedule.steps - 1 else 0.0
    if phase is Phase.SWING and foot in schedule.group(step):
        share = _share(time, schedule.swing)
        return lift - (lift + strike) * share, share
    if phase is not Phase.OVERLAP:
        return 0.0, REAR
    if foot in schedule.group(step):
        return -strike * (1.0 - _share(time, roll.settle)), REAR
    following, after = schedule.after(phase, step)
    if following is Phase.SWING and foot in schedule.group(after):
        gone = time - length + roll.rise
        return np.radians(roll.lift) * _share(gone, roll.rise), FRONT
    return 0.0, REAR


def _share(time: float, length: float) -> float:
    """Share of a way after a time, by least jerk."""
    return float(least_jerk(np.array(np.clip(time / length, 0.0, 1.0))))


def turned_by(pitch: float) -> Array:
    """Rotation (3, 3) by a pitch."""
    c, s = np.cos(pitch), np.sin(pitch)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def edges(corners: Array) -> tuple[Array, Array]:
    """Return the corners of a sole (n, 3) behind its middle along x, and those ahead."""
    middle = 0.5 * (corners[:, 0].min() + corners[:, 0].max())
    return corners[corners[:, 0] < middle], corners[corners[:, 0] > middle]


def pivot(corners: Array, share: float) -> Array:
    """Return a point (3,) of the middle line of a sole, from its front edge to its heel edge."""
    rear, front = edges(corners)
    ends = [_outermost(part, sign) for part, sign in ((front, 1.0), (rear, -1.0))]
    return ends[0] + share * (ends[1] - ends[0])


def _outermost(corners: Array, sign: float) -> Array:
    along = sign * corners[:, 0]
    return corners[along > along.max() - 1e-6].mean(axis=0)


def halves(link: str) -> Sequence[str]:
    """Return the names of the contacts of the rear and the front half of a link's sole."""
    return f"{link} (heel)", f"{link} (ball)"
