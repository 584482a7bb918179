"""Figures of a robot with many contacts and dry joints: few panels, and those that matter."""

import functools
from dataclasses import replace

import pytest
from tests.scenario.test_drop import FAR

from footfall.report import contact_figures as figures
from footfall.report import reaction_figures as reaction_module
from footfall.report.comparison import compare_runs, engine_table
from footfall.report.contact_figures import _taken
from footfall.report.foot_figures import foot_figures
from footfall.report.load_figures import load_figures
from footfall.report.panels import some_of
from footfall.report.reaction_figures import joint_figures
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.run import run_scenario
from footfall.scenario.drop import drop_scenario

ENGINES = ("moreau", "drake-sap")


@functools.cache
def _section(folder):
    """Two boxes joined by a dry hip and a knee fall on the ground: 16 corners, 2 joints."""
    path = folder / "robot.urdf"
    path.write_text(FAR)
    scenario = drop_scenario(
        str(path), height=0.01, duration=0.1, settings=["joint_friction.knee=0.3"]
    ).scenario
    runs = {engine: run_scenario(scenario, "drop/robot", engine) for engine in ENGINES}
    return Section("drop/robot", scenario, runs)


def _without_feet(run):
    """A run as it was kept before there were feet."""
    feet = [name for name, values in run.trajectory.data.variables.items() if "foot" in values.dims]
    data = run.trajectory.data.drop_vars([*feet, "foot_of_contact"])
    return replace(run, trajectory=replace(run.trajectory, data=data))


@pytest.fixture(scope="module")
def with_feet(tmp_path_factory):
    return _section(tmp_path_factory.mktemp("robot"))


@pytest.fixture(scope="module")
def section(with_feet):
    runs = {name: _without_feet(run) for name, run in with_feet.runs.items()}
    return replace(with_feet, runs=runs)


def test_impulses_are_of_surfaces_and_joints_have_a_figure_of_their_own(section):
    titles = [picture.title for picture in figures.contact_figures(views_of(section))]
    assert titles == [
        "Contact impulses of a step: moreau",
        "Contact impulses of a step: drake-sap",
        "Contact modes",
        "Gaps",
    ]
    (joints,) = joint_figures(views_of(section))  # Drake has no dry joints
    assert joints.title == "Joint friction and stops: moreau"
    assert "hip:friction" in joints.alt
    assert "hip:friction" not in figures.touched_contacts(views_of(section).runs)


@pytest.mark.usefixtures("blank")
def test_figures_show_the_contacts_that_carry_most_and_come_nearest(section, monkeypatch):
    monkeypatch.setattr(figures, "_MOST_CONTACTS", 2)
    touched = figures.touched_contacts(views_of(section).runs)
    shown = figures._most_loaded(views_of(section).runs, touched)
    assert len(touched) > 2
    assert len(shown) == 2

    def load(name):
        impulses = (run.trajectory.data["impulse"] for run in section.runs.values())
        return sum(float(impulse.sel(contact=name, axis="n").sum()) for impulse in impulses)

    assert min(map(load, shown)) >= max(load(name) for name in touched if name not in shown)
    impulses, *_, gaps = figures.contact_figures(views_of(section))
    assert impulses.note.startswith(f"The 2 of {len(touched)} contacts that carry most.")
    assert gaps.note.startswith("The 2 of 17 contacts")  # 16 corners and the pair of boxes


@pytest.mark.usefixtures("blank")
def test_a_figure_that_shows_everything_says_nothing_of_it(section):
    _, modes, gaps = figures.contact_figures(views_of(section))[-3:]
    assert not modes.note.startswith("The ")
    assert some_of(8, 8, "contacts that carry most") == ""
    assert gaps.note  # 8 of 17


def test_a_robot_with_feet_has_figures_of_feet_and_none_of_their_points(with_feet):
    runs = views_of(with_feet)
    drawn = {picture.title: picture for picture in (*foot_figures(runs), *load_figures(runs))}
    assert list(drawn) == [
        "Gait diagram",
        "Forces of the ground on the feet",
        "Centre of pressure",
        "Forces in their cones",
        "Friction utilisation and slip",
        "Clearance of the feet",
        "Balance from above",
        "Margin to the edge of the support polygon",
        "Balance over time",
    ]
    (foot,) = with_feet.first.trajectory.data["foot"].values
    assert foot in drawn["Gait diagram"].alt
    points = [name for name in with_feet.robot.contacts.names if "#" in name]
    of = with_feet.first.trajectory.data["foot_of_contact"].sel(contact=points)
    assert set(of.values) == {foot, ""}
    left = figures.touched_contacts(views_of(with_feet).runs)
    assert not set(left) & set(of["contact"].values[of.values == foot])


