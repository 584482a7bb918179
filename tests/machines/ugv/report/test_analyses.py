"""The pages of the vehicle's analyses: that figures, tables and words say what the arrays say."""

import numpy as np
import pytest
from matplotlib.collections import FillBetweenPolyCollection, QuadMesh
from tests.machines.ugv.scenarios import analyse, pairs

from footfall.machines.ugv.report.leg_angles import leg_angles_contents
from footfall.machines.ugv.report.passages import figures_in, runs, track_of
from footfall.machines.ugv.report.torque_curves import ugv_curves_contents
from footfall.machines.ugv.report.torque_map import torque_map_contents
from footfall.report.wording import MINUS, NONE

# those that look at what is drawn alone ask for it
pytestmark = pytest.mark.usefixtures("plotted")

FEW = "analysis.stations=60"


@pytest.fixture(scope="module")
def steep():
    """Pairs on a steep bump, some of which do not pass."""
    return analyse("steep_angles", "analysis.stations=120")


@pytest.fixture(scope="module")
def chart():
    """A map of which some points do not pass."""
    return analyse("steep_map", "analysis.stations=12", "analysis.angles=9")


@pytest.fixture(scope="module")
def best():
    """Best angles of the document's bump, on a coarse grid."""
    few = ("analysis.stations=16", "analysis.angles=8", "analysis.iterations=20")
    return analyse("optimum", *few)


# --- curves --------------------------------------------------------------------------------------


def test_lines_are_the_torques_and_dotted_where_it_does_not_pass(steep, drawn):
    ugv_curves_contents(steep.data, steep.metrics)
    data, panel = steep.data, drawn[0].axes[0]
    lines = [one for one in panel.lines if len(one.get_xdata()) == data.sizes["station"]]
    assert len(lines) == data.sizes["angles"]
    for k, line in enumerate(lines):
        passes = data["outcome"].to_numpy()[k] == 0
        shown = line.get_ydata()
        assert np.array_equal(np.isfinite(shown), passes)
        np.testing.assert_array_equal(shown[passes], data["torque"].to_numpy()[k, passes])
    dotted = [one for one in panel.lines if one not in lines and len(one.get_xdata()) > 2]
    assert len(dotted) == sum(len(runs(row != 0)) for row in data["outcome"].to_numpy())
    assert panel.get_legend_handles_labels()[1][0] == "90° / 90°"


def test_panels_are_in_the_units_of_their_labels(steep, plotted):
    ugv_curves_contents(steep.data, steep.metrics)
    axes = {panel.get_ylabel(): panel for panel in plotted[1].axes}
    k, place = 1, 40  # a pair that passes
    for label, name, factor in (
        ("least normal force [kN]", "min_normal", 1e-3),
        ("pitch, front up [deg]", "pitch", 180.0 / np.pi),
        ("rear leg [kN m]", "leg_r", 1e-3),
        ("clearance [m]", "clearance", 1.0),
    ):
        (line,) = (one for one in axes[label].lines if one.get_label() == "115° / 115°")
        expected = factor * float(steep.data[name][k, place])
        assert line.get_ydata()[place] == pytest.approx(expected, rel=1e-12)


def test_the_table_tells_what_becomes_of_each_pair(steep):
    contents = ugv_curves_contents(steep.data, steep.metrics)
    (table,) = contents.tables
    fates = [row[-1] for row in table.rows]
    assert fates[0].startswith("slips from 3.8")
    assert fates[3].startswith("bottoms from 4.5")
    assert [fates[k] for k in (1, 2, 4, 5)] == ["passes"] * 4
    assert contents.notes[-1].startswith("Of 6 pairs, 2 do not pass on a ground of friction 0.6")
    assert not any("figure is lost" in note for note in contents.notes)
    assert contents.figures[0].title == "Torque, for angles that stay"


