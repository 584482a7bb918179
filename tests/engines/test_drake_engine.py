"""Drake's plant set up as an engine: its materials and its friction, pair by pair."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from pydrake.multibody.plant import MultibodyPlantConfig
from pydrake.systems.framework import DiagramBuilder
from tests.engines.tiny import BALL, BRICK, GRAVITY, RADIUS, TWO_POINTS, columns, simulate, tiny
from tests.scenario.runs import run
from tests.slow import some_slow

from footfall.engines.drake import DrakeConfig, add_drake_engine
from footfall.engines.drake_material import NEAR_RIGID, masses_together
from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts import PairRule
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario

TOUCH = -1e-12
FRICTIONS = {"two::a": 0.5, "two::b": 0.2}


@pytest.mark.parametrize(
    "engine", some_slow(["moreau", "drake-lagged", "drake-sap"], "drake-lagged")
)
def test_every_pair_slides_with_its_own_friction(tmp_path, engine):
    scenario = tiny(
        tmp_path,
        TWO_POINTS,
        welded="slope",
        duration=0.3,
        pairs=[PairRule(name, friction=mu) for name, mu in FRICTIONS.items()],
        positions={"z_a": TOUCH, "z_b": TOUCH},
        velocities={"x_a": 2.0, "x_b": 2.0},
    )
    _, slow, slower = columns(simulate(scenario, engine), "v:x_a", "v:x_b")
    for speed, mu in ((slow, 0.5), (slower, 0.2)):
        # of 1.5 and 0.6 m/s; Drake's contact takes some ms to carry and, under sap, hops while it
        # slides
        tolerance = {"moreau": 1e-10, "drake-lagged": 0.02, "drake-sap": 0.1}[engine]
        assert 2.0 - speed[-1] == pytest.approx(mu * GRAVITY * 0.3, abs=tolerance)


def test_one_shape_has_one_friction(tmp_path):
    # Drake has a coefficient a geometry, not a corner
    scenario = tiny(tmp_path, BRICK, pairs=[PairRule("brick::box#0", friction=0.1)])
    with pytest.raises(ModelError, match="one friction coefficient a geometry"):
        simulate(scenario, "drake")
    assert simulate(scenario, "moreau").trajectory.status.value == "done"


def _sunk(**config):
    """Depth of the standing biped's feet in the ground [m], and the load of one [N]."""
    scenario = load_scenario("biped/stand", ["duration=1"])
    plant = MultibodyPlantConfig(
        time_step=0.0, contact_model="point", discrete_contact_approximation="lagged"
    )
    scenario.drake = DrakeConfig(plant=plant, **config)
    data = simulate(scenario, "drake").trajectory.data
    foot = data.sel(contact="biped::foot_a").isel(time=-1)
    return -float(foot["gap"]), float(foot["impulse"].sel(axis="n")) / 1e-3


@pytest.mark.parametrize("stiffness", [2e4, 2e5])
def test_the_stiffness_of_a_pair_is_the_one_that_is_asked_for(stiffness):
    depth, load = _sunk(stiffness=stiffness, dissipation=20.0)
    assert load > 10.0
    # at rest force = k depth; of what swings 1e-7 is left after a second
    assert depth == pytest.approx(load / stiffness, rel=1e-6)


def test_near_rigid_stiffness_grows_with_the_machine():
    depth, load = _sunk()
    assert depth == pytest.approx(load / (3.0 * NEAR_RIGID["lagged"].stiffness_over_mass), rel=1e-6)


def _beside(mass):
    """A scene of the ball of 1.5 kg, and a block of a mass that lies a metre from it."""
    block = BALL.replace('name="ball"', 'name="block"').replace('value="1.5"', f'value="{mass}"')
    return block.replace("0.006", f"{0.004 * mass}")


