"""Tasks of a whole-body controller: what is asked of which part of a robot, how firmly.

A task of motion asks for an acceleration, kp (x_d - x) + kd (x_d' - x') + x_d'', of some
coordinates x. Its weight is the price of the square of what the robot does not give; a hard one is
an equation besides, which gives way only where it contradicts limits.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from footfall.errors import ScenarioError

_AXES = "xyz"
_SHARED = ("kp", "kd", "hard", "axes_of", "link", "relative_to")  # of the parts of a frame


@dataclass
class Task:
    """Gains and weight that tasks share."""

    # Gain of positions [1/s^2] and of velocities [1/s].
    kp: float = 100.0
    kd: float = 20.0
    # Price of the square of an acceleration that is missing.
    weight: float = 1.0
    # Given exactly, as an equation, unless limits stand against it.
    hard: bool = False

    kind: ClassVar[str] = "task"
    unit: ClassVar[str] = "1"  # of what is led to zero

    def __post_init__(self) -> None:
        """Refuse gains and weights that are no numbers or negative."""
        for name in ("kp", "kd", "weight"):
            require_not_negative(self.kind, name, getattr(self, name))
        if self.hard and self.weight == 0.0:
            raise ScenarioError(f"the {self.kind} task is hard: give it a weight above 0.")


@dataclass
class AxesTask(Task):
    """A task along axes of the world, or of a link."""

    # Axes that count.
    axes: str = _AXES
    # Link whose axes these are now; empty: the world's, or those of relative_to.
    axes_of: str = ""
    # Acceleration that is asked for besides, along these axes of the world [m/s^2 or rad/s^2].
    feedforward: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])

    def __post_init__(self) -> None:
        """Refuse axes that are none, and a feedforward that is no vector."""
        super().__post_init__()
        require_axes(self.kind, self.axes, _AXES)
        if len(self.feedforward) != 3 or not np.isfinite(self.feedforward).all():
            raise ScenarioError(f"the {self.kind} task: give feedforward as [x, y, z].")

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
class LinkTask(AxesTask):
    """A task of a link, against the world or, in its axes, against another link."""

    # The link.
    link: str = ""
    # Link against which it is told, in whose axes; empty: the world.
    relative_to: str = ""

    def __post_init__(self) -> None:
        """Refuse axes of a third link."""
        super().__post_init__()
        if self.relative_to and self.axes_of:
            raise ScenarioError(
                f"the {self.kind} task of '{self.link}' is told in axes of {self.relative_to}: "
                "leave axes_of out."
            )

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
    at: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])

    kind: ClassVar[str] = "place"
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        """Refuse a point that is none."""
        super().__post_init__()
        if len(self.at) != 3 or not np.isfinite(self.at).all():
            raise ScenarioError(f"the place task of '{self.link}': give at as [x, y, z] [m].")


@dataclass
class Frame(LinkTask):
    """Place of a point of a link and orientation of the link together; see `Place`, `Orientation`.

    A reference has the pose [R p] (3, 4), and rate and acceleration (6,), turning before moving.
    """

    # The point in the link's frame [m].
    at: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    # Axes of the orientation that count; axes are those of the place.
    turns: str = _AXES
    # Arm at which an angular acceleration is priced as the acceleration of a point [m].
    arm: float = 1.0

    kind: ClassVar[str] = "frame"

    def __post_init__(self) -> None:
        """Refuse axes that are none, and an arm that has no length."""
        super().__post_init__()
        self.place()
        require_axes(self.kind, self.turns, _AXES)
        if not 0.0 < self.arm < np.inf:
            raise ScenarioError(f"the frame task of '{self.link}': arm is {self.arm}: give metres.")

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
class CentreOfPressure:
    """Centre of pressure of all contacts that are closed, led to a place on the ground.

    Without a reference that is the middle of their corners. The price is of the square of the
    distance [1/m^2], of a robot that bears its weight.
    """

    weight: float = 1.0

    kind: ClassVar[str] = "centre of pressure"
    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        """Refuse a weight that is none."""
        require_not_negative(self.kind, "weight", self.weight)


@dataclass
class JointTorque:
    """Torques of joints, led to values of their own; zero for those that are not named."""

    # Price of the square of a torque that is off [1/(N m)^2].
    weight: float = 1e-4
    # Torques by joint or pattern [N m or N].
    torques: dict[str, float] = field(default_factory=dict)
    # Joints that the task is about, by name or pattern; empty: all that are driven.
    joints: list[str] = field(default_factory=list)

    kind: ClassVar[str] = "torque"
    unit: ClassVar[str] = "N m"

    def __post_init__(self) -> None:
        """Refuse a weight that is none, and torques that are no numbers."""
        require_not_negative(self.kind, "weight", self.weight)
        for name, value in self.torques.items():
            if not np.isfinite(value):
                raise ScenarioError(f"the torque task: torques.{name} is {value}: give a number.")


AnyTask = Task | CentreOfPressure | JointTorque


def require_not_negative(kind: str, name: str, value: float) -> None:
    """Raise ScenarioError for a number of a task that is negative, infinite or NaN."""
    if not 0.0 <= value < np.inf:
        raise ScenarioError(
            f"the {kind} task: {name} is {value}: give a number that is not negative."
        )


def require_axes(kind: str, axes: str, known: str) -> None:
    """Raise ScenarioError for letters that are no axes."""
    if not axes or set(axes) - set(known) or len(set(axes)) < len(axes):
        raise ScenarioError(
            f"the {kind} task: axes are '{axes}': give some of x, y and z, each once."
        )
