"""Parameters of a walk of any robot with feet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from footfall.arrays import Array
from footfall_controllers.walking.gait_schedule import GaitSchedule


@dataclass(frozen=True, eq=False)
class WalkingFoot:
    """A foot: the link that is led, the corners of its sole (n, 3) [m], links of its contacts."""

    link: str
    corners: Array
    contacts: Sequence[str]

    @property
    def centre(self) -> Array:
        """Middle of the sole in the link [m]."""
        middle: Array = 0.5 * (self.corners.min(axis=0) + self.corners.max(axis=0))
        return middle


@dataclass(frozen=True, eq=False)
class WalkParameters:
    """Parameters of a walk.

    feet: by name, in one order. trunk: the link whose heading counts. schedule: of the gait.
    velocity: ahead and aside (2,) [m/s]; turn: rate of the heading [rad/s]. width: distance of left
    from right feet [m], None: as they stand at the start. height: lift of a swing [m]. gain: of the
    capture point [1/s]. margin: share of the support polygon by which the zero-moment point keeps
    off its edge. reach: how far a landing may be shifted ahead or back, outwards, and inwards [m];
    zeros: steps are not adjusted. ramp: time in which a contact takes its load [s]. period: between
    two ticks [s].
    """

    feet: Mapping[str, WalkingFoot]
    trunk: str
    schedule: GaitSchedule
    velocity: Array
    turn: float
    width: float | None
    height: float
    gain: float
    margin: float
    reach: tuple[float, float, float]
    ramp: float
    period: float
