"""The goalkeeper in a scenario: its law, and the path along which the ball is carried, if any.

`closed_form.ball_paths` has the functions of the paths.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from pydrake.systems.primitives import Adder

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.machines.goalkeeper.closed_form import ball_paths
from footfall.machines.goalkeeper.closed_form.ball_paths import DURATION, BallPath
from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, SATURATION
from footfall.machines.goalkeeper.keeper_law import GoalkeeperParameters
from footfall_controllers.controller import Controller, Wiring, actuated_joints
from footfall_controllers.goalkeeper import Goalkeeper
from footfall_controllers.guided_ball import GuidedBall


class Path:
    """A path of the ball in a scenario."""

    def path(self) -> BallPath:
        """The path, to be evaluated; raises ScenarioError, one line, where it is none."""
        try:
            return self._path()
        except ValueError as error:
            raise ScenarioError(f"controller.path.{error}.") from error

    def _path(self) -> BallPath:
        raise NotImplementedError

    def __post_init__(self) -> None:
        """Refuse what is no path."""
        self.path()


@dataclass
class Arc(Path):
    """Arcs before the goal, (a cos tau, b |sin tau|): the path that the listing runs."""

    # Semi-axes of the ellipse [m].
    a: float = 2.0
    b: float = 1.5
    # Last value of tau, which starts at 0 [rad]: 1.7 pi.
    turn: float = 1.7 * math.pi
    # Time of a pass [s].
    duration: float = DURATION

    def _path(self) -> BallPath:
        return ball_paths.ArcPath(self.a, self.b, self.turn, duration=self.duration)


@dataclass
class Sine(Path):
    """To and fro before the goal, (a sin tau, y) with tau from 0 to 2 pi."""

    # Amplitude and distance from the goal line [m].
    a: float = 2.0
    y: float = 1.0
    # Time of a pass [s].
    duration: float = DURATION
    # Passes one after another.
    repeat: int = 1

    def _path(self) -> BallPath:
        return ball_paths.SinePath(self.a, self.y, duration=self.duration, repeat=self.repeat)


@dataclass
class Line(Path):
    """Straight on at one speed: from the centre spot to a goal, or a straight shot."""

    # From where to where, x and y [m].
    start: list[float] = field(default_factory=lambda: [0.0, 3.0])
    goal: list[float] = field(default_factory=lambda: [0.0, 0.0])
    # Time that it takes [s].
    duration: float = DURATION

    def _path(self) -> BallPath:
        start, goal = _point("start", self.start), _point("goal", self.goal)
        return ball_paths.LinePath(start, goal, duration=self.duration)


@dataclass
class Curve(Path):
    """A curved shot: the parabola through start, goal and a point between them at half the time."""

    # From where to where, x and y [m].
    start: list[float] = field(default_factory=lambda: [0.0, 1.8])
    goal: list[float] = field(default_factory=lambda: [-1.0, 0.0])
    # Factors on x and y of the middle between start and goal, which give the point between them.
    bend: list[float] = field(default_factory=lambda: [0.8, 1.2])
    # Time that it takes [s].
    duration: float = DURATION

    def _path(self) -> BallPath:
        start, goal = _point("start", self.start), _point("goal", self.goal)
        return ball_paths.CurvedPath(start, goal, _point("bend", self.bend), duration=self.duration)


def _point(name: str, numbers: list[float]) -> tuple[float, float]:
    if len(numbers) != 2:
        raise ValueError(f"{name} has {len(numbers)} numbers: give two, x and y")
    return numbers[0], numbers[1]


_JOINTS = ("x", "ball_x", "ball_y")


class StartingPlaces(LeafSystem):
    """Reference of keeper and guided ball, [q_d, v_d, a_d] in the order of the actuators.

    The ball goes along its path, the keeper stands where its law wants it at once; accelerations
    are left at 0. It says where a scenario starts (``initial.from_reference``).
    """

    def __init__(self, joints: list[str], path: BallPath, law: GoalkeeperParameters) -> None:
        """Take the actuated joints, keeper and ball among them."""
        super().__init__()
        self._given = joints, path, law
        self.DeclareVectorOutputPort("reference", 3 * len(joints), self._calc_reference)

    def copy(self) -> "StartingPlaces":
        """Another source of the same reference: a system belongs to one diagram only."""
        return StartingPlaces(*self._given)

    def sample(self, time: float) -> Array:
        """Rows q_d, v_d, a_d at a time [s], shape (3, n)."""
        joints, path, law = self._given
        ball, velocity = path.position(np.array(time)), path.velocity(np.array(time))
        places, rates = law.target(ball, velocity)
        rows = np.zeros((3, len(joints)))
        where = [joints.index(name) for name in _JOINTS]
        rows[0, where], rows[1, where] = [places, *ball], [rates, *velocity]
        return rows

    def _calc_reference(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(self.sample(context.get_time()).ravel())


@dataclass
class Goalkeeping(Controller):
    """Keep the goal by the bisector position, with bounded speed and acceleration."""

    # Largest speed of the keeper along the goal line [m/s]. Assumed: a quick sidestep of a humanoid
    # of its size; the source's keeper is where it should be at once.
    max_speed: float = 0.5
    # Largest acceleration [m/s^2]. Assumed: full speed within a quarter of a second, a short step.
    max_acceleration: float = 2.0
    # Share of half the goal's width that the keeper does not leave.
    saturation: float = SATURATION
    # Path along which the ball is carried, for a model with a guided ball: !Arc, !Sine, !Line,
    # !Curve; absent: the ball is free.
    path: Arc | Sine | Line | Curve | None = None

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        self.law()

    def law(self) -> GoalkeeperParameters:
        """The keeper's law, to be evaluated; raises ScenarioError, one line."""
        try:
            return GoalkeeperParameters(
                GOAL_WIDTH, self.saturation, self.max_speed, self.max_acceleration
            )
        except ValueError as error:
            raise ScenarioError(f"controller.{error}.") from error

    def reference(self, plant: MultibodyPlant) -> StartingPlaces | None:
        """Return where keeper and ball start, for a model whose ball is carried along a path."""
        joints = actuated_joints(plant)
        if self.path is None or not set(_JOINTS) <= set(joints):
            return None
        return StartingPlaces(joints, self.path.path(), self.law())

    def connect(self, wiring: Wiring, _reference: object) -> None:
        """Connect the state to keeper and ball, and their forces to the machine."""
        plant, builder = wiring.model.plant, wiring.builder
        try:
            keeper = Goalkeeper(plant, self.law(), wiring.time_step)
            systems: dict[str, Goalkeeper | GuidedBall] = {"goalkeeper": keeper}
            if self.path is not None:
                guide = GuidedBall(plant, self.path.path(), wiring.time_step)
                systems["guided_ball"] = guide
        except ValueError as error:
            raise ModelError(f"controller Goalkeeping: {error}.") from error
        forces = builder.AddNamedSystem("forces", Adder(len(systems), plant.num_actuators()))
        for k, (name, system) in enumerate(systems.items()):
            builder.AddNamedSystem(name, system)
            builder.Connect(wiring.state, system.GetInputPort("state"))
            builder.Connect(system.GetOutputPort("actuation"), forces.get_input_port(k))
        builder.Connect(forces.get_output_port(), wiring.actuation)
