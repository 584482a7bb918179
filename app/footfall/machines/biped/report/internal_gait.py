"""The page of a gait by internal torques: torques, outputs, ground and multipliers of a step."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.metrics import Metric, scalar
from footfall.report.charts.looks import CYCLE
from footfall.report.curves import AXIS, Level, Line, Over, Plot, curves
from footfall.report.figure import Figure
from footfall.report.tables import Contents, Table, number

_OVER = Over("time since the step began [s]")


def internal_gait_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Torques and outputs, the ground, and the multipliers of the return map."""
    return Contents([_torques(data), _ground(data)], [_multipliers(data)], [_note(metrics)])


def _lines(data: xr.Dataset, values: npt.ArrayLike, names: Sequence[str] = ("",)) -> list[Line]:
    """Rows of values at the nodes of a step as lines over time, a colour each."""
    looks = [{"color": colour} for colour in CYCLE]
    rows = np.atleast_2d(np.asarray(values))
    return [Line(data["time"], *each) for each in zip(rows, names, looks, strict=False)]


def _torques(data: xr.Dataset) -> Figure:
    joints = data["joint"].to_numpy().tolist()
    plots = [
        Plot("torque [N m]", [*_lines(data, data["torques"], joints), Level(0.0, look=AXIS)]),
        Plot("angle [deg]", _lines(data, np.degrees(data["outputs"]), joints)),
    ]
    note = "The torque at the hip acts between the thighs: no moment comes from outside."
    return curves(None, "Torques and joints", plots, over=_OVER, note=note)


def _ground(data: xr.Dataset) -> Figure:
    along, normal = data["ground_force"]
    force = _lines(data, data["ground_force"], data["axis"].to_numpy().tolist())
    plots = [
        Plot("force of the\nground [N]", force),
        Plot("friction\nneeded [1]", _lines(data, np.abs(along) / normal)),
        Plot("height of the\nother foot [m]", _lines(data, data["foot_height"])),
    ]
    return curves(None, "Ground and clearance", plots, over=_OVER)


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
