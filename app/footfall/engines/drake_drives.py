"""Drives with gains in Drake's plant: its own PD-controlled actuators, implicit in its step.

Drake's torque is clamp(-kp (q - q_d) - kd (v - v_d) + u_ff). With the state at the start of a step
as desired state and the controller's torque as feed-forward, that is the law of
``footfall.plants.motors`` with q and v at the end of the step, in which Drake's solver takes them.
"""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import ModelInstanceIndex, PdControllerGains
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import MatrixGain

from footfall.plants.coordinates import actuators_of
from footfall.plants.motors import PdGains


def add_drives(builder: DiagramBuilder, plant: MultibodyPlant, gains: PdGains) -> None:
    """Give the actuators of a finalized plant with a step their gains, and the state to go from."""
    actuators = actuators_of(plant)
    for actuator, kp, kd in zip(actuators, gains.stiffness, gains.damping, strict=True):
        if kp > 0.0 or kd > 0.0:
            actuator.set_controller_gains(PdControllerGains(p=kp, d=kd))
    for number in range(plant.num_model_instances()):
        instance = ModelInstanceIndex(number)
        own = [each.joint() for each in actuators if each.model_instance() == instance]
        if not own:
            continue
        columns = [joint.position_start() for joint in own]
        columns += [plant.num_positions() + joint.velocity_start() for joint in own]
        some = np.zeros((len(columns), plant.num_multibody_states()))
        some[np.arange(len(columns)), columns] = 1.0
        held = builder.AddNamedSystem(f"start_of_drives_{number}", MatrixGain(some))
        builder.Connect(plant.get_state_output_port(), held.get_input_port())
        builder.Connect(held.get_output_port(), plant.get_desired_state_input_port(instance))
