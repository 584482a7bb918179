"""The hopper's report: what its figures show, and that every kind of run has them."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from tests.scenario.runs import run

from footfall.machines.hopper.closed_form.model import CG, P, R
from footfall.machines.hopper.closed_form.points import position, velocity
from footfall.machines.hopper.report.curves import allowed, coordinates, torque
from footfall.machines.hopper.report.energy import energies
from footfall.machines.hopper.report.forces import forces
from footfall.machines.hopper.report.margins import LIMITS, closest, violated
from footfall.machines.hopper.report.page import figures, notes, tables
from footfall.machines.hopper.report.panels import _side_by_side, transitions
from footfall.machines.hopper.report.runs import instants, read_jumps
from footfall.machines.hopper.report.sticks import stick_figures
from footfall.registry.machines import machines
from footfall.report import Section, write_reports
from footfall.report import figure as figure_module
from footfall.report.machine_report import report_of
from footfall.report.stick_sequence import Skeleton
from footfall.scenario.io import load_scenario

NAME = "hopper/report"
STEP = 1e-3
OVER_TIME = (coordinates, forces, torque, allowed, energies)
PHASES = ["stick", "slip\N{MINUS SIGN}", "flight", "slip+", "Q lands"]


def _section(*engines, settings=(), name=NAME):
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return Section(name, load_scenario(name, settings), runs)


@pytest.fixture(scope="module")
def exact():
    return _section("hybrid")


@pytest.fixture(scope="module")
def both():
    return _section("hybrid", "moreau")


@pytest.fixture(scope="module")
def jumps(exact):
    return read_jumps(exact)


@pytest.fixture(scope="module")
def sticks(jumps):
    """The stick figures as matplotlib has them, drawn once: all in place, and one by one."""
    sheets = []

    def keep(sheet, **_):
        sheet.canvas.draw()
        sheets.append(sheet)
        return "data:,"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_module, "_embedded", keep)
        stick_figures(jumps)
    return sheets


def _texts(figure):
    """Texts around the panels and in them, but on axes, with the places in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    written = [text for panel in figure.axes for text in panel.texts if text.get_text()]
    return {text: text.get_window_extent(renderer) for text in written}


def _upright(panel):
    """Times of the dashed lines from the bottom of a panel to its top."""
    lines = [line for line in panel.lines if line.get_linestyle() != "-"]
    both_ends = [line.get_xdata() for line in lines if np.array_equal(line.get_ydata(), [0.0, 1.0])]
    return sorted({float(x[0]) for x in both_ends if x[0] == x[-1]})


@pytest.mark.usefixtures("plotted")
def test_the_page_has_the_tables_the_gravity_and_the_legend_of_the_paths(exact, tmp_path):
    page = tmp_path / "report.html"
    write_reports([exact], page)
    text = page.read_text(encoding="utf-8")
    for words in ("Balance of energy", "10 m/s²", "data-traces", "What is left of the limits"):
        assert words in text
    assert "are 0.1 m apart" in text  # marks on the ground, of so small a machine
    assert "largest torque asked for" in text  # its own words: other studies have a hip


# --- what is drawn -------------------------------------------------------------------------------


def test_the_report_has_its_figures_in_order(both):
    assert [one.title for one in figures(both)] == [
        "The jump: hybrid",
        "Instant by instant: hybrid",
        "Coordinates",
        "Force of the ground on P",
        "Torque",
        "What the task limits",
        "Where the energy goes",
        "Generalized positions",
        "Generalized velocities",
    ]
    assert [one.title for one in tables(both)] == [
        "The jump",
        "What is left of the limits: hybrid",
        "Balance of energy",
    ]
    assert report_of(machines()["hopper"]).figures is figures


@pytest.mark.parametrize("plot", OVER_TIME)
def test_phases_are_named_and_parted_in_every_figure_over_time(plot, jumps, plotted):
    plot(jumps)
    (figure,) = plotted
    assert [text.get_text() for text in figure.axes[0].texts] != []
    assert sorted(text.get_text() for text in figure.axes[0].texts) == sorted(PHASES)
    starts = [interval.start for interval in jumps.first.jump.intervals[1:]]
    for panel in figure.axes:
        assert _upright(panel) == pytest.approx([*starts, jumps.first.jump.end], abs=1e-12)
        assert panel.get_xlim()[0] == 0.0
        assert panel.get_xlim()[1] > jumps.first.jump.end
    assert "[s]" in figure.axes[-1].get_xlabel()
    for panel in figure.axes:
        assert "[" in panel.get_ylabel()  # a unit


