"""Map of saved shots: kicks from many places at many speeds, simulated and predicted.

Every kick is simulated in an engine, with keeper, posts and grass in contact, until it is decided
what becomes of it (`shots`), and stands beside what is foretold without any such contact
(`prediction`).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import pairwise, product

import numpy as np

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.factory import SimulationFactory
from footfall.analysis.tasks import Task, run_tasks
from footfall.arrays import Array
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.analyses.kicks import Kicks, grid
from footfall.machines.goalkeeper.analyses.prediction import SEMI_AXES, Grass, Oracle
from footfall.machines.goalkeeper.analyses.saved_shots_data import (
    METRICS,
    Axes,
    Codes,
    Finer,
    codes_of,
    dataset,
    metrics_of,
    safe_speed,
)
from footfall.machines.goalkeeper.analyses.shots import PLACES, Shot, shoot
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.measures import PENALTY_MARK
from footfall.machines.goalkeeper.observables import KEEPER
from footfall.machines.goalkeeper.outcome import RADIUS
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.registry.context import MachineContext
from footfall_controllers.goalkeeper import BALL

# the one that integrates in continuous time tells contacts at the ends of steps only, and a ball
# may touch the keeper for less than a step
_ENGINES = tuple(engine for engine in ENGINES if engine != CONTINUOUS)
_MOST = 100_000  # kicks that are simulated
_MOST_POINTS = 400  # of the foretold map, along an axis
_FIELD = 2.0  # m: half the width of the field
_NEAREST, _FARTHEST = 0.3, 6.0  # m from the goal line: clear of the keeper, the other goal
_FASTEST = 50.0  # m/s: nobody kicks a ball so fast
_SLOWEST = 0.1  # m/s: one that is slower does not arrive
_BEYOND = 0.05  # of an axis: how far the foretold map goes on at either end
_BEGUN = 0.02  # share of the work that is over when all is foretold


@dataclass
class SavedShots:
    """Map of the shots that are saved, over origin, speed and target."""

    # Where the ball lies at the kick: x along the goal line and distance y from it [m]; every x
    # with every y.
    x: list[float] = field(default_factory=lambda: [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])
    y: list[float] = field(default_factory=lambda: [1.2, 1.8, 2.4, 3.0])
    # Speeds of the kick [m/s].
    speeds: list[float] = field(
        default_factory=lambda: [2.0, 2.4, 2.8, 3.2, 3.6, 4.0, 4.4, 4.8, 5.2, 5.6, 6.0]
    )
    # Places on the goal line that the ball is sent to, as shares of the way from the post on the
    # side of negative x to the other.
    targets: list[float] = field(default_factory=lambda: [0.1, 0.5, 0.9])
    # Whether the keeper stands at the kick where its law wants it for the ball that lies there;
    # else it stands where the scenario starts it.
    ready: bool = True
    # Engine of the simulations: moreau, drake[-sap|-lagged|-similar].
    engine: str = "moreau"
    # Points along x and along the speed of the map that is foretold beneath the simulated one.
    points: int = 61
    # Processes that share the work; what is found does not depend on them.
    workers: int = 2

    def __post_init__(self) -> None:
        """Refuse kicks from nowhere, to nowhere, or too many of them."""
        _require("x", self.x, -_FIELD, _FIELD, "metres on the field")
        _require("y", self.y, _NEAREST, _FARTHEST, "metres from the goal line")
        _require("speeds", self.speeds, _SLOWEST, _FASTEST, "metres per second")
        _require("targets", self.targets, 0.0, 1.0, "shares of the goal's width")
        kicks = len(self.x) * len(self.y) * len(self.speeds) * len(self.targets)
        if kicks > _MOST:
            raise ScenarioError(f"analysis: {kicks} kicks are too many: give no more than {_MOST}.")
        if self.engine not in _ENGINES:
            message = f"analysis.engine is '{self.engine}': choose from {', '.join(_ENGINES)}."
            raise ScenarioError(message)
        for name, least, most in (("points", 2, _MOST_POINTS), ("workers", 1, 1000)):
            value = getattr(self, name)
            if not least <= value <= most:
                message = f"analysis.{name} is {value}: give a whole number from {least} to {most}."
                raise ScenarioError(message)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return METRICS

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Foretell, then simulate; raises ScenarioError for a setting without keeper and free ball.

        So for steps in which a ball passes the keeper. Raises as the engines do.
        """
        oracle = oracle_of(context, ready=self.ready)
        self._require_short_steps(context.time_step)
        if analysis.factory is None:
            raise ValueError("there is no factory to simulate with")
        analysis.go_on("foretelling", 0.0)
        places = [oracle.law.goal_width * (share - 0.5) for share in self.targets]
        kicks = grid(self.x, self.y, self.speeds, places)
        foretold, finer = oracle.predict(kicks), self._finer(oracle, places)
        shots = self._shots(analysis, analysis.factory, kicks, oracle)
        axes = Axes(*(np.array(axis) for axis in (self.x, self.y, self.speeds, self.targets)))
        attributes = {"engine": self.engine, **asdict(oracle.law)}
        data = dataset(axes, shots, foretold, finer, attributes)
        return AnalysisResult(data, metrics_of(data))

    def _require_short_steps(self, time_step: float) -> None:
        """Raise ScenarioError for balls that pass the keeper between two steps."""
        depth, distance = 2.0 * (RADIUS + SEMI_AXES[1]), self.speeds[-1] * time_step
        if distance > depth:
            raise ScenarioError(
                f"analysis.speeds: the fastest ball goes {distance:g} m in a step, farther than "
                f"ball and keeper are deep, {depth:g} m: give a shorter time_step or slower kicks."
            )

    def _finer(self, oracle: Oracle, places: Sequence[float]) -> Finer:
        """Return what is foretold between the points of the grid."""
        speed, x = (_around(axis, self.points) for axis in (self.speeds, self.x))
        y = min(self.y, key=lambda one: abs(one - PENALTY_MARK[1]))

        def codes(x: Sequence[float] | Array, y: Sequence[float]) -> Codes:
            found = codes_of(oracle.predict(grid(x, y, speed, places)), oracle.law.goal_width)
            return found.reshape(len(x), len(y), len(speed), len(places))

        return Finer(speed, x, y, codes(x, [y])[:, 0], safe_speed(codes(self.x, self.y), speed))

    def _shots(
        self, analysis: AnalysisContext, factory: SimulationFactory, kicks: Kicks, oracle: Oracle
    ) -> list[Shot]:
        """Return what becomes of all kicks, a task for every origin."""
        keeper, each = oracle.keepers(kicks), len(self.speeds) * len(self.targets)
        tasks = []
        for number, (x, y) in enumerate(product(self.x, self.y)):
            own = slice(number * each, (number + 1) * each)
            work = partial(shoot, factory, self.engine, kicks[own], keeper[own].tolist())
            tasks.append(Task(f"shots from ({x:g}, {y:g}) m", work))
        return [
            shot
            for task in run_tasks(analysis, tasks, self.workers, (_BEGUN, 1.0))
            for shot in task
        ]


