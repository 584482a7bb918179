"""Virtual constraints in a scenario: a gait of a walker with point feet, step by step."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.control.controller import Controller, Reference, Wiring
from footfall.errors import ModelError, ScenarioError
from footfall.plants.coordinates import actuator_names, coordinate_names
from footfall_controllers.energy_shaping import FootPoint
from footfall_controllers.virtual_constraints import (
    ConstrainedGait,
    Support,
)
from footfall_controllers.virtual_constraints import (
    VirtualConstraints as VirtualConstraintsSystem,
)

_PERIOD = 1e-3  # s, between looks at the feet where the engine has no steps


@dataclass
class StandingFoot:
    """A foot that stands during a step, with the coordinates of that step."""

    # Contact with the ground, model::contact.
    foot: str = ""
    # The phase by coordinate: what has to rise during the step.
    phase: dict[str, float] = field(default_factory=dict)
    # The outputs, each by coordinate, in the same order for every foot.
    outputs: list[dict[str, float]] = field(default_factory=list)


@dataclass
class VirtualConstraints(Controller):
    """Hold outputs on functions of a phase, one standing foot after the other (point feet)."""

    # Feet in the order in which they stand; after the last one the first.
    feet: list[StandingFoot] = field(default_factory=list)
    # Independent torques, each by actuator; {hip_a: 1.0, hip_b: -1.0} is one between two thighs.
    torques: list[dict[str, float]] = field(default_factory=list)
    # Phases of a step, rising; of every output its values there, and its slopes over the phase.
    phases: list[float] = field(default_factory=list)
    values: list[list[float]] = field(default_factory=list)
    slopes: list[list[float]] = field(default_factory=list)
    # Gains of an output's error e, e'' + kd e' + kp e = 0 [1/s^2] and [1/s].
    kp: float = 400.0
    kd: float = 40.0
    # Share of the phases from which on the next foot may take over.
    taken_over: float = 0.6
    # Bound of every actuator's torque [N m]; .inf: none.
    most_torque: float = math.inf

    def __post_init__(self) -> None:
        """Refuse what is no gait; nothing at all is refused when it is asked for."""
        if self.feet or self.phases:
            self.gait()

    def gait(self) -> ConstrainedGait:
        """The gait, to be evaluated; raises ScenarioError, one line."""
        if len(self.feet) < 2:
            raise ScenarioError("controller.feet: give two feet or more, in their order.")
        try:
            return ConstrainedGait(
                np.array(self.phases, dtype=np.float64),
                np.atleast_2d(np.array(self.values)),
                np.atleast_2d(np.array(self.slopes)),
                self.kp,
                self.kd,
                self.taken_over,
                self.most_torque,
            )
        except ValueError as error:
            raise ScenarioError(f"controller: {error}.") from error

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect the machine's state -> virtual constraints -> its actuators."""
        plant, gait = wiring.model.plant, self.gait()
        try:
            supports = tuple(
                Support(
                    FootPoint.of_contact(wiring.contacts, one.foot),
                    _row(plant, one.phase, f"feet.{index}.phase"),
                    np.array(
                        [_row(plant, out, f"feet.{index}.outputs") for out in one.outputs]
                    ).reshape(len(one.outputs), plant.num_positions()),
                )
                for index, one in enumerate(self.feet)
            )
            system = VirtualConstraintsSystem(
                plant, supports, self._basis(plant), gait, wiring.time_step or _PERIOD
            )
        except ValueError as error:
            raise ModelError(f"controller: {error}.") from error
        wiring.add_feedback("virtual_constraints", system)

    def _basis(self, plant: MultibodyPlant) -> Array:
        names = actuator_names(plant)
        return np.array([_weights(names, one, "torques") for one in self.torques]).T


def _row(plant: MultibodyPlant, weights: Mapping[str, float], where: str) -> Array:
    return _weights(coordinate_names(plant)[0], weights, where)


def _weights(names: list[str], weights: Mapping[str, float], where: str) -> Array:
    """Weights of all names; raises ValueError for one that is not there."""
    unknown = [name for name in weights if name not in names]
    if unknown:
        raise ValueError(f"{where} has {unknown[0]}; there are {', '.join(names)}")
    return np.array([weights.get(name, 0.0) for name in names])