@pytest.mark.parametrize("plot", OVER_TIME)
def test_nothing_that_is_written_is_clipped_or_covered(plot, jumps, drawn):
    plot(jumps)
    (figure,) = drawn
    places = _texts(figure)
    for box in places.values():
        assert box.x0 >= 0.0
        assert box.y0 >= 0.0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
    for one, other in combinations(places.values(), 2):
        assert not one.overlaps(other)
    legend = figure.legends[0].get_window_extent() if figure.legends else None
    assert legend is None or not any(legend.overlaps(box) for box in places.values())


def test_names_of_short_phases_stand_side_by_side():
    """Three phases within a moment, and one far from them."""
    labels = [("a", 1.000, 0.2), ("b", 1.001, 0.3), ("c", 1.01, 0.1), ("d", 3.0, 0.2)]
    places = _side_by_side(labels)
    ends = [(at - 0.5 * w, at + 0.5 * w) for at, (_, _, w) in zip(places, labels, strict=True)]
    for (_, one), (other, _) in pairwise(ends):
        assert one <= other + 1e-12
    assert places[3] == 3.0
    # those that touch stand about the middle of where they want to be
    assert 0.5 * (ends[0][0] + ends[2][1]) == pytest.approx(np.mean([1.0, 1.001, 1.01]))


def test_force_and_ratio_have_their_dashed_lines(jumps, plotted):
    forces(jumps)
    (figure,) = plotted
    mu = jumps.machine.parameters.mu

    def level(panel):
        flat = [line for line in panel.lines if np.array_equal(line.get_xdata(), [0.0, 1.0])]
        return sorted(float(line.get_ydata()[0]) for line in flat if line.get_linestyle() != "-")

    assert level(figure.axes[0]) == [0.0]
    assert level(figure.axes[-1]) == [-mu, mu]


def test_torque_stays_between_its_dashed_bounds(jumps, plotted):
    torque(jumps)
    (panel,) = plotted[0].axes
    bounds = [line.get_ydata()[0] for line in panel.lines if line.get_linestyle() != "-"]
    assert {10.0, -10.0} <= set(bounds)
    low, high = panel.get_ylim()
    assert low < -10.0
    assert high > 10.0


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
def test_a_run_that_ends_in_flight_has_fewer_instants():
    section = _section("hybrid", settings=("duration=0.2",))
    jumped = read_jumps(section).first
    assert [one.what for one in instants(jumped)] == ["start", "separation", "end of the run"]
    assert len(figures(section)) == 9
    told = " ".join(notes(section))
    assert "no valid jump: P does not land in this run" in told


def test_links_are_as_long_as_they_are_and_nowhere_underground(jumps, sticks):
    length = 2.0 * jumps.machine.parameters.l
    links = Skeleton(jumps.section.robot.model).links
    whole, strip = sticks
    count = 0
    for panel in (*whole.axes, *strip.axes):
        assert panel.get_aspect() == 1.0
        for posture in panel.collections:
            lines = posture.get_segments() if isinstance(posture, LineCollection) else ()
            assert len(lines) in (0, len(links))
            for ends in lines:
                assert np.linalg.norm(np.diff(ends, axis=0)) == pytest.approx(length)
                # the event-driven engine finds landings to a rounding
                assert ends[:, 1].min() > -1e-9
                low, high = panel.get_ylim()
                assert low < ends[:, 1].min()
                assert high > ends[:, 1].max()
                count += 1
    assert count == 2 * 2 * 8


def test_the_dimension_line_is_as_long_as_the_jump(jumps, sticks):
    panel = sticks[0].axes[0]
    jump = jumps.first.jump
    upright = [
        line.get_xdata()[0]
        for line in panel.lines
        if len(line.get_xdata()) == 2 and line.get_xdata()[0] == line.get_xdata()[1]
    ]
    assert sorted(upright) == [jump.x_start, jump.x_end]
    (told,) = [text.get_text() for text in panel.texts if text.get_text()]
    assert told == f"d = {1e3 * jump.distance:.1f} mm"


