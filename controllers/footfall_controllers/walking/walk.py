"""Walks of any robot with feet, as scenarios describe them, on top of whole-body control."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, between, finite, not_negative, one_of, positive
from footfall.errors import ScenarioError
from footfall_controllers.walking.foot_roll import FootRoll, edges, halves
from footfall_controllers.walking.footholds import FootholdSearch
from footfall_controllers.walking.footsteps import WalkingFoot
from footfall_controllers.walking.gait_schedule import GaitSchedule
from footfall_controllers.walking.predicted_points import ABOVE, TRUNK, corner_names
from footfall_controllers.walking.touch_down import TouchDown
from footfall_controllers.walking.walking_ground import WalkingGround
from footfall_controllers.whole_body.contacts import Contact
from footfall_controllers.whole_body.prediction import PredictedPlace
from footfall_controllers.whole_body.tasks import CentreOfMass, Orientation, Place, Task

_PATCH = 2  # a contact of more corners has an orientation


@dataclass
class Reach(Checked, at="controller.walk.reach."):
    """Shifts of a landing that keep the balance."""

    # Ahead or back, outwards, and inwards, from where the foot would land [m]; zeros: none.
    ahead: float = not_negative(0.3)
    outwards: float = not_negative(0.35)
    inwards: float = not_negative(0.05)


@dataclass
class Gains(Checked, at="controller.walk."):
    """Gains and price of tasks of a walk."""

    # Gain of positions [1/s^2] and of velocities [1/s].
    kp: float = not_negative(100.0)
    kd: float = not_negative(20.0)
    # Price of the square of an acceleration that is missing.
    weight: float = not_negative(10.0)


@dataclass
class Predictive(Checked, at="controller.walk.predictive."):
    """Optimal predictive control of points of a walking robot, (3.136) of the humanoid's thesis."""

    # How far is predicted [s].
    horizon: float = positive(0.05)
    # Weights of errors of position and of velocity.
    h: float = not_negative(1.0)
    r: float = not_negative(1.0)
    # Price beside those of other tasks.
    weight: float = positive(10.0)
    # Height of a second point over the trunk's origin, such as its mass centre [m].
    above: float = positive(0.2)

    def task(self, link: str, at: list[float]) -> Task:
        """Task of a point of a link."""
        return PredictedPlace(
            link=link, at=at, horizon=self.horizon, h=self.h, r=self.r, weight=self.weight
        )


