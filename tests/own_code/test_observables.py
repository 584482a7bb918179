"""Observables of a user's own: metrics, values over time and figures of any run."""

import numpy as np
import pytest
from tests.own_code.pendulum import scenario

from footfall.provenance import collect_provenance
from footfall.report import Section, write_reports
from footfall.report.figures import common_figures
from footfall.report.run_view import views_of
from footfall.run import run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

MORE = """
initial: {positions: {hinge: 0.2}}
controller: !Python {file: pd.py, name: PD, parameters: {kp: 20, kd: 1}}
observables: {tip_height: "pd.py:tip_height [m]", power: "pd.py:power", late: "pd.py:late"}
"""


@pytest.fixture
def loaded(folder):
    return load_scenario(str(scenario(folder, MORE, duration=0.4)))


@pytest.mark.parametrize("engine", ["moreau", "drake"])
def test_they_are_what_the_recorded_states_say(loaded, engine):
    run = run_scenario(loaded, "own", engine)
    data = run.trajectory.data
    height = 2.0 - np.cos(data["q"].to_numpy()[:, 0])  # of the tip of 1 m below a pin at 2 m
    assert data["observable_tip_height"].to_numpy() == pytest.approx(height, abs=1e-12)
    assert data["observable_tip_height"].attrs["units"] == "m"
    metrics = run.metrics
    assert metrics["tip_height_final"] == pytest.approx(height[-1], abs=1e-12)
    assert metrics["tip_height_min"] == pytest.approx(height.min(), abs=1e-12)
    assert metrics["tip_height_max"] == pytest.approx(height.max(), abs=1e-12)
    # power integrates to the work that the recorder has summed up with the torque held over a step,
    # which is off by dt/2 times the change of the torque
    work = metrics["power_mean"][1] * metrics["duration"]
    torque = data["actuation"].to_numpy()[:, 0]
    held = 0.5e-3 * np.abs(np.diff(torque) * data["v"].to_numpy()[1:, 0]).sum()
    assert held < 0.05 * abs(work)
    assert work == pytest.approx(float(data["actuator_work"][-1]), abs=held)


def test_one_that_fails_on_the_way_loses_nothing_else(loaded):
    run = run_scenario(loaded, "own")
    assert run.trajectory.status is Status.DONE
    (event,) = [event for event in run.trajectory.events if event.kind == "observable"]
    assert "observable 'late' has no values from t = 0.0110 s" in event.what
    assert "LookupError: lost" in event.what
    values = run.trajectory.data["observable_late"].to_numpy()
    assert (values[:11] == 1.0).all()
    assert np.isnan(values[11:]).all()
    assert np.isnan(run.metrics["late_final"])
    assert run.metrics["late_mean"] == 1.0
    assert np.isfinite(run.metrics["tip_height_final"])


def test_a_page_shows_them(loaded, folder):
    runs = {engine: run_scenario(loaded, "own", engine) for engine in ("moreau", "drake")}
    section = Section("own", loaded, runs, collect_provenance(0))
    figure = common_figures(views_of(section))[0]
    assert figure.title == "Observables"
    labels = [panel.axes["y"].label for panel in figure.chart.shown]
    assert labels == ["late", "power.0", "power.1", "tip_height [m]"]
    write_reports([section], folder / "page.html")
    text = (folder / "page.html").read_text()
    assert "Height of the tip, smallest" in text
    assert "tip height mean" in text
