"""The vehicle's report: drawings keep lengths, wheels touch, curves are the closed form's."""

import functools

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.position import UgvParameters, pose
from footfall.machines.ugv.closed_form.tracks import Bump, Steps
from footfall.machines.ugv.report.drawing import outlines_of, places_apart, sequence_figure
from footfall.machines.ugv.report.page import (
    BALANCED,
    figures,
    notes,
    read_drives,
    sequence,
    torque_over_path,
)
from footfall.report.section import Section
from footfall.scenario.io import load_scenario

GIVEN = UgvParameters()
COARSE = "time_step=0.01"
NEAR = "controller.stations=[{position: 3.66, rear: 115, front: 115}]"
SHORT = ("duration=2.6", "time_step=0.004", NEAR)


@functools.cache
def _section(name, settings, *engines):
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return Section(name, load_scenario(name, settings), runs)


@pytest.fixture(scope="module")
def climbing():
    """Up a step, in both engines, from the moment before the front wheel meets it."""
    return _section("ugv/step_drive", SHORT, "closed-form", "moreau")


@pytest.fixture(scope="module")
def passing():
    return _section("ugv/drive", (COARSE,), "closed-form")


def _vehicles(track, s, rear, front):
    curve = CentreCurve(track, GIVEN.r, min(s) - 2.5, max(s) + 0.5)
    return outlines_of(GIVEN, pose(GIVEN, curve, s, np.radians(rear), np.radians(front)))


def _by_label(panel):
    return {str(one.get_label()): np.array(one.get_xydata(), dtype=float) for one in panel.lines}


# --- the drawing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "track", [Bump(0.45, 4.0, 0.7).track(), Steps((4.0,), (0.12,)).track()], ids=["bump", "step"]
)
def test_vehicles_keep_their_lengths_and_their_wheels_touch(track, plotted):
    s = np.array([2.0, 3.8, 4.4, 6.0])
    outlines = _vehicles(track, s, 100.0, 130.0)
    x, z = track.outline(0.0, 8.0)
    sequence_figure((x, z), outlines, ["a", "b", "c", "d"], GIVEN, "In a row")
    for one in outlines:
        assert abs(one.hip_f - one.hip_r) == pytest.approx(GIVEN.L)
        for hip, wheel in ((one.hip_r, one.wheel_r), (one.hip_f, one.wheel_f)):
            assert abs(hip - wheel) == pytest.approx(GIVEN.l)
    (panel,) = plotted[0].axes
    circles = [p.get_xy()[:-1] for p in panel.patches if len(p.get_xy()) == 101]
    assert len(circles) == 8
    for circle in circles:
        centre = circle.mean(axis=0)
        away = np.hypot(x - centre[0], z - centre[1]).min()
        # points of the outline are 20 mm apart: r + d^2/(8 r)
        assert away == pytest.approx(GIVEN.r, abs=4e-4)
    assert panel.get_aspect() == 1.0
    # two in the middle reach into the next one each
    assert [text.get_text() for text in panel.texts] == ["a", "", "", "d"]


def test_spokes_turn_as_far_as_wheels_roll(plotted):
    one, other = _vehicles(
        Bump().track(), np.array([0.5, 0.5 + 0.5 * np.pi * GIVEN.r]), 115.0, 115.0
    )
    # on level ground but for 5e-7 m of bump
    assert other.turn_f - one.turn_f == pytest.approx(0.5 * np.pi, abs=1e-5)
    turned = [one._replace(turn_f=0.0), one._replace(turn_f=0.5 * np.pi)]
    sequence_figure(Bump().track().outline(-1.0, 2.0), turned, ["", ""], GIVEN, "Turned")
    lines = plotted[0].axes[0].lines
    spokes = [line.get_xydata() for line in lines if line.get_color() == "#cc261f"]
    up, ahead = (spokes[k][1] - spokes[k][0] for k in (1, 3))
    assert up == pytest.approx([0.0, GIVEN.r], abs=1e-12)
    assert ahead == pytest.approx([GIVEN.r, 0.0], abs=1e-12)


def test_walls_of_a_track_stand_upright():
    x, z = Steps((4.0,), (0.12,)).track().outline(3.0, 5.0)
    (wall,) = np.flatnonzero(np.diff(z))
    assert (x[wall], x[wall + 1], z[wall + 1]) == (4.0, 4.0, 0.12)


def test_places_of_a_sequence_begin_and_end_with_the_run():
    s = np.linspace(2.0, 8.5, 300)
    rows = places_apart(s, GIVEN)
    assert s[rows] == pytest.approx(np.linspace(2.0, 8.5, 4), abs=0.02)
    assert places_apart(s[:3], GIVEN).tolist() == [0, 2]
    assert places_apart(s[::-1], GIVEN).tolist()[-1] == 299


