"""Figures of loads and of the controller: what they draw obeys the laws that they are to show."""

import numpy as np
import pytest

from footfall.feet.balance import Support
from footfall.report.control_figures import _shown, control_figures
from footfall.report.foot_figures import foot_figures, in_cone
from footfall.report.load_figures import bands, joint_powers, load_figures
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory import Trajectory
from footfall.trajectory.control import control_of

SCENE = "scenes/balance"


@pytest.fixture(scope="module")
def section():
    # the push from 0.5 s on leans on two feet
    settings = ["duration=0.7", 'controller.torque_limits={"*": 9.0}']
    scenario = load_scenario(SCENE, settings)
    return Section(SCENE, scenario, {"moreau": run_scenario(scenario, SCENE)})


@pytest.fixture(scope="module")
def runs(section):
    return views_of(section)


def test_forces_that_are_drawn_are_in_their_cones(runs):
    feet = runs.first.data["foot"].values.tolist()
    assert "Forces in their cones" in [figure.title for figure in foot_figures(runs)]
    leaned = 0.0
    for foot in feet:
        friction, normal = in_cone(foot, runs.first)
        assert len(normal) > 100
        # the rigid engine keeps Coulomb's law to 1e-10; means of what is in a cone are in it
        assert (friction <= normal * (1.0 + 1e-9) + 1e-9).all()
        leaned = max(leaned, float((friction / np.maximum(normal, 1e-9)).max()))
    assert leaned > 0.05  # the push is borne by friction


def test_the_zero_moment_point_is_within_the_band_of_the_soles(runs):
    data = runs.first.data
    assert "Balance over time" in [figure.title for figure in load_figures(runs)]
    rows, low, high = bands(runs.first, Support(data))
    point = data["zero_moment_point"].to_numpy()[rows, :2]
    known = np.isfinite(point).all(axis=1) & np.isfinite(low).all(axis=1)
    assert known.sum() > 100
    # the rough end of a contact point: where the load is and where the middle of the step was
    assert (point[known] >= low[known] - 1e-3).all()
    assert (point[known] <= high[known] + 1e-3).all()


def test_power_of_joints_is_drawn_for_all_of_them_with_the_cost_of_who_went(section, runs):
    (figure,) = joint_powers(runs)
    assert "all together" in figure.alt
    assert "FL_knee" in figure.alt
    went = "cost_of_transport" in section.first.metrics
    assert ("Cost of transport" in figure.note) == went


def test_a_controller_shows_its_tasks_what_holds_it_and_its_time(section, runs, tmp_path):
    titles = [figure.title for figure in control_figures(runs)]
    assert titles == [
        "Tasks of the controller",
        "Active constraints of the controller: moreau",
        "Ticks of the controller",
    ]
    ticks = control_of(section.first.trajectory.data)
    units = dict(zip(ticks.tasks, ticks.units, strict=True))
    assert units == {"com": "m", "posture": "rad", "trunk": "rad"}
    older = section.first.trajectory.data.drop_vars("control_unit")
    assert set(control_of(older).units) == {""}
    shown = [ticks.constraints[k] for k in _shown(ticks)]
    assert any(name.startswith("torque limit of ") for name in shown)  # 9 N m bind in the push
    assert 0.0 < np.median(ticks.took) < 0.1
    # and so does the page of a run that is read back
    section.first.trajectory.save(tmp_path / "trajectory.nc")
    again = control_of(Trajectory.load(tmp_path / "trajectory.nc").data)
    assert (again.tasks, again.units) == (ticks.tasks, ticks.units)
    for name in ("time", "outcome", "error", "cost", "active", "conflict", "took"):
        assert (getattr(again, name) == getattr(ticks, name)).all()


def test_who_has_no_such_controller_has_no_such_figures():
    scenario = load_scenario("scenes/quadruped", ["duration=0.01"])
    assert not control_figures(views_of(Section("q", scenario, {"m": run_scenario(scenario, "q")})))
