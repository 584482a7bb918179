"""Parameters of a walk of any robot with feet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from footfall.arrays import Array
from footfall_controllers.walking.foot_roll import FootRoll
from footfall_controllers.walking.footholds import FootholdSearch
from footfall_controllers.walking.gait_schedule import GaitSchedule
from footfall_controllers.walking.touch_down import TouchDown
from footfall_controllers.walking.walking_ground import WalkingGround


@dataclass(frozen=True, eq=False)
class WalkingFoot:
    """A foot: the link that is led, and the corners (n, 3) [m] of its contacts by link."""

    link: str
    contacts: Mapping[str, Array]

    @cached_property
    def corners(self) -> Array:
        """Corners (n, 3) of the link that is led [m]."""
        return self.contacts[self.link]

    @cached_property
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
    two ticks [s]. ground: that the robot knows; footholds: where it looks for flat ones.
    roll: of the feet from heel to toe, None: they stay flat. touch_down: that ends swings, None:
    their time does.
    above: height over the trunk's origin of a second point of the trunk, where points are led
    instead of the centre of mass, the trunk and the feet; None: they are not [m].
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
    ground: WalkingGround = field(default_factory=WalkingGround)
    footholds: FootholdSearch = field(default_factory=FootholdSearch)
    above: float | None = None
    roll: FootRoll | None = None
    touch_down: TouchDown | None = None

    @property
    def links(self) -> list[str]:
        """The trunk, and the links of all feet."""
        return [self.trunk, *(link for foot in self.feet.values() for link in foot.contacts)]
