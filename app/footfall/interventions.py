"""Interventions in a simulation under way: pushes by hand, and settings that change.

Changes that a scenario lists are carried out at their times. What somebody does by hand is carried
out in the same way and kept as pushes and changes of a scenario: added to it, they repeat the run
to the bit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pydrake.systems.analysis import ApplySimulatorConfig, Simulator
from pydrake.systems.framework import Context, Diagram, DiagramBuilder, System

from footfall.engines import Engine, MoreauEngine
from footfall.errors import ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.pushes import Push, PushSource, resolved
from footfall.recorder import Recorder
from footfall.scenario.assemble import PUSHES, Robot, add_robot, contacts_of
from footfall.scenario.changes import Change
from footfall.scenario.schema import Scenario
from footfall.trajectory import Event
from footfall.trajectory.events import CHANGED
from footfall.trajectory.pushes import LinkPush


@dataclass(frozen=True)
class ByHand:
    """Pushes and changes that somebody gave a run while it went on."""

    pushes: Sequence[Push] = ()
    changes: Sequence[Change] = ()

    def added_to(self, scenario: Scenario) -> Scenario:
        """Return the scenario that repeats the run."""
        return replace(
            scenario,
            pushes=[*scenario.pushes, *self.pushes],
            changes=[*scenario.changes, *self.changes],
        )


@dataclass(eq=False)
class Parts:
    """Parts of a simulation under way.

    recorder: None where nobody keeps its steps. held: steps between ticks of a controller that
    holds its torques, where the engine makes them without a simulator; else 0.
    """

    scenario: Scenario
    robot: Robot
    diagram: Diagram
    system: Engine
    simulator: Simulator
    recorder: Recorder | None = None
    held: int = 0

    @cached_property
    def others(self) -> Sequence[System]:
        """Systems beside the engine."""
        return [system for system in self.diagram.GetSystems() if system is not self.system]

    @property
    def context(self) -> Context:
        """The engine's."""
        return self.system.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())


def put_together(
    scenario: Scenario, robot: Robot, engine: str, *, by_hand: bool = False, stepped: bool = False
) -> Parts:
    """Return a machine in an engine with ports, at its start.

    by_hand, stepped: as of ``add_robot``.
    """
    builder = DiagramBuilder()
    system = add_robot(builder, scenario, robot, engine, by_hand=by_hand, stepped=stepped)
    diagram = builder.Build()
    parts = Parts(scenario, robot, diagram, system, Simulator(diagram))
    ApplySimulatorConfig(scenario.simulator, parts.simulator)
    system.set_state(parts.context, robot.initial_state)
    system.watch(parts.simulator)
    return parts


@dataclass(eq=False)
class _Done:
    pushes: list[Push] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


