"""Report of the pendulum."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.metrics import Metric
from footfall.report.figure import Figure, draw
from footfall.report.machine_report import MachineReport
from footfall.report.panels import finish_time_panels, overlay
from footfall.report.section import Section
from footfall.report.tables import Contents, listed


def figures(section: Section) -> list[Figure]:
    """The angle of every run over time."""

    def plot(axes: npt.NDArray[Any]) -> None:
        overlay(axes[0, 0], section, lambda data: np.degrees(data["q"].to_numpy()[:, 0]))
        axes[0, 0].set_ylabel("angle [deg]")
        finish_time_panels(axes, 1)

    alt = f"Angle of the pendulum over time, for {listed(section.runs)}."
    return [draw("Swing", alt, (1, 1), plot)]


REPORT = MachineReport(figures)


def sweep_contents(data: xr.Dataset, _metrics: Mapping[str, Metric]) -> Contents:
    """Period over amplitude: the closed form as a line, the simulations on it."""

    def plot(axes: npt.NDArray[Any]) -> None:
        panel, degrees = axes[0, 0], np.degrees(data["amplitude"].to_numpy())
        panel.plot(degrees, data["exact"].to_numpy(), label="closed form")
        panel.plot(degrees, data["simulated"].to_numpy(), "o", label="simulated")
        panel.set(xlabel="amplitude [deg]", ylabel="period [s]")
        panel.legend()

    alt = "Period of the pendulum over its amplitude, simulated and in closed form."
    return Contents([draw("Period over amplitude", alt, (1, 1), plot)])