def oracle_of(context: MachineContext, *, ready: bool) -> Oracle:
    """Return the predictor of a scenario's shots; raises ScenarioError for one of other shots."""
    positions, control = coordinate_names(context.model.plant)[0], context.controller
    free = set(PLACES) <= set(positions)
    if not isinstance(control, Goalkeeping) or control.path is not None or not free:
        raise ScenarioError(
            "analysis SavedShots needs a keeper and a ball that is free: give the controller "
            "!Goalkeeping without a path, and the model ball.sdf."
        )
    if context.slope != 0.0:
        raise ScenarioError("analysis SavedShots knows level grass: set terrain.slope_deg to 0.")
    keeper = None if ready else float(context.initial_state[positions.index(KEEPER)])
    grass = Grass(friction_of(context.contacts), context.gravity)
    return Oracle(control.law(), grass, keeper, context.time_step, context.duration)


def friction_of(contacts: ContactSet) -> float:
    """Coefficient of friction of ball and grass."""
    return float(contacts.mu[contacts.reported_as == contacts.names.index(BALL)][0])


def _around(axis: Sequence[float], points: int) -> Array:
    """Points from a little before the first value of an axis to a little behind the last."""
    beyond = _BEYOND * (axis[-1] - axis[0] or axis[0] or 1.0)
    return np.linspace(axis[0] - beyond, axis[-1] + beyond, points)


def _require(name: str, values: Sequence[float], least: float, most: float, what: str) -> None:
    """Raise ScenarioError unless values rise from least to most."""
    rises = all(a < b for a, b in pairwise(values))
    if not values or not rises or not all(least <= value <= most for value in values):
        raise ScenarioError(
            f"analysis.{name} is {values}: give {what} from {least:g} to {most:g}, each larger "
            "than the last."
        )
