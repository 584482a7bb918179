"""Report of the pendulum."""

from collections.abc import Mapping

import numpy as np
import xarray as xr

from footfall.metrics import Metric
from footfall.report.curves import Curve, Level, Line, Plot, curves
from footfall.report.figure import Figure
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews
from footfall.report.tables import Contents


def figures(runs: RunViews[RunView]) -> list[Figure]:
    """The angle of every run over time, and how far it swings."""
    degrees = np.degrees(runs.first.data["q"].to_numpy()[:, 0])
    swing = Plot("angle [deg]", [Curve("q"), Level(float(degrees[0]), "start", mirrored=True)])
    return [curves(runs, "Swing", [swing])]


REPORT = MachineReport(figures)


def sweep_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Period over amplitude: the closed form as a line, the simulations on it."""
    degrees = np.degrees(data["amplitude"].to_numpy())
    dots = {"color": "#D55E00", "linestyle": "", "marker": "o"}
    period = Plot(
        "period [s]",
        [
            Line(degrees, data["exact"].to_numpy(), "closed form", {"color": "black"}),
            Line(degrees, data["simulated"].to_numpy(), "simulated", dots),
        ],
        across="amplitude [deg]",
    )
    return Contents([curves(None, "Period over amplitude", [period])])
