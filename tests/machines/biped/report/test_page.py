"""The biped's report: the letters of figure 4 stand at the model's own points and angles."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.biped.closed_form.model import Biped, BipedParameters
from footfall.machines.biped.measures import foot_slip_so_far, points
from footfall.machines.biped.report.page import POSTURE, REPORT, SLOPE, in_world, letters, sketched
from footfall.report import Section
from footfall.report.run_view import views_of
from footfall.report.tables import MINUS
from footfall.scenario.io import load_scenario

SHORT = ("duration=0.2",)


@pytest.fixture(scope="module")
def panel():
    """The sketch of the report's own machine."""
    (panel,) = letters(Biped()).chart.shown
    return panel


@pytest.fixture(scope="module")
def figures():
    """Figures of a short climb by title."""
    name = "biped/climb"
    section = Section(name, load_scenario(name, SHORT), {"moreau": run(name, "moreau", *SHORT)})
    made = [figure for figure in REPORT.figures(views_of(section)) if figure is not None]
    return section, {figure.title: figure.chart for figure in made}


def _lines(panel):
    return [mark.x + 1j * mark.y for mark in panel.marks if mark.kind == "line"]


def _texts(panel):
    return {m.style["text"]: complex(m.x[0], m.y[0]) for m in panel.marks if m.kind == "text"}


def test_masses_and_links_of_the_sketch_are_those_of_the_closed_form(panel):
    r = in_world(points(sketched(Biped())))
    places = [line[0] for line in _lines(panel) if len(line) == 1]
    np.testing.assert_allclose(places, r)
    links = [line for line in _lines(panel) if np.allclose(abs(np.diff(line)), 1.0)][:4]
    for link, (begin, end) in zip(links, ((0, 1), (1, 2), (0, 3), (3, 4)), strict=True):
        np.testing.assert_allclose(link, r[[begin, end]])
    texts = _texts(panel)
    for k, place in enumerate(r):
        assert texts[f"m{k + 1}"] == pytest.approx(place)
    # l stands beside the middle of its link
    for k, link in enumerate(links):
        assert abs(texts[f"l{k + 1}"] - link.mean()) < 0.3


def test_angles_of_the_sketch_are_those_of_its_posture(panel):
    r = in_world(points(sketched(Biped())))
    texts = _texts(panel)
    arcs = [line for line in _lines(panel) if len(line) == 40]
    down = np.exp(1j * (SLOPE - 0.5 * np.pi))  # -e2
    references = (down, r[1] - r[0], down, r[3] - r[0])
    centres, ends = (r[0], r[1], r[0], r[3]), (r[1], r[2], r[3], r[4])
    slope, *joints = arcs
    assert np.angle((slope[0] - slope[-1]) / 1.0) != 0.0
    for k, one in enumerate(joints):
        begin, end = (one[[0, -1]] - centres[k]) / abs(one[0] - centres[k])
        assert begin == pytest.approx(references[k] / abs(references[k]))
        assert end == pytest.approx((ends[k] - centres[k]) / abs(ends[k] - centres[k]))
        assert np.angle(end / begin) == pytest.approx(POSTURE[k])
        sign = MINUS if POSTURE[k] < 0.0 else ""
        assert f"{sign}θ{k + 1}" in texts


def test_the_lower_foot_of_the_sketch_stands_and_its_note_has_the_machine_s_numbers():
    machine = Biped(BipedParameters(alpha=np.radians(-7.0)))
    assert machine.g_n(sketched(machine)).min() == pytest.approx(0.0, abs=1e-12)
    note = letters(machine).note
    assert "1, 0.5, 0.5, 0.5, 0.5 kg" in note
    assert f"{MINUS}7°" in note


def test_notes_tell_of_the_pitch_moment_with_its_size(figures):
    section, _ = figures
    notes = " ".join(REPORT.notes(views_of(section)))
    assert "external pitch moment" in notes
    effort = section.first.trajectory.data["actuation"].sel(actuator=["tau1", "tau3"])
    assert f"{float(np.abs(effort.sum('actuator')).max()):.3g} N m" in notes


def test_figures_of_a_climb_show_what_is_measured(figures):
    section, charts = figures
    assert list(charts) == [
        "The robot's letters",
        "Generalized positions",
        "Generalized velocities",
        "Tracking errors",
        "Initial condition",
        "Trajectories of the points: moreau",
        "The walk: moreau",
        "Feet: height and slip",
        "One period of stage 1",
    ]
    data = section.first.trajectory.data
    (slip,) = charts["Feet: height and slip"].shown[1].marks
    np.testing.assert_array_equal(slip.y, foot_slip_so_far(data))
    paths = [m for panel in charts["Trajectories of the points: moreau"].shown for m in panel.marks]
    for mark, place in zip(paths, np.moveaxis(points(data["q"].to_numpy()), 1, 0), strict=False):
        np.testing.assert_array_equal((mark.x, mark.y), place.T)
    errors = charts["Tracking errors"].shown
    start = section.robot.reference.sample(0.0)[0]
    for panel, angle, wanted in zip(errors, data["q"].to_numpy()[0, 2:], start, strict=True):
        assert panel.marks[0].y[0] == pytest.approx(abs(np.rad2deg(angle - wanted)), abs=1e-9)
