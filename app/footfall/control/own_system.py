"""A system of the user's as a controller: its ports are checked, then it is connected.

It may declare gains for the drives of its actuators.
"""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import Diagram, InputPort, OutputPort, PortDataType, System

from footfall.errors import ModelError, ScenarioError
from footfall.plants.motors import PdGains, require_gains
from footfall_controllers.controller import Controller, Reference, Wiring


@runtime_checkable
class DeclaresGains(Protocol):
    """A controller whose torques fall with kp and kd times position and velocity of each joint.

    pd_gains: kp and kd, each a number for all actuators or one for each (num_actuators,); see
    ``footfall.plants.motors``. ``actuation`` is the whole torque at the state that it sees.
    """

    pd_gains: tuple[npt.ArrayLike, npt.ArrayLike]


def declared_gains(system: System, plant: MultibodyPlant) -> PdGains | None:
    """Return the gains that a system declares, None without any.

    Raises ScenarioError, one line, for gains that are none.
    """
    if not isinstance(system, DeclaresGains):
        return None
    where = f"controller: {type(system).__name__}.pd_gains"
    given: Any = system.pd_gains
    if given is None:
        return None
    try:
        stiffness, damping = (np.array(part, dtype=np.float64) for part in given)
    except (TypeError, ValueError) as error:
        message = f"{where} is no pair of numbers or arrays: give (kp, kd)."
        raise ScenarioError(message) from error
    count = plant.num_actuators()
    each = [np.full(count, part) if part.ndim == 0 else part for part in (stiffness, damping)]
    gains = PdGains(each[0], each[1])
    try:
        require_gains(gains, plant)
    except ModelError as error:
        raise ScenarioError(f"{where}: {error}") from error
    return gains or None


_FED = ("state", "reference", "imu")
_NAME = "controller"  # of the system in the diagram


