"""The page of a gait by internal torques: torques, outputs, ground and multipliers of a step."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.metrics import Metric, scalar
from footfall.report.figure import Figure, draw
from footfall.report.tables import Contents, Table, number

_TIME = "time since the step began [s]"


def internal_gait_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Torques and outputs, the ground, and the multipliers of the return map."""
    return Contents([_torques(data), _ground(data)], [_multipliers(data)], [_note(metrics)])


def _torques(data: xr.Dataset) -> Figure:
    time = data["time"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for joint in data["joint"].to_numpy():
            upper.plot(time, data["torques"].sel(joint=joint), label=str(joint))
            lower.plot(time, np.degrees(data["outputs"].sel(joint=joint)))
        upper.axhline(0.0, color="black", linewidth=0.7)
        upper.set_ylabel("torque [N m]")
        lower.set(xlabel=_TIME, ylabel="angle [deg]")
        upper.legend()

    note = "The torque at the hip acts between the thighs: no moment comes from outside."
    alt = "Torques at standing knee, hip and other knee over a step, and the angles there."
    return draw("Torques and joints", alt, (2, 1), plot, note=note, row_height=2.4)


def _ground(data: xr.Dataset) -> Figure:
    time = data["time"].to_numpy()

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, middle, lower = axes[:, 0]
        for axis in data["axis"].to_numpy():
            upper.plot(time, data["ground_force"].sel(axis=axis), label=str(axis))
        along, normal = data["ground_force"].to_numpy()
        middle.plot(time, np.abs(along) / normal)
        lower.plot(time, data["foot_height"])
        upper.set_ylabel("force of the\nground [N]")
        middle.set_ylabel("friction\nneeded [1]")
        lower.set(xlabel=_TIME, ylabel="height of the\nother foot [m]")
        upper.legend()

    alt = "Force of the ground, friction needed and height of the swinging foot over a step."
    return draw("Ground and clearance", alt, (3, 1), plot, row_height=1.9)


def _multipliers(data: xr.Dataset) -> Table:
    sizes = sorted(data["multiplier"].to_numpy().tolist(), reverse=True)
    rows = [(str(k + 1), number(size, 3)) for k, size in enumerate(sizes)]
    note = (
        "Of the map from just behind a strike to just behind the next, with the virtual "
        "constraints held by their gains. The largest belongs to the zero dynamics, the speed with "
        "which a step is made; the others to outputs that are brought back within a step."
    )
    return Table("Multipliers of the return map", ("direction", "modulus [1]"), rows, note)


def _note(metrics: Mapping[str, Metric]) -> str:
    def shown(name: str, digits: int = 3) -> str:
        return number(scalar(metrics, name), digits)

    costs = metrics["start_costs"]
    spread = f" between {number(min(costs), 4)} and {number(max(costs), 4)} N m" if costs else ""  # type: ignore[arg-type,type-var] # a list of numbers
    return (
        f"A step of {shown('step_length')} m in {shown('period')} s, with torques of "
        f"{shown('joint_torque')} N m at most and a cost of transport of "
        f"{shown('cost_of_transport')}; it needs a friction of {shown('required_friction')}. "
        f"{shown('starts_solved', 2)} of the drawn starts led to a step, of root mean square "
        f"torques{spread}."
    )
