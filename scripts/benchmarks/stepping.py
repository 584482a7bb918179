"""Things that can be stepped: an engine alone, or inside a Simulator."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import (
    BasicVector,
    Context,
    DiagramBuilder,
    DiscreteValues,
    EventStatus,
    LeafSystem,
)

from footfall.api.simulation import Simulation
from footfall.arrays import Array
from footfall.engines import MoreauEngine, add_engine
from footfall.errors import FootfallError
from footfall.plants.flat.laws import actuated_places
from footfall.recorder import Recorder
from footfall.scenario.assemble import Robot, add_robot, build_robot
from footfall.scenario.schema import Scenario

_BLOCK = 50  # steps in memory that is used again and again, as rollouts have it


@dataclass(frozen=True)
class Stepper:
    """``start`` goes back to where it began, ``advance`` makes so many steps.

    state: [q; v] of Drake's plant as it is now.
    """

    start: Callable[[], None]
    advance: Callable[[int], None]
    state: Callable[[], Array]


def simulated(scenario: Scenario, engine: str) -> Stepper:
    """The scenario in an engine in a Simulator, with its controller if it has one."""
    robot = build_robot(scenario)
    builder = DiagramBuilder()
    system = add_robot(builder, scenario, robot, engine)
    return _in_simulator(builder, system, robot.initial_state, scenario.time_step)


def bare(scenario: Scenario) -> Stepper:
    """The Moreau engine's update alone, always from the initial state, without torques."""
    engine, context = alone(scenario, build_robot(scenario))
    state = context.get_discrete_state(0).get_value().copy()

    def advance(steps: int) -> None:
        for _ in range(steps):
            context.SetDiscreteState(0, state)  # else Drake remembers the answer
            engine.EvalUniquePeriodicDiscreteUpdate(context)

    return Stepper(lambda: None, advance, state.copy)


def rolled(scenario: Scenario) -> Stepper:
    """The Moreau engine in a rollout: steps in compiled code, of which nothing is recorded."""
    robot = build_robot(scenario)
    engine, context = alone(scenario, robot)
    states, _, applied, _, records = engine.arrays_for(_BLOCK)
    efforts = np.zeros((_BLOCK + 1, robot.plant.num_actuators()))

    def advance(steps: int) -> None:
        while steps > 0:
            end = min(steps, _BLOCK) + 1
            rows = states[:end], efforts[:end], applied[: end - 1], records[:end]
            _, error = engine.roll(context, *rows)
            if error is not None:
                raise error
            steps -= end - 1

    def start() -> None:
        engine.set_state(context, robot.initial_state)

    return Stepper(start, advance, lambda: context.get_discrete_state(0).get_value().copy())


def recorded(scenario: Scenario) -> Stepper:
    """The same as a run has it: with the account of energy and the contacts of every step."""
    robot = build_robot(scenario)
    engine, context = alone(scenario, robot)
    recorders: list[Recorder] = []

    def start() -> None:
        engine.set_state(context, robot.initial_state)
        recorders[:] = [Recorder(scenario, robot, "moreau", engine, lambda: False)]
        recorders[0].begin(context, None)

    def advance(steps: int) -> None:
        recorder = recorders[0]
        while steps > 0:
            count = min(steps, recorder.most_steps)
            recorder.roll(engine, context, count)
            recorder.look(context)
            steps -= count
        recorder.close(context, last=False)  # works out what is left

    return Stepper(start, advance, lambda: context.get_discrete_state(0).get_value().copy())


def led(scenario: Scenario) -> Stepper:
    """The Moreau engine in a loop of one's own: PD in numpy at 500 Hz, from a saved state on."""
    simulation = Simulation(scenario)
    begun, plant = simulation.save(), build_robot(scenario).plant
    q, v = actuated_places(plant)
    v += plant.num_positions()
    rest = simulation.state[q]

    def advance(steps: int) -> None:
        for k in range(steps):
            if k % 2 == 0:
                state = simulation.state
                torques = 100.0 * (rest - state[q]) - 2.0 * state[v]
            simulation.step(torques)

    return Stepper(lambda: simulation.restore(begun), advance, lambda: simulation.state)


def alone(scenario: Scenario, robot: Robot) -> tuple[MoreauEngine, Context]:
    """The Moreau engine of a machine, and a context at the initial state without torques."""
    builder = DiagramBuilder()
    engine = add_engine(
        builder,
        "moreau",
        robot.model,
        robot.contacts,
        scenario.time_step,
        moreau=scenario.moreau,
        drake=scenario.drake,
    )
    builder.ExportInput(engine.GetInputPort("actuation"), "actuation")
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    diagram.GetInputPort("actuation").FixValue(root, np.zeros(robot.plant.num_actuators()))
    context = engine.GetMyMutableContextFromRoot(root)
    engine.set_state(context, robot.initial_state)
    return engine, context


def median_times(
    steppers: Sequence[Stepper], settling: int, rounds: int, steps: int
) -> list[float]:
    """Median processor time of a step of each [us], in turn in every round.

    settling: steps before. NaN from the moment when one gives up, which is printed.
    """
    times = np.full((rounds, len(steppers)), np.nan)
    for stepper in steppers:
        stepper.start()
        _timed(stepper, settling)
    for row in times:
        for k, stepper in enumerate(steppers):
            row[k] = _timed(stepper, steps)
    return [float(value) for value in np.median(times, axis=0)]


def median_call(part: Callable[[], object], rounds: int, calls: int) -> float:
    """Median processor time of a call [us], of rounds of so many calls."""
    part()
    times = []
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(calls):
            part()
        times.append((time.process_time() - started) / calls)
    return 1e6 * float(np.median(times))


def _timed(stepper: Stepper, steps: int) -> float:
    started = time.process_time()
    try:
        stepper.advance(steps)
    except FootfallError as error:
        print(f"  {error}")
        return np.nan
    return 1e6 * (time.process_time() - started) / steps


def empty(time_step: float) -> Stepper:
    """A system in Python that does nothing: what Drake's framework costs."""
    builder = DiagramBuilder()
    system = builder.AddSystem(_Empty(time_step))
    return _in_simulator(builder, system, np.zeros(12), time_step)


def _in_simulator(
    builder: DiagramBuilder, system: LeafSystem, state: Array, time_step: float
) -> Stepper:
    simulator = Simulator(builder.Build())
    root = simulator.get_mutable_context()
    context = system.GetMyMutableContextFromRoot(root)
    done = 0

    def start() -> None:
        nonlocal done
        done = 0
        root.SetTime(0.0)
        system.set_state(context, state)
        simulator.Initialize()

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        simulator.AdvanceTo(done * time_step)

    def now() -> Array:
        return np.array(system.GetOutputPort("state").Eval(context))

    return Stepper(start, advance, now)


class _Empty(LeafSystem):
    """Does nothing a thousand times a second."""

    def __init__(self, time_step: float) -> None:
        super().__init__()
        self.DeclareDiscreteState(np.zeros(12))
        self.DeclarePeriodicDiscreteUpdateEvent(time_step, 0.0, self._step)
        self.DeclareVectorOutputPort("state", 12, self._calc)

    def set_state(self, context: Context, state: Array) -> None:
        """Put a state into a context."""
        context.SetDiscreteState(0, state)

    def _step(self, _context: Context, _discrete: DiscreteValues) -> EventStatus:
        return EventStatus.Succeeded()

    def _calc(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(context.get_discrete_state(0).get_value())
