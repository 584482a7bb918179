"""Runs whose controller sees through sensors and acts through actuators."""

from typing import ClassVar

import numpy as np
import pytest
from pydrake.systems.framework import LeafSystem
from tests.own_code import pendulum

from footfall.errors import ScenarioError
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario

INERTIA = pendulum.MASS * pendulum.ARM**2 + 0.01
ERRORS = """
sensors:
  rate: 500.0
  delay: 0.003
  encoders: {noise: 0.01, bias: 0.01, resolution: 0.001, velocity: differenced}
  imu: {link: rod, gyro_noise: 0.1}
actuators: {noise: 0.2, delay: 0.001}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pendulum.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def data_of(folder, more="", engine="moreau", gains="", **values):
    controller = f"controller: !Python {{file: pd.py, name: PD, parameters: {{{gains}}}}}\n"
    path = pendulum.scenario(folder, controller + more, **values)
    run = run_scenario(load_scenario(str(path)), "pendulum", engine)
    assert run.error is None
    return run.trajectory.data


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_sensors_and_actuators_without_errors_change_no_bit(folder, engine):
    bare = data_of(folder, engine=engine)
    through = data_of(
        folder, "sensors: {encoders: {}, imu: {link: rod}}\nactuators: {}", engine=engine
    )
    for name in ("q", "v", "actuation"):
        assert np.array_equal(bare[name], through[name]), name


@pytest.mark.parametrize("engine", ["moreau", "drake", "drake-continuous"])
def test_a_seed_says_every_bit(folder, engine):
    one, again, other = (
        data_of(folder, f"{ERRORS}seed: {seed}", engine=engine, duration=0.05) for seed in (3, 3, 4)
    )
    for name in ("q", "v", "actuation"):
        assert np.array_equal(one[name], again[name]), name
    assert not np.array_equal(one["actuation"], other["actuation"])


def test_engines_get_the_same_noise(folder):
    # Without gravity and at a gain of a billionth the pendulum stays where it is: torques over the
    # gain are readings. What they moved it by, 1e-9 of its way at 1 N m, tells engines apart.
    def readings(engine):
        more = f"gravity: 0.0\n{ERRORS.replace('noise: 0.2', 'noise: 0')}"
        return data_of(folder, more, engine, "kp: 1.0e-9, kd: 1.0e-9, target: 0.0")["actuation"]

    moreau, drake = readings("moreau"), readings("drake")
    assert moreau.max() - moreau.min() > 1e-11
    assert np.allclose(moreau, drake, rtol=1e-6, atol=0.0)


def test_a_loop_goes_unstable_at_its_delay_margin(folder):
    # I q'' = -kp q(t - d) - kd q'(t - d) swings on at w with (I w^2)^2 = kp^2 + (kd w)^2 where the
    # controller's phase, atan(kd w / kp), is what the delay takes, w d. The hold of a step adds
    # half a step and explicit steps as much: 2 ms of 76.
    kp, kd = 40.0, 4.0
    square = (kd**2 + np.hypot(kd**2, 2.0 * INERTIA * kp)) / (2.0 * INERTIA**2)
    w = np.sqrt(square)
    margin = np.arctan(kd * w / kp) / w

    def growth(delay):
        half = 0.5 * delay  # on the way there, and on the way back
        more = f"gravity: 0.0\nsensors: {{delay: {half}}}\nactuators: {{delay: {half}}}\n"
        more += "initial: {positions: {hinge: 1.0e-3}}\n"
        gains = f"kp: {kp}, kd: {kd}, target: 0.0"
        q = data_of(folder, more, gains=gains, duration=4.0, time_step=2e-3)["q"].to_numpy()
        late, early = np.abs(q[-500:]).max(), np.abs(q[500:1000]).max()
        return late / early

    assert growth(0.93 * margin) < 0.9
    assert growth(1.05 * margin) > 1.1


def test_torque_noise_stays_within_the_limits_of_motors(folder):
    more = "actuators: {noise: 50.0}\nmotors: {motor: {torque_limit: 6.0}}\n"
    torque = data_of(folder, more)["actuation"].to_numpy()
    assert np.abs(torque).max() == 6.0
    assert torque.min() == -6.0


class Inclined(LeafSystem):
    """Commands nothing, and keeps what the unit tells."""

    seen: ClassVar[list[np.ndarray]] = []

    def __init__(self, plant):
        super().__init__()
        self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self._imu = self.DeclareVectorInputPort("imu", 6)
        self.DeclareVectorOutputPort("actuation", 1, self._calc)

    def _calc(self, context, output):
        self.seen.append(self._imu.Eval(context).copy())
        output.SetFromVector([0.0])


def test_a_controller_of_ones_own_gets_what_the_unit_tells(folder):
    path = pendulum.scenario(folder, "initial: {positions: {hinge: 0.3}}", duration=0.1)
    scenario = load_scenario(str(path))
    scenario.controller = Inclined
    with pytest.raises(ScenarioError, match="has an input 'imu', and the scenario has none"):
        run_scenario(scenario, "pendulum")
    scenario = load_scenario(str(path), ["sensors={imu: {link: rod, at: [0, 0, -0.5]}}"])
    scenario.controller = Inclined
    Inclined.seen.clear()
    data = run_scenario(scenario, "pendulum").trajectory.data
    gyro, force = np.split(Inclined.seen[-1], 2)
    q, v = data["q"].to_numpy()[-1, 0], data["v"].to_numpy()[-1, 0]
    assert gyro == pytest.approx([0.0, v, 0.0], abs=1e-9)
    # along the rod gravity and the way round; across it what is left of gravity where the angular
    # acceleration is -m g l sin q / I. Steps of a millisecond are half a step old.
    along = pendulum.GRAVITY * np.cos(q) + pendulum.ARM * v**2
    fall = pendulum.MASS * pendulum.GRAVITY * pendulum.ARM * np.sin(q) / INERTIA
    across = pendulum.ARM * fall - pendulum.GRAVITY * np.sin(q)
    assert force[2] == pytest.approx(along, rel=1e-3)
    assert force[0] == pytest.approx(across, abs=0.01)


@pytest.mark.parametrize("group", ["sensors={delay: 0.01}", "actuators={noise: 0.1}"])
def test_engines_without_ports_refuse_them(group):
    scenario = load_scenario("biped/climb", [group])
    with pytest.raises(ScenarioError, match=r"engine closed-form: it knows no (sensors|actuators)"):
        run_scenario(scenario, "biped/climb", "closed-form")
