"""Drives whose controller declares its gains: implicit in a step, limited, and accounted for."""

import numpy as np
import pytest
from pydrake.systems.framework import LeafSystem
from tests.engines.tiny import columns, simulate, tiny

from footfall.engines import MoreauConfig
from footfall.errors import ScenarioError
from footfall.plants.coordinates import actuators_of
from footfall.plants.sensing import Sensors
from footfall.reactions import joint_reactions
from footfall.scenario.assemble import build_robot
from footfall.trajectory import Status

INERTIA = 1e-4  # kg m^2, a finger

# a light arm on a hinge without gravity about it, with a motor of 2 N m unless told otherwise
ARM = """<robot name="arm"><link name="base"/>
  <link name="rod"><inertial><mass value="0.05"/>
    <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/>
    <axis xyz="0 1 0"/><limit lower="-20" upper="20" effort="{effort}"/></joint>
  <transmission name="drive"><type>transmission_interface/SimpleTransmission</type>
    <joint name="hinge"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
    <actuator name="motor"/></transmission>
</robot>"""

ENGINES = ["moreau", "drake-sap", "drake-lagged", "mujoco"]


def servo(kp, kd, goal=1.0, declared=True):
    """Class of controllers that hold every joint at a place [rad]."""

    class Servo(LeafSystem):
        def __init__(self, plant):
            super().__init__()
            joints = [actuator.joint() for actuator in actuators_of(plant)]
            self._q = [joint.position_start() for joint in joints]
            self._v = [plant.num_positions() + joint.velocity_start() for joint in joints]
            self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
            self.DeclareVectorOutputPort("actuation", len(joints), self._calc)
            if declared:
                self.pd_gains = (kp, kd)

        def _calc(self, context, output):
            state = self._state.Eval(context)
            output.SetFromVector(kp * (goal - state[self._q]) - kd * state[self._v])

    return Servo


def arm(folder, controller, effort=1e9, **fields):
    return tiny(folder, ARM.format(effort=effort), welded="base", controller=controller, **fields)


def work_left(run):
    """Change of energy less the work of the drives, at every row [J]."""
    data = run.trajectory.data
    return (data["kinetic_energy"] - data["actuator_work"]).to_numpy()


@pytest.mark.parametrize("engine", ENGINES)
def test_gains_that_diverge_when_held_settle_when_declared(tmp_path, engine):
    # dt kd / J = 20, dt^2 kp / J = 10: far beyond the 2 of a torque that is held over a step
    kp, kd = 1e3, 2.0
    held = simulate(arm(tmp_path, servo(kp, kd, declared=False), duration=0.05), engine)
    (_, place) = columns(held, "hinge")
    # it ends as an error, or is thrown from one stop to the other for good
    assert held.trajectory.status is Status.FAILED or abs(place[-1] - 1.0) > 1.0
    run = simulate(arm(tmp_path, servo(kp, kd), duration=0.05), engine)
    (_, place) = columns(run, "hinge")
    assert run.trajectory.status is Status.DONE
    # overdamped: its slow time kd / kp is two steps, which take it hardly beyond its goal
    assert place.max() < 1.001
    assert place[-1] == pytest.approx(1.0, abs=1e-6)


def exact(t, kp, kd, goal=1.0):
    """Path of J x'' + kd x' + kp (x - goal) = 0 from rest at 0."""
    decay, w = 0.5 * kd / INERTIA, np.sqrt(kp / INERTIA - (0.5 * kd / INERTIA) ** 2)
    return goal - goal * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))


@pytest.mark.parametrize(
    ("engine", "scheme", "order"),
    # the midpoint rule has the law in the middle of the step, where Moreau's damper is at its end
    [("moreau", "moreau", 1.0), ("moreau", "implicit-midpoint", 2.0), ("drake-sap", "moreau", 1.0)],
)
def test_a_drive_follows_the_spring_and_damper_that_it_is(tmp_path, engine, scheme, order):
    kp, kd, errors = 1.0, 0.008, []
    for dt in (1e-3, 5e-4):
        scenario = arm(
            tmp_path, servo(kp, kd), duration=0.1, time_step=dt, moreau=MoreauConfig(scheme=scheme)
        )
        t, place = columns(simulate(scenario, engine), "hinge")
        errors.append(np.abs(place - exact(t, kp, kd)).max())
    assert errors[1] < 0.03
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize(
    ("engine", "scheme"),
    [("moreau", "moreau"), ("moreau", "implicit-midpoint"), ("drake-sap", "moreau")],
)
def test_a_drive_beyond_its_limit_gives_its_limit(tmp_path, engine, scheme):
    effort = 0.05
    scenario = arm(
        tmp_path, servo(1e3, 2.0, goal=5.0), effort=effort, duration=0.2,
        moreau=MoreauConfig(scheme=scheme),
    )  # fmt: skip
    run = simulate(scenario, engine)
    t, rate = columns(run, "v:hinge")
    # 500 rad/s^2 until it is near, then it brakes as hard and stays: 0.2 s are two of 0.1 s
    early = t < 0.05
    np.testing.assert_allclose(rate[early], effort / INERTIA * t[early], rtol=1e-9)
    assert np.abs(np.diff(rate)).max() / 1e-3 <= effort / INERTIA * (1.0 + 1e-9)
    # the account has what the drive gave, in the step in which it leaves its limit as well
    assert np.abs(work_left(run)).max() < 1e-9 * np.abs(run.trajectory.data["actuator_work"]).max()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_account_has_the_work_of_stiff_drives(tmp_path, engine):
    run = simulate(arm(tmp_path, servo(1e3, 0.5), duration=0.02), engine)
    data = run.trajectory.data
    assert float(data["actuator_work"].max()) > 1e-3
    # kinetic energy is all there is; rounding of stiff springs
    assert np.abs(work_left(run)).max() < 1e-9


def test_what_a_joint_carries_has_the_drives_own_torque(tmp_path):
    scenario = arm(tmp_path, servo(1e3, 0.5), duration=0.02)
    run = simulate(scenario)
    carried = joint_reactions(run.trajectory, build_robot(scenario))
    assert float(carried["unexplained"][1:].max()) < 1e-9


def test_sensors_between_a_controller_and_its_joints_keep_gains_out(tmp_path):

    scenario = arm(tmp_path, servo(1.0, 0.008), duration=0.01, sensors=Sensors())
    plain = arm(tmp_path, servo(1.0, 0.008, declared=False), duration=0.01)
    run = simulate(scenario)
    assert any(
        "gains that the controller declares" in event.what for event in run.trajectory.events
    )
    np.testing.assert_array_equal(run.trajectory.data["q"], simulate(plain).trajectory.data["q"])


@pytest.mark.parametrize(
    ("gains", "line"),
    [
        ((-1.0, 0.0), "stiffness of 'motor' is -1.0"),
        ((1.0, np.nan), "damping of 'motor' is nan"),
        (([1.0, 2.0], 0.0), "a number for each of the 1 actuators"),
        ("stiff", "is no pair of numbers"),
        (3.0, "is no pair of numbers"),
    ],
)
def test_gains_that_are_none_are_refused_in_one_line(tmp_path, gains, line):
    made = servo(1.0, 0.0)

    class Wrong(made):
        def __init__(self, plant):
            super().__init__(plant)
            self.pd_gains = gains

    with pytest.raises(ScenarioError, match=line) as caught:
        simulate(arm(tmp_path, Wrong, duration=0.01))
    assert "\n" not in str(caught.value)