def test_the_document_s_figure_has_its_number_and_what_was_assumed():
    found = analyse("static_angles", FEW)
    contents = ugv_curves_contents(found.data, found.metrics)
    assert contents.figures[0].title.startswith("Figure 24")
    assert "figure is lost" in contents.notes[0]
    assert contents.notes[-1].startswith("Nothing slips, rolls over")
    assert "Dotted" not in contents.figures[0].note


def test_a_wheel_that_lifts_off_has_a_dash_for_friction():
    high = "analysis.track=!Bump {height: 1.0}"
    found = analyse("steep_angles", FEW, high, pairs((80.0, 80.0)))
    saved = {
        name: [np.nan] if name == "required_friction" else x for name, x in found.metrics.items()
    }
    (table,) = ugv_curves_contents(found.data, saved).tables
    assert table.rows[0][5] == NONE
    assert "rolls over from" in table.rows[0][-1]
    assert table.rows[0][6].startswith(MINUS)


def test_vehicles_are_drawn_where_their_torque_is_largest(steep, plotted):
    ugv_curves_contents(steep.data, steep.metrics)
    panels = [panel for panel in plotted[2].axes if panel.get_visible()]
    assert len(panels) == steep.data.sizes["angles"]
    torque = steep.data["torque"].to_numpy()
    for k, panel in enumerate(panels):
        row = steep.data.isel(angles=k, station=int(torque[k].argmax()))
        (figure,) = figures_in(row)
        assert figure.wheel_f.real == pytest.approx(float(row["station"]))
        for wheel in (figure.wheel_r, figure.wheel_f):
            ground = steep.data["ground_x"].to_numpy() + 1j * steep.data["ground_z"].to_numpy()
            # points of the ground are 4 cm apart: the nearest is (2 cm)^2 / 2r too far at most
            assert np.abs(ground - wheel).min() == pytest.approx(0.3, abs=1e-3)
        begin, end = panel.get_xlim()
        assert begin < figure.wheel_r.real - 0.3 < figure.wheel_f.real + 0.3 < end
        assert f"{torque[k].max():.3g} N m" in panel.get_title(loc="left")


def test_the_track_that_is_drawn_has_its_walls():
    stairs = "analysis.track=!Steps {places: [3.5, 4.5], heights: [0.1, -0.05]}"
    data = analyse("static_angles", FEW, stairs, pairs((115.0, 115.0))).data
    track = track_of(data)
    assert track.joints.tolist() == [3.5, 4.5]
    x = np.array([3.4, 3.6, 4.4, 4.6])
    np.testing.assert_allclose(track.profile(x).height, [0.0, 0.1, 0.1, 0.05], atol=1e-12)


def test_runs_of_flags():
    assert runs([False, True, True, False, True]) == [(1, 2), (4, 4)]
    assert runs([False, False]) == []


# --- the map -------------------------------------------------------------------------------------


def test_slices_are_the_map_in_one_scale_of_colours(chart, drawn):
    torque_map_contents(chart.data, chart.metrics)
    data = chart.data
    panels = [panel for panel in drawn[0].axes if panel.get_title(loc="left")]
    assert len(panels) == 8
    stations = {f"{s:.2f} m": k for k, s in enumerate(data["station"].to_numpy())}
    limits = set()
    for panel in panels:
        one = data.isel(station=stations[panel.get_title(loc="left")])
        (mesh,) = (part for part in panel.collections if isinstance(part, QuadMesh))
        shown = np.ma.filled(mesh.get_array(), np.nan).reshape(one["torque"].shape)
        passes = one["outcome"].to_numpy() == 0
        np.testing.assert_array_equal(np.isfinite(shown), passes)
        np.testing.assert_array_equal(shown[passes], one["torque"].to_numpy()[passes])
        limits.add(mesh.get_clim())
        hatched = [
            part for part in panel.collections if isinstance(part, FillBetweenPolyCollection)
        ]
        assert len(hatched) == int((~passes).sum())
        # rows are the rear leg, which is the axis upwards
        corners = mesh.get_coordinates()
        assert np.ptp(corners[0, :, 0]) > np.ptp(corners[0, :, 1]) == 0.0
    ((low, high),) = limits
    assert low == -high


