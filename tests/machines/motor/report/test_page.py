"""The motor's report: what its figures draw, and what its notes say."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.motor.report.page import figures, notes
from footfall.report.charts.picture import figure_of
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.report.tables import number
from footfall.scenario.io import load_scenario

ENGINES = ("closed-form", "moreau", "drake", "drake-continuous")


def _section(name, *settings, engines=ENGINES):
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return views_of(Section(name, load_scenario(name, settings), runs))


@pytest.fixture(scope="module")
def line():
    return _section("motor/dc_line")


def _painted(runs):
    """Axes of every figure by its title, as matplotlib draws them."""
    return {one.title: np.array(figure_of(one.chart).axes) for one in figures(runs) if one}


def _drawn(panel):
    return {str(one.get_label()): one.get_xydata() for one in panel.get_lines()}


@pytest.mark.slow
def test_every_figure_has_words_for_those_who_do_not_see_it(line):
    pictures = figures(line)
    titles = ["Response", "Distance from the closed form", "Torque and speed"]
    assert [picture.title for picture in pictures] == ["Figure 3: motor and load", *titles]
    for picture in pictures[1:]:
        assert all(engine in picture.alt for engine in ENGINES)


@pytest.mark.slow
def test_the_plane_shows_the_line_the_limit_and_the_way_of_a_run(line):
    (panel,) = _painted(line)["Torque and speed"].ravel()
    drawn = _drawn(panel)
    w, full = drawn["full voltage"].T
    np.testing.assert_allclose(full, 1001.96 * (1.0 - w / 904.523), atol=1e-9)
    assert w.max() > 904.523
    assert (drawn["limit of the torque"][:, 1] == 398.0).all()
    w, friction = drawn["friction"].T
    np.testing.assert_allclose(friction, 4.69e-3 * w, atol=1e-12)
    # every run goes along the lower of the two, from rest to where friction crosses the line
    for engine in ENGINES:
        w, torque = drawn[engine].T
        np.testing.assert_allclose(
            torque, np.minimum(398.0, 1001.96 * (1.0 - w / 904.523)), rtol=1e-9
        )
        assert w[0] == 0.0
        assert w[-1] == pytest.approx(1.00196 / (1.00196 / 904.523 + 4.69e-6), rel=2e-3)


def test_errors_are_distances_from_the_closed_form(line):
    speed, angle = _painted(line)["Distance from the closed form"].ravel()
    for panel, name in ((speed, "speed_error"), (angle, "angle_error")):
        drawn = _drawn(panel)
        for engine in ("moreau", "drake", "drake-continuous"):
            most = np.nanmax(drawn[engine][:, 1])
            run = line.section.runs[engine]
            assert most == pytest.approx(run.metrics[name], rel=1e-12)
        assert panel.get_yscale() == "log"


def test_figure_3_has_the_numbers_of_the_model_with_the_letters_of_the_text():
    gear = ("duration=0.002", "motors.motor.gear_ratio=120.5", "motors.motor.friction=2.5e-6")
    runs = _section("motor/step", *gear, engines=("moreau",))
    figure = figures(runs)[0]
    (sketch,) = figure.chart.panels.ravel()
    plant = runs.section.robot.model.plant
    disc = plant.GetBodyByName("disc").default_rotational_inertia()
    rotor = plant.get_joint_actuator(next(iter(plant.GetJointActuatorIndices())))
    for words in (
        "n = 120.5",
        f"B_motor = {number(2.5e-6)} N m s/rad",
        f"J_motor = {number(rotor.default_rotor_inertia())} kg m²",
        f"J_load = {number(disc.CalcPrincipalMomentsOfInertia().max())} kg m²",
    ):
        assert words in figure.note
    letters = {mark.style["text"] for mark in sketch.marks if mark.kind == "text"}
    assert letters >= {"T_max", "J_motor", "B_motor", "n", "J_load", "θ_motor", "θ_load"}
    # arrows turn round shafts, between motor and gear and between gear and load
    assert sum("heads" in mark.style for mark in sketch.marks) == 3


@pytest.mark.parametrize(
    ("name", "words", "others"),
    [
        ("motor/step", ["speed at its end"], ["sampled at the start"]),
        ("motor/dc_line", ["speed at its end", "sampled at the start"], []),
        ("motor/step_frictionless", ["half a step's turn"], ["speed at its end", "sampled"]),
    ],
)
def test_notes_tell_of_the_errors_that_there_are(name, words, others):
    told = " ".join(notes(_section(name, engines=("closed-form", "moreau"))))
    assert "0.07952 kg m²" in told
    assert "All are assumed" in told
    assert all(word in told for word in words)
    assert not any(word in told for word in others)
    assert "drake-continuous" not in told


@pytest.mark.usefixtures("plotted")
def test_another_course_of_the_torque_has_its_curves_alone():
    course = (
        "controller.torques.motor=[{start: 0.0, end: 0.05, coefficients: [0.004]}]",
        "duration=0.1",
    )
    runs = _section("motor/step", *course, engines=("moreau",))
    titles = [picture.title for picture in figures(runs)]
    assert titles == ["Figure 3: motor and load", "Response"]
