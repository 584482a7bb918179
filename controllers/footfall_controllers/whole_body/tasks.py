"""Tasks of a whole-body controller: what is asked of which part of a robot, how firmly.

A task asks for an acceleration, kp (x_d - x) + kd (x_d' - x') + x_d'', of some coordinates x. Its
weight is the price of the square of what the robot does not give.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from footfall.errors import ScenarioError

_AXES = "xyz"


@dataclass
class Task:
    """Gains and weight that tasks share."""

    # Gain of positions [1/s^2] and of velocities [1/s].
    kp: float = 100.0
    kd: float = 20.0
    # Price of the square of an acceleration that is missing.
    weight: float = 1.0

    kind: ClassVar[str] = "task"

    def __post_init__(self) -> None:
        """Refuse gains and weights that are no numbers or negative."""
        for name in ("kp", "kd", "weight"):
            value = getattr(self, name)
            if not 0.0 <= value < np.inf:
                raise ScenarioError(
                    f"the {self.kind} task: {name} is {value}: give a number that is not negative."
                )


@dataclass
class AxesTask(Task):
    """A task along axes of the world."""

    # Axes that count, of the world.
    axes: str = _AXES

    def __post_init__(self) -> None:
        """Refuse axes that are none."""
        super().__post_init__()
        if not self.axes or set(self.axes) - set(_AXES) or len(set(self.axes)) < len(self.axes):
            raise ScenarioError(
                f"the {self.kind} task: axes are '{self.axes}': give some of x, y and z, each once."
            )

    @property
    def rows(self) -> list[int]:
        """Indices of the axes, in order."""
        return sorted(_AXES.index(axis) for axis in self.axes)


@dataclass
class CentreOfMass(AxesTask):
    """Place of the centre of mass in the world [m]; without a reference, that of the start."""

    kind: ClassVar[str] = "centre of mass"


@dataclass
class AngularMomentum(AxesTask):
    """Angular momentum about the centre of mass, led to zero: L' = -kd L.

    Its price is of angular accelerations, of the inertia about the centre of mass at the start; kp
    is not used.
    """

    kind: ClassVar[str] = "angular momentum"


@dataclass
class Orientation(AxesTask):
    """Orientation of a link against the world; without a reference, that of the start."""

    # The link.
    link: str = ""

    kind: ClassVar[str] = "orientation"


@dataclass
class Place(AxesTask):
    """Place of a point of a link in the world [m]; without a reference, that of the start."""

    # The link, and the point in its frame [m].
    link: str = ""
    at: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])

    kind: ClassVar[str] = "place"

    def __post_init__(self) -> None:
        """Refuse a point that is none."""
        super().__post_init__()
        if len(self.at) != 3 or not np.isfinite(self.at).all():
            raise ScenarioError(f"the place task of '{self.link}': give at as [x, y, z] [m].")


@dataclass
class JointPosture(Task):
    """Positions of joints; those that are not named are led to where they start."""

    # Positions by joint [rad or m].
    positions: dict[str, float] = field(default_factory=dict)
    # Joints that the task is about, by name or pattern; empty: all that are driven.
    joints: list[str] = field(default_factory=list)

    kind: ClassVar[str] = "posture"
