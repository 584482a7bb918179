"""Numbers of a scenario that its seed draws."""

import numpy as np
import pytest
from scipy.stats import kstest
from tests.engines.tiny import GRAVITY, POINT, columns, simulate, tiny
from tests.own_code import pendulum

from footfall.analysis.distributions import Gaussian, LogUniform, Uniform, UniformDiscrete
from footfall.engines import DrakeConfig
from footfall.errors import ScenarioError
from footfall.scenario.io import (
    drawn,
    dump_scenario,
    load_scenario,
    parse_scenario,
    with_settings,
    with_values,
)
from footfall.scenario.randomise import share
from footfall.scenario.schema import Scenario

TWO = "randomise: {friction: !Uniform {min: 0.4, max: 0.8}, gravity: {min: 9, max: 10}}\n"


@pytest.mark.parametrize(
    ("distribution", "known", "args"),
    [
        (Uniform(-1.0, 3.0), "uniform", (-1.0, 4.0)),
        (Gaussian(2.0, 0.5), "norm", (2.0, 0.5)),
        (LogUniform(0.01, 10.0), "loguniform", (0.01, 10.0)),
    ],
)
def test_seeds_draw_what_the_distribution_says(distribution, known, args):
    draws = [distribution.at(share(seed, "friction")) for seed in range(500)]
    assert kstest(draws, known, args=args).pvalue > 0.01


def test_values_are_drawn_equally_often():
    one = UniformDiscrete([3.0, 1.0, 2.0])
    draws = np.array([one.at(share(seed, "friction")) for seed in range(600)])
    counts = [(draws == value).sum() for value in (1.0, 2.0, 3.0)]
    assert sum(counts) == 600
    assert counts == pytest.approx([200] * 3, abs=3.5 * np.sqrt(600 * 2 / 9))
    assert one.at(np.nextafter(1.0, 0.0)) == 2.0


def test_a_seed_draws_the_same_and_another_something_else():
    one, again, other = (parse_scenario(f"{TWO}seed: {seed}") for seed in (1, 1, 2))
    assert dump_scenario(one) == dump_scenario(again)
    assert one.friction != other.friction
    assert 0.4 <= one.friction <= 0.8
    assert 9.0 <= one.gravity <= 10.0
    # the two paths have draws of their own
    assert (one.friction - 0.4) / 0.4 != pytest.approx(one.gravity - 9.0)
    alone = parse_scenario("seed: 1\nrandomise: {friction: !Uniform {min: 0.4, max: 0.8}}")
    assert alone.friction == one.friction


def test_what_was_drawn_is_what_the_scenario_has_from_then_on():
    one = parse_scenario(f"{TWO}seed: 1")
    text = dump_scenario(one)
    assert dump_scenario(parse_scenario(text)) == text
    assert with_settings(one, ["duration=2"], "it").friction == one.friction
    assert with_values(one, {"seed": 2}, "it").friction == parse_scenario(f"{TWO}seed: 2").friction
    made = Scenario(seed=1, randomise={"friction": Uniform(0.4, 0.8), "gravity": Uniform(9, 10)})
    assert drawn(made, "it").friction == one.friction
    assert dump_scenario(drawn(drawn(made, "it"), "it")) == dump_scenario(drawn(made, "it"))


def test_whole_numbers_stay_whole():
    text = "randomise: {moreau.max_iterations: !UniformDiscrete {values: [100, 200]}}"
    assert parse_scenario(text).moreau.max_iterations in (100, 200)
    with pytest.raises(ScenarioError, match=r"max_iterations is \d+\.\d+: give a whole number"):
        parse_scenario("randomise: {moreau.max_iterations: {min: 100, max: 200}}")


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("fricton", "randomise: fricton: the scenario has no 'fricton'; did you mean 'friction'"),
        ("engine", "randomise: engine is no number that can be drawn"),
        ("terrain.visible", "randomise: terrain.visible is no number that can be drawn"),
        ("moreau", "randomise: moreau: that is a group; set one of its keys"),
        ("pairs", "randomise: pairs: that is a list"),
        ("pairs.0.friction", "randomise: pairs.0.friction: pairs is empty"),
        ("seed", "randomise: seed is no number that can be drawn"),
    ],
)
def test_what_cannot_be_drawn_is_refused(path, what):
    with pytest.raises(ScenarioError, match=what) as refused:
        parse_scenario(f"randomise: {{{path}: !Uniform {{min: 1, max: 2}}}}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("distribution", "what"),
    [
        ("!Uniform {min: 2, max: 1}", "max is 1, below min, 2: exchange them"),
        ("!Uniform {min: 0, max: .inf}", "max is inf: give a finite number"),
        ("!Gaussian {mean: 1, stddev: -1}", "stddev is -1.0: give a finite number"),
        ("!LogUniform {min: 0, max: 1}", "min is 0.0: give a positive number"),
        ("!UniformDiscrete {values: []}", "give finite numbers, one or more"),
        ("!Normal {mean: 1}", "randomise.gravity has the unknown tag !Normal"),
        ("3", "randomise.gravity is 3: give a group"),
    ],
)
def test_distributions_of_nothing_are_refused(distribution, what):
    with pytest.raises(ScenarioError, match=what):
        parse_scenario(f"randomise: {{gravity: {distribution}}}")


def test_a_number_that_is_drawn_is_not_set_as_well():
    one = parse_scenario(TWO)
    with pytest.raises(ScenarioError, match="friction is drawn from the seed: take it out of rand"):
        with_settings(one, ["friction=0.3"], "it")
    assert with_settings(one, ["randomise={}", "friction=0.3"], "it").friction == 0.3


def test_parameters_of_ones_own_controller_are_drawn(tmp_path, monkeypatch):
    pendulum.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    more = "controller: !Python {file: pd.py, name: PD}\n"
    more += "randomise: {controller.parameters.kp: !LogUniform {min: 10, max: 100}}"
    scenario = load_scenario(str(pendulum.scenario(tmp_path, more)))
    assert 10.0 <= scenario.controller.parameters["kp"] <= 100.0
    assert scenario.controller.parameters["kp"] != 40.0


def test_friction_that_was_drawn_stops_a_mass_where_coulomb_says(tmp_path):
    ways = []
    for seed in (0, 1):
        scenario = tiny(
            tmp_path,
            POINT,
            welded="slope",
            velocities={"x": 1.0},
            duration=0.5,
            seed=seed,
            randomise={"friction": Uniform(0.3, 0.9)},
        )
        _, x = columns(simulate(scenario), "x")
        mu = drawn(scenario, "it").friction
        # the last step may bring it to rest before its end: v dt / 2 at most, with v < mu g dt
        assert x[-1] == pytest.approx(0.5 / (mu * GRAVITY), abs=2e-5)
        ways.append(x[-1])
    assert abs(ways[0] - ways[1]) > 1e-3


def test_a_stiffness_that_was_drawn_bears_the_weight(tmp_path):
    scenario = tiny(
        tmp_path,
        POINT,
        welded="slope",
        duration=0.5,
        seed=5,
        randomise={"drake.stiffness": LogUniform(1e4, 1e5)},
        drake=DrakeConfig(stiffness=1e6, relaxation_time=0.01),
    )
    _, z = columns(simulate(scenario, "drake"), "z")
    stiffness = drawn(scenario, "it").drake.stiffness
    # what is left of the landing has died away
    assert z[-1] == pytest.approx(-2.0 * GRAVITY / stiffness, rel=1e-3)
