"""How long a step of the biped takes in every engine, in microseconds, all measured in one run.

    python scripts/benchmarks/speed.py              a table of medians
    python scripts/benchmarks/speed.py --profile    and where a step of the Moreau engine goes

The rounds go through the cases in turn, so that what else the machine does falls on all of them;
ratios therefore mean more than microseconds. Nothing is recorded, drawn or written.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field

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

from footfall.engines import add_engine
from footfall.engines.moreau_step import contact_step, free_velocity
from footfall.engines.record import empty_record, rows_of
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import Machine, add_machine, build_machine
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario
from footfall.solvers import METHODS

DT = 1e-3
ROUNDS = 40
STEPS = 100  # of a case in a round
REFERENCE = "drake-lagged, inverse dynamics"


@dataclass
class Case:
    """Something that can be stepped, and how long it took, in seconds a step."""

    name: str
    advance: Callable[[int], None]
    times: list[float] = field(default_factory=list)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"rounds of {STEPS} steps each")
    parser.add_argument("--profile", action="store_true", help="the parts of a Moreau step as well")
    arguments = parser.parse_args()
    cases = [
        _climbing("moreau"),
        _limp("moreau"),
        _bare("moreau, bare loop, no Simulator"),
        _climbing("drake-lagged"),
        _climbing("drake-sap"),
        _limp("drake-lagged"),
        _limp("drake-sap"),
        _empty("empty Python update"),
    ]
    for case in cases:
        case.advance(STEPS)  # compile, fill caches
    for _ in range(arguments.rounds):
        for case in cases:
            started = time.perf_counter()
            case.advance(STEPS)
            case.times.append((time.perf_counter() - started) / STEPS)
    _print_table(cases)
    if arguments.profile:
        _print_profile(arguments.rounds)


def _print_table(cases: list[Case]) -> None:
    reference = next(np.median(case.times) for case in cases if case.name == REFERENCE)
    title = f"{'4-link biped, step 1 ms':40}{'us a step':>10}{'10..90 %':>16}"
    print(f"{title}{'x real time':>13}{'ratio':>8}")
    for case in cases:
        low, middle, high = np.percentile(case.times, (10, 50, 90))
        spread = f"{1e6 * low:.0f}..{1e6 * high:.0f}"
        times = f"{case.name:40}{1e6 * middle:10.1f}{spread:>16}"
        print(f"{times}{DT / middle:13.1f}{middle / reference:8.2f}")
    print(f"ratio: to {REFERENCE}")


def _scenario(name: str) -> Scenario:
    return load_scenario(name, [f"time_step={DT}"])


def _climbing(engine: str) -> Case:
    """The climb, under its reference gait and inverse dynamics."""
    scenario = _scenario("biped/climb")
    machine = build_machine(scenario)
    builder = DiagramBuilder()
    system = add_machine(builder, scenario, machine, engine)
    return Case(f"{engine}, inverse dynamics", _simulated(builder, system, machine.initial_state))


def _limp(engine: str) -> Case:
    """The limp robot, lying on the slope in the end: up to five contacts."""
    scenario = _scenario("biped/drop")
    machine = build_machine(scenario)
    builder = DiagramBuilder()
    system = add_machine(builder, scenario, machine, engine)
    return Case(f"{engine}, no controller", _simulated(builder, system, machine.initial_state))


def _simulated(
    builder: DiagramBuilder, system: LeafSystem, initial_state: np.ndarray
) -> Callable[[int], None]:
    simulator = Simulator(builder.Build())
    context = system.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    system.set_state(context, initial_state)
    simulator.Initialize()
    done = 0

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        simulator.AdvanceTo(done * DT)

    return advance


def _standing() -> tuple[Scenario, Machine]:
    scenario = _scenario("biped/stand")
    return scenario, build_machine(scenario)


def _bare(name: str) -> Case:
    """The engine's update alone, from one state: two feet on the ground, constant torques."""
    scenario, machine = _standing()
    builder = DiagramBuilder()
    engine = add_engine(
        builder,
        "moreau",
        machine.model,
        machine.contacts,
        DT,
        moreau=scenario.moreau,
        drake=scenario.drake,
    )
    builder.ExportInput(engine.GetInputPort("actuation"), "actuation")
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    diagram.GetInputPort("actuation").FixValue(root, np.zeros(machine.plant.num_actuators()))
    context = engine.GetMyMutableContextFromRoot(root)
    state = _pressed(machine)

    def advance(steps: int) -> None:
        for _ in range(steps):
            engine.set_state(context, state)  # else Drake remembers the answer
            engine.EvalUniquePeriodicDiscreteUpdate(context)

    return Case(name, advance)


