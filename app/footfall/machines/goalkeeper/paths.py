"""The ball's paths as scenarios describe them; `closed_form.ball_paths` has the functions."""

import math
from dataclasses import dataclass, field

from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.closed_form import ball_paths
from footfall.machines.goalkeeper.closed_form.ball_paths import DURATION, BallPath


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
