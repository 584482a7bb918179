"""The hopper's report: what its figures show, and what its notes tell."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.feet import MachineFeet
from footfall.machines.hopper.closed_form.model import CG, velocity
from footfall.machines.hopper.report.page import (
    POSE,
    REPORT,
    configuration,
    figures,
    instants,
    phases,
    read_jumps,
    stick_figures,
)
from footfall.registry.machines import machines
from footfall.report import Section
from footfall.report.bands import marking, phase_bands
from footfall.report.machine_report import report_of
from footfall.report.stick_sequence import Skeleton
from footfall.scenario.io import load_scenario

NAME = "hopper/report"
STEP = 1e-3
PHASES = ["stick", "slip\N{MINUS SIGN}", "flight", "slip+"]


def _section(*engines, settings=(), name=NAME):
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return Section(name, load_scenario(name, settings), runs)


@pytest.fixture(scope="module")
def jumps():
    return read_jumps(_section("hybrid"))


# --- what is drawn -------------------------------------------------------------------------------


def test_the_report_has_its_figures_in_order(plotted):
    jumps = read_jumps(_section("hybrid", "moreau"))
    assert [one.title for one in figures(jumps)] == [
        "The jump: hybrid",
        "Instant by instant: hybrid",
        "Coordinates",
        "Force of the ground on P",
        "The hopper's letters",
        "Generalized positions",
        "Generalized velocities",
    ]
    assert report_of(machines()["hopper"]).figures is figures
    mu, panel = 0.3, plotted[3].axes[-1]
    flat = [line for line in panel.lines if np.array_equal(line.get_xdata(), [0.0, 1.0])]
    edges = [float(line.get_ydata()[0]) for line in flat if line.get_linestyle() != "-"]
    assert sorted(edges) == [-mu, mu]


def test_phases_are_named_in_the_legend_and_parted(jumps, plotted):
    with marking(phase_bands(phases(jumps))):
        figures(jumps)
    starts = [interval.start for interval in jumps.first.jump.intervals[1:]]
    for figure in plotted[2:4]:
        named = [text.get_text() for text in figure.legends[0].get_texts()]
        assert set(PHASES) - {"flight"} <= set(named)
        for panel in figure.axes:
            upright = {
                float(line.get_xdata()[0])
                for line in panel.lines
                if np.array_equal(line.get_ydata(), [0.0, 1.0])
            }
            assert sorted(upright) == starts


# --- the configuration ---------------------------------------------------------------------------


def test_the_configuration_has_the_points_lengths_and_angles_of_the_model(jumps):
    """Points are held against the plant's own, angles against the two that define the pose."""
    marks = configuration(jumps.machine).chart.panels[0, 0].marks
    lines = [mark for mark in marks if mark.kind == "line"]
    first, second = (_corners(mark) for mark in lines if mark.style.get("width") == 3.0)
    places = Skeleton(jumps.section.robot.model).posture(np.array([*first[0], *POSE[2:]]))
    middles, ends = [], []
    for drawn, joints in zip((first, second), places.joints, strict=True):
        np.testing.assert_allclose(drawn, joints[[0, 2]].T[[0, -1]], atol=1e-12)  # rounding
        middles.append(drawn.mean(axis=0))
        ends += [*drawn]
    dots = {tuple(_corners(mark)[0].round(9)) for mark in lines if len(mark.x) == 1}
    drawn = [*middles, *ends, places.centre[[0, 2]]]
    assert dots == {tuple(place.round(9)) for place in drawn}
    arcs = [_corners(mark) for mark in lines if len(mark.x) == 40]
    for arc, centre, angle in zip(arcs, (first[0], second[0]), POSE[2:], strict=True):
        begin, end = arc[0] - centre, arc[-1] - centre
        turn = np.arctan2(begin[0] * end[1] - begin[1] * end[0], begin @ end)
        assert turn == pytest.approx(angle)
    wide = [_corners(mark) for mark in lines if mark.style.get("heads") == 2]
    lengths = [float(np.hypot(*(end - begin))) for begin, end in wide]
    l = jumps.machine.parameters.l
    assert lengths == pytest.approx([*first[0], l, l])
    letters = {mark.style["text"] for mark in marks if mark.kind == "text"}
    assert {"P", "Q", "R", "CG", "x", "y", "l", "θ1", "θ2", "τ", "λₜ", "λₙ", "g"} <= letters


def _corners(mark):
    return np.column_stack((mark.x, mark.y))


# --- stick figures -------------------------------------------------------------------------------


def test_there_are_eight_instants_in_equal_parts_of_the_phases(jumps):
    jump = jumps.first.jump
    times = [time for time, _ in instants(jump, jump.end)]
    flight = np.diff(times[1:5])
    contact = np.diff(times[4:8])
    assert len(times) == 8
    assert times[0] == 0.0
    assert flight == pytest.approx(np.full(3, (jump.impact - jump.separation) / 3.0))
    assert contact == pytest.approx(np.full(3, (jump.end - jump.impact) / 3.0))