def test_hatches_lie_on_the_cells_that_fail(chart, plotted):
    torque_map_contents(chart.data, chart.metrics)
    panel = next(panel for panel in plotted[0].axes if panel.get_title(loc="left"))
    s = float(panel.get_title(loc="left").removesuffix(" m"))
    one = chart.data.sel(station=s, method="nearest")
    middles = {
        tuple(np.round(part.get_paths()[0].get_extents().get_points().mean(axis=0), 6))
        for part in panel.collections
        if isinstance(part, FillBetweenPolyCollection)
    }
    rear, front = np.degrees(one["phi_r"].to_numpy()), np.degrees(one["phi_f"].to_numpy())
    failing = np.argwhere(one["outcome"].to_numpy() != 0)
    assert middles == {(round(front[j], 6), round(rear[i], 6)) for i, j in failing}


def test_the_bounds_are_drawn_and_told(chart, plotted):
    contents = torque_map_contents(chart.data, chart.metrics)
    lines = {one.get_label(): one.get_ydata() for one in plotted[1].axes[0].lines}
    np.testing.assert_array_equal(lines["largest and smallest"], chart.data["highest_torque"])
    np.testing.assert_array_equal(np.abs(lines["of least size"]), chart.data["least_effort"])
    assert any(label.startswith("best angles that stay") for label in lines)
    assert "N m there at best" in contents.notes[1]


def test_a_map_on_which_nothing_passes_says_so():
    found = analyse("steep_map", "analysis.stations=8", "analysis.angles=5", "friction=1.0e-9")
    contents = torque_map_contents(found.data, found.metrics)
    assert contents.notes[0].startswith("At some place no angles of the map pass")
    assert contents.tables[0].rows[3][4] == NONE


# --- the best angles -----------------------------------------------------------------------------


def test_the_page_draws_the_angles_in_degrees_and_the_torque(best, drawn):
    contents = leg_angles_contents(best.data, best.metrics)
    angles, torque = drawn[0].axes
    data = best.data
    drawn_angles = [one.get_ydata() for one in angles.lines]
    count = data.sizes["path"]
    for k in range(count):
        for place, name in enumerate(("phi_r", "phi_f")):
            expected = np.degrees(data[name].to_numpy()[k])
            np.testing.assert_array_equal(drawn_angles[2 * k + place], expected)
    told = {one.get_label(): one.get_ydata() for one in torque.lines}
    np.testing.assert_array_equal(told["refined"], data["torque"].sel(path="refined"))
    np.testing.assert_array_equal(told["angles that stay"], data["torque"].sel(path="fixed"))
    assert contents.figures[0].title.startswith("Figure 25a")
    assert contents.figures[2].title.startswith("Figure 25b")


def test_the_table_has_a_row_a_path_and_the_bound_below(best):
    (table,) = leg_angles_contents(best.data, best.metrics).tables
    assert len(table.rows) == best.data.sizes["path"] + 1
    assert {len(row) for row in table.rows} == {len(table.headings)}
    value = best.metrics["criterion_values"][-1]
    assert float(table.rows[-2][1]) == pytest.approx(value, rel=1e-3)
    assert value >= np.ptp(best.data["torque"].to_numpy()[-1])  # of the stations alone
    assert table.rows[-1][0] == "no path beats"
    assert float(table.rows[-1][1]) < float(table.rows[-2][1])


def test_a_path_that_breaks_a_limit_says_which(best):
    data = best.data.copy()
    faults = data["fault"].to_numpy().astype(object)
    faults[0] = "a wheel slips at s = 3.000 m"
    data["fault"] = ("path", faults)
    (table,) = leg_angles_contents(data, {}).tables
    assert table.rows[0][-1] == "a wheel slips at s = 3.000 m"


def test_another_criterion_is_no_figure_of_the_document(best):
    data = best.data.assign_attrs(criterion="energy")
    contents = leg_angles_contents(data, {})
    assert not any("Figure" in picture.title for picture in contents.figures)
    assert "energy" in contents.tables[0].note
