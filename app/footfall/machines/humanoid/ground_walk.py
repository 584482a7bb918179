"""The walker on ground that only pushes: the thesis's two controllers on contact as it is."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import LeafSystem

from footfall.checked import not_negative, positive
from footfall.control.whole_body import add_foot_switch, require_whole_steps
from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.machines.humanoid.control import (
    ACCELERATION,
    SELECTOR,
    TORQUE,
    WIRES,
    HumanoidWalk,
    add_systems,
)
from footfall.machines.humanoid.model import parameters_of
from footfall.machines.humanoid.supports import support
from footfall.plants.actuators import actuators_of
from footfall.plants.drives import PdGains
from footfall_controllers.controller import Controller, Reference, Wiring
from footfall_controllers.held_velocities import HeldVelocities
from footfall_controllers.torque_hold import TorqueHold, TorqueHoldParameters

FEET = tuple([f"{side}_foot", f"{side}_toe"] for side in SIDES)
"""Links of the left and the right foot."""
_HELD, _HOLD = "held_velocities", "torque_hold"


@dataclass
class GroundWalk(Controller):
    """Let the walker of the thesis walk where nothing holds its feet, from contact as it is.

    Optimal predictive control (3.136) and redundant torque (3.135) are those of !HumanoidWalk: they
    take the foot that stands for welded. What differs from the thesis is an option each.
    """

    # References, horizons, weights and torques, as !HumanoidWalk has them.
    gait: HumanoidWalk = field(default_factory=HumanoidWalk)
    # Time between two ticks of the controllers, in which torques are held [s].
    period: float = positive(0.005)
    # Load from which on the swinging foot counts as down [N]; null: it does where its heel is 1 mm
    # above the ground, as in the thesis.
    contact_load: float | None = positive(1.0)
    # Take the velocities that the support allows in place of those measured.
    held_velocities: bool = True
    # Gains by which the drives of the toes keep them straight where the thesis has a foot in one
    # piece [N m/rad], [N m s/rad]; the damping acts on all toes within a step.
    toe_stiffness: float = not_negative(1000.0)
    toe_damping: float = not_negative(2.0)

    def __post_init__(self) -> None:
        """Refuse what no law takes, and what is of feet that are held."""
        super().__post_init__()
        if self.gait.feedback is not None or self.gait.springs:
            raise ScenarioError(
                "controller.gait: feedback and springs are for feet that are held: leave them out."
            )

    def pd_gains(self, plant: MultibodyPlant) -> PdGains | None:
        """Return the gains of the drives of the toes."""
        names = [actuator.joint().name() for actuator in actuators_of(plant)]
        toes = np.array([float(name.endswith("_toe")) for name in names])
        return PdGains(self.toe_stiffness * toes, self.toe_damping * toes, by_drive=True) or None

    def connect(self, wiring: Wiring, _reference: Reference | None) -> None:
        """Connect selector, paths, predictive control, torques, and the drives that hold them."""
        plant, gait = wiring.model.plant, self.gait
        require_whole_steps(self.period, wiring.time_step)
        phases = [GaitPhase(k) for k in range(4)]
        supports = [support(phase, gait.cut) for phase in phases]
        locked = [each.locked for each in supports]
        hold = TorqueHoldParameters(self.period, locked, self.toe_stiffness, self.toe_damping)
        systems: dict[str, LeafSystem] = gait.systems(
            plant, parameters_of(wiring.model, wiring.contacts)
        )
        systems |= {_HELD: HeldVelocities(plant, supports), _HOLD: TorqueHold(plant, hold)}
        builder = wiring.builder
        add_systems(
            builder,
            systems,
            (
                *WIRES,
                (SELECTOR, "phase", _HELD, "phase"),
                (SELECTOR, "phase", _HOLD, "phase"),
                (TORQUE, "actuation", _HOLD, "torque"),
            ),
        )
        taken = systems[_HELD].GetOutputPort("held") if self.held_velocities else wiring.state
        for name in (ACCELERATION, TORQUE):
            builder.Connect(taken, systems[name].GetInputPort("state"))
        for name in (SELECTOR, _HELD, _HOLD):
            builder.Connect(wiring.state, systems[name].GetInputPort("state"))
        # a foot that lands is where it is: no kinematics set it level
        builder.Connect(wiring.state, systems[SELECTOR].GetInputPort("landing"))
        if self.contact_load is not None:
            least = self.contact_load * (wiring.time_step or self.period)
            add_foot_switch(wiring, FEET, least, "foot_switch", systems[SELECTOR])
        builder.Connect(systems[_HOLD].GetOutputPort("actuation"), wiring.actuation)
