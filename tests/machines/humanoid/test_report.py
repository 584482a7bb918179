"""The humanoid's report: what its figures, table and words say, by arrays that they do not use."""

import dataclasses

import numpy as np
import pytest
from tests.scenario.runs import run

from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.report.page import (
    by_phase,
    demands,
    figures,
    joint_angles,
    notes,
    phases,
    pressure_over_sole,
    snapshots,
    tables,
    tracked_point,
    verdict,
)
from footfall.machines.humanoid.report.runs import (
    change_table,
    demand_table,
    load_table,
    read_humanoid,
)
from footfall.registry.machines import get_machine
from footfall.report.bands import marking, phase_bands
from footfall.report.machine_report import report_of
from footfall.report.section import Section
from footfall.scenario.io import load_scenario

OPC, TWO_CYCLES = "humanoid/opc", ("duration=2.8",)
HELD, MOMENT = "humanoid/held_foot", ("duration=0.02",)

pytestmark = pytest.mark.usefixtures("plotted")


@pytest.fixture(scope="module")
def section():
    """Two gait cycles, and the beginning of the same walk by Drake's equations."""
    whole = run(OPC, "closed-form", *TWO_CYCLES)
    short = run(OPC, "hybrid", "duration=0.3")
    runs = {"closed-form": whole, "hybrid": short}
    return Section(OPC, load_scenario(OPC, TWO_CYCLES), runs)


@pytest.fixture(scope="module")
def runs(section):
    return read_humanoid(section)


@pytest.fixture(scope="module")
def walk(runs):
    return runs.first


@pytest.fixture(scope="module")
def cycles(runs):
    return runs.of(one.part(one.shown) for one in runs.runs)


# --- what is read --------------------------------------------------------------------------------


def test_phases_follow_each_other_without_gaps(walk):
    rows = np.concatenate([np.arange(len(walk.time))[each.rows] for each in walk.phases])
    np.testing.assert_array_equal(rows, np.arange(len(walk.time)))
    for one, other in zip(walk.phases, walk.phases[1:], strict=False):
        assert one.phase.following == other.phase
        assert one.end == other.begin
    # the record of the changes of phase tells the same
    begins = [each.begin for each in walk.phases[1:]]
    np.testing.assert_allclose(begins, walk.data["change_time"], atol=1e-9)


def test_the_second_cycle_is_the_second(walk):
    assert [each.phase for each in walk.second_cycle] == list(GaitPhase)
    before = [each for each in walk.phases if each.end <= walk.second_cycle[0].begin]
    assert [each.phase for each in before] == list(GaitPhase)
    assert walk.time[walk.shown][-1] == walk.second_cycle[-1].end


def test_without_a_whole_cycle_there_is_what_there_is(runs):
    short = runs.runs[1]
    assert [each.phase for each in short.second_cycle] == [
        GaitPhase.LEFT_DOUBLE,
        GaitPhase.LEFT_SINGLE,
    ]
    assert short.shown == slice(0, len(short.time))


# --- figures -------------------------------------------------------------------------------------


def _line(panel, label):
    (line,) = (one for one in panel.lines if one.get_label() == label)
    return line


def test_points_and_references_are_those_of_the_run(cycles, walk, plotted):
    for index in range(3):
        tracked_point(cycles, index)
    height = plotted[0].axes[2]
    shown = walk.data["tracked_point"].to_numpy()[walk.shown, 0, 2]
    np.testing.assert_allclose(_line(height, "closed-form").get_ydata(), 1e3 * shown)
    # the straight line of the thesis is 80 cm up
    np.testing.assert_allclose(_line(height, "reference").get_ydata(), 800.0)
    # the first heel to swing is the right one, in single support alone
    side = _line(plotted[2].axes[1], "closed-form").get_ydata()
    assert np.isnan(side[: walk.phases[0].rows.stop]).all()
    np.testing.assert_allclose(side[walk.phases[1].rows], -152.8, atol=0.1)


def test_snapshots_have_the_robot_s_size_from_both_sides(runs, plotted):
    found = snapshots(runs)
    side, front = plotted
    assert found[0].title.startswith("Figure 5.3")
    assert "seen along y" in found[0].alt
    assert "seen along x" in found[1].alt
    assert side.axes[0].get_xlabel() == "x [m]"
    panels = [panel for panel in front.axes if panel.get_visible()]
    assert len(panels) == 8
    assert panels[-1].get_xlabel() == "y [m]"
    assert panels[1].get_title().startswith("left single")
    for panel in panels:
        low, high = panel.get_ylim()
        assert low < 0.0
        assert 1.59 < high < 1.8  # 1.60 m from sole to head


def test_angles_are_in_degrees_and_have_a_joint_each(runs, walk, plotted):
    joint_angles(runs)
    right, left = plotted
    for figure, side in ((right, "right"), (left, "left")):
        (panel,) = (one for one in figure.axes if one.get_ylabel() == "knee [deg]")
        shown = np.degrees(walk.data["q"].sel(position=f"{side}_knee").to_numpy()[walk.shown])
        np.testing.assert_allclose(_line(panel, "closed-form").get_ydata(), shown)


