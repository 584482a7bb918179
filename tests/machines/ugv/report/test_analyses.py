"""The pages of the vehicle's analyses: that figures, tables and words say what the arrays say."""

import numpy as np
import pytest
from tests.machines.ugv.scenarios import analyse

from footfall.machines.ugv.report.leg_angles import leg_angles_contents, runs

# those that look at what is drawn alone ask for it
pytestmark = pytest.mark.usefixtures("plotted")


@pytest.fixture(scope="module")
def best():
    """Best angles of the document's bump, on a coarse grid."""
    few = ("analysis.stations=16", "analysis.angles=8", "analysis.iterations=20")
    return analyse("optimum", *few)


def test_runs_of_flags():
    assert runs([False, True, True, False, True]) == [(1, 2), (4, 4)]
    assert runs([False, False]) == []


# --- the best angles -----------------------------------------------------------------------------


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_table_has_a_row_a_path_and_the_bound_below(best):
    (table,) = leg_angles_contents(best.data, best.metrics).tables
    assert len(table.rows) == best.data.sizes["path"] + 1
    assert {len(row) for row in table.rows} == {len(table.headings)}
    value = best.metrics["criterion_values"][-1]
    assert float(table.rows[-2][1]) == pytest.approx(value, rel=1e-3)
    assert value >= np.ptp(best.data["torque"].to_numpy()[-1])  # of the stations alone
    assert table.rows[-1][0] == "bound of the grid"
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
