"""The hopper's report: what its figures show, and what its notes tell."""

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.hopper.closed_form.model import CG
from footfall.machines.hopper.closed_form.points import velocity

from footfall.machines.hopper.report.page import figures, notes
from footfall.machines.hopper.report.runs import instants, read_jumps
from footfall.machines.hopper.report.sticks import stick_figures
from footfall.registry.machines import machines
from footfall.report import Section
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
    section = _section("hybrid", "moreau")
    assert [one.title for one in figures(section)] == [
        "The jump: hybrid",
        "Instant by instant: hybrid",
        "Coordinates",
        "Force of the ground on P",
        "Generalized positions",
        "Generalized velocities",
    ]
    assert report_of(machines()["hopper"]).figures is figures
    mu, panel = 0.3, plotted[3].axes[-1]
    flat = [line for line in panel.lines if np.array_equal(line.get_xdata(), [0.0, 1.0])]
    edges = [float(line.get_ydata()[0]) for line in flat if line.get_linestyle() != "-"]
    assert sorted(edges) == [-mu, mu]


@pytest.mark.parametrize("plot", [coordinates, forces])
def test_phases_are_named_in_the_legend_and_parted(plot, jumps, plotted):
    plot(jumps)
    (figure,) = plotted
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert set(PHASES) <= set(named)
    starts = [interval.start for interval in jumps.first.jump.intervals[1:]]
    for panel in figure.axes:
        dashed = [line for line in panel.lines if line.get_linestyle() != "-"]
        upright = {
            float(line.get_xdata()[0])
            for line in dashed
            if np.array_equal(line.get_ydata(), [0.0, 1.0])
        }
        assert sorted(upright) == pytest.approx([*starts, jumps.first.jump.end], abs=1e-12)
        assert panel.get_xlim()[0] == 0.0
        assert panel.get_xlim()[1] > jumps.first.jump.end


# --- stick figures -------------------------------------------------------------------------------


def test_there_are_eight_instants_in_equal_parts_of_the_phases(jumps):
    times = [instant.time for instant in instants(jumps.first)]
    jump = jumps.first.jump
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
    section = _section("hybrid", settings=(f"duration={duration}",), name=name)
    assert [one.what for one in instants(read_jumps(section).first)] == moments
    assert len(figures(section)) == 6
    assert f"no valid jump: {why}" in " ".join(notes(section))


def test_links_are_as_long_as_they_are_and_the_dimension_line_as_the_jump(jumps, plotted):
    stick_figures(jumps)
    length, jump = 2.0 * jumps.machine.parameters.l, jumps.first.jump
    links = Skeleton(jumps.section.robot.model).links
    count = 0
    for panel in (panel for figure in plotted for panel in figure.axes):
        for link in (line.get_xydata() for line in panel.lines if line.get_linewidth() == 2.2):
            assert np.linalg.norm(link[1] - link[0]) == pytest.approx(length)
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
    last = jumped.shown.stop - 1
    impulse = jumped.data["impulse"].sel(contact="hopper::P", axis=["t", "n"]).to_numpy()
    landing = impulse[np.flatnonzero(jumped.in_impact)].sum(axis=0)
    time, force = jumped.force()
    spans = np.diff(jumped.time)
    spans = spans[spans > STEP * 1e-3]
    assert len(spans) == len(time)
    total = landing + np.nansum(force * spans[:, None], axis=0)
    moved = machine.mass * (
        velocity(machine, jumped.x[:, last], CG) - velocity(machine, jumped.x[:, 0], CG)
    )
    weight = np.array([0.0, machine.mass * machine.parameters.g * jumped.end])
    # rounding of some hundred rows
    np.testing.assert_allclose(total, moved + weight, atol=1e-9)


def test_the_landing_alone_is_left_out_of_the_force():
    for jumped in read_jumps(_section("hybrid", "moreau")).runs:
        _, force = jumped.force()
        lost = np.flatnonzero(jumped.in_impact)
        assert len(lost) == 1
        assert abs(jumped.time[lost[0]] - jumped.jump.impact) < STEP
        # of the hybrid engine no time passes in that row, so that there is nothing to leave out
        assert np.isnan(force).any(axis=1).sum() == (0 if jumped.exact else 1)
        assert np.nanmax(force[:, 1]) < 30.0  # newton: five weights, not an impact over a step


def test_sliding_is_on_the_edge_of_the_cone_and_sticking_within_it(jumps):
    time, force = jumps.first.force()
    mu = jumps.machine.parameters.mu
    for interval in jumps.first.jump.intervals:
        inside = (time > interval.start + STEP) & (time < interval.end - STEP)
        assert inside.any()
        ratio = np.abs(force[inside, 0]) / np.maximum(force[inside, 1], 1e-12)
        if interval.phase.value.startswith("slip"):
            # momenta of 1 N s within the integration's error, whose differences are 1e-3 N s
            assert ratio == pytest.approx(mu, rel=1e-6)
        elif interval.phase.value == "stick":
            assert ratio.max() < mu
        else:
            assert not force[inside].any()


def test_notes_tell_the_sequence_and_what_engines_of_steps_do():
    text = " ".join(notes(_section("hybrid")))
    for words in (
        "stick from 0.0000 to 0.0457 s",
        "flight from 0.0600 to 0.3541 s",
        "d = 125.418 mm",
        "of at least 1.08 at P; the ground has 0.3",
    ):
        assert words in text
    assert "Drake" not in text
    assert "Engines that step" not in text
    both = notes(_section("hybrid", "moreau"))
    assert any("up to a step of 0.001 s late" in note for note in both)
