"""Springs and dampers beside motors: a damped oscillator's own closed form."""

import numpy as np
import pytest
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import PrismaticJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource

from footfall_controllers.parallel_springs import ParallelSpring, ParallelSprings

M, K, D, REST, PULL = 2.0, 50.0, 3.0, 0.1, 4.0  # kg, N/m, N s/m, m, N


def mass_on_a_slide():
    plant = MultibodyPlant(0.0)
    inertia = SpatialInertia(M, np.zeros(3), UnitInertia.SolidSphere(0.1))
    body = plant.AddRigidBody("mass", inertia)
    slide = plant.AddJoint(
        PrismaticJoint("slide", plant.world_frame(), body.body_frame(), [1.0, 0.0, 0.0])
    )
    plant.AddJointActuator("slide", slide)
    plant.Finalize()
    return plant


def test_a_mass_on_spring_and_damper_swings_as_an_oscillator_and_loses_what_the_damper_takes():
    builder = DiagramBuilder()
    plant = builder.AddSystem(mass_on_a_slide())
    springs = builder.AddSystem(ParallelSprings(plant, {"slide": ParallelSpring(K, REST, D)}))
    motor = builder.AddSystem(ConstantVectorSource([PULL]))
    builder.Connect(plant.get_state_output_port(), springs.GetInputPort("state"))
    builder.Connect(motor.get_output_port(), springs.GetInputPort("motors"))
    builder.Connect(springs.GetOutputPort("actuation"), plant.get_actuation_input_port())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    simulator.get_mutable_integrator().set_target_accuracy(1e-10)
    own = plant.GetMyContextFromRoot(simulator.get_mutable_context())
    time = 0.7
    simulator.AdvanceTo(time)
    middle, decay = REST + PULL / K, D / (2.0 * M)
    w = np.sqrt(K / M - decay**2)
    swing = np.cos(w * time) + decay / w * np.sin(w * time)
    x = middle * (1.0 - np.exp(-decay * time) * swing)
    v = middle * np.exp(-decay * time) * (w + decay**2 / w) * np.sin(w * time)
    state = plant.GetPositionsAndVelocities(own)
    np.testing.assert_allclose(state, [x, v], atol=1e-8)
    stored = springs.energy(state) - springs.energy(np.zeros(2))
    taken = springs.dissipated(springs.GetMyContextFromRoot(simulator.get_context()))
    assert taken == pytest.approx(PULL * x - stored - 0.5 * M * v**2, abs=1e-8)
    assert taken > 0.1


def test_springs_alone_take_nothing_and_need_no_integrator():
    springs = ParallelSprings(mass_on_a_slide(), {"slide": ParallelSpring(K, REST)})
    context = springs.CreateDefaultContext()
    assert context.num_continuous_states() == 0
    assert springs.dissipated(context) == 0.0
    np.testing.assert_allclose(springs.efforts(np.array([0.3, 9.0])), [-K * 0.2])
