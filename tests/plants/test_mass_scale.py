"""Masses of links times a factor, in any format, against mechanics."""

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, ModelDirective
from tests.engines.tiny import BALL, GRAVITY, columns, simulate, tiny
from tests.plants.test_mjcf import BALL as MJCF_BALL
from tests.plants.test_mjcf import FOUR_BAR as MJCF_BAR

from footfall.analysis.distributions import Uniform
from footfall.errors import FootfallError, ScenarioError
from footfall.plants.loading.load import ModelSpec, load_model
from footfall.scenario.io import drawn, dump_scenario, parse_scenario
from footfall.scenario.schema import InitialState, Scenario

SDF = """<sdf version="1.7"><model name="m"><link name="full"><inertial><mass>2</mass>
  <pose>0.1 0 0 0 0 0</pose><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz><ixy>0.01</ixy>
  </inertia></inertial></link>
  <link name="bare"><inertial/></link><link name="half"><inertial><mass>3</mass></inertial></link>
</model></sdf>"""
# a slide with a torsion-free spring: a bushing between the ground's anchor and a mass
SPRING = """<robot name="spring" xmlns:drake="http://drake.mit.edu"><link name="base"/>
  <frame name="here" link="base"/><frame name="there" link="mass"/>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="mass"/>
    <axis xyz="1 0 0"/></joint>
  <link name="mass"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <drake:linear_bushing_rpy><drake:bushing_frameA name="here"/><drake:bushing_frameC name="there"/>
    <drake:bushing_torque_stiffness value="0 0 0"/><drake:bushing_torque_damping value="0 0 0"/>
    <drake:bushing_force_stiffness value="50 0 0"/><drake:bushing_force_damping value="0 0 0"/>
  </drake:linear_bushing_rpy></robot>"""


def _load(folder, name, text, **scale):
    file = folder / name
    file.write_text(text)
    directive = ModelDirective(add_model=AddModel(name="m", file=str(file)))
    return load_model(ModelSpec([directive], mass_scale=scale)).plant


@pytest.mark.parametrize(
    ("name", "text", "links"),
    [
        ("ball.urdf", BALL, ["ball"]),
        ("three.sdf", SDF, ["full", "bare", "half"]),
        ("ball.xml", MJCF_BALL, ["ball"]),
        ("bar.xml", MJCF_BAR, ["rod0", "bar", "rod1"]),
    ],
)
def test_mass_and_inertia_grow_alike_and_centres_stay(tmp_path, name, text, links):
    before, after = (_load(tmp_path, name, text, **scale) for scale in ({}, {"*": 1.75}))
    for link in links:
        one, other = (plant.GetBodyByName(link) for plant in (before, after))
        assert other.default_mass() == pytest.approx(1.75 * one.default_mass(), rel=1e-14)
        assert other.default_com() == pytest.approx(one.default_com(), abs=1e-14)
        moments, products = (
            (body.default_rotational_inertia().get_moments(),
             body.default_rotational_inertia().get_products())
            for body in (one, other)
        )  # fmt: skip
        assert products[0] == pytest.approx(1.75 * moments[0], rel=1e-12)
        assert products[1] == pytest.approx(1.75 * moments[1], rel=1e-12, abs=1e-15)


def test_a_name_beats_a_pattern_and_others_stay(tmp_path):
    plant = _load(tmp_path, "three.sdf", SDF, **{"*a*": 3.0, "bare": 0.5})
    masses = [plant.GetBodyByName(name).default_mass() for name in ("full", "bare", "half")]
    assert masses == [2.0, 0.5, 9.0]


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_mass_on_a_spring_swings_with_the_root_of_the_factor(tmp_path, engine, factor):
    scenario = tiny(
        tmp_path, SPRING, welded="base", duration=3.0, positions={"slide": 0.1},
        mass_scale={"mass": factor},
    )  # fmt: skip
    time, x = columns(simulate(scenario, engine), "slide")
    crossings = time[np.flatnonzero(np.diff(np.sign(x)) != 0)]
    period = 2.0 * np.pi * np.sqrt(factor * 2.0 / 50.0)
    # a crossing is known to a step, of 3 s at most
    assert 2.0 * np.diff(crossings).mean() == pytest.approx(period, rel=2e-3)


def test_free_fall_knows_no_mass(tmp_path):
    start = {"ball_qw": 1.0, "ball_z": 2.0}
    runs = [
        columns(simulate(tiny(tmp_path, BALL, duration=0.3, positions=start, mass_scale=scale)),
                "ball_z")
        for scale in ({}, {"ball": 4.0})
    ]  # fmt: skip
    assert np.abs(runs[0][1] - runs[1][1]).max() < 1e-12
    assert runs[0][1][-1] == pytest.approx(2.0 - 0.5 * GRAVITY * 0.3**2, abs=GRAVITY * 3e-4)


def test_a_seed_draws_masses_and_draws_them_again(tmp_path):
    scenario = tiny(tmp_path, BALL, duration=0.01)
    scenario.randomise = {"mass_scale.ball": Uniform(0.8, 1.2), "friction": Uniform(0.4, 0.9)}
    scenario.friction = 0.5
    one = drawn(scenario, "it")
    assert 0.8 <= one.mass_scale["ball"] <= 1.2
    assert dump_scenario(parse_scenario(dump_scenario(one))) == dump_scenario(one)
    first, second = (simulate(scenario).trajectory.data["q"].to_numpy() for _ in range(2))
    assert (first == second).all()


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ({"bal": 1.1}, "mass_scale: there is no link 'bal'; did you mean 'ball'?"),
        ({"ball": -1.0}, "mass_scale.ball is -1.0: give a finite factor above 0."),
        ({"ball": float("inf")}, "mass_scale.ball is inf"),
    ],
)
def test_what_makes_no_sense_is_one_line(tmp_path, scale, words):
    with pytest.raises(FootfallError) as refused:
        simulate(tiny(tmp_path, BALL, duration=0.01, mass_scale=scale))
    assert words in str(refused.value)


def test_a_scenario_of_a_model_elsewhere_says_that_it_has_no_masses():
    with pytest.raises(ScenarioError, match="no links with a mass"):
        load_model(ModelSpec([], mass_scale={"*": 2.0}))
    assert Scenario(initial=InitialState()).mass_scale == {}