class Interventions:
    """Carries out changes and pushes between two steps of a simulation.

    pushes: all that the run has by now. contacts: with the coefficients that they have by now.
    friction: of all contacts, if one number was given; gravity [m/s^2]; both as they are by now.
    """

    def __init__(self, parts: Parts) -> None:
        """Take the parts; raises ScenarioError for a change of what the controller has not."""
        self._parts = parts
        scenario, robot = parts.scenario, parts.robot
        self.pushes: tuple[LinkPush, ...] = robot.pushes
        self.contacts: ContactSet = robot.contacts
        self.friction, self.gravity = scenario.friction, scenario.gravity
        self._listed = len(resolved(robot.plant, scenario.pushes))
        self.restart(robot.pushes)
        for change in self._due:
            self._require_known(change)

    def restart(self, pushes: tuple[LinkPush, ...]) -> None:
        """Let all be as the scenario has it at its start, but for the pushes, which are these."""
        scenario, self._by_hand = self._parts.scenario, _Done()
        self._due = sorted(scenario.changes, key=lambda change: change.time)
        if self.friction != scenario.friction:
            self.take_laws(scenario)
        self.restore()
        if self.pushes != pushes:
            self._put(pushes)

    @property
    def by_hand(self) -> ByHand:
        """All that was done by hand."""
        return ByHand(tuple(self._by_hand.pushes), tuple(self._by_hand.changes))

    @property
    def takes_pushes(self) -> bool:
        """True if links can be pushed by hand: steps are taken, and something may move."""
        source = self._source
        return isinstance(source, MoreauEngine) or (source is not None and not source.is_continuous)

    @property
    def _source(self) -> MoreauEngine | PushSource | None:
        """Return the system that pushes links."""
        diagram, system = self._parts.diagram, self._parts.system
        if isinstance(system, MoreauEngine):
            return system
        return diagram.GetSubsystemByName(PUSHES) if diagram.HasSubsystemNamed(PUSHES) else None

    def adjustable(self) -> dict[str, float]:
        """Return the parameters of the controller that may change, as they are by now."""
        controller = self._parts.scenario.controller
        return {} if controller is None else dict(controller.adjustable(self._parts.diagram))

    def steps_left(self, done: int) -> int:
        """Count the steps from so many done to the next change of the scenario."""
        if not self._due:
            return self._parts.scenario.num_steps
        return max(self._step_of(self._due[0]) - done, 1)

    def carry_out(self, done: int) -> None:
        """Carry out the changes of the scenario that are due after so many steps."""
        while self._due and self._step_of(self._due[0]) <= done:
            self._change(self._due.pop(0), done)

    def change(self, change: Change, done: int) -> Change:
        """Carry out a change by hand after so many steps, and return it with its time."""
        self._require_known(change)
        timed = replace(change, time=done * self._parts.scenario.time_step)
        self._change(timed, done)
        self._by_hand.changes.append(timed)
        return timed

    def push(self, push: Push, done: int) -> Push:
        """Push a link from the next step or its start on, and return the push with its start.

        Raises ScenarioError for a link that there is not, or an engine in continuous time.
        """
        source = self._source
        if source is None or not self.takes_pushes:
            raise ScenarioError(
                "this engine takes no pushes by hand: choose one that takes steps, as moreau does."
            )
        scenario, plant = self._parts.scenario, self._parts.robot.plant
        # what is computed for the step that begins now stays: a push begins with the next one
        timed = replace(push, start=max(push.start, (done + 1) * scenario.time_step))
        new = resolved(plant, [timed])
        self._by_hand.pushes.append(timed)
        place = self._listed
        self._put((*self.pushes[:place], *new, *self.pushes[place:]))
        self._listed += len(new)
        return timed

    def _put(self, pushes: tuple[LinkPush, ...]) -> None:
        self.pushes = pushes
        if self._source is not None:
            self._source.put(pushes)
        if self._parts.recorder is not None:
            self._parts.recorder.pushes = pushes

    def restore(self) -> None:
        """Give the model the gravity of the scenario back, which what is measured later reads."""
        if self.gravity != self._parts.scenario.gravity:
            self._set_gravity(self._parts.scenario.gravity)

    def _step_of(self, change: Change) -> int:
        return round(change.time / self._parts.scenario.time_step)

    def _change(self, change: Change, done: int) -> None:
        parts = self._parts
        told = str(change)
        if change.friction is not None:
            self._change_friction(change.friction)
        if change.gravity is not None:
            work = self._change_gravity(change.gravity)
            told += f", which gives {work:.3g} J"
        if parts.scenario.controller is not None:
            for name, value in change.controller.items():
                parts.scenario.controller.adjust(parts.diagram, name, value)
        self.note(told, done)

    def note(self, told: str, done: int) -> None:
        """Leave an event after so many steps, if somebody keeps it."""
        parts = self._parts
        if parts.recorder is not None:
            event = Event(done * parts.scenario.time_step, CHANGED, told)
            parts.recorder.change(parts.context, event)

    def _change_friction(self, friction: float) -> None:
        self.take_laws(replace(self._parts.scenario, friction=friction, static_friction=None))

    def take_laws(self, scenario: Scenario) -> None:
        """Give contacts the laws of a scenario that differs in nothing else."""
        parts = self._parts
        self.contacts = contacts_of(scenario, parts.robot.model)
        parts.system.change_friction(parts.context, self.contacts)
        self.friction = scenario.friction

    def _change_gravity(self, gravity: float) -> float:
        self.gravity, recorder = gravity, self._parts.recorder
        if recorder is None:
            self._set_gravity(gravity)
            return 0.0
        return recorder.change_potential(lambda: self._set_gravity(gravity))

    def _set_gravity(self, gravity: float) -> None:
        parts = self._parts
        parts.robot.plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -gravity])
        parts.system.change_gravity(parts.context, gravity)

    def _require_known(self, change: Change) -> None:
        """Raise ScenarioError for parameters that the controller does not say may change."""
        controller, known = self._parts.scenario.controller, self.adjustable()
        for name in change.controller:
            if name not in known:
                what = "no controller" if controller is None else f"a !{type(controller).__name__}"
                names = ", ".join(known) or "none that changes while it runs"
                raise ScenarioError(
                    f"changes: controller.{name}: the scenario has {what}, whose parameters are "
                    f"{names}."
                )