class OwnSystem(Controller):
    """A controller that is any system: inputs `state`, `reference`, `imu`, output `actuation`."""

    takes_reference = True

    @property
    def title(self) -> str:
        """Its name and where it comes from, for people."""
        raise NotImplementedError

    def make(self, plant: MultibodyPlant) -> System:
        """Return a new system for a plant; raises ScenarioError, one line, where it cannot."""
        raise NotImplementedError

    def part(self, system: System) -> System:
        """Return what becomes part of a diagram for a system that was made."""
        return system

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the gains that the system declares; raises ScenarioError for what is none."""
        return declared_gains(self.make(plant), plant)

    def adjustable(self, diagram: Diagram) -> Mapping[str, float]:
        """Return what the system says by ``adjustable()``: values by name; nothing without it."""
        system = diagram.GetSubsystemByName(_NAME)
        told: dict[str, float] = dict(getattr(system, "adjustable", dict)())
        return {str(name): float(value) for name, value in told.items()}

    def adjust(self, diagram: Diagram, name: str, value: float) -> None:
        """Let the system ``adjust(name, value)``; raises ScenarioError for another name."""
        known = self.adjustable(diagram)
        if name not in known:
            raise ScenarioError(
                f"controller: {self.title} has no parameter '{name}' that changes while it runs: "
                f"its adjustable() names {', '.join(known) or 'none'}."
            )
        diagram.GetSubsystemByName(_NAME).adjust(name, value)

    def connect(self, wiring: Wiring, reference: Reference | None) -> None:
        """Check the ports of the system and connect it to the machine."""
        plant = wiring.model.plant
        system = self.make(plant)
        source = None if reference is None else reference.copy()
        check_controller(system, plant, source, has_imu=wiring.imu is not None)
        part = self.part(system)
        wiring.add_feedback(_NAME, part)
        if wiring.imu is not None and part.HasInputPort("imu"):
            wiring.builder.Connect(wiring.imu, part.GetInputPort("imu"))
        if source is not None:
            added = wiring.builder.AddNamedSystem("reference", source)
            wiring.builder.Connect(added.GetOutputPort("reference"), part.GetInputPort("reference"))


def check_controller(
    system: System, plant: MultibodyPlant, reference: System | None, *, has_imu: bool = False
) -> None:
    """Raise ScenarioError, one line, for a controller without the ports that it needs."""
    where = f"controller: {type(system).__name__}"
    inputs = [system.get_input_port(k) for k in range(system.num_input_ports())]
    for port in inputs:
        if port.get_name() not in _FED:
            raise ScenarioError(
                f"{where} has an input '{port.get_name()}', which nothing feeds: a controller has "
                "the inputs state and, where it tracks one, reference; where there is one, imu."
            )
    count, actuators = plant.num_multibody_states(), plant.num_actuators()
    _require(system, "input", "state", count, where, f"[q; v] of the machine, {count} numbers")
    what = f"the torques of the actuators, {actuators} numbers"
    _require(system, "output", "actuation", actuators, where, what)
    takes = system.HasInputPort("reference")
    if takes and reference is None:
        raise ScenarioError(
            f"{where} has an input 'reference', and the scenario has none: give it a reference, "
            "or take the input out."
        )
    if system.HasInputPort("imu"):
        if not has_imu:
            raise ScenarioError(
                f"{where} has an input 'imu', and the scenario has none: give it one, "
                "sensors: {imu: {link: ...}}, or take the input out."
            )
        _require(system, "input", "imu", 6, where, "angular velocity and specific force, 6 numbers")
    if reference is not None:
        size = reference.GetOutputPort("reference").size()
        what = f"what the scenario's reference sends, {size} numbers"
        _require(system, "input", "reference", size, where, what)


def check_estimator(system: System, plant: MultibodyPlant, *, has_imu: bool) -> None:
    """Raise ScenarioError, one line, for an estimator without the ports that it needs."""
    where = f"estimator: {type(system).__name__}"
    for port in [system.get_input_port(k) for k in range(system.num_input_ports())]:
        if port.get_name() not in {"state", "imu"}:
            raise ScenarioError(
                f"{where} has an input '{port.get_name()}', which nothing feeds: an estimator has "
                "the inputs state and, where there is one, imu."
            )
    count = plant.num_multibody_states()
    for direction in ("input", "output"):
        _require(system, direction, "state", count, where, f"[q; v], {count} numbers")
    if system.HasInputPort("imu") and not has_imu:
        raise ScenarioError(
            f"{where} has an input 'imu', and the scenario has none: give it one, "
            "sensors: {imu: {link: ...}}, or take the input out."
        )


def check_reference(system: System) -> None:
    """Raise ScenarioError, one line, for a reference without its port, or that wants to be fed."""
    where = f"reference: {type(system).__name__}"
    if system.num_input_ports() > 0:
        name = system.get_input_port(0).get_name()
        raise ScenarioError(
            f"{where} has an input '{name}', which nothing feeds: a reference is a function of "
            "time; take the input out."
        )
    _require(system, "output", "reference", None, where, "what the controller tracks")


def _require(
    system: System, direction: str, name: str, size: int | None, where: str, what: str
) -> None:
    """Raise ScenarioError unless a system has a vector port of a name and, if given, a size."""
    there = system.HasInputPort(name) if direction == "input" else system.HasOutputPort(name)
    if not there:
        names = _names(system, direction)
        raise ScenarioError(
            f"{where} has no {direction} '{name}' ({what}); its {direction}s: "
            f"{', '.join(names) or 'none'}."
        )
    port: InputPort | OutputPort = (
        system.GetInputPort(name) if direction == "input" else system.GetOutputPort(name)
    )
    if port.get_data_type() != PortDataType.kVectorValued:
        raise ScenarioError(f"{where}: its {direction} '{name}' must be a vector ({what}).")
    if size is not None and port.size() != size:
        raise ScenarioError(
            f"{where}: its {direction} '{name}' has {port.size()} numbers, but must have {size}: "
            f"{what}."
        )


def _names(system: System, direction: str) -> list[str]:
    if direction == "input":
        return [system.get_input_port(k).get_name() for k in range(system.num_input_ports())]
    return [system.get_output_port(k).get_name() for k in range(system.num_output_ports())]
