"""Between the paper's compass and the plant's: parameters, states, and starts on the gait."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from tests.machines.compass.closed_form.cases import SETS
from tests.machines.compass.machine import Judge, closed_form, context

from footfall.errors import FootfallError, ModelError, RunError, ScenarioError
from footfall.machines.compass.closed_form.model import GOSWAMI, LAB_CASE_1, Compass
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.model import foot_points, parameters_of, stance_of, state_of
from footfall.plants.terrain import Terrain
from footfall.resources import share_root
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario


def states(count, seed):
    """States x (4, count) with both legs within 0.8 rad of the normal."""
    rng = np.random.default_rng(seed)
    legs = rng.uniform(-0.8, 0.8, (2, count))
    return np.vstack([legs[0], np.pi + legs[1] - legs[0], rng.uniform(-3.0, 3.0, (2, count))])


# --- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SETS if name != "unequal"])
def test_parameters_are_read_off_the_model(name):
    walker = SETS[name]
    arguments = {part: getattr(walker, part) for part in ("l", "m", "I", "s", "m_hip")}
    settings = [f"arguments.compass.{part}={value!r}" for part, value in arguments.items()]
    settings += [f"terrain.slope_deg={-math.degrees(walker.theta)}", "initial.on_gait=false"]
    machine = build_robot(load_scenario("compass/goswami", settings))
    found = parameters_of(machine.model, machine.contacts)
    # an inertia is carried to the link's origin and back: a rounding of m s^2
    assert astuple(found) == pytest.approx(astuple(walker), rel=1e-14, abs=1e-14)


def _changed(tmp_path, old, new, count=1):
    """Parameters of the shipped file with a text in it changed."""
    text = (share_root() / "urdf" / "compass" / "compass.urdf").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "compass.urdf"
    path.write_text(text.replace(old, new, count), encoding="utf-8")
    model = AddModel(name="compass", file=str(path))
    weld = AddWeld(parent="terrain", child="compass::slope")
    directives = [ModelDirective(add_model=model), ModelDirective(add_weld=weld)]
    machine = build_robot(Scenario(directives=directives, terrain=Terrain(slope_deg=-3.0)))
    return parameters_of(machine.model, machine.contacts)


def test_the_compiled_file_is_case_1(tmp_path):
    found = _changed(tmp_path, "compass", "compass", 0)
    assert astuple(found) == pytest.approx(astuple(LAB_CASE_1), rel=1e-14)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<mass value="2.0"', '<mass value="2.1"'),
        ("0 0 -0.5", "0 0 -0.51"),
        ("0 0 -0.8", "0 0 -0.81"),
    ],
)
def test_legs_that_differ_are_refused_in_one_line(tmp_path, old, new):
    with pytest.raises(ModelError, match=r"legs of this compass differ.*give both the same") as no:
        _changed(tmp_path, old, new)
    assert "\n" not in str(no.value)


# --- states --------------------------------------------------------------------------------------


@pytest.mark.parametrize("foot", [0, 1])
def test_a_state_and_its_stance_are_there_and_back(foot):
    machine = Compass(GOSWAMI)
    for x in states(20, seed=41).T:
        state = state_of(machine, foot, 1.7, x)
        stance = stance_of(machine, state, foot)
        assert stance.foot == foot
        # an exchange of names rounds angles of pi twice
        assert stance.s == pytest.approx(x, abs=2e-15)
        assert stance.position == pytest.approx(1.7, abs=1e-15)
        # who stands by one foot may as well be described from the other
        other = stance_of(machine, state, 1 - foot)
        assert other.s[1] - np.pi == pytest.approx(np.pi - x[1], abs=1e-14)
        advance = machine.swing_advance(x)
        assert other.position - stance.position == pytest.approx(advance, abs=1e-14)


def test_feet_are_where_the_plant_has_them():
    of = context("lab_case2")
    machine, judge = closed_form(of), Judge(of)
    rng = np.random.default_rng(42)
    for _ in range(20):
        state = rng.uniform(-2.0, 2.0, 8)
        judge.put(state)
        gap, p_WC, velocity = judge.feet(state[4:])
        positions, velocities = foot_points(machine, state)
        # roundings of some metres and metres per second
        assert positions[:, 1] == pytest.approx(gap, abs=1e-14)
        assert positions[:, 0] == pytest.approx((p_WC @ judge.R_WT)[:, 0], abs=1e-14)
        assert velocities[:, ::-1] == pytest.approx(velocity, abs=1e-13)


@pytest.mark.parametrize("foot", [0, 1])
def test_many_states_are_taken_at_once(foot):
    machine, x = Compass(GOSWAMI), states(7, seed=43)
    many = state_of(machine, foot, 0.3, x)
    positions, velocities = foot_points(machine, many)
    for k in range(7):
        one = state_of(machine, foot, 0.3, x[:, k])
        assert np.array_equal(many[:, k], one)
        here = foot_points(machine, one)
        assert np.array_equal(positions[:, :, k], here[0])
        assert np.array_equal(velocities[:, :, k], here[1])
    # the foot rests at its place
    assert positions[foot] == pytest.approx(np.array([[0.3] * 7, [0.0] * 7]), abs=1e-15)
    assert velocities[foot] == pytest.approx(np.zeros((2, 7)), abs=1e-15)


# --- a start on the gait -------------------------------------------------------------------------


def test_a_start_on_the_gait_is_just_after_a_strike():
    of = context("lab_case2")
    machine, judge = closed_form(of), Judge(of)
    state = of.initial_state
    cycle = find_cycle(machine.parameters)
    assert stance_of(machine, state, 0).s == pytest.approx(cycle.after, abs=1e-15)
    judge.put(state)
    gap, p_WC, velocity = judge.feet(state[4:])
    # both feet on the ground, foot 1 at the origin and ahead, foot 2 leaving
    assert gap == pytest.approx([0.0, 0.0], abs=1e-14)
    assert p_WC[0] == pytest.approx(np.zeros(3), abs=1e-14)
    assert np.linalg.norm(p_WC[1]) == pytest.approx(cycle.length, abs=1e-12)
    assert velocity[0] == pytest.approx([0.0, 0.0], abs=1e-14)
    assert velocity[1, 0] > 0.1


def test_positions_and_velocities_change_a_start_on_the_gait():
    of = context("goswami")
    settings = ["initial.velocities.q2=2.5", "initial.positions.x=4.0"]
    pushed = build_robot(load_scenario("compass/goswami", settings)).initial_state
    expected = of.initial_state.copy()
    expected[7], expected[0] = 2.5, 4.0
    assert np.array_equal(pushed, expected)


@pytest.mark.parametrize(
    ("name", "settings", "kind", "match"),
    [
        (
            "biped/stand",
            ["initial.on_gait=true"],
            ScenarioError,
            "machine that has a periodic gait",
        ),
        ("smoke/Defaults", ["initial.on_gait=true"], ScenarioError, "such as compass: give"),
        (
            "biped/stand",
            ["initial.on_gait=true", "machine=compass"],
            ScenarioError,
            "machine is 'compass', but the model is not that machine",
        ),
        ("compass/goswami", ["terrain.slope_deg=3"], RunError, "no periodic gait"),
        (
            "compass/goswami",
            ["controller=!Posture {}"],
            ScenarioError,
            "does not know the controller Posture",
        ),
    ],
)
def test_starts_on_a_gait_that_is_not_there_are_refused_in_one_line(name, settings, kind, match):
    with pytest.raises(FootfallError, match=match) as refused:
        run_scenario(load_scenario(name, settings), name)
    assert isinstance(refused.value, kind)
    assert "\n" not in str(refused.value)