def test_double_supports_are_marked_and_named_in_every_figure_of_two_cycles(cycles, walk, plotted):
    with marking(phase_bands(phases(cycles.of([walk])))):
        demands(cycles)
    (figure,) = plotted
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named[-2:] == ["left foot flat, double support", "right foot flat, double support"]
    doubles = [each for each in walk.phases[:8] if each.phase.is_double]
    edges = {round(end, 9) for each in doubles for end in (each.begin, each.end)}
    for panel in figure.axes:
        corners = [path.vertices[:, 0] for each in panel.collections for path in each.get_paths()]
        corners += [patch.get_path().vertices[:, 0] for patch in panel.patches]
        assert {round(float(x), 9) for each in corners for x in each} == edges


def test_torques_begin_with_double_support_and_lie_in_their_phase(runs, walk, plotted):
    by_phase(runs)
    figure = plotted[0]
    titles = [panel.get_title() for panel in figure.axes]
    assert titles[0] == "left leg: left foot flat, double support"
    assert titles[-1] == "right leg: right foot flat, single support"
    at = walk.second_cycle[3]
    knee = _line(figure.axes[-1], "knee")
    torque = walk.data["actuation"].sel(actuator="right_knee").to_numpy()[at.rows]
    np.testing.assert_array_equal(knee.get_ydata(), torque)
    assert knee.get_xdata()[0] == pytest.approx(0.0, abs=1e-9)


def test_loads_of_joints_lie_in_their_phase_and_leave_the_motor_out(runs, walk, plotted):
    by_phase(runs)
    forces, moments = plotted[2:]
    at = walk.second_cycle[3]
    carried = walk.data["joint_reaction"].sel(joint="right_knee").to_numpy()[at.rows]
    mx, _, mz, *force = carried.T  # a knee turns about y
    knee = _line(forces.axes[-1], "knee").get_ydata()
    np.testing.assert_allclose(knee, np.sqrt(np.sum(np.square(force), axis=0)))
    np.testing.assert_allclose(_line(moments.axes[-1], "knee").get_ydata(), np.hypot(mx, mz))
    # the trunk stays level: on one foot its hip carries all that is above and hangs from it
    hip = _line(forces.axes[-1], "hip").get_ydata()
    above = 56.0 * (1.0 - 0.1 - 0.0465 - 0.0145) * 9.81
    assert np.median(hip) == pytest.approx(above, rel=0.05)


def test_the_table_of_loads_has_the_metrics_among_its_largest(section, runs):
    table = load_table(runs)
    own = {row[1]: row[2:] for row in table.rows if row[0] == "closed-form"}
    assert len(own) == 12
    found = section.runs["closed-form"].metrics
    for joint in ("hip", "knee", "ankle", "toe"):
        of_joint = [row for name, row in own.items() if joint in name]
        for column, kind in ((2, "force"), (5, "moment")):
            largest = max(float(row[column]) for row in of_joint)
            assert largest == pytest.approx(found[f"{joint}_{kind}"], rel=5e-3)
    # a foot in the air hangs by its ankle; its toe weighs next to nothing
    assert float(own["left toe"][0]) < 0.1


def test_both_parts_carry_the_weight_in_the_mean(runs, plotted):
    by_phase(runs)
    figure = plotted[1]
    shown = [panel for panel in figure.axes if panel.get_visible()]
    assert len(shown) == 6  # a toe has a panel in double support only
    single = next(p for p in shown if p.get_title().endswith("left foot flat, single support"))
    up = _line(single, "z up").get_ydata()
    # the trunk stays level, only a leg rises and falls
    assert np.mean(up) == pytest.approx(56.0 * 9.81, rel=0.03)


def test_centres_of_pressure_are_drawn_over_a_sole_of_the_model_s_size(runs, plotted):
    found = pressure_over_sole(runs)
    foot, toe = plotted[0].axes
    (sole,) = foot.patches
    assert np.ptp(sole.get_xy(), axis=0) == pytest.approx([(152.0 + 30.0) * 1.6, 55.0 * 1.6])
    ahead = np.concatenate([line.get_xdata() for line in toe.lines])
    assert (ahead < 0.0).all()  # the tip would be lifted off
    assert "0% of the toe's" in found.note


def test_the_largest_power_is_that_of_the_metrics(section, cycles, plotted):
    demands(cycles)
    power = plotted[0].axes[3].lines[0].get_ydata()
    last = section.runs["closed-form"].metrics["peak_power"]
    assert power[np.isfinite(power)].max() >= last - 1e-9


# --- table and words -----------------------------------------------------------------------------


def test_the_table_tells_the_changes_and_names_the_joint(runs, walk):
    table = change_table(runs)
    own = [row for row in table.rows if row[0] == "closed-form"]
    assert len(own) == min(len(walk.data["change_time"]), 8) + (len(walk.data["change_time"]) > 8)
    first = own[0]
    assert first[2] == "left single"
    assert first[3].endswith(", right toe")
    # the sole that lands is made level: its ankle turns by all that it was inclined
    landing, at = own[1], walk.phases[2].rows.start
    ankle = np.degrees(walk.data["q"].sel(position="right_ankle_pitch").to_numpy())
    angle, joint = landing[3].split(", ")
    assert joint == "right ankle pitch"
    assert float(angle) == pytest.approx(ankle[at] - ankle[at - 1], abs=1.0)


