"""The page of a sweep of horizon and weights: tracking error against torque."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.metrics import Metric
from footfall.report.figure import Figure, draw
from footfall.report.tables import NONE, Contents, Table, number
from footfall.show.colours import run_colour


def prediction_sweep_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Errors and torques over both factors, and one against the other."""
    return Contents([_trade_off(data)], [_table(data)], _notes(data, metrics))


def _trade_off(data: xr.Dataset) -> Figure:
    def plot(axes: npt.NDArray[Any]) -> None:
        left, middle, right = axes[0]
        for k, horizon in enumerate(data["horizon"].to_numpy()):
            one = data.sel(horizon=horizon)
            style = {"color": run_colour(k), "marker": ".", "linewidth": 1.2}
            label = f"{horizon:g}"
            weight, error = one["weight"].to_numpy(), 1e3 * one["rms_error_O1"].to_numpy()
            torque = one["largest_joint_torque"].to_numpy()
            left.plot(weight, error, label=label, **style)
            middle.plot(weight, torque, label=label, **style)
            right.plot(torque, error, label=label, **style)
        for panel in (left, middle):
            panel.set(xscale="log", xlabel="factor of weight [1]")
        left.set_ylabel("rms error of O1 [mm]")
        middle.set_ylabel("largest torque [N m]")
        right.set(xlabel="largest torque [N m]", ylabel="rms error of O1 [mm]")
        for panel in (left, middle, right):
            panel.set_ylim(bottom=0.0)
        left.legend()

    alt = (
        "Left and middle: root mean square error of O1 and largest torque over the factor of the "
        "weight of accelerations, a line for every factor of the horizon; right: the one against "
        "the other."
    )
    note = (
        "Colours: factor of the horizon. Factors are of the scenario's own horizons and weights of "
        "accelerations. A walk that ends early is missing."
    )
    return draw(
        "Tracking error against torque", alt, (1, 3), plot, note=note, row_height=3.4, share_x=False
    )


def _table(data: xr.Dataset) -> Table:
    headings = (
        "factor of horizon",
        "of weight",
        "rms error of O1",
        "of the heel, largest",
        "torque",
    )
    rows = []
    for horizon in data["horizon"].to_numpy():
        for weight in data["weight"].to_numpy():
            one = data.sel(horizon=horizon, weight=weight)
            rows.append(
                (
                    f"{horizon:g}",
                    f"{weight:g}",
                    _there(1e3 * float(one["rms_error_O1"]), "mm"),
                    _there(1e3 * float(one["error_heel"]), "mm"),
                    _there(float(one["largest_joint_torque"]), "N m"),
                )
            )
    return Table("Walks", headings, rows, "Torque: the largest of the last complete cycle.")


def _there(value: float, unit: str) -> str:
    return f"{number(value, 3)} {unit}" if np.isfinite(value) else NONE


def _notes(data: xr.Dataset, metrics: Mapping[str, Metric]) -> list[str]:
    lost = int(float(metrics["walks"]) - float(metrics["walked"]))  # type: ignore[arg-type]
    weighs = (
        "S weighs accelerations against errors of places and velocities that are predicted a "
        "horizon ahead, J of (3.136). Both horizons and both weights are scaled together."
    )
    found = [weighs]
    if lost:
        found.append(f"{lost} of {data['walked'].size} walks end before their time.")
    return found
