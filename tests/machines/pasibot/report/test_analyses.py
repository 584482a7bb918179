"""The pages of PASIBOT's figures and calibration: what they draw, and what their tables tell."""

import numpy as np
import pytest
import xarray as xr

from footfall.machines.pasibot.analyses.calibration import ASSEMBLIES
from footfall.machines.pasibot.claims import STATEMENTS
from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.predictions import QUANTITIES, predicted
from footfall.machines.pasibot.report.calibration import calibration_contents

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


@pytest.mark.slow
def test_a_calibration_tells_what_is_fitted_and_every_statement():
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
    (statements,) = contents.tables
    assert "a mass of 9.715 kg" in contents.notes[0]
    assert len(statements.rows) == len(STATEMENTS)
    by_name = {row[0]: row[1] for row in statements.rows}
    ankle = "it lasts until the swinging leg is highest, read of the ankle (phase of its end)"
    assert by_name[ankle].endswith("✗ 50%")
    assert "26.0 to 31.0 mm" in " ".join(contents.notes)
    assert any(note.startswith("2 of the machines") for note in contents.notes)
    assert len(contents.figures) == 1  # nothing was varied one at a time