@pytest.mark.usefixtures("plotted")
@pytest.mark.parametrize(
    ("name", "duration", "moments", "why"),
    [
        (NAME, 0.2, ["start", "separation", "end of the run"], "P does not land in this run"),
        ("hopper/rest", 0.05, ["start", "end of the run"], "P never flies"),
    ],
)
def test_a_run_that_is_no_jump_has_its_figures_and_says_why(name, duration, moments, why):
    jumps = read_jumps(_section("hybrid", settings=(f"duration={duration}",), name=name))
    run = jumps.first
    assert [what for _, what in instants(run.jump, run.time[-1])] == moments
    assert len(figures(jumps)) == 7
    assert f"no valid jump: {why}" in " ".join(REPORT.notes(jumps))


def test_links_are_as_long_as_they_are_and_the_dimension_line_as_the_jump(jumps, plotted):
    l, jump = jumps.machine.parameters.l, jumps.first.jump
    stick_figures(jumps.section, jumps.first, jump, l)
    links = Skeleton(jumps.section.robot.model).links
    count = 0
    for panel in (panel for figure in plotted for panel in figure.axes):
        for link in (line.get_xydata() for line in panel.lines if line.get_linewidth() == 2.2):
            assert np.linalg.norm(link[1] - link[0]) == pytest.approx(2.0 * l)
            # the event-driven engine finds landings to a rounding
            assert link[:, 1].min() > -1e-9
            count += 1
    assert count == len(links) * 2 * 8
    panel = plotted[0].axes[0]
    pairs = [line.get_xdata() for line in panel.lines if len(line.get_xdata()) == 2]
    assert sorted(x[0] for x in pairs if x[0] == x[1]) == [jump.x_start, jump.x_end]
    (words,) = [text.get_text() for text in panel.texts if text.get_text()]
    assert words == f"d = {1e3 * jump.distance:.1f} mm"


# --- what is computed ----------------------------------------------------------------------------


def test_force_and_landing_carry_the_weight(jumps):
    """Momentum over the run: all impulses are its change and that of the weight."""
    jumped, machine = jumps.first, jumps.machine
    impulse = jumped.data["impulse"].sel(contact="hopper::P", axis=["n", "t"]).to_numpy()
    landing = MachineFeet(jumped.data, ["hopper::P"]).impact(_landing(jumped), 0)[:2]
    time, force = jumped.force
    spans = np.diff(jumped.time, prepend=np.nan)
    shown = np.isin(jumped.time, time) & (spans > 0.1 * STEP)
    assert shown.sum() == len(time)
    total = landing + np.nansum(force * spans[shown][:, None], axis=0)
    # what rows after next to no time have
    left_out = ~shown & (np.arange(len(shown)) != _landing(jumped))
    total += impulse[left_out].sum(axis=0)
    moved = machine.mass * (
        velocity(machine, jumped.states[:, -1], CG) - velocity(machine, jumped.states[:, 0], CG)
    )
    weight = np.array([machine.mass * machine.parameters.g * jumped.jump.end, 0.0])
    # rounding of some hundred rows
    np.testing.assert_allclose(total, moved[::-1] + weight, atol=1e-9)


def _landing(jumped):
    return jumped.jump.after[0].rows.start


def test_the_landing_alone_is_left_out_of_the_force():
    for jumped in read_jumps(_section("hybrid", "moreau")).runs:
        time, force = jumped.force
        lost = np.flatnonzero(np.isnan(force).any(axis=1))
        # of the hybrid engine no time passes in that row, so that there is nothing to leave out
        assert len(lost) == (0 if jumped.exact else 1)
        assert all(abs(time[row] - jumped.jump.impact) < STEP for row in lost)
        assert np.nanmax(force[:, 0]) < 30.0  # newton: five weights, not an impact over a step


def test_sliding_is_on_the_edge_of_the_cone_and_sticking_within_it(jumps):
    time, force = jumps.first.force
    mu = jumps.machine.parameters.mu
    for interval in jumps.first.jump.intervals:
        inside = (time > interval.start + STEP) & (time < interval.end - STEP)
        assert inside.any()
        ratio = np.abs(force[inside, 1]) / np.maximum(force[inside, 0], 1e-12)
        if interval.phase.value.startswith("slip"):
            # momenta of 1 N s within the integration's error, whose differences are 1e-3 N s
            assert ratio == pytest.approx(mu, rel=1e-6)
        elif interval.phase.value == "stick":
            assert ratio.max() < mu
        else:
            assert not force[inside].any()


def test_notes_tell_the_sequence_and_what_engines_of_steps_do():
    text = " ".join(REPORT.notes(read_jumps(_section("hybrid"))))
    for words in (
        "stick from 0.0000 to 0.0457 s",
        "flight from 0.0600 to 0.3541 s",
        "d = 125.418 mm",
        "of at least 1.08 at P; the ground has 0.3",
    ):
        assert words in text
    assert "Drake" not in text
    assert "Engines that step" not in text
    both = REPORT.notes(read_jumps(_section("hybrid", "moreau")))
    assert any("up to a step of 0.001 s late" in note for note in both)
