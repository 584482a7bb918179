"""The page of the vehicle's best leg angles: the document's Figure 25, and what angles come to.

The vehicle is read out of the arrays of its analyses.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import xarray as xr

from footfall.machines.ugv.closed_form.centres import CentrePoint
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose
from footfall.machines.ugv.optimum.problem import MEANINGS, TORQUE_RANGE, UNITS
from footfall.machines.ugv.report.drawing import outlines_of, places_apart, sequence_figure
from footfall.metrics import Metric
from footfall.report.curves import AXIS, Level, Line, Over, Plot, curves
from footfall.report.figure import Figure
from footfall.report.tables import Contents, Table, number
from footfall.show.colours import run_colour

_LABELS = {
    "given": "angles given",
    "fixed": "angles that stay",
    "best": "best of the grid",
}
_LOOKS: dict[str, dict[str, Any]] = {
    "given": {"color": "#888888", "linewidth": 1.1},
    "best": {"color": run_colour(0), "linewidth": 1.8},
    "fixed": {"color": run_colour(1), "linewidth": 1.0},
}
"""Looks of the paths, the foremost last."""
_DASHED: dict[str, Any] = {"linestyle": (0, (5, 2))}
_LEG: dict[str, Any] = {"color": "#444444"}
_COLUMNS = {
    "smallest torque [N\N{NO-BREAK SPACE}m]": "torque_min",
    "largest [N\N{NO-BREAK SPACE}m]": "torque_max",
    "friction needed [1]": "required_friction",
    "least normal force [N]": "min_normal_force",
    "clearance [m]": "clearance_min",
    "work of the wheels [J]": "wheel_work",
    "of the legs [J]": "leg_work",
    "energy given [J]": "supplied_energy",
}
"""Metrics in the table of the paths, by its headings."""


def leg_angles_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Figure 25a and 25b, and the table of all paths."""
    return Contents([_angles(data), _sequence(data)], [_table(data, metrics)], _notes(data))


def _degrees(angle: float) -> str:
    """An angle [rad] in degrees."""
    return f"{np.degrees(angle):.4g}°"


def _title(data: xr.Dataset, part: str, title: str) -> str:
    """The title of what is the document's figure, if it is one."""
    own = data.attrs["is_text"] and data.attrs["criterion"] == TORQUE_RANGE
    return f"Figure 25{part}: {title}" if own else title[0].upper() + title[1:]


def _angles(data: xr.Dataset) -> Figure:
    """Angles, and the torque that they take."""
    s = data["station"].to_numpy()
    angles, torques = [], []
    for path, look in _LOOKS.items():
        if path in data["path"]:
            one = data.sel(path=path)
            angles.append(Line(s, np.degrees(one["phi_r"]), look=look))
            angles.append(Line(s, np.degrees(one["phi_f"]), look=look | _DASHED))
            torques.append(Line(s, one["torque"], _LABELS[path], look))
    legs = [Line([], [], "rear leg", _LEG), Line([], [], "front leg", _LEG | _DASHED)]
    ends = [
        Level(np.degrees(data.attrs[name]), look=AXIS) for name in ("least_angle", "most_angle")
    ]
    plots = [
        Plot("angle of a leg [deg]", [*angles, *ends]),
        Plot("torque of either wheel [N m]", [*torques, *legs, Level(0.0, look=AXIS)]),
    ]
    return curves(
        None,
        _title(data, "a", "angles of the legs and torque"),
        plots,
        over=Over("front wheel at [m]", lambda _run: s),
        note="Angles between the body and its legs; thin lines: what they are kept between.",
        row_height=2.8,
    )


def _sequence(data: xr.Dataset) -> Figure:
    """The vehicle with the best angles, at places one after another."""
    names = [item.name for item in fields(UgvParameters)]
    vehicle = UgvParameters(**{name: float(data.attrs[name]) for name in names})
    rows = data.isel(path=-1, station=places_apart(data["station"].to_numpy(), vehicle))
    phi_r, phi_f, pitch = (rows[name].to_numpy() for name in ("phi_r", "phi_f", "pitch"))
    unknown = np.full_like(pitch, np.nan)
    front, rear = (
        CentrePoint(rows[s].to_numpy(), rows[z].to_numpy(), unknown, unknown, rows[way].to_numpy())
        for s, z, way in (("station", "front_z", "front_way"), ("rear_x", "rear_z", "rear_way"))
    )
    return sequence_figure(
        (data["ground_x"].to_numpy(), data["ground_z"].to_numpy()),
        outlines_of(vehicle, VehiclePose(front, rear, phi_r, phi_f, unknown, pitch)),
        [f"{_degrees(a)} / {_degrees(b)}" for a, b in zip(phi_r, phi_f, strict=True)],
        vehicle,
        _title(data, "b", "sequence over the track"),
        note=f"Angles of the rear and of the front leg, of the path '{_last(data)}'.",
    )


def _last(data: xr.Dataset) -> str:
    """The label of the path that is shown as the result."""
    return _LABELS[str(data["path"].to_numpy()[-1])]


def _table(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Table:
    criterion = str(data.attrs["criterion"])
    unit = UNITS[criterion].replace(" ", "\N{NO-BREAK SPACE}")
    columns = {f"value [{unit}]": "criterion_values", **_COLUMNS}
    values = np.array([metrics[name] for name in columns.values()]).T
    names, faults = (data[name].to_numpy().tolist() for name in ("path", "fault"))
    rows = [
        (_LABELS[name], *(number(x, 4) for x in row.tolist()), fault or "passes")
        for name, row, fault in zip(names, values, faults, strict=True)
    ]
    return Table("Paths", ("path", *columns, "verdict"), rows, f"Value: {MEANINGS[criterion]}.")


def _notes(data: xr.Dataset) -> list[str]:
    criterion, best = str(data.attrs["criterion"]), float(data["value"].to_numpy()[-1])
    unit = "" if UNITS[criterion] == "1" else f" {UNITS[criterion]}"
    ends = " and ".join(_degrees(float(data.attrs[name])) for name in ("least_angle", "most_angle"))
    sentence = (
        f"The criterion is the {MEANINGS[criterion]}: {number(best, 4)}{unit} of the path "
        f"'{_last(data)}', with angles between {ends}."
    )
    rate = float(data.attrs["rate"])
    if np.isfinite(rate):
        sentence += f" The legs turn by {_degrees(rate)} at most for a metre of the front wheel."
    return [sentence]