@pytest.mark.parametrize("approximation", ["sap", "lagged"])
@pytest.mark.parametrize("mass", [1.5, 1500.0])
def test_a_heavy_neighbour_makes_no_contact_stiffer(tmp_path, approximation, mass):
    other = tmp_path / "block.urdf"
    other.write_text(_beside(mass))
    scenario = tiny(
        tmp_path, BALL, duration=0.4, time_step=1e-3,
        positions={"ball_ball_z": RADIUS, "block_block_z": RADIUS, "block_block_x": 1.0},
    )  # fmt: skip
    scenario.directives.append(ModelDirective(add_model=AddModel(name="block", file=str(other))))
    data = simulate(scenario, f"drake-{approximation}").trajectory.data
    # at rest each is as deep as its weight over its own stiffness: g over k/m
    depth = -data["gap"].isel(time=-1).to_numpy()[:2]
    wanted = GRAVITY / NEAR_RIGID[approximation].stiffness_over_mass
    assert depth == pytest.approx(wanted, rel=1e-5)


def test_masses_are_those_of_links_that_joints_hold_together():
    for name, wanted in (("biped/stand", [3.0]), ("goalkeeper/shot_rolling", [0.294, 16.74])):
        plant = build_robot(load_scenario(name)).plant
        found = masses_together(plant)
        moving = {
            round(mass, 9)
            for index, mass in found.items()
            if np.isfinite(mass) and plant.GetCollisionGeometriesForBody(plant.get_body(index))
        }
        assert sorted(moving) == pytest.approx(wanted)


def test_drakes_own_material_is_drakes():
    # Drake's default proximity stiffness is 1e6 for a pair of alike geometries in series: 5e5
    depth, load = _sunk(material="drake")
    assert load / depth == pytest.approx(0.5e6, rel=1e-5)


unsampled = MultibodyPlantConfig(discrete_contact_approximation="sap", contact_model="point")
unsampled.use_sampled_output_ports = False


@pytest.mark.parametrize(
    "wrong",
    [
        {"material": "rubber"},
        {"stiffness": 0.0},
        {"stiffness": np.nan},
        {"dissipation": -1.0},
        {"relaxation_time": np.inf},
        {"stick_speed": 0.0},
        {"plant": MultibodyPlantConfig(time_step=-1e-3, discrete_contact_approximation="sap")},
        {"plant": MultibodyPlantConfig(time_step=1e-3, discrete_contact_approximation="bogus")},
        {"plant": unsampled},
    ],
)
def test_what_drake_stumbles_over_is_refused(wrong):
    with pytest.raises(ScenarioError, match=r"drake\.") as refused:
        DrakeConfig(**wrong)
    assert "\n" not in str(refused.value)


def test_the_configuration_of_the_caller_is_left_alone():
    machine = build_robot(load_scenario("biped/stand"))
    config = DrakeConfig()
    add_drake_engine(DiagramBuilder(), machine.model, machine.contacts, 1e-3, config)
    assert config.plant.time_step == 0.0


def test_choosing_an_approximation_by_name_leaves_the_scenario_alone():
    scenario = load_scenario("biped/stand", ["duration=0.01"])
    before = scenario.drake.plant.discrete_contact_approximation
    simulate(scenario, "drake-lagged")
    assert scenario.drake.plant.discrete_contact_approximation == before


def test_contact_work_closes_the_energy_account():
    # landings take joules; what the account misses is the first-order error of Drake's step
    result = run("biped/drop", "drake-sap", "restitution=0")
    lost = -float(result.trajectory.data["contact_work"][-1])
    assert lost > 10.0
    assert result.metrics["energy_drift"] < 0.01 * lost


def test_work_is_taken_where_drake_has_its_contact_point(tmp_path):
    # a box that lands on its end: Drake's one point lies between the corners
    scenario = tiny(
        tmp_path, BRICK, friction=0.5, duration=0.5, time_step=5e-4, positions={"brick_z": 0.2},
        velocities={"brick_vx": 1.0, "brick_wy": 2.0},
    )  # fmt: skip
    result = simulate(scenario, "drake-sap")
    lost = -float(result.trajectory.data["contact_work"][-1])
    assert lost > 1.0
    # what the springs hold at the end, m g depth, and the error of the time step
    assert result.metrics["energy_drift"] < 0.01 * lost


def test_quaternions_in_a_trajectory_have_length_one(tmp_path):
    scenario = tiny(
        tmp_path, BRICK, duration=0.2, positions={"brick_z": 1.0}, velocities={"brick_wz": 50.0}
    )
    q = simulate(scenario, "drake-sap").trajectory.data["q"].to_numpy()
    assert np.linalg.norm(q[:, :4], axis=1) == pytest.approx(1.0, abs=1e-14)
