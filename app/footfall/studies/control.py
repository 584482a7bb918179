"""Controllers as scenarios describe them, and how they become systems."""

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import DiagramBuilder, InputPort, OutputPort, System

from footfall.errors import ModelError, ScenarioError
from footfall.plants.actuators import actuators_of
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall_controllers.inverse_dynamics import InverseDynamics, InverseDynamicsParameters
from footfall_controllers.posture import Posture as PostureSource
from footfall_controllers.posture import PostureParameters, Sinusoid

Array = npt.NDArray[np.float64]


class Reference(Protocol):
    """A LeafSystem with output ``reference`` that can also be asked directly."""

    def sample(self, time: float) -> Array:
        """Rows q_d, v_d, a_d of the actuated joints at a time [s], shape (3, n)."""

    def copy(self) -> System:
        """Another source of the same reference: a system belongs to one diagram only."""


@dataclass(frozen=True)
class Wiring:
    """What a controller is connected to: a machine in a diagram that is being built.

    state, actuation: [q; v] of the machine and the torques that it gets, as in
    ``footfall.engines.ports``. model and contacts: continuous, to ask for M and h. time_step: of
    the engine [s], 0 where it integrates in continuous time.
    """

    builder: DiagramBuilder
    state: OutputPort
    actuation: InputPort
    model: Model
    contacts: ContactSet
    time_step: float


class Controller(Protocol):
    """What a scenario may name as its controller."""

    def reference(self, plant: MultibodyPlant) -> Reference | None:
        """What it tracks, if it tracks anything; may take a while, and is asked for once."""

    def connect(self, wiring: Wiring, reference: Reference | None) -> None:
        """Add its systems and connect them between the machine's state and its actuation."""


class TracksReference(Controller):
    """A controller that lets the actuated joints track a reference by inverse dynamics."""

    def law(self, time_step: float) -> InverseDynamicsParameters:
        """Parameters of the law at a time step [s]."""
        raise NotImplementedError

    def connect(self, wiring: Wiring, reference: Reference | None) -> None:
        """Connect reference -> inverse dynamics -> machine, whichever engine the machine is."""
        if reference is None:
            raise ValueError("there is no reference to track")
        builder = wiring.builder
        source = builder.AddNamedSystem("reference", reference.copy())
        law = self.law(wiring.time_step)
        try:
            controller = builder.AddNamedSystem(
                "inverse_dynamics", InverseDynamics(wiring.model.plant, law)
            )
        except ValueError as error:
            message = f"controller: {error}."
            raise ModelError(message) from error
        builder.Connect(source.GetOutputPort("reference"), controller.GetInputPort("reference"))
        builder.Connect(wiring.state, controller.GetInputPort("state"))
        builder.Connect(controller.GetOutputPort("actuation"), wiring.actuation)


@dataclass
class Wave:
    """A sinusoidal feed-forward acceleration of one joint."""

    # Amplitude as an angle [rad]: the acceleration is kp times it.
    amplitude: float = 0.0
    # Phase at time 0 [rad].
    phase: float = 0.0


@dataclass
class Posture(TracksReference):
    """Hold the actuated joints by inverse dynamics, with optional sinusoidal feed-forward."""

    # Joint positions to hold, by joint name [rad or m]; joints left out are held at 0.
    positions: dict[str, float] = field(default_factory=dict)
    # Feed-forward acceleration about the posture, by joint name.
    feedforward: dict[str, Wave] = field(default_factory=dict)
    # Period of the feed-forward [s].
    period: float = 1.0
    # Gains of the commanded acceleration [1/s^2] and [1/s].
    kp: float = 1e4
    kd: float = 100.0
    # Evaluate the law half a time step ahead, as the listing of the biped report does.
    at_midpoint: bool = False

    def __post_init__(self) -> None:
        """Refuse gains and periods that are not numbers or have the wrong sign."""
        require_finite("controller", positive=("period",), not_negative=("kp", "kd"), of=self)

    def reference(self, plant: MultibodyPlant) -> PostureSource:
        """Make the reference source for the actuated joints of a plant; as ``source``."""
        return self.source(actuated_joints(plant))

    def source(self, joints: list[str]) -> PostureSource:
        """Make the reference source for joints in this order.

        Raises ModelError when a joint that is named here is not among them.
        """
        require_actuated([*self.positions, *self.feedforward], joints)
        wave = None
        if self.feedforward:
            waves = [self.feedforward.get(name, Wave()) for name in joints]
            wave = Sinusoid(
                amplitude=self.kp * np.array([w.amplitude for w in waves]),
                phase=np.array([w.phase for w in waves]),
                period=self.period,
            )
        position = np.array([self.positions.get(name, 0.0) for name in joints])
        return PostureSource(PostureParameters(position, wave))

    def law(self, time_step: float) -> InverseDynamicsParameters:
        """Parameters of the inverse-dynamics law that tracks the reference."""
        return InverseDynamicsParameters(
            self.kp, self.kd, lookahead=0.5 * time_step if self.at_midpoint else 0.0
        )


def require_finite(
    where: str, *, positive: tuple[str, ...], not_negative: tuple[str, ...], of: object
) -> None:
    """Raise ScenarioError for a field of the wrong sign, infinite or NaN."""
    for name in (*positive, *not_negative):
        value = getattr(of, name)
        low_enough = value > 0.0 if name in positive else value >= 0.0
        if not (math.isfinite(value) and low_enough):
            wanted = "positive" if name in positive else "not negative"
            message = f"{where}.{name} is {value}: give a finite number that is {wanted}."
            raise ScenarioError(message)


def actuated_joints(plant: MultibodyPlant) -> list[str]:
    """Names of the actuated joints in the order of the actuators."""
    return [actuator.joint().name() for actuator in actuators_of(plant)]


def require_actuated(wanted: list[str], joints: list[str]) -> None:
    """Raise ModelError when a controller names a joint that has no actuator."""
    for name in wanted:
        if name not in joints:
            message = (
                f"controller: joint '{name}' has no actuator; "
                f"actuated joints are {', '.join(joints) or 'none'}."
            )
            raise ModelError(message)