@pytest.mark.usefixtures("blank")
def test_one_run_has_a_line_for_every_foot(with_feet):
    one = replace(with_feet, runs={"moreau": with_feet.first})
    runs = views_of(one)
    asked = {one.title: one.chart.shown for one in (*foot_figures(runs), *load_figures(runs))}
    feet = with_feet.first.trajectory.data.sizes["foot"]
    stances, *loads = asked["Feet: stance, force, centre of pressure"]
    assert len(stances.marks) == feet
    assert len(loads) == 4  # normal, friction; centre of pressure along x and y
    for panel in loads:
        assert len(panel.marks) == feet
    utilisation, _ = asked["Friction utilisation and slip"]
    assert [1.0, 1.0] in [list(mark.y) for mark in utilisation.marks]  # the limit
    (plan,) = asked["Balance from above"]
    paths = [mark for mark in plan.marks if mark.kind == "line" and "stroke" in mark.style]
    assert [mark.label for mark in paths] == [
        "centre of mass",
        "capture point",
        "zero-moment point",
    ]
    assert sum(mark.kind == "area" for mark in plan.marks) == 3  # polygons, edges, the last frame


@pytest.mark.usefixtures("blank")
def test_the_figure_of_forces_in_joints_says_what_it_leaves_out(section, monkeypatch):
    (whole,) = reaction_module.reaction_figures(views_of(section))
    # the joint by which the trunk is free carries nothing
    # and Drake has one point of contact for each box, somewhere between its corners
    assert "Joints that carry nothing and are left out: 1. Left out: drake-sap, whose" in whole.note
    assert "the axes are cut where impacts would flatten" in whole.note
    monkeypatch.setattr(reaction_module, "MOST_PANELS", 2)
    monkeypatch.setattr(reaction_module, "_MOST_STEPS", 50)
    (part,) = reaction_module.reaction_figures(views_of(section))
    rows = section.runs["moreau"].trajectory.data.sizes["time"]
    assert f" Of all steps one in {-(-rows // 50)} is drawn." in part.note
    assert "Joints that there is no room for: 1." in part.note
    assert len(part.chart.shown) == len(whole.chart.shown) - 2  # force and moment of a joint


def test_joints_of_uneven_ground_are_none_of_the_robot(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(FAR)
    ground = "terrain=!RoughGround {size: [1.5, 1.0], cell: 0.25, height: 0.02, flat_radius: 0.0}"
    scenario = drop_scenario(str(path), height=0.01, duration=0.1, settings=[ground]).scenario
    runs = {"moreau": run_scenario(scenario, "drop/robot", "moreau")}
    runs = views_of(Section("drop/robot", scenario, runs))
    (figure,) = reaction_module.reaction_figures(runs)
    assert figure.title == "Forces in the joints: moreau"
    assert figure.chart.panels.shape == (2, 2)
    assert "hip" in figure.alt
    assert "knee" in figure.alt
    assert "surface" not in figure.alt


def test_runs_without_feet_have_no_figures_of_feet(section):
    assert foot_figures(views_of(section)) == []


def test_energy_is_told_by_foot(with_feet):
    run = views_of(with_feet).first
    taken = _taken(run)
    (foot,) = run.data["foot"].values
    data = run.data
    own = data["dissipation"].isel(contact=data["foot_of_contact"].to_numpy() == foot)
    assert taken[foot] == pytest.approx(float(own.sum()))
    assert not any(name.startswith(f"robot::{foot}/") for name in taken)


def test_engines_are_compared_by_foot(with_feet):
    (one,) = compare_runs(with_feet)
    table = engine_table([one])
    (line,) = table["modes"]
    (foot,) = with_feet.first.trajectory.data["foot"].values
    assert "#" not in line
    share = float(one.data["gait_agreement"].sel(foot=foot))
    apart = [run.trajectory.data["foot_contact"].sel(foot=foot) for run in with_feet.runs.values()]
    assert share == pytest.approx(float((apart[0] == apart[1]).mean()))
