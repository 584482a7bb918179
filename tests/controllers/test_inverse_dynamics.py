"""Inverse dynamics, posture and gait sources as systems of their own."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from pydrake.systems.framework import DiagramBuilder
from tests.engines.tiny import BRICK, STOPPED, simulate, tiny

from footfall.machines.biped.closed_form.model import Biped
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall_controllers.inverse_dynamics import InverseDynamicsSystem, TracksReference
from footfall_controllers.posture import Posture, PostureSystem, Wave
from footfall_controllers.reference_gait import ReferenceGait, SampledGait

PLANT = build_robot(load_scenario("biped/stand")).plant


@dataclass
class Balanced(TracksReference):
    pair: tuple[str, str] = ("tau1", "tau3")

    @property
    def balanced(self):
        return (self.pair,)


def _torque(parameters, state, reference, time_step=0.0):
    law = InverseDynamicsSystem(PLANT, parameters, time_step)
    context = law.CreateDefaultContext()
    law.GetInputPort("state").FixValue(context, state)
    law.GetInputPort("reference").FixValue(context, np.ravel(reference))
    return law.GetOutputPort("actuation").Eval(context)


@pytest.mark.parametrize("lookahead", [0.0, 5e-4])
def test_the_law_is_the_documents(lookahead):
    oracle, rng = Biped(), np.random.default_rng(11)
    parameters = TracksReference(kp=1e4, kd=100.0, at_midpoint=lookahead > 0.0)
    for _ in range(20):
        q, v = rng.uniform(-2.0, 2.0, 6), rng.uniform(-5.0, 5.0, 6)
        theta, theta_d, theta_dd = rng.uniform(-2.0, 2.0, (3, 4))
        seen = q + lookahead * v
        a_q = np.zeros(6)
        a_q[2:] = theta_dd + 1e4 * (theta - seen[2:]) + 100.0 * (theta_d - v[2:])
        wanted = (oracle.mass_matrix(seen) @ a_q - oracle.h(seen, v))[2:]
        given = np.concatenate((q, v)), (theta, theta_d, theta_dd)
        found = _torque(parameters, *given, time_step=1e-3)
        assert np.abs(found - wanted).max() <= 1e-11 * np.abs(wanted).max()


def test_balanced_actuators_cancel_exactly():
    rng = np.random.default_rng(12)
    state, reference = rng.uniform(-1.0, 1.0, 12), rng.uniform(-1.0, 1.0, 12)
    free = _torque(TracksReference(1e4, 100.0), state, reference)
    found = _torque(Balanced(1e4, 100.0), state, reference)
    assert found[0] + found[2] == 0.0
    assert found[0] - found[2] == pytest.approx(free[0] - free[2], rel=1e-14)
    assert np.array_equal(found[[1, 3]], free[[1, 3]])


def test_unknown_actuators_are_refused():
    with pytest.raises(ValueError, match="tau9"):
        InverseDynamicsSystem(PLANT, Balanced(1.0, 1.0, pair=("tau1", "tau9")))


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_pendulum_follows_the_error_equation(tmp_path, engine):
    """E'' + kd e' + kp e = 0 for a machine whose every joint is driven, gravity and all."""
    motor = (
        "<transmission><type>transmission_interface/SimpleTransmission</type><joint name='swing'/>"
        "<actuator name='motor'/></transmission></robot>"
    )
    text = STOPPED.format(effort="1e6", damping=0.4).replace("</robot>", motor)
    scenario = tiny(
        tmp_path,
        text,
        welded="base",
        duration=1.0,
        positions={"swing": -0.3},
        controller=Posture(positions={"swing": 0.2}, kp=100.0, kd=12.0),
    )
    data = simulate(scenario, engine).trajectory.data
    error = data["q"].to_numpy()[:, 0] - 0.2
    time = data["time"].to_numpy()
    omega = np.sqrt(100.0 - 36.0)
    exact = -0.5 * np.exp(-6.0 * time) * (np.cos(omega * time) + 6.0 / omega * np.sin(omega * time))
    # first order in dt, torques held over a step: kd dt / 2 = 0.6 % of half a radian
    assert np.abs(error - exact).max() <= 5e-3


def test_posture_holds_and_swings():
    posture, joints = Posture(positions={"a": 0.1, "b": -0.2}), ["a", "b"]
    source = PostureSystem(posture, joints)
    assert np.array_equal(source.sample(3.0), [[0.1, -0.2], [0.0, 0.0], [0.0, 0.0]])
    wave = {"a": Wave(amplitude=0.02, phase=0.5)}
    swinging = PostureSystem(replace(posture, feedforward=wave, kp=100.0, period=4.0), joints)
    assert swinging.sample(1.0)[2] == pytest.approx(
        [2.0 * np.sin(0.5 * np.pi + 0.5), 0.0], abs=1e-15
    )
    context = swinging.CreateDefaultContext()
    context.SetTime(1.0)
    assert np.array_equal(
        swinging.GetOutputPort("reference").Eval(context), swinging.sample(1.0).ravel()
    )


def _table(count=5):
    position = np.arange(count * 2, dtype=float).reshape(count, 2)
    return position, position + 100.0, position + 200.0


def test_a_gait_is_held_between_samples_and_repeats():
    gait = SampledGait(*_table(), sample_period=0.1)
    assert [gait.index_at(t) for t in (0.0, 0.05, 0.1, 0.45, 0.5, 1.23)] == [0, 0, 1, 4, 0, 2]
    source = ReferenceGait(gait)
    context = source.CreateDefaultContext()
    context.SetTime(0.25)
    assert np.array_equal(
        source.GetOutputPort("reference").Eval(context), [4, 5, 104, 105, 204, 205]
    )
    assert np.array_equal(source.sample(0.25), [[4, 5], [104, 105], [204, 205]])


def test_a_sample_belongs_to_the_step_that_starts_with_it():
    # k * dt rounds below its value for many k: sample k all the same, for hours
    for dt in (1e-3, 5.0 / 4999.0):
        gait = SampledGait(
            np.zeros((7919, 1)), np.zeros((7919, 1)), np.zeros((7919, 1)), sample_period=dt
        )
        steps = np.r_[np.arange(20_000), 3_600_000, 3_600_001]
        assert all(gait.index_at(k * dt) == k % 7919 for k in steps)


def test_tables_that_do_not_fit_are_refused():
    position, velocity, acceleration = _table()
    with pytest.raises(ValueError, match="same shape"):
        SampledGait(position, velocity[:-1], acceleration, sample_period=0.1)
    with pytest.raises(ValueError, match="positive"):
        SampledGait(position, velocity, acceleration, sample_period=0.0)


def test_joints_of_several_freedoms_are_refused(tmp_path):
    # a brick has no actuators: an inverse dynamics without joints is allowed, and says nothing
    machine = build_robot(tiny(tmp_path, BRICK))
    builder = DiagramBuilder()
    law = builder.AddSystem(InverseDynamicsSystem(machine.plant, TracksReference(1.0, 1.0)))
    assert law.GetOutputPort("actuation").size() == 0
