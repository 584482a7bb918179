"""Tasks of a whole-body controller: what is asked of which part of a robot, how firmly.

A task of motion asks for an acceleration, kp (x_d - x) + kd (x_d' - x') + x_d'', of some
coordinates x. Its weight is the price of the square of what the robot does not give; a hard one is
an equation besides, which gives way only where it contradicts limits.
"""

from dataclasses import dataclass, field
from typing import ClassVar

from footfall.checked import Checked, checked, finite, metadata, not_negative, positive

_AXES = "xyz"
_SOME_AXES = metadata(
    lambda axes: axes and set(axes) <= set(_AXES) and len(set(axes)) == len(axes),
    "give some of x, y and z, each once",
)
_SHARED = ("kp", "kd", "hard", "axes_of", "link", "relative_to")  # of the parts of a frame


@dataclass
class Task(Checked, at="the {self.kind} task: "):
    """Gains and weight that tasks share."""

    # Gain of positions [1/s^2] and of velocities [1/s].
    kp: float = not_negative(100.0)
    kd: float = not_negative(20.0)
    # Price of the square of an acceleration that is missing.
    weight: float = not_negative(1.0)
    # Given exactly, as an equation, unless limits stand against it.
    hard: bool = False

    kind: ClassVar[str] = "task"
    unit: ClassVar[str] = "1"  # of what is led to zero

    def __post_init__(self) -> None:
        """Refuse gains and weights that are no numbers or negative."""
        super().__post_init__()
        if self.hard and self.weight == 0.0:
            raise self.refusal("weight is 0, but it is hard: give a weight above 0")


@dataclass
class AxesTask(Task):
    """A task along axes of the world, or of a link."""

    # Axes that count.
    axes: str = checked(_AXES, _SOME_AXES)
    # Link whose axes these are now; empty: the world's, or those of relative_to.
    axes_of: str = ""
    # Acceleration that is asked for besides, along these axes of the world [m/s^2 or rad/s^2].
    feedforward: list[float] = finite([0.0, 0.0, 0.0], size=3)

    @property
    def rows(self) -> list[int]:
        """Indices of the axes, in order."""
        return sorted(_AXES.index(axis) for axis in self.axes)

    @property
    def links(self) -> list[str]:
        """Links that it is about."""
        return [self.axes_of] if self.axes_of else []


@dataclass
class CentreOfMass(AxesTask):
    """Place of the centre of mass in the world [m]; without a reference, that of the start."""

    kind: ClassVar[str] = "centre of mass"
    unit: ClassVar[str] = "m"


@dataclass
class AngularMomentum(AxesTask):
    """Angular momentum about the centre of mass, led to zero: L' = -kd L.

    Its price is of angular accelerations, of the inertia about the centre of mass at the start; kp
    is not used.
    """

    kind: ClassVar[str] = "angular momentum"
    unit: ClassVar[str] = "N m s"


@dataclass
class LinkTask(AxesTask, at="the {self.kind} task of '{self.link}': "):
    """A task of a link, against the world or, in its axes, against another link."""

    # The link.
    link: str = ""
    # Link against which it is told, in whose axes; empty: the world.
    relative_to: str = ""

    def __post_init__(self) -> None:
        """Refuse axes of a third link."""
        super().__post_init__()
        if self.relative_to and self.axes_of:
            raise self.refusal(f"it is told in axes of {self.relative_to}: leave axes_of out")

    @property
    def links(self) -> list[str]:
        """Links that it is about."""
        return [self.link, *filter(None, [self.relative_to]), *super().links]


@dataclass
class Orientation(LinkTask):
    """Orientation of a link; without a reference, that of the start."""

    kind: ClassVar[str] = "orientation"
    unit: ClassVar[str] = "rad"


@dataclass
class Place(LinkTask):
    """Place of a point of a link [m]; without a reference, that of the start."""

    # The point in the link's frame [m].
    at: list[float] = finite([0.0, 0.0, 0.0], "give [x, y, z] [m]", size=3)

    kind: ClassVar[str] = "place"
    unit: ClassVar[str] = "m"


@dataclass
class Frame(LinkTask):
    """Place of a point of a link and orientation of the link together; see `Place`, `Orientation`.

    A reference has the pose [R p] (3, 4), and rate and acceleration (6,), turning before moving.
    """

    # The point in the link's frame [m].
    at: list[float] = finite([0.0, 0.0, 0.0], "give [x, y, z] [m]", size=3)
    # Axes of the orientation that count; axes are those of the place.
    turns: str = checked(_AXES, _SOME_AXES)
    # Arm at which an angular acceleration is priced as the acceleration of a point [m].
    arm: float = positive(1.0, "give metres")

    kind: ClassVar[str] = "frame"

    def place(self) -> Place:
        """Task of the place."""
        shared = {name: getattr(self, name) for name in _SHARED}
        return Place(**shared, weight=self.weight, axes=self.axes, at=self.at)

    def turn(self) -> Orientation:
        """Task of the orientation."""
        shared = {name: getattr(self, name) for name in _SHARED}
        return Orientation(**shared, weight=self.arm**2 * self.weight, axes=self.turns)


@dataclass
class JointPosture(Task):
    """Positions of joints; those that are not named are led to where they start."""

    # Positions by joint [rad or m].
    positions: dict[str, float] = field(default_factory=dict)
    # Joints that the task is about, by name or pattern; empty: all that are driven.
    joints: list[str] = field(default_factory=list)

    kind: ClassVar[str] = "posture"
    unit: ClassVar[str] = "rad"


@dataclass
class CentreOfPressure(Checked, at="the {self.kind} task: "):
    """Centre of pressure of all contacts that are closed, led to a place on the ground.

    Without a reference that is the middle of their corners. The price is of the square of the
    distance [1/m^2], of a robot that bears its weight.
    """

    weight: float = not_negative(1.0)

    kind: ClassVar[str] = "centre of pressure"
    unit: ClassVar[str] = "m"


@dataclass
class JointTorque(Checked, at="the {self.kind} task: "):
    """Torques of joints, led to values of their own; zero for those that are not named."""

    # Price of the square of a torque that is off [1/(N m)^2].
    weight: float = not_negative(1e-4)
    # Torques by joint or pattern [N m or N].
    torques: dict[str, float] = finite({})
    # Joints that the task is about, by name or pattern; empty: all that are driven.
    joints: list[str] = field(default_factory=list)

    kind: ClassVar[str] = "torque"
    unit: ClassVar[str] = "N m"


AnyTask = Task | CentreOfPressure | JointTorque