# --- the report ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_figures_come_in_order_and_are_told_in_words(climbing):
    pictures = figures(read_drives(climbing))
    assert [picture.title for picture in pictures] == [
        "The passage",
        "How it stands, and what holds it",
        "Torque of the wheels",
        "Generalized positions",
        "Generalized velocities",
    ]
    for picture in pictures:
        assert len(picture.alt) > 40
    assert "closed-form and moreau" in pictures[2].alt


@pytest.mark.slow
def test_a_run_is_drawn_where_its_links_are(passing, plotted):
    drives = read_drives(passing)
    rows = np.array([0, 1100, 2210])
    found = outlines_of(GIVEN, drives.first.read.pose.rows(rows))
    for figure in found:
        assert abs(figure.hip_f - figure.hip_r) == pytest.approx(GIVEN.L)
        assert abs(figure.hip_r - figure.wheel_r) == pytest.approx(GIVEN.l)
        assert abs(figure.hip_f - figure.wheel_f) == pytest.approx(GIVEN.l)
    assert (found[0].turn_r, found[0].turn_f) == (0.0, 0.0)
    # both together as far as the drive says: 0.2 (22.1 - 0.5) m
    assert found[-1].turn_r + found[-1].turn_f == pytest.approx(2.0 * 4.32 / 0.3, rel=1e-6)
    sequence(drives)
    texts = [text.get_text() for text in plotted[0].axes[0].texts]
    assert (texts[0], texts[-1]) == ("0.0 s", "22.1 s")


@pytest.mark.slow
def test_the_torque_lies_on_the_quasi_static_curve(passing, plotted):
    torque_over_path(read_drives(passing))
    (panel,) = plotted[0].axes
    lines = _by_label(panel)
    assert {BALANCED, "closed-form"} <= set(lines)
    curve = CentreCurve(Bump().track(), GIVEN.r, 0.0, 8.0)
    s, torque = lines["closed-form"].T
    angle = np.radians(115.0)
    wanted = forces(GIVEN, pose(GIVEN, curve, s, angle, angle)).torque
    # the model's boxes err by 1e-5 in slope: of the weight, at the radius
    assert torque == pytest.approx(wanted, abs=0.05)


def test_what_engines_differ_by_has_a_panel_of_its_own(climbing, plotted):
    drives = read_drives(climbing)
    torque_over_path(drives)
    upper, lower = plotted[0].axes
    assert "moreau" in _by_label(upper)
    steady = drives.runs[1].read.steady
    (line,) = (one for one in lower.lines if len(one.get_xdata()) > 2)
    seen = np.isfinite(line.get_ydata())
    assert seen.sum() == steady.sum()


def test_places_where_a_wheel_touches_twice_are_marked(climbing, plotted):
    drives = read_drives(climbing)
    (kink,) = [x for x in drives.angle_jumps if x < 4.0]
    # the disc touches level ground and edge: cos(beta) = 1 - h/r
    assert kink == pytest.approx(4.0 - 0.3 * np.sqrt(1.0 - 0.6**2), abs=1e-6)
    torque_over_path(drives)
    for panel in plotted[0].axes:
        upright = [float(x.get_xdata()[0]) for x in panel.lines]
        assert any(abs(x - kink) < 1e-9 for x in upright)


def test_notes_tell_what_is_assumed_and_where_wheels_touch_twice(climbing, passing):
    told, smooth = (" ".join(notes(read_drives(section))) for section in (climbing, passing))
    assert "radius of the wheels" in told
    assert "touches two places at once" in told
    assert "closed-form has no inertia" in told
    assert "two places at once" not in smooth


@pytest.mark.slow
def test_a_passage_that_ends_early_is_drawn(plotted):
    section = _section("ugv/step_drive", (COARSE, "friction=0.4"), "closed-form")
    assert "a wheel slips" in section.first.trajectory.message  # the page says so at its top
    drives = read_drives(section)
    assert notes(drives)
    figures(drives)
    assert len(plotted) == 5


@pytest.mark.slow
def test_a_vehicle_without_a_drive_on_level_ground_has_its_figures_too():
    directives = (
        "directives=[{add_model: {name: ugv, file: package://footfall/sdf/ugv/ugv.sdf}}, "
        "{add_weld: {parent: terrain, child: 'ugv::ground'}}]"
    )
    section = _section("ugv/drive", ("duration=0.02", "controller=null", directives), "moreau")
    sequence, bodies, torque, *coordinates = figures(read_drives(section))
    assert bodies is None  # without the engine whose equations they are
    assert None not in (sequence, torque, *coordinates)
