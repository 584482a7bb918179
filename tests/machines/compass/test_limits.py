"""Limits of the compass as a model: starts that are none, other machines, strikes of both feet."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.machines.compass.machine import context, states, walk

from footfall.analysis.context import AnalysisContext
from footfall.analysis.functions import Case
from footfall.errors import ModelError, ScenarioError
from footfall.machines.compass.analyses import basin
from footfall.machines.compass.analyses.bifurcation import Bifurcation
from footfall.machines.compass.claims import claims
from footfall.machines.compass.closed_form.model import (
    AUTHORS,
    GOSWAMI,
    LAB_CASE_1,
    LAB_CASE_2,
    Compass,
)
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.machine import MACHINE
from footfall.machines.compass.measures import cycle_metrics
from footfall.machines.compass.model import foot_points, state_of
from footfall.machines.compass.system import after_strike, old_foot_leaves
from footfall.resources import share_root
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario
from footfall.trajectory.events import PENETRATION


@pytest.fixture(scope="module")
def gait():
    return find_cycle(GOSWAMI)


@pytest.fixture(scope="module")
def goswami():
    return context("goswami", "duration=1.0")


def started(of, x):
    """The setting with its walker on foot 1 in a state x."""
    return replace(of, initial_state=state_of(Compass(GOSWAMI), 0, 0.0, np.array(x)))


# --- starts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("foot", [0, 1])
def test_whole_turns_of_the_legs_change_nothing_but_their_angles(foot, goswami, gait):
    state = state_of(Compass(GOSWAMI), foot, 0.0, gait.after)
    plain = walk(goswami, initial_state=state)
    turns = 2.0 * np.pi * np.array([0, 0, -1, 3, 0, 0, 0, 0])
    turned = walk(goswami, initial_state=state + turns)
    assert states(turned.data)[0] == pytest.approx(state + turns, abs=1e-12)
    # rounding of angles of 20 rad, 4e-15, which the walk of one step or two does not enlarge much
    assert states(turned.data) - turns == pytest.approx(states(plain.data), abs=1e-11)
    assert [e.kind for e in turned.events] == [e.kind for e in plain.events]


@pytest.mark.parametrize(
    ("x", "complaint"),
    [
        # l q1'^2 of 16 m/s^2 is more than gravity holds
        ((0.27, math.pi - 0.54, -4.0, 0.7), "would have to pull at compass::foot_1"),
        ((math.pi, math.pi - 0.54, 0.1, 0.0), "leans by 180 degrees"),
        ((1.3, math.pi - 0.54, -1.1, 0.0), "leans by 74 degrees"),
    ],
)
def test_a_walker_that_does_not_stand_is_refused_in_one_line(x, complaint, goswami):
    with pytest.raises(ScenarioError, match=complaint) as refused:
        walk(started(goswami, x))
    assert "\n" not in str(refused.value)


def test_feet_that_rebound_are_refused():
    of = context("goswami", "restitution=0.5")
    with pytest.raises(ScenarioError, match="impacts are plastic"):
        walk(of)
    with pytest.raises(ScenarioError, match="impacts are plastic"):
        Bifurcation(slopes=2).run(of, AnalysisContext())
    with pytest.raises(ScenarioError, match="impacts are plastic"):
        basin.basin(Case(of, "hybrid", None))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('<joint name="q2"/>', '<joint name="q2"/>', ""),
        (
            '<joint name="q2" type="revolute">',
            '<joint name="q2" type="revolute"><dynamics damping="0.1"/>',
            "has no damped joints",
        ),
        # the mass centre of a leg above the hip, as far from it as before
        ('<origin xyz="0 0 0.5"/>', '<origin xyz="0 0 -0.5"/>', "mass matrix"),
        # beside the leg, on the sphere about the hip
        ('<origin xyz="0 0 -0.5"/>', '<origin xyz="0.3 0 -0.4"/>', "mass matrix"),
        ('<origin xyz="0 0 -0.8"/>', '<origin xyz="0.48 0 -0.64"/>', "height of its feet"),
    ],
)
def test_the_closed_form_stands_for_no_other_machine(old, new, complaint, tmp_path):
    text = (share_root() / "urdf/compass/compass.urdf").read_text()
    assert text.count(old) == 1
    (tmp_path / "own.urdf").write_text(text.replace(old, new))
    file = f"directives.0.add_model.file={tmp_path / 'own.urdf'}"
    scenario = load_scenario("compass/report", [file, "initial.on_gait=false", "arguments={}"])
    of = context_of(scenario, build_robot(scenario))
    cycle = find_cycle(AUTHORS)
    of = replace(of, initial_state=state_of(Compass(AUTHORS), 0, 0.0, cycle.after), duration=0.1)
    if not complaint:
        assert len(walk(of).data["time"]) > 1
        return
    with pytest.raises(ModelError, match=complaint) as refused:
        walk(of)
    assert "\n" not in str(refused.value)
    if "joints" in complaint:  # other engines may start on the gait that it has without
        gait = MACHINE.gait(of.model, of.contacts, None)
        assert gait == pytest.approx(state_of(Compass(AUTHORS), 0, 0.0, cycle.after), abs=1e-9)
        return
    with pytest.raises(ModelError, match=complaint):
        MACHINE.gait(of.model, of.contacts, None)


def test_dry_joints_are_refused():
    of = context("goswami", "joint_friction={q2: 5.0}")
    with pytest.raises(ModelError, match="has no dry friction in joints"):
        walk(of)


@pytest.mark.parametrize(("friction", "count"), [(1.0, 4), (0.23, 4), (0.2, 0)])
def test_nothing_is_claimed_of_a_cycle_on_which_the_foot_would_slide(friction, count):
    # case 2 needs 0.2253 in stance
    of = context("lab_case2", f"friction={friction}", "duration=0.1")
    metrics = cycle_metrics(find_cycle(LAB_CASE_2))
    assert len(claims("compass/lab_case2", of, metrics)) == count


# --- the foot that has stood ---------------------------------------------------------------------


@pytest.mark.parametrize("rate", [-1.0, 0.5, 2.0, 2.3, 4.0])
def test_the_old_foot_leaves_when_its_velocity_points_upwards(rate, gait):
    x = after_strike(np.array([*gait.fixed_point.orbit[0][:2], rate]))
    _, velocities = foot_points(Compass(GOSWAMI), state_of(Compass(GOSWAMI), 0, 0.0, x))
    assert old_foot_leaves(x) == (velocities[1, 1] > 0.0)


@pytest.mark.parametrize("walker", [GOSWAMI, LAB_CASE_1, LAB_CASE_2])
def test_it_leaves_at_every_published_gait(walker):
    assert old_foot_leaves(find_cycle(walker).after)


def test_a_start_that_drives_it_into_the_ground_is_told(goswami, gait):
    x = after_strike(np.array([*gait.fixed_point.orbit[0][:2], 2.5]))
    told = [e for e in walk(started(goswami, x)).events if e.kind == PENETRATION]
    assert len(told) == 1
    assert "driven in at 0.084 m/s" in told[0].what
    assert not [e for e in walk(goswami).events if e.kind == PENETRATION]


def test_it_is_in_no_basin(goswami, gait, monkeypatch):
    # the slice has q1' of the gait in its middle, and q2' up to where the old foot would stay
    rate = gait.fixed_point.orbit[0][1]
    case = Case(goswami, "hybrid", None)
    monkeypatch.setattr(basin, "LOWER", np.array([0.10, rate - 0.2, -2.0 * rate - 1.0]))
    monkeypatch.setattr(basin, "UPPER", np.array([0.45, rate + 0.2, -2.0 * rate + 0.8]))
    with pytest.raises(ScenarioError, match="is not in the box"):
        basin.basin(case)
    basin.LOWER[2] = 0.0
    found = basin.basin(case, gain=0.2, points=19, sample=5, most_steps=40).isel(rate=9)
    outcome = found["outcome"].to_numpy()
    leaves = found["swing"].to_numpy() < -2.0 * rate
    assert (outcome[~leaves] == basin.FALLS).all()
    assert (outcome[leaves] != basin.FALLS).any()