def test_verdict_and_table_tell_why_ground_could_not_hold_it(runs, walk):
    told = verdict(walk)
    assert "physically impossible at every moment" in told
    assert "beside the middle of a sole that is 88 mm wide" in told
    assert notes(runs)[2:4] == [told, verdict(runs.runs[1])]
    asked = {row[1:3]: row[3:] for row in demand_table(runs).rows if row[0] == walk.name}
    outside = "the centre of pressure is outside of what touches"
    flags = walk.audit.outside[:, 0]
    at = walk.time[flags][0]
    assert asked["flat foot", outside] == (f"{100.0 * flags.mean():.3g}", f"{at:.2f}")
    # the torque of the toe turns its tip upwards in all of the double supports
    assert (
        asked["toe behind", "the ground would have to pull at the end that is lifted"][0] == "100"
    )


def test_a_walk_that_ground_can_carry_is_called_so(walk):
    audit = walk.audit
    good = audit._replace(
        outside=np.zeros_like(audit.outside), possible=np.ones_like(audit.possible)
    )
    carried = dataclasses.replace(walk)
    carried.__dict__["audit"] = good
    assert verdict(carried).endswith("can give all that the walk takes.")
    late = audit._replace(possible=np.arange(len(walk.time)) < 50)
    carried.__dict__["audit"] = late
    assert f"first at {walk.time[50]:.2f} s" in verdict(carried)
    # with the centre of pressure on the sole nothing falls to the side
    assert "beside the middle" in verdict(carried)
    carried.__dict__["audit"] = late._replace(pressure=np.zeros_like(audit.pressure))
    assert "beside the middle" not in verdict(carried)


# --- the page ------------------------------------------------------------------------------------


def test_the_page_has_the_figures_of_chapter_5_in_their_order(runs):
    assert report_of(get_machine("humanoid")).figures is figures
    found = figures(runs)
    numbers = [one.title.partition(":")[0] for one in found if one.title.startswith("Figure")]
    assert numbers == [
        "Figure 5.1",
        "Figure 5.2",
        "Figure 5.3",
        "Figure 5.4",
        "Figure 5.5",
        "Figure 5.6",
        "Figures 5.7 to 5.14",
        "Figures 5.15 to 5.18",
    ]
    assert all(one.alt.endswith(".") and one.note.endswith(".") for one in found)
    titles = [table.title for table in tables(runs)]
    assert titles[1:] == ["Changes of phase", "Largest reactions in the joints"]
    assert len(notes(runs)) == 6


def test_a_figure_has_one_legend(runs, plotted):
    assert figures(runs)
    assert max(len(each.legends) for each in plotted) == 1


def test_a_page_says_that_the_toe_is_tracked_which_the_thesis_does_not(runs):
    settings = ("duration=0.02", "controller.track_toe=true")
    tracked = Section(
        OPC, load_scenario(OPC, settings), {"closed-form": run(OPC, "closed-form", *settings)}
    )
    assert "by a sixth command" in notes(read_humanoid(tracked))[1]
    assert not any("sixth command" in note for note in notes(runs))


def test_an_animation_names_the_phase(runs, walk):
    named = [(each.begin, each.name) for each in phases(runs)]
    changes = walk.data["change_time"].to_numpy()
    assert named[0] == (0.0, "left foot flat, double support")
    assert len(named) == len(changes) + 1
    np.testing.assert_allclose([begin for begin, _ in named[1:]], changes, atol=1e-9)
    assert named[2][1] == "right foot flat, double support"


def test_an_engine_without_phases_has_a_page_without_them():
    scenario = load_scenario(HELD, MOMENT)
    held = read_humanoid(Section(HELD, scenario, {"moreau": run(HELD, "moreau", *MOMENT)}))
    titles = [one.title for one in figures(held)]
    assert titles[0] == "Snapshots from the side"
    assert "Angles of the left leg" in titles
    assert not [title for title in titles if title.startswith("Figure")]
    assert tables(held) == []
    assert phases(held) == []
    assert len(notes(held)) == 1


def test_a_walk_beside_an_engine_without_phases_has_all_its_figures():
    both = {engine: run(HELD, engine, *MOMENT) for engine in ("moreau", "closed-form")}
    beside = read_humanoid(Section(HELD, load_scenario(HELD, MOMENT), both))
    titles = [one.title for one in figures(beside)]
    assert {"What the walk asks of ground and motors", "Generalized positions"} <= set(titles)
    assert {row[0] for row in load_table(beside.of(beside.runs[1:])).rows} == {"closed-form"}
    assert [table.title for table in tables(beside)][-1] == "Largest reactions in the joints"
    assert any(note.startswith("closed-form: the walk is") for note in notes(beside))
