"""The page of one of PASIBOT's figures: its curves, with what they show."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib import colormaps
from matplotlib.axes import Axes

from footfall.engines import ENGINES
from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above
from footfall.report.wording import NONE, number

_TITLES = {
    ("torque", "speed"): "Figure 11: torque at several speeds",
    ("torque", "load"): "Figure 12: torque under loads on the hip",
    ("angle", "torque"): "Figure 13: from rest under several torques",
    ("angle", "weight"): "Figure 14: from rest at several weights",
    ("slip", "friction"): "Figure 17: slip for several frictions",
    ("slip", "speed"): "Figure 18: slip at several speeds",
    ("slip", "kinetic"): "Figure 19: slip for several kinetic frictions",
}
_SYMBOLS = {
    "speed": ("", " rad/s"),
    "load": ("", " kg"),
    "torque": ("", " N m"),
    "weight": ("", " kg"),
    "friction": ("μ = ", ""),
    "kinetic": ("μ_k = ", ""),
}
_LOST = (
    "The document's figure is lost: these are curves of the machine with two fitted scales and "
    "assumed masses, and values of what varies are ours where its text does not name them."
)
_FLOOR = (
    "As in the document, the foot is held and never lifts. The speed grows without end under a "
    "constant torque; where a floor would have to pull, the curve is dotted. A foot that may slide "
    "needs the friction of the table already in the first step."
)
_TOUCHES = (
    "Its floor meets the other foot too, which touches down and leaves without speed: near an "
    "exchange of support both feet carry and may rub, which shows in forces and friction."
)
_MOST_STEPS = 5.0  # of the axis of an angle


def curves_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """The figure, what its curves come to, and what to know."""
    show = str(data.attrs["show"])
    simulated = data.attrs["engine"] in ENGINES
    notes = [_LOST]
    if simulated:
        notes.append(f"Simulated by {data.attrs['engine']}. {_TOUCHES}")
    elif show == "angle":
        notes.append(_FLOOR)
    return Contents([_figure(data, metrics)], [_table(data, metrics)], notes)


def _figure(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Figure:
    show, vary = str(data.attrs["show"]), str(data.attrs["vary"])
    values = data[vary].to_numpy()
    colours = colormaps["viridis"](np.linspace(0.0, 0.88, len(values)))
    paint_one = {"torque": _torque, "angle": _angle, "slip": _slip}[show]

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for k, value in enumerate(values.tolist()):
            paint_one(panel, data, metrics, k, {"color": colours[k], "label": _label(vary, value)})
        panel.set_ylabel(
            {
                "torque": "torque of the motor [N m]",
                "angle": "angle of the crank from the start [rad]",
                "slip": "slip of the feet, ahead [mm]",
            }[show]
        )
        panel.set_xlabel("time [s]" if show == "angle" else "time [steps]")
        panel.axhline(0.0, color="#888888", linewidth=0.7, zorder=1.0)
        legend_above(panel, ncols=7)

    shared = float(data.attrs["shared"])
    at = "" if math.isnan(shared) else f" at {shared:g} {'N m' if show == 'angle' else 'rad/s'}"
    shown = ", ".join(_label(vary, value) for value in values.tolist())
    over = "time" if show == "angle" else "the phase of a step"
    alt = f"{data[show].attrs['long_name'].capitalize()}{at} over {over}, for {shown}."
    return draw(_title(show, vary), alt, (1, 1), plot, note=_note(data), row_height=3.7)


def _title(show: str, vary: str) -> str:
    return _TITLES.get((show, vary), f"{show.capitalize()} by {vary}")


def _note(data: xr.Dataset) -> str:
    show, shared = str(data.attrs["show"]), float(data.attrs["shared"])
    at = "" if math.isnan(shared) else f" The crank turns at {shared:g} rad/s."
    if show == "torque":
        held = "" if data.attrs["engine"] in ENGINES else " The foot is held."
        return f"0 is th8 = π/2, 1 is 3π/2.{held}{at}"
    if show == "angle":
        given = "" if math.isnan(shared) else f" The torque is {shared:g} N m."
        dotted = " Dotted: the floor does not carry it, or would have to pull."
        return f"A step is π, the dashed lines.{given}{dotted}"
    begins = "0 is th8 = π/2 of the first step, the foot at rest; dots: exchanges of support."
    if data.attrs["vary"] == "friction":
        return begins + at
    return f"{begins}{at} Static friction is {float(data.attrs['mu_s']):g}."


def _torque(
    panel: Axes, data: xr.Dataset, _metrics: Mapping[str, Metric], k: int, style: dict[str, Any]
) -> None:
    panel.plot(data["phase"].to_numpy(), data["torque"].to_numpy()[k], **style)


def _angle(
    panel: Axes, data: xr.Dataset, metrics: Mapping[str, Metric], k: int, style: dict[str, Any]
) -> None:
    time, angle = data["time"].to_numpy(), data["angle"].to_numpy()[k]
    carried = time <= _numbers(metrics, "floor_until")[k]
    panel.plot(time[carried], angle[carried], **style)
    panel.plot(time[~carried], angle[~carried], color=style["color"], linestyle=(0, (1, 1.5)))
    top = min(_MOST_STEPS * math.pi, float(data["angle"].max()) + 0.3)
    if k == 0:
        for step in range(1, int(_MOST_STEPS) + 1):
            panel.axhline(math.pi * step, color="#888888", linewidth=0.7, linestyle=(0, (5, 3)))
    panel.set_ylim(float(data["angle"].min()) - 0.3, top)


def _slip(
    panel: Axes, data: xr.Dataset, _metrics: Mapping[str, Metric], k: int, style: dict[str, Any]
) -> None:
    phase, slip = data["phase"].to_numpy(), 1e3 * data["slip"].to_numpy()[k]
    panel.plot(phase, slip, **style)
    steps = np.arange(1.0, phase[-1] + 1e-9)
    panel.plot(steps, np.interp(steps, phase, slip), ".", color=style["color"], markersize=5.0)


def _table(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Table:
    show, vary = str(data.attrs["show"]), str(data.attrs["vary"])
    labels = [_label(vary, value) for value in data[vary].to_numpy().tolist()]
    if show == "slip":
        rows = [
            (label, _slips(metrics, k), _intervals(metrics, k)) for k, label in enumerate(labels)
        ]
        headings = ("curve", "slip of each step [mm]", "slides, from and to [steps]")
        note = "Slides longer than 0.02 % of a step; ahead is positive."
        return Table("Slides", headings, rows, note)
    names, titles = {
        "torque": (
            ("min_torques", "peak_torques", "frictions_needed"),
            ("curve", "least torque [N m]", "largest [N m]", "friction that holds the foot [1]"),
        ),
        "angle": (
            ("steps_made", "floor_until", "frictions_needed"),
            ("curve", "steps made", "floor carries until [s]", "friction of the first step [1]"),
        ),
    }[show]
    columns = [_numbers(metrics, name) for name in names]
    cells = [
        (label, *(number(column[k], 4) for column in columns)) for k, label in enumerate(labels)
    ]
    return Table("Curves", titles, cells)


def _label(vary: str, value: float) -> str:
    before, after = _SYMBOLS[vary]
    return f"{before}{value:g}{after}"


def _numbers(metrics: Mapping[str, Metric], name: str) -> list[float]:
    found = metrics.get(name, [])
    return [float(x) for x in found] if isinstance(found, Sequence) else []  # type: ignore[arg-type]


def _nested(metrics: Mapping[str, Metric], name: str, k: int) -> Sequence[Any]:
    found = metrics.get(name, [])
    inner = found[k] if isinstance(found, Sequence) and k < len(found) else []
    return inner if isinstance(inner, Sequence) else []


def _slips(metrics: Mapping[str, Metric], k: int) -> str:
    slips = [1e3 * float(x) for x in _nested(metrics, "slip_distance_per_step", k)]
    # what is less than a nanometre is rounding
    rows = [number(x if abs(x) > 1e-6 else 0.0, 3) for x in slips]
    return ", ".join(rows) or NONE


def _intervals(metrics: Mapping[str, Metric], k: int) -> str:
    ends = _nested(metrics, "slip_intervals", k)
    return ", ".join(f"{float(a):.3f} to {float(b):.3f}" for a, b in ends) or NONE
