"""Masses of links times a factor, in any format, against mechanics."""

import pytest
from tests.engines.tiny import BALL, simulate, tiny
from tests.plants.files import spec_of, written
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


def _load(folder, name, text, **scale):
    return load_model(spec_of(written(folder, text, name), mass_scale=scale)).plant


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


def test_masses_drawn_from_a_seed_are_reproducible(tmp_path):
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
def test_bad_mass_scale_is_refused_in_one_line(tmp_path, scale, words):
    with pytest.raises(FootfallError) as refused:
        simulate(tiny(tmp_path, BALL, duration=0.01, mass_scale=scale))
    assert words in str(refused.value)


def test_mass_scale_without_any_link_is_refused():
    with pytest.raises(ScenarioError, match="no links with a mass"):
        load_model(ModelSpec([], mass_scale={"*": 2.0}))
    assert Scenario(initial=InitialState()).mass_scale == {}
