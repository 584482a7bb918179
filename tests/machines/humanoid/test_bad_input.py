"""Scenarios of the walker that cannot be: one clear line each, and what was walked is kept."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.humanoid.walkers import context

from footfall.errors import FootfallError
from footfall.machines.humanoid.control import Weights
from footfall.machines.humanoid.engine import closed_form
from footfall.run import run_scenario
from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
from footfall.trajectory import Status
from footfall.trajectory.events import reported

both_engines = pytest.mark.parametrize(
    "engine", ["closed-form", pytest.param("hybrid", marks=pytest.mark.slow)]
)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("controller.height=1.0", "legs of 0.7856 m do not reach a foot .* give a smaller height"),
        (
            "controller.height=0.05",
            "controller.height is 0.05 m: give more than the ankles' 0.0624",
        ),
        ("controller.step=2.0", "legs of 0.7856 m do not reach a foot .* give a smaller height"),
        ("controller.speed.single=0", r"speed is \(0.6, 0.0\): give a positive number"),
        ("controller.speed.double=-1", r"speed is \(-1.0, 0.2\): give a positive number"),
        ("controller.speed.single=.nan", "controller.speed.single is NaN: give a number"),
        ("controller.horizon.double=0", "horizon.* 0.0: give a"),
        (
            "controller.acceleration_weight.single=-1",
            "controller.acceleration_weight.single is -1.0: give a weight, not below 0",
        ),
        (
            "controller.acceleration_weight.double=0",
            "controller.acceleration_weight.double is 0: give a positive weight",
        ),
        ("controller.position_weight.single=.inf", "position_weight.single is inf: give a weight"),
        (
            "controller.velocity_weight.double=[1, 2]",
            "velocity_weight.double has 2 weights: give one number for all, or 6: x of O1, y of O1",
        ),
        (
            "controller.acceleration_weight.single=[1, 1]",
            "has 2 weights: give one number for all, or 10: flat ankle_roll, .* swinging knee",
        ),
        (
            "controller.position_weight.double=[1, 1, 1, -1, 1, 1]",
            "controller.position_weight.double.3 is -1.0: give a weight, not below 0",
        ),
        (
            "controller.acceleration_weight.double=[1, 0, 1, 1, 1]",
            "controller.acceleration_weight.double.1 is 0: give a positive weight",
        ),
        ("controller.position_weight.double=big", "is 'big': give a number, or a list of numbers"),
        ("controller.position_weight.double=[1, a]", "double.1 is 'a': give a number"),
        (
            "controller.power_weight=-1",
            "controller.power_weight is -1.0: give a finite number that",
        ),
        ("controller.progress=0.3", "progress is 0.3 m in a step of 0.2 m: give less"),
        ("controller.speed.single=20", "single support would take 4.42 ms, .* give at most 2.95"),
        ("controller.lift=0.6", "bend by more than 150 degrees: give at most 0.534 m"),
        ("controller.margin=0.05", "controller.margin is 0.05 m: give from 0 to below half_width"),
        ("controller.torque_weights={elbow: 2}", "there is no joint elbow; joints are hip_roll"),
        (
            "controller.torque_weights={knee: -2}",
            "controller.torque_weights.knee is -2.0: give a pos",
        ),
        ("controller.springs={elbow: {stiffness: 5}}", "there is no joint elbow; joints are hip_r"),
        (
            "controller.springs={knee: {stiffness: -5}}",
            "controller.springs: stiffness is -5.0: give",
        ),
        ("controller.feedback={kp: 0, kd: 4}", "controller.feedback.kp is 0.0: give a positive"),
        ("controller.torque_limit=0", "controller.torque_limit is 0.0: give a positive torque"),
        ("controller.first=both", "choose one of left_double, left_single"),
        ("controller.toe_off=0.5", "toe_off is 0.5 m: give a height below 0.2432 m"),
        ("controller.lift=-1", "lift is -1.0: give a positive number"),
        ("controller.cut=10", "controller.cut is 10.0: give at most 0.1"),
        (
            "engine=moreau",
            "choose closed-form or hybrid, or moreau with 'left_foot' welded to the ground",
        ),
        ("arguments={humanoid: {hip_yaw: true}}", "differ in left_hip_yaw, right_hip_yaw"),
        ("arguments={humanoid: {mass: -1}}", "mass -0.678 kg; give a finite mass"),
        ("arguments={humanoid: {toe_share: 0.15}}", "principal moments .* which no body has"),
    ],
)
def test_what_cannot_be_is_one_line(setting, says):
    with pytest.raises(FootfallError, match=says) as caught:
        run_scenario(load_scenario("humanoid/opc", ["duration=0.05", setting]), "humanoid/opc")
    assert "\n" not in str(caught.value)


def test_weights_as_a_number_or_a_list_are_kept_in_the_file_of_a_run():
    weights = "controller.position_weight={double: 2, single: [1, 2, 3, 4, 5, 6, 7, 8, 9.5]}"
    scenario = load_scenario("humanoid/opc", [weights, "controller.position_weight.single.1=0.5"])
    found = parse_scenario(dump_scenario(scenario)).controller
    assert found == scenario.controller
    assert found.position_weight == Weights(2, [1.0, 0.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.5])


def test_a_walk_that_ends_early_says_why_and_keeps_its_rows():
    found = closed_form(replace(context("opc", "controller.patience=0.1"), duration=0.5))
    assert "phase left double support of t = 0.000 s does not end" in found.message
    assert "\n" not in found.message
    time = found.data["time"].to_numpy()
    assert len(time) > 1
    assert time[-1] < 0.45


@both_engines
def test_a_walk_that_diverges_ends_in_one_line_with_its_rows(engine):
    diverging = "controller.acceleration_weight={double: 0.3, single: 0.03}"
    toe = f"controller.track_toe={'true' if engine == 'hybrid' else 'false'}"
    scenario = load_scenario("humanoid/opc", ["duration=8.0", diverging, toe])
    found = run_scenario(scenario, "humanoid/opc", engine)
    assert found.trajectory.status is Status.FAILED
    time = found.trajectory.data["time"].to_numpy()
    ends = r"the walk ends after t = (\d\.\d{4}) s: (no posture|it diverges)"
    match = re.match(ends, found.trajectory.message)
    assert float(match[1]) == pytest.approx(time[-1], abs=1e-4)
    assert "\n" not in found.trajectory.message
    assert not found.faults
    assert len(time) > 100
    assert np.isfinite(found.metrics["largest_joint_torque"])
    lines = reported({engine: found.trajectory.events})
    assert lines == []


@both_engines
def test_a_torque_limit_below_need_is_kept_and_says_when_it_binds(engine):
    scenario = load_scenario("humanoid/opc", ["duration=0.3", "controller.torque_limit=200"])
    found = run_scenario(scenario, "humanoid/opc", engine)
    assert found.trajectory.status is Status.DONE
    torque = np.abs(found.trajectory.data["actuation"].to_numpy())
    assert torque.max() == pytest.approx(200.0, rel=1e-6)
    lines = reported({engine: found.trajectory.events})
    (line,) = (line for line in lines if "torque_limit" in line)
    assert "from t = 0.0000 s on" in line
    assert "within the limit of 200 N m" in line
    # in double support more than one choice of torques may do: rows at the limit may suffice
    count = int(re.search(r"in (\d+) of (\d+) rows", line)[1])
    assert 0 < count <= int((torque.max(axis=1) > 199.9).sum())
    ample = load_scenario("humanoid/opc", ["duration=0.3", "controller.torque_limit=2000"])
    assert not reported({engine: run_scenario(ample, "humanoid/opc", engine).trajectory.events})


def test_the_thesis_s_own_step_warns_of_nothing_and_a_larger_one_does():
    own = run_scenario(load_scenario("humanoid/opc", ["duration=0.5"]), "humanoid/opc")
    assert not reported({"": own.trajectory.events})
    larger = ["duration=0.5", "time_step=0.012", "simulator.max_step_size=0.012"]
    found = run_scenario(load_scenario("humanoid/opc", larger), "humanoid/opc")
    assert any("numerical error gives" in line for line in reported({"": found.trajectory.events}))
