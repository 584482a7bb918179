"""Controllers as scenarios describe them, and how they become systems.

One with a period ticks just before a step of the engine.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import (
    Context,
    Diagram,
    DiagramBuilder,
    DiscreteValues,
    InputPort,
    LeafSystem,
    OutputPort,
    System,
)

from footfall.arrays import Array
from footfall.checked import Checked
from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of
from footfall.plants.flat.laws import Law
from footfall.plants.loading.load import Model
from footfall.plants.motors import Motor, PdGains
from footfall.trajectory.control import ControlTicks

_BEFORE = 1e-10  # s: more than rounding of times, less than any step


def declare_ticks(
    system: LeafSystem, period: float, update: Callable[[Context, DiscreteValues], None]
) -> None:
    """Declare a discrete update every period [s], the first one period after the start.

    Steps of an engine come at multiples of their own length. A tick at a multiple of the period
    would come now before the step of that time and now with it, as both products happen to be
    rounded, and its torques would act a step earlier or later. So it comes before every time.
    """
    system.DeclarePeriodicDiscreteUpdateEvent(period, period - _BEFORE, update)
    system.DeclareForcedDiscreteUpdateEvent(update)


def tick(root: Context, systems: Sequence[System], period: float, number: int) -> None:
    """Let systems do a tick of theirs, 1, 2, ..., as a simulator would, and let it be its time.

    Systems without ticks stay as they are.
    """
    root.SetTime(period - _BEFORE + (number - 1) * period)  # rounded as Drake rounds it
    found = []
    for system in systems:
        context, values = (
            system.GetMyMutableContextFromRoot(root),
            system.AllocateDiscreteVariables(),
        )
        system.CalcForcedDiscreteVariableUpdate(context, values)
        found.append((context, values))
    for context, values in found:
        context.SetDiscreteState(values)


class Reference(Protocol):
    """A LeafSystem with output ``reference`` that can also be asked directly."""

    def sample(self, time: float) -> Array:
        """Rows q_d, v_d, a_d of the actuated joints at a time [s], shape (3, n)."""

    def copy(self) -> System:
        """Another source of the same reference: a system belongs to one diagram only."""


@dataclass(frozen=True)
class Wiring:
    """Connections of a controller: a machine in a diagram that is being built.

    state, actuation: [q; v] of the machine, as its sensors tell it, and the torques that it gets,
    as in ``footfall.engines.ports``. model and contacts: continuous, to ask for M and h. time_step:
    of the engine [s], 0 where it integrates in continuous time. imu: angular velocity and specific
    force, (6,), where the scenario's sensors have a unit that tells them. impulses: of the contacts
    in the step that ended last, (3 n,) as in ``footfall.engines.ports``. motors: of the scenario.
    start: [q; v] at which the scenario starts.
    """

    builder: DiagramBuilder
    state: OutputPort
    actuation: InputPort
    model: Model
    contacts: ContactSet
    time_step: float
    imu: OutputPort | None = None
    impulses: OutputPort | None = None
    motors: Mapping[str, Motor] = field(default_factory=dict)
    start: Array = field(default_factory=lambda: np.zeros(0))

    def add_feedback(self, name: str, system: System) -> None:
        """Add a system and connect it: the machine's state -> it -> the machine's actuation."""
        added = self.builder.AddNamedSystem(name, system)
        self.builder.Connect(self.state, added.GetInputPort("state"))
        self.builder.Connect(added.GetOutputPort("actuation"), self.actuation)


class LawRequest(NamedTuple):
    """A robot, what its controller tracks, and steps that start at times (n,) [s]."""

    model: Model
    contacts: ContactSet
    reference: Reference | None
    times: Array
    time_step: float


class Controller(Checked, at="controller."):
    """Controller as a scenario may name it: a dataclass of what YAML may say, with its system.

    takes_reference: it tracks the one that the scenario gives beside it.
    """

    takes_reference: ClassVar[bool] = False

    @property
    def held_for(self) -> float:
        """Time between two ticks [s], in which its torques stay; 0: they may change at any step.

        All that its systems do they do at ticks, see `declare_ticks`.
        """
        return 0.0

    def reference(self, _plant: MultibodyPlant) -> Reference | None:
        """Return the reference that it tracks, if any; may take a while, and is asked for once."""
        return None

    def pd_gains(self, _plant: MultibodyPlant) -> PdGains | None:
        """Return the gains by which its torques follow the joints, if it declares any."""
        return None

    def system_for(self, wiring: Wiring) -> System:
        """Return its system, with an input `state` and an output `actuation`.

        Raises ModelError or ScenarioError for a machine that it does not drive.
        """
        raise NotImplementedError

    def compiled_law(self, _asked: LawRequest) -> Law | None:
        """Return the law of its torques in steps, for compiled runs.

        None: it is no such law. Times and results are those of the system that it connects.
        """
        return None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Add its systems and connect them between the machine's state and its actuation."""
        try:
            system = self.system_for(wiring)
        except ValueError as error:
            raise ModelError(f"controller {type(self).__name__}: {error}.") from error
        wiring.add_feedback("controller", system)

    def adjustable(self, _diagram: Diagram) -> Mapping[str, float]:
        """Return the parameters that may change while a run goes on, by name, as they are now."""
        return {}

    def adjust(self, _diagram: Diagram, name: str, _value: float) -> None:
        """Change such a parameter between two steps; raises ScenarioError for another name."""
        raise ScenarioError(
            f"controller: !{type(self).__name__} has no parameter '{name}' that changes while it "
            "runs."
        )

    def start_warning(self, _model: Model, _q: Array) -> str | None:
        """Return a line on what it cannot do from positions q of a robot at the start, if any."""
        return None

    def ticks(self, _diagram: Diagram) -> ControlTicks | None:
        """Return what it tells of its ticks when a run of a diagram is over, if it tells that."""
        return None


def actuated_joints(plant: MultibodyPlant) -> list[str]:
    """Names of the actuated joints in the order of the actuators."""
    return [actuator.joint().name() for actuator in actuators_of(plant)]


def require_actuated(wanted: list[str], joints: list[str]) -> None:
    """Raise ModelError when a controller names a joint that has no actuator."""
    for name in wanted:
        if name not in joints:
            raise ModelError(
                f"controller: joint '{name}' has no actuator; "
                f"actuated joints are {', '.join(joints) or 'none'}."
            )
