"""Figures of a robot with many contacts and dry joints: few panels, and those that matter."""

import functools

import pytest
from tests.scenario.test_drop import FAR

from footfall.report import contact_figures as figures
from footfall.report.joint_figures import joint_figures
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


@pytest.fixture(scope="module")
def section(tmp_path_factory):
    return _section(tmp_path_factory.mktemp("robot"))


def test_impulses_are_of_surfaces_and_joints_have_a_figure_of_their_own(section):
    titles = [picture.title for picture in figures.contact_figures(section)]
    assert titles == [
        "Contact impulses of a step: moreau",
        "Contact impulses of a step: drake-sap",
        "Contact modes",
        "Gaps",
    ]
    (joints,) = joint_figures(section)  # Drake has no dry joints
    assert joints.title == "Joint friction and stops: moreau"
    assert "hip:friction" in joints.alt
    assert "hip:friction" not in figures.touched_contacts(section.runs)


@pytest.mark.usefixtures("blank")
def test_figures_show_the_contacts_that_carry_most_and_come_nearest(section, monkeypatch):
    monkeypatch.setattr(figures, "_MOST_CONTACTS", 2)
    touched = figures.touched_contacts(section.runs)
    shown = figures._most_loaded(section.runs)
    assert len(touched) > 2
    assert len(shown) == 2

    def load(name):
        impulses = (run.trajectory.data["impulse"] for run in section.runs.values())
        return sum(float(impulse.sel(contact=name, axis="n").sum()) for impulse in impulses)

    assert min(map(load, shown)) >= max(load(name) for name in touched if name not in shown)
    impulses, *_, gaps = figures.contact_figures(section)
    assert impulses.note.startswith(f"The 2 of {len(touched)} contacts that carry most.")
    assert gaps.note.startswith("The 2 of 17 contacts")  # 16 corners and the pair of boxes


@pytest.mark.usefixtures("blank")
def test_a_figure_that_shows_everything_says_nothing_of_it(section):
    _, modes, gaps = figures.contact_figures(section)[-3:]
    assert not modes.note.startswith("The ")
    assert figures._some_of(8, 8, "carry most") == ""
    assert gaps.note  # 8 of 17