def _pressed(machine: Machine) -> np.ndarray:
    """The initial state, deep enough for both feet to touch in every step."""
    state = machine.initial_state.copy()
    state[1] -= 1e-4
    return state


class _Empty(LeafSystem):
    """Does nothing a thousand times a second."""

    def __init__(self) -> None:
        super().__init__()
        self.DeclareDiscreteState(np.zeros(12))
        self.DeclarePeriodicDiscreteUpdateEvent(DT, 0.0, self._step)
        self.DeclareVectorOutputPort("state", 12, self._calc)

    def set_state(self, context: Context, state: np.ndarray) -> None:
        """Put a state into a context."""
        context.SetDiscreteState(0, state)

    def _step(self, _context: Context, _discrete: DiscreteValues) -> EventStatus:
        return EventStatus.Succeeded()

    def _calc(self, context: Context, output: BasicVector) -> None:
        output.SetFromVector(context.get_discrete_state(0).get_value())


def _empty(name: str) -> Case:
    builder = DiagramBuilder()
    system = builder.AddSystem(_Empty())
    return Case(name, _simulated(builder, system, np.zeros(12)))


def _print_profile(rounds: int) -> None:
    """Time the parts of a step with both feet on the ground."""
    scenario, machine = _standing()
    dynamics = Dynamics(machine.model, machine.contacts)
    contacts, config = machine.contacts, scenario.moreau
    state = _pressed(machine)
    dynamics.set_state(state)
    v_a = state[machine.plant.num_positions() :].copy()
    mass, force = dynamics.mass_matrix(), dynamics.h()
    active = dynamics.gaps()[0] <= 0.0
    places, jacobian = np.flatnonzero(active), dynamics.contact_jacobian(active)
    constraints, preload = dynamics.constraint_jacobian(), np.zeros(len(contacts))
    before, after = (rows_of(empty_record(len(contacts))) for _ in range(2))

    def kernel() -> None:
        contact_step(
            mass,
            force,
            v_a,
            DT,
            constraints,
            jacobian,
            places,
            contacts.mu,
            contacts.restitution,
            preload,
            contacts.dim,
            before,
            after,
            METHODS[config.solver],
            config.tolerance,
            config.prox_parameter,
            config.max_iterations,
        )

    controller = _controller_alone()
    parts: dict[str, Callable[[], object]] = {
        "state into the plant": lambda: dynamics.set_state(state),
        "M": lambda: (dynamics.set_state(state), dynamics.mass_matrix()),
        "h": lambda: (dynamics.set_state(state), dynamics.h()),
        "gaps": lambda: (dynamics.set_state(state), dynamics.gaps()),
        "Jacobian of two feet": lambda: (
            dynamics.set_state(state),
            dynamics.contact_jacobian(active),
        ),
        "kernel with two contacts": kernel,
        "kernel without contact": lambda: free_velocity(mass, force, v_a, DT, constraints),
        "inverse dynamics and reference": controller,
    }
    bare = _bare("the whole step, bare")
    print(f"\n{'parts of a Moreau step':40}{'us':>10}")
    for name, part in parts.items():
        _print_part(name, part, rounds)
    _print_part(bare.name, lambda: bare.advance(1), rounds)
    print("each part puts the state in anew, which makes the plant forget its kinematics")


def _controller_alone() -> Callable[[], object]:
    scenario = _scenario("biped/climb")
    machine = build_machine(scenario)
    builder = DiagramBuilder()
    system = add_machine(builder, scenario, machine, "moreau")
    diagram = builder.Build()
    root = diagram.CreateDefaultContext()
    context = system.GetMyMutableContextFromRoot(root)
    port = diagram.GetSubsystemByName("inverse_dynamics").GetOutputPort("actuation")
    controller = diagram.GetSubsystemByName("inverse_dynamics").GetMyContextFromRoot(root)

    def evaluate() -> object:
        system.set_state(context, machine.initial_state)
        return port.Eval(controller)

    return evaluate


def _print_part(name: str, part: Callable[[], object], rounds: int) -> None:
    part()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        for _ in range(STEPS):
            part()
        times.append((time.perf_counter() - started) / STEPS)
    print(f"{name:40}{1e6 * float(np.median(times)):10.1f}")


if __name__ == "__main__":
    main()
