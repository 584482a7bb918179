"""The page of the vehicle's best leg angles: figures, table and words say what the arrays say."""

import numpy as np
import pytest
from tests.machines.ugv.scenarios import analyse

from footfall.machines.ugv.report.leg_angles import leg_angles_contents

# those that look at what is drawn alone ask for it
pytestmark = pytest.mark.usefixtures("plotted")


@pytest.fixture(scope="module")
def best():
    """Best angles of the document's bump, on a coarse grid."""
    return analyse("optimum", "analysis.stations=16", "analysis.angles=8")


@pytest.mark.slow
def test_the_page_draws_the_angles_in_degrees_and_the_torque(best, drawn):
    contents = leg_angles_contents(best.data, best.metrics)
    angles, torque = drawn[0].axes
    data = best.data
    drawn_angles = [one.get_ydata() for one in angles.lines]
    for k, path in enumerate(("given", "best", "fixed")):  # what is finer in front
        for place, name in enumerate(("phi_r", "phi_f")):
            expected = np.degrees(data[name].sel(path=path))
            np.testing.assert_array_equal(drawn_angles[2 * k + place], expected)
    lines = {one.get_label(): one.get_ydata() for one in torque.lines}
    np.testing.assert_array_equal(lines["best of the grid"], data["torque"].sel(path="best"))
    np.testing.assert_array_equal(lines["angles that stay"], data["torque"].sel(path="fixed"))
    assert contents.figures[0].title.startswith("Figure 25a")
    assert contents.figures[1].title.startswith("Figure 25b")


def test_the_table_has_a_row_a_path_that_says_which_limit_it_breaks(best):
    data = best.data.copy()
    faults = data["fault"].to_numpy().astype(object)
    faults[0] = "a wheel slips at s = 3.000 m"
    data["fault"] = ("path", faults)
    (table,) = leg_angles_contents(data, best.metrics).tables
    assert len(table.rows) == data.sizes["path"]
    assert {len(row) for row in table.rows} == {len(table.headings)}
    value = best.metrics["criterion_values"][-1]
    assert float(table.rows[-1][1]) == pytest.approx(value, rel=1e-3)
    assert [row[-1] for row in table.rows] == [faults[0], "passes", "passes"]


def test_another_criterion_is_no_figure_of_the_document(best):
    data = best.data.assign_attrs(criterion="energy")
    contents = leg_angles_contents(data, best.metrics)
    assert not any("Figure" in picture.title for picture in contents.figures)
    assert "energy" in contents.tables[0].note