def test_names_of_the_points_are_inside_their_panels(sticks):
    strip = sticks[1]
    for text, box in _texts(strip).items():
        inside = text.axes.get_window_extent()
        assert inside.x0 <= box.x0
        assert box.x1 <= inside.x1
        assert inside.y0 <= box.y0
        assert box.y1 <= inside.y1
    titles = [panel.get_title() for panel in strip.axes]
    assert titles[1].startswith("separation\n")
    assert titles[4].startswith("P lands\n")
    assert titles[7].startswith("Q lands\n")


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


def test_the_landing_alone_is_left_out_of_the_force(both):
    for jumped in read_jumps(both).runs:
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


def test_works_add_up_to_the_energy(both):
    for jumped in read_jumps(both).runs:
        friction, impacts = jumped.losses()
        assert (np.diff(friction) <= 1e-12).all()
        assert (np.diff(impacts) <= 1e-12).all()
        rows = jumped.shown
        gained = (jumped.data["kinetic_energy"] + jumped.data["potential_energy"]).to_numpy()
        works = jumped.data["actuator_work"].to_numpy() + friction + impacts
        off = np.abs(gained - gained[0] - works)[rows][:-2].max()
        # rounding; of steps of a millisecond about their number's share of a joule
        assert off < (1e-10 if jumped.exact else 5e-3)
        row = int(np.flatnonzero(jumped.in_impact)[0])
        drop = np.diff(jumped.data["kinetic_energy"].to_numpy())[row - 1]
        if jumped.exact:
            assert impacts[-1] == pytest.approx(drop, rel=1e-9)


def test_the_line_PR_is_where_its_margin_says(jumps):
    """By the places of P and R, which the margin never uses."""
    jumped, machine = jumps.first, jumps.machine
    x, y = position(machine, jumped.x, R) - position(machine, jumped.x, P)
    lean = np.arctan2(-x, y)  # from the vertical, positive backward
    nearest = np.radians(60.0) - np.abs(lean[jumped.shown]).max()
    (line, *_) = closest(jumped)
    assert line.limit is LIMITS["PR_backward"]
    assert line.left == pytest.approx(nearest, abs=1e-12)
    assert violated(jumped) == []


def test_margins_of_every_phase_are_in_the_table(exact, jumps):
    table = tables(exact)[1]
    assert len(table.headings) == 2 + len(jumps.first.jump.intervals)
    assert [row[0] for row in table.rows] == [limit.name for limit in LIMITS.values()]
    angle = dict(zip(table.headings, table.rows[5], strict=True))
    (stick,) = [text for heading, text in angle.items() if heading.startswith("stick")]
    assert stick == "72"  # it starts at -108 degrees, 72 from -180, and opens


def test_transitions_are_the_starts_of_phases_and_the_end(jumps):
    jumped = jumps.first
    found = transitions(jumped)
    assert len(found) == 4
    assert found[-1] == jumped.jump.end
    assert (np.diff(found) > 0.0).all()


# --- what is told --------------------------------------------------------------------------------


def test_notes_tell_the_sequence_and_where_the_published_distance_comes_from(exact):
    told = " ".join(notes(exact))
    for words in (
        "stick from 0.0000 to 0.0457 s",
        "flight from 0.0600 to 0.3541 s",
        "d = 125.418 mm",
        "quotes d = 133.6 mm",
        "131.7 mm",
        "133.6 mm. That this is where the quoted number comes from is an inference",
        "All are kept",
        "of at least 1.08 at P; the ground has 0.3",
    ):
        assert words in told
    assert "Drake" not in told
    assert "Engines that step" not in told


def test_other_inputs_have_nothing_to_do_with_the_published_distance():
    section = _section("hybrid", settings=("initial.positions.theta2=-1.88",))
    assert not any("published" in note for note in notes(section))


def test_notes_tell_what_engines_of_steps_do(both):
    assert any("up to a step of 0.001 s late" in note for note in notes(both))


@pytest.mark.slow
def test_a_hopper_that_stands_has_its_figures():
    section = _section("hybrid", name="hopper/rest", settings=("duration=0.05",))
    assert len(figures(section)) == 9
    assert "P never flies" in " ".join(notes(section))
    assert [row[-1] for row in tables(section)[0].rows] == ["P never flies"]
