"""The pages of PASIBOT's figures and calibration: what they draw, and what their tables tell."""

import math

import numpy as np
import xarray as xr

from footfall.machines.pasibot.analyses.calibration import ASSEMBLIES
from footfall.machines.pasibot.closed_form.parameters import TEXT
from footfall.machines.pasibot.predictions import QUANTITIES, predicted
from footfall.machines.pasibot.report.calibration import calibration_contents
from footfall.machines.pasibot.report.parameter_curves import curves_contents
from footfall.machines.pasibot.statements import STATEMENTS

# --- curves --------------------------------------------------------------------------------------


def curves(show, vary, values, over, **attributes):
    x = np.linspace(0.0, 2.0, 21)
    attrs = {"show": show, "vary": vary, "shared": 3.0, "mu_s": 0.2, "mu_k": 0.2, "step": 0.2}
    attrs["engine"] = "hybrid"
    y = np.outer(values, x)
    return xr.Dataset(
        {show: ((vary, over), y, {"long_name": show})},
        {over: x, vary: values},
        attrs | attributes,
    )


def test_slides_are_told_and_rounding_is_none():
    metrics = {
        "slip_distance_per_step": [[1e-15, 2.5e-3], []],
        "slip_intervals": [[[0.25, 0.5], [1.1, 2.0]], []],
    }
    contents = curves_contents(curves("slip", "friction", [0.05, 0.08], "phase"), metrics)
    (table,) = contents.tables
    assert table.rows[0] == ("μ = 0.05", "0, 2.5", "0.250 to 0.500, 1.100 to 2.000")
    assert table.rows[1][1:] == ("–", "–")  # noqa: RUF001 (a dash for none)
    assert contents.figures[0].title.startswith("Figure 17")


def test_a_page_says_where_the_floor_would_have_to_pull():
    metrics = {
        "steps_made": [0.4, 3.0],
        "floor_until": [2.0, 1.2],
        "frictions_needed": [0.1, 0.5],
    }
    contents = curves_contents(
        curves("angle", "torque", [0.8, 1.0], "time", shared=math.nan), metrics
    )
    assert "Dotted" in contents.figures[0].note
    assert any("never lifts" in note for note in contents.notes)
    assert contents.tables[0].rows[1] == ("1 N m", "3", "1.2", "0.5")


def test_figures_without_a_number_have_a_title():
    metrics = {name: [1.0] for name in ("peak_torques", "min_torques", "frictions_needed")}
    (picture,) = curves_contents(curves("torque", "weight", [9.0], "phase"), metrics).figures
    assert picture.title == "Torque by weight"


def test_simulated_curves_tell_of_both_feet():
    metrics = {name: [1.0] for name in ("peak_torques", "min_torques", "frictions_needed")}
    data = curves("torque", "speed", [3.0], "phase", engine="drake-sap")
    contents = curves_contents(data, metrics)
    assert "Simulated by drake-sap" in contents.notes[1]
    assert "held" not in contents.figures[0].note


# --- calibration ---------------------------------------------------------------------------------


def calibration(samples):
    values = list(predicted(TEXT).values())
    count = len(ASSEMBLIES)
    data = xr.Dataset(
        {
            "own": ("quantity", values),
            "assemblies": (("assembly", "quantity"), [values] * count),
            "ends": (("number", "end", "quantity"), np.zeros((0, 2, len(values)))),
            "samples": (("assembly", "sample", "quantity"), [[values] * samples] * count),
            "kept": (("assembly", "statement"), np.full((count, len(STATEMENTS)), 0.5)),
            "range": (("number", "end"), np.zeros((0, 2))),
        },
        {
            "quantity": list(QUANTITIES),
            "assembly": [" ".join(one) for one in ASSEMBLIES],
            "number": np.zeros(0, dtype=np.str_),
        },
    )
    return data, dict(zip(QUANTITIES, values, strict=True))


def test_a_calibration_tells_both_readings_and_every_statement():
    data, metrics = calibration(3)
    contents = calibration_contents(
        data,
        metrics
        | {
            "machines": 3.0,
            "no_machines": 2.0,
            "crank_length_range": [0.026, 0.031],
            "total_mass_range": [9.0, 10.5],
        },
    )
    fits, statements = contents.tables
    assert [row[2] for row in fits.rows] == ["9.715", "3.151"]
    assert len(statements.rows) == len(STATEMENTS)
    by_name = {row[0]: row[1] for row in statements.rows}
    assert by_name["the same, read as the largest torque that holds it at rest"] == "2.59 ✗ 50%"
    assert "26.0 to 31.0 mm" in " ".join(contents.notes)
    assert any(note.startswith("2 of the machines") for note in contents.notes)
    assert len(contents.figures) == 1  # nothing was varied one at a time
