"""Velocities that a support allows, and torques that are held between ticks."""

import numpy as np
import pytest
import scipy.linalg
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import ConstantVectorSource
from tests.machines.humanoid.walkers import PHASES, context, walker

from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.model import support
from footfall.plants.coordinates import actuators_of
from footfall.plants.supports import SupportRows
from footfall_controllers.torque_hold import HeldVelocities, TorqueHold, TorqueHoldParameters

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("phase", PHASES)
def test_they_are_those_of_a_plastic_impact_on_the_support(phase):
    plant = context().model.plant
    w = walker(phase, 3, toe_share=0.001)
    allowed = Coordinates(plant, w.p).state(w.ground, w.angle, w.rate)
    system = HeldVelocities(plant, [support(each) for each in PHASES])
    own = system.CreateDefaultContext()
    system.GetInputPort("phase").FixValue(own, [float(phase), 0.0])

    def held(state):
        system.GetInputPort("state").FixValue(own, state)
        return system.GetOutputPort("held").Eval(own)

    # what the support allows stays as it is
    assert held(allowed) == pytest.approx(allowed, abs=1e-9)
    state = allowed.copy()
    state[19:] += np.random.default_rng(0).normal(size=18)
    found = held(state)
    assert found[:19] == pytest.approx(state[:19], abs=0.0)
    scratch = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(scratch, state)
    J = SupportRows(plant, support(phase)).jacobian(scratch)
    assert J @ found[19:] == pytest.approx(np.zeros(len(J)), abs=1e-9)
    # and the momentum along all that it allows is kept
    lost = plant.CalcMassMatrix(scratch) @ (state - found)[19:]
    assert scipy.linalg.null_space(J).T @ lost == pytest.approx(0.0, abs=1e-9)


def test_torques_are_held_between_ticks_and_locked_joints_have_drives():
    plant = context().model.plant
    names = [actuator.joint().name() for actuator in actuators_of(plant)]
    toe, joint = names.index("left_toe"), plant.GetJointByName("left_toe")
    hold = TorqueHold(plant, TorqueHoldParameters(0.005, [("left_toe",), ()], 100.0, 2.0))
    builder = DiagramBuilder()
    builder.AddSystem(hold)
    state = np.append(plant.GetPositions(plant.CreateDefaultContext()), np.zeros(18))
    state[joint.position_start()], state[19 + joint.velocity_start()] = 0.03, -0.4
    ports = {"torque": np.arange(12.0), "state": state, "phase": np.zeros(2)}
    sources = {
        name: builder.AddSystem(ConstantVectorSource(value)) for name, value in ports.items()
    }
    for name, source in sources.items():
        builder.Connect(source.get_output_port(), hold.GetInputPort(name))
    simulator = Simulator(builder.Build())
    root = simulator.get_mutable_context()
    simulator.Initialize()

    def send(name, value):
        sources[name].get_mutable_source_value(
            sources[name].GetMyMutableContextFromRoot(root)
        ).SetFromVector(value)

    drive = np.zeros(12)
    drive[toe] = -100.0 * 0.03 + 2.0 * 0.4
    own = hold.GetMyContextFromRoot(root)
    actuation = hold.GetOutputPort("actuation")
    assert actuation.Eval(own) == pytest.approx(np.arange(12.0) + drive, abs=1e-12)
    send("torque", -np.arange(12.0))
    simulator.AdvanceTo(0.004)
    assert actuation.Eval(own) == pytest.approx(np.arange(12.0) + drive, abs=1e-12)
    simulator.AdvanceTo(0.005)
    assert actuation.Eval(own) == pytest.approx(-np.arange(12.0) + drive, abs=1e-12)
    send("phase", [1.0, 0.0])  # in which nothing is locked
    assert actuation.Eval(own) == pytest.approx(-np.arange(12.0), abs=1e-12)
