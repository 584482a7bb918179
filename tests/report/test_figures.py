"""Figures draw what the trajectory says; what they compute on the way is checked here."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.engines.tiny import BRICK, simulate, tiny
from tests.scenario.runs import run

from footfall.registry.machines import known_metrics, machines
from footfall.report.charts.panel import Chart
from footfall.report.charts.picture import figure_of
from footfall.report.contact_figures import of_steps, touched_contacts
from footfall.report.figure import draw
from footfall.report.machine_report import report_of
from footfall.report.panels import calm, intervals
from footfall.report.reaction_figures import reaction_figures
from footfall.report.run_view import views_of
from footfall.report.section import Section
from footfall.scenario.io import load_scenario

SHORT = ("duration=0.4",)


def _section(*engines, name="biped/climb"):
    runs = {engine: run(name, engine, *SHORT) for engine in engines}
    return Section(name, load_scenario(name, SHORT), runs)


@given(hnp.arrays(np.bool_, st.integers(1, 40)))
def test_bars_of_a_mode_are_as_long_as_the_mode_lasts(on):
    dt = 0.25
    time = dt * np.arange(len(on))
    bars = intervals(time, on)
    # a mode belongs to the step that ends at its row, and before the first row there is none
    assert sum(length for _, length in bars) == pytest.approx(dt * on[1:].sum())
    for start, length in bars:
        steps = (time > start + 1e-9) & (time <= start + length + 1e-9)
        assert on[steps].all()


def test_touched_contacts_are_the_feet():
    assert touched_contacts(views_of(_section("moreau")).runs) == ["biped::foot_a", "biped::foot_b"]


# of each study a run that has everything to measure
MEASURED = {
    "biped": [("biped/climb_geared", "moreau", *SHORT)],
    "compass": [("compass/lab_case2", "hybrid", "duration=1.4")],
    # one jumps, one stands
    "hopper": [("hopper/report", "hybrid"), ("hopper/rest", "hybrid")],
    "humanoid": [
        ("humanoid/opc", "closed-form", "duration=2.8"),
        ("humanoid/opc_ground", "moreau", "duration=0.02"),
    ],
    # one is carried, one goes in, one is saved
    "goalkeeper": [
        ("goalkeeper/shot_straight", "moreau"),
        ("goalkeeper/shot_rolling", "moreau"),
        ("goalkeeper/shot_rolling", "moreau", "controller.max_speed=1.5"),
    ],
    # one tends to its speed by friction, one runs into the motor's line
    "motor": [("motor/step", "closed-form"), ("motor/dc_line", "closed-form")],
    "pasibot": [("pasibot/walk", "hybrid", "duration=1.2", "time_step=0.01")],
    "rimless_wheel": [("rimless_wheel/roll", "closed-form")],
    "simplest_walker": [("compass/simplest", "hybrid", "time_step=0.002")],
    "ugv": [("ugv/drive", "closed-form", "duration=2.4", "time_step=0.01")],
}


@pytest.mark.parametrize("name", list(machines()))
def test_every_machine_has_a_report_and_knows_its_metrics(name):
    assert machines()[name].report
    assert report_of(machines()[name]).figures
    found = {metric for one in MEASURED[name] for metric in run(*one).metrics}
    assert set(machines()[name].metrics) <= found <= set(known_metrics())


@pytest.mark.usefixtures("blank")
def test_the_biped_has_every_figure_of_its_report():
    titles = [
        picture.title
        for picture in report_of(machines()["biped"]).figures(views_of(_section("moreau", "drake")))
    ]
    assert titles == [
        "Generalized positions",
        "Generalized velocities",
        "Tracking errors",
        "Initial condition",
        "Trajectories of the points: moreau",
        "The walk: moreau",
        "Feet: height and slip",
        "One period of stage 1",
    ]


def test_notes_tell_of_the_pitch_moment_with_its_size():
    section = _section("moreau")
    notes = " ".join(report_of(machines()["biped"]).notes(views_of(section)))
    assert "external pitch moment" in notes
    effort = section.first.trajectory.data["actuation"].sel(actuator=["tau1", "tau3"])
    largest = float(np.abs(effort.sum("actuator")).max())
    assert f"{largest:.3g} N m" in notes


@pytest.mark.parametrize(
    ("value", "change", "low", "high"),
    [
        (5.729577951308, 1e-12, 5.1566, 6.3025),  # as a joint that stands still
        (0.0, 1e-14, -1e-6, 1e-6),
        (-2.0, 0.0, -2.2, -1.8),
        (1.0, 1e-6, 1.0 - 1.05e-6, 1.0 + 1.05e-6),  # what is more than rounding is shown
    ],
)
def test_rounding_is_a_flat_line(value, change, low, high):
    (panel,) = Chart((1, 1), [1.0], 1.0, share_x=True).shown
    panel.plot([0.0, 1.0, 2.0], [value, value + change, value - change])
    panel.margins(y=0.025)
    calm(panel)
    assert panel.get_ylim() == pytest.approx((low, high), rel=1e-4 if change == 1e-12 else 1e-9)


@pytest.mark.usefixtures("blank")
def test_forces_in_joints_are_drawn_for_all_engines_that_tell_them():
    (picture,) = reaction_figures(views_of(_section("drake", "moreau")))
    assert picture.title == "Forces in the joints: drake and moreau"
    for joint in ("theta1", "theta4", "terrain_welds_to_slope"):
        assert joint in picture.alt
    (alone,) = reaction_figures(views_of(_section("moreau")))
    assert "Pale: single steps" in alone.note


def test_joints_that_carry_nothing_are_not_drawn(tmp_path):
    scenario = tiny(tmp_path, BRICK, duration=0.05, positions={"brick_qw": 1.0, "brick_z": 0.02})
    section = Section("brick", scenario, {"moreau": simulate(scenario)})
    assert reaction_figures(views_of(section)) == []  # the one joint of a free body


def test_a_run_whose_model_has_changed_has_no_forces_in_its_joints(tmp_path):
    scenario = tiny(tmp_path, BRICK, duration=0.05, positions={"brick_qw": 1.0, "brick_z": 0.02})
    of_before = replace(run("biped/climb", "moreau", *SHORT), robot=None)  # as one that was saved
    section = Section("biped/climb", scenario, {"moreau": of_before})
    assert reaction_figures(views_of(section)) == []


def test_impulses_between_the_steps_count_to_the_step_that_they_are_in():
    time = np.array([0.0, 0.001, 0.0014, 0.002, 60 * 0.001])  # 0.06, a little beyond by rounding
    impulse = np.arange(5.0)[:, None] * np.ones(3)
    ends, total = of_steps(time, impulse, 0.001)
    np.testing.assert_allclose(ends, [0.0, 0.001, 0.002, 0.06])
    np.testing.assert_allclose(total[:, 0], [0.0, 1.0, 2.0 + 3.0, 4.0])


@pytest.mark.parametrize("name", [r"$\frac{$ a_{1}", "a$b$c", "$(prefix)_${side}$"])
def test_names_are_shown_as_they_are(name):
    def plot(axes):
        ((panel,),) = axes
        panel.plot([1.0, 1e3], [1.0, 2.0], label=name)
        panel.set(title=name, xlabel=name, ylabel=name, xscale="log")
        panel.set_yticks([1.0, 2.0], [name, ""])
        panel.text(1.0, 1.0, name)
        panel.legend()

    chart = draw("names", "names", (1, 1), plot).chart
    (panel,) = chart.shown
    shown = (panel.title, panel.scale("x").label, panel.scale("y").label)
    assert (*shown, panel.legend_entries[0].label, panel.scale("y").ticks[0][1]) == (name,) * 5
    figure_of(chart).canvas.draw()  # matplotlib reads no formula in them