@dataclass
class Walk(GaitSchedule):
    """A walk: which feet swing when, how far and how fast."""

    # Feet by name, each the links of its contacts, the one that is led first.
    feet: dict[str, list[str]] = field(default_factory=dict)
    # The link whose heading and uprightness count.
    trunk: str = ""
    # Velocity ahead and aside [m/s], and rate of the heading [deg/s].
    velocity: list[float] = finite([0.3, 0.0], "give ahead and aside [m/s]", size=2)
    turn: float = finite(0.0)
    # Distance of left from right feet [m]; absent: as they stand at the start.
    width: float | None = positive(None, "give metres above 0")
    # Height of a swing [m].
    height: float = not_negative(0.05)
    # Height of the centre of mass in steps: start, as the robot stands then, or auto: before its
    # first step it is lowered by what legs lack at this speed.
    com_height: str = one_of("start", ("start", "auto"), "give start or auto")
    # Gain of the feedback of the capture point [1/s].
    gain: float = positive(3.0)
    # Share of the support polygon by which the zero-moment point keeps off its edge.
    margin: float = between(0.1, 0.0, 1.0, open_high=True)
    # How far landings may be shifted.
    reach: Reach = field(default_factory=Reach)
    # Where feet look for flat ground near the place at which they would land.
    footholds: FootholdSearch = field(default_factory=FootholdSearch)
    # Time in which a contact takes its load [s].
    ramp: float = positive(0.03)
    # Gains of the height of the centre of mass, of the trunk's orientation, and of swinging feet.
    # (The centre of mass goes where the capture point wants it.)
    balance: Gains = field(default_factory=Gains)
    upright: Gains = field(default_factory=Gains)
    swinging: Gains = field(default_factory=lambda: Gains(400.0, 40.0, 10.0))
    # Feet that land on their heels and leave over their toes; absent: they stay flat.
    roll: FootRoll | None = None
    # Swings that end when their feet are felt; absent: when their time is over.
    by_contact: TouchDown | None = None
    # Whether the robot knows the ground of the scenario; false: it believes the plane that the
    # ground stands on, and with by_contact learns how high it is by its feet.
    knows_ground: bool = True
    # Points of trunk and swinging feet led by predictive control in place of these three; absent:
    # they are not.
    predictive: Predictive | None = None

    def __post_init__(self) -> None:
        """Refuse what is no walk."""
        super().__post_init__()
        if self.roll is not None:
            if self.predictive is not None:
                raise self.refusal("roll: feet of points that are predicted do not roll")
            self.roll.require_within(self.overlap)
        self._check_groups()

    def _check_groups(self) -> None:
        unknown = {foot for group in self.groups for foot in group} - set(self.feet)
        if unknown:
            raise ScenarioError(
                f"controller.walk.groups: there is no foot {', '.join(sorted(unknown))}; "
                f"controller.walk.feet are {', '.join(self.feet) or 'none'}."
            )
        if any(set(group) == set(self.feet) for group in self.groups):
            raise ScenarioError(
                "controller.walk.groups: a swing of all feet leaves none to stand on."
            )
        if any(not links for links in self.feet.values()):
            raise ScenarioError("controller.walk.feet: give every foot at least one link.")

    def feet_on(self, contacts: list[Contact]) -> dict[str, WalkingFoot]:
        """Feet with their corners; raises ScenarioError for links that are no contacts."""
        if not self.feet:
            raise self.refusal("feet is empty: name the feet and their links")
        if self.steps and not (self.groups and all(self.groups)):
            raise self.refusal("groups: a walk needs groups of feet that swing by turns")
        corners = {contact.link: np.array(contact.corners) for contact in contacts}
        lacking = [
            (name, link)
            for name, links in self.feet.items()
            for link in links
            if link not in corners
        ]
        for name, link in lacking:
            raise self.refusal(
                f"feet.{name}: controller.contacts has no link '{link}'; it has "
                f"{', '.join(corners)}"
            )
        return {
            name: WalkingFoot(links[0], {link: corners[link] for link in links})
            for name, links in self.feet.items()
        }

    def bearing(self, contacts: list[Contact]) -> list[Contact]:
        """Contacts of the controller: soles of feet that roll in two halves, the others as given.

        Raises ScenarioError for a sole that has no corners behind and ahead of its middle.
        """
        if self.roll is None:
            return contacts
        rolling = {links[0] for links in self.feet.values()}
        halved: list[Contact] = []
        for contact in contacts:
            if contact.link not in rolling:
                halved.append(contact)
                continue
            parts = edges(np.array(contact.corners))
            if min(map(len, parts)) == 0:
                raise ScenarioError(
                    f"controller.walk.roll: the sole of '{contact.link}' has no length along x: "
                    "leave roll out."
                )
            halved += [
                replace(contact, name=name, corners=part.tolist())
                for name, part in zip(halves(contact.link), parts, strict=True)
            ]
        return halved

    def tasks(self, feet: Mapping[str, WalkingFoot]) -> dict[str, Task]:
        """Tasks whose references are the pattern's, by their names there."""
        if self.predictive is not None:
            return self._points(self.predictive, feet)
        balance, upright, swing = self.balance, self.upright, self.swinging
        tasks: dict[str, Task] = {
            "com": CentreOfMass(kp=0.0, kd=0.0, weight=balance.weight, axes="xy"),
            "height": CentreOfMass(kp=balance.kp, kd=balance.kd, weight=balance.weight, axes="z"),
            "trunk": Orientation(
                kp=upright.kp, kd=upright.kd, weight=upright.weight, link=self.trunk
            ),
        }
        for name, foot in feet.items():
            kp, kd, weight = swing.kp, swing.kd, swing.weight
            at = foot.centre.tolist()
            tasks[f"place/{name}"] = Place(kp=kp, kd=kd, weight=weight, link=foot.link, at=at)
            if len(foot.corners) > _PATCH:
                tasks[f"turn/{name}"] = Orientation(kp=kp, kd=kd, weight=weight, link=foot.link)
        return tasks

    def _points(self, law: Predictive, feet: Mapping[str, WalkingFoot]) -> dict[str, Task]:
        tasks = {
            TRUNK: law.task(self.trunk, [0.0, 0.0, 0.0]),
            ABOVE: law.task(self.trunk, [0.0, 0.0, law.above]),
        }
        for name, foot in feet.items():
            names = corner_names(name, foot.corners)
            tasks |= {
                task: law.task(foot.link, corner.tolist())
                for task, corner in zip(names, foot.corners, strict=False)
            }
        return tasks


@dataclass(frozen=True, eq=False)
class WalkParameters:
    """A gait of a robot: its feet, the time between two ticks [s], and the ground that it knows."""

    gait: Walk
    feet: Mapping[str, WalkingFoot]
    period: float
    ground: WalkingGround = field(default_factory=WalkingGround)

    @property
    def velocity(self) -> Array:
        """Velocity ahead and aside (2,) [m/s]."""
        return np.array(self.gait.velocity)

    @property
    def turn(self) -> float:
        """Rate of the heading [rad/s]."""
        return float(np.radians(self.gait.turn))

    @property
    def links(self) -> list[str]:
        """The trunk, and the links of all feet."""
        return [self.gait.trunk, *(link for foot in self.feet.values() for link in foot.contacts)]
