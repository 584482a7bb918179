"""Robots of real makers fall, come to rest and stay there.

Unitree A1: the file as it is published, primitive shapes, no joint friction in the file (0.5 N m
are given). Unitree Go1: one inertia repaired, 0.2 N m of joint friction from the file. Unitree G1,
a humanoid of 29 joints: its meshes repaired to hulls, 1 N m given.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.robots.real import robot
from tests.slow import some_slow

from footfall.feet import find_feet
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.drop import drop_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

pytestmark = pytest.mark.slow

A1, GO1, G1 = "a1", "go1", "g1_29dof_rev_1_0"
FRICTION = {A1: 0.5, GO1: None, G1: 1.0}  # N m in every joint; None: as the file says

FEET = {
    A1: ("FR_foot", "FL_foot", "RR_foot", "RL_foot"),
    GO1: ("FR_foot", "FL_foot", "RR_foot", "RL_foot"),
    G1: ("left_ankle_roll_link", "right_ankle_roll_link"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Robots by name; those that footfall refuses as they are published are repaired."""
    folder = tmp_path_factory.mktemp("repaired")
    return {A1: robot(A1), GO1: robot(GO1, folder / GO1), G1: robot(G1, folder / G1)}


def _drop(files, name, *settings, **how):
    friction = [f"joint_friction.*={FRICTION[name]}"] if FRICTION[name] is not None else []
    return drop_scenario(files[name], settings=[*friction, *settings], **how).scenario


def _speeds(run):
    """Time and the largest velocity of any coordinate."""
    data = run.trajectory.data
    return data["time"].to_numpy(), np.abs(data["v"].to_numpy()).max(axis=1)


@pytest.mark.parametrize("name", [A1, GO1, G1])
def test_a_robot_is_what_its_maker_says(files, name):
    machine = build_robot(_drop(files, name))
    plant = machine.plant
    mass = plant.CalcTotalMass(plant.CreateDefaultContext())
    # Unitree's data sheets give 12 kg, 12 kg and 35 kg, batteries and rounding included
    assert mass == pytest.approx({A1: 12.0, GO1: 12.0, G1: 35.0}[name], rel=0.15)
    assert plant.num_velocities() - 6 == {A1: 12, GO1: 12, G1: 29}[name]
    assert len(machine.contacts.frictions) == plant.num_velocities() - 6
    effort = FRICTION[name] or 0.2
    assert all(dry.effort == effort for dry in machine.contacts.frictions)
    feet = find_feet(machine.model, machine.contacts, machine.initial_state, {})
    assert feet is not None
    assert feet.names == FEET[name]


@pytest.mark.parametrize(
    "engine",
    some_slow(
        ["moreau", "drake-sap", "drake-lagged", "drake-similar"], "drake-lagged", "drake-similar"
    ),
)
@pytest.mark.parametrize("name", [A1, GO1, G1])
def test_a_robot_lands_in_every_engine(files, name, engine):
    # 1 mm takes 14 ms: the last steps are on the ground
    run = run_scenario(_drop(files, name, height=1e-3, duration=0.02), name, engine)
    assert run.trajectory.status is Status.DONE, run.trajectory.message
    data = run.trajectory.data
    surfaces = data["contact_units"].to_numpy() == "m"
    assert float(data["impulse"][-1, surfaces, 0].sum()) > 0.0
    # a step's approach in moreau, and what Drake's springs give way
    assert run.metrics["min_gap"] > -1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings", "settled", "rest"),
    # a step of the humanoid's many hulls takes long: it has longer steps and a shorter rest
    [(A1, (), 2.0, 10.0), (G1, ("time_step=2e-3",), 2.5, 0.5)],
)
def test_a_robot_comes_to_rest_and_stays_there(files, name, settings, settled, rest):
    run = run_scenario(_drop(files, name, *settings, duration=settled + rest), name, "moreau")
    assert run.trajectory.status is Status.DONE, run.trajectory.message
    time, speed = _speeds(run)
    # a step is accepted when its natural map is below 1e-10, in units of its impulses;
    # at rest these are m g dt over some inertia of a limb, a few metres a second
    assert speed[time >= settled].max() < 1e-9
    assert run.metrics["final_penetration"] < 5e-3  # a step's approach at the last landings
    data = run.trajectory.data
    assert float(data["kinetic_energy"][-1]) < 1e-16  # m v^2, for 35 kg
    # nothing slides or turns away meanwhile: 10 s at 1e-9
    place = data["q"].to_numpy()[time >= settled]
    assert np.abs(place - place[0]).max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_robot_comes_to_rest_however_it_falls(files, seed):
    w, x, y, z = np.random.default_rng(seed).standard_normal(4).round(3)
    turned = [f"initial.positions.base_q{k}={v}" for k, v in zip("wxyz", (w, x, y, z), strict=True)]
    run = run_scenario(_drop(files, A1, *turned, duration=4.0), A1, "moreau")
    assert run.trajectory.status is Status.DONE, run.trajectory.message
    time, speed = _speeds(run)
    assert speed[time > 3.5].max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["drake-sap", "drake-lagged", "drake-similar"])
def test_a_robot_in_drakes_engines_comes_near_to_rest(files, engine):
    run = run_scenario(_drop(files, A1, duration=2.0), A1, engine)
    assert run.trajectory.status is Status.DONE, run.trajectory.message
    # docs/guides/own_robot.md has what was measured; the bound says only that it does not walk away
    assert run.metrics["final_speed"] < 0.5


def test_the_scenario_of_the_page_runs(tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "guides" / "own_robot.md").read_text()
    (text,) = re.findall(r"```yaml\n(.*?)```", page, flags=re.DOTALL)
    robot(A1, tmp_path / "a1_repaired")
    path = tmp_path / "a1_stand.yaml"
    path.write_text(text)
    monkeypatch.chdir("/")
    scenario = load_scenario(str(path), ["duration=0.01", "initial.gap=0"])
    run = run_scenario(scenario, "stand", "moreau")
    assert run.trajectory.status is Status.DONE, run.trajectory.message
    # twelve actuators hold it up: the feet carry something
    assert float(run.trajectory.data["impulse"][-1, :, 0].sum()) > 0.0
    assert run.trajectory.data.sizes["actuator"] == 12
