"""The page of the vehicle's curves: torque, forces and clearance of angles that stay."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib import colormaps
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.machines.ugv.report.passages import (
    FRONT,
    NEWTON_METRE,
    pair,
    runs,
    strip,
)
from footfall.metrics import Metric
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.wording import NONE, listed, number

_ZERO: dict[str, Any] = {"color": "#888888", "linewidth": 0.7, "zorder": 1.0}
_UNEQUAL: Any = (0, (6, 2))
_FAILS: dict[str, Any] = {"linestyle": (0, (1, 1.3)), "linewidth": 2.0}
_PANELS: dict[str, tuple[str, float]] = {
    "required_friction": ("friction needed [1]", 1.0),
    "min_normal": ("least normal force [kN]", 1e-3),
    "clearance": ("clearance [m]", 1.0),
    "pitch": ("pitch, front up [deg]", math.degrees(1.0)),
    "leg_r": ("rear leg [kN m]", 1e-3),
    "leg_f": ("front leg [kN m]", 1e-3),
}
_NO_TORQUE = 1e-6  # N m: rounding of forces of some kN
_FRICTION_SHOWN = 1.5  # times the largest that is there: what is above needs no scale
_LOST = (
    "The document's figure is lost. Its text names the vehicle, the bump and one torque for both "
    "wheels; the pairs of angles are footfall's, as are the radius of the wheels, the centres of "
    "mass at mid-length and the way angles are measured: 90° stands down from the body, 180° is in "
    "line with it."
)
_ODD = (
    "A pair and the same pair swapped are each other's mirror image: on a track that is the same "
    "seen in a mirror, their torques are opposite, and no pair has the same torque all along."
)


def ugv_curves_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """The figure, what goes with it, the vehicle at each pair, and what all that comes to."""
    lost = [_LOST] if data.attrs["is_text"] else []
    odd = [_ODD] if np.abs(data["torque"]).max() > _NO_TORQUE else []
    notes = [*lost, *odd, _verdict(data, metrics)]
    return Contents([_figure(data), _besides(data), _poses(data)], [_table(data, metrics)], notes)


def pairs_of(data: xr.Dataset) -> list[str]:
    """Both angles of every pair."""
    angles = zip(data["phi_r"].to_numpy(), data["phi_f"].to_numpy(), strict=True)
    return [pair(float(rear), float(front)) for rear, front in angles]


def _colours(data: xr.Dataset) -> Array:
    return np.asarray(colormaps["viridis"](np.linspace(0.0, 0.88, data.sizes["angles"])))


def _figure(data: xr.Dataset) -> Figure:
    """Torque over the track, a line for every pair."""

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        _lines(panel, data, "torque", 1.0)
        panel.axhline(0.0, **_ZERO)
        panel.set(xlabel=FRONT, ylabel="torque of either wheel [N m]")
        legend_on_top(panel, columns=6)

    alt = (
        f"Torque of either wheel over the place of the front wheel on the {data.attrs['track']}, "
        f"for the angles {listed(pairs_of(data))} of rear and front leg."
    )
    note = (
        "Angles between the body and its legs, rear / front, dashed where they differ; positive "
        "torque drives ahead."
        f"{_dotted(data)}"
    )
    figure = "Figure 24: torque over the bump" if data.attrs["is_text"] else "Torque"
    title = f"{figure}, for angles that stay"
    return draw(title, alt, (1, 1), plot, note=note, row_height=3.7)


def _besides(data: xr.Dataset) -> Figure:
    """Forces of the ground, torques of the legs, and the pitch of the body."""

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, (label, factor)) in zip(axes.ravel(), _PANELS.items(), strict=True):
            _lines(panel, data, name, factor)
            panel.set_ylabel(label)
        friction, normal, clearance = axes.ravel()[:3]
        _limit_friction(friction, data)
        for panel in (normal, clearance):
            low, high = panel.get_ylim()
            panel.set_ylim(min(0.0, low), 1.05 * high)
            panel.axhline(0.0, **_ZERO)
        for panel in axes[-1]:
            panel.set_xlabel(FRONT)
        legend_on_top(friction, columns=6)

    alt = (
        "Friction needed, smaller normal force, clearance, pitch and torques at the legs over the "
        "place of the front wheel, for the same angles."
    )
    given = number(float(data.attrs["friction"]), 3)
    note = (
        f"The ground has a friction of {given}. Torques at the legs are positive where they open "
        "the angle, negative where they bear the body. Clearance counts the legs down to their "
        f"axles.{_dotted(data)}"
    )
    title = "What the ground and the legs have to give"
    return draw(title, alt, (3, 2), plot, note=note, row_height=2.1)


def _limit_friction(panel: Axes, data: xr.Dataset) -> None:
    """Show friction from 0, and the ground's where the lines come near it."""
    needed, given = data["required_friction"].to_numpy(), float(data.attrs["friction"])
    largest = float(needed[np.isfinite(needed)].max(initial=0.0))
    if largest > 0.5 * given:
        panel.axhline(given, color="black", linewidth=0.9, linestyle=(0, (5, 3)))
    top = min(max(1.05 * largest, 1e-3), max(_FRICTION_SHOWN * given, 0.1))
    panel.set_ylim(0.0, top)


def _poses(data: xr.Dataset) -> Figure:
    """The vehicle at every pair where its torque is largest."""
    labels, torque = pairs_of(data), data["torque"].to_numpy()
    tops = torque.argmax(axis=1).tolist()
    rows = [data.isel(angles=k, station=top) for k, top in enumerate(tops)]
    titles = [
        f"{label}: {number(float(row['torque']), 3)} N m"
        for label, row in zip(labels, rows, strict=True)
    ]
    alt = f"The vehicle on its track at the angles {listed(labels)}, each where it needs most."
    return strip(rows, titles, "Where each pair needs the largest torque", alt)


def _lines(panel: Axes, data: xr.Dataset, name: str, factor: float) -> None:
    """A quantity of every pair; dotted where the vehicle does not pass."""
    s, labels, colours = data["station"].to_numpy(), pairs_of(data), _colours(data)
    equal = np.isclose(data["phi_r"].to_numpy(), data["phi_f"].to_numpy(), rtol=0.0, atol=1e-9)
    for k, label in enumerate(labels):
        style: dict[str, Any] = {"color": colours[k], "linestyle": "-" if equal[k] else _UNEQUAL}
        y = factor * data[name].to_numpy()[k]
        fails = data["outcome"].to_numpy()[k] != 0
        panel.plot(s, np.where(fails, np.nan, y), label=label, **style)
        for first, last in runs(fails):
            here = slice(max(first - 1, 0), last + 2)
            panel.plot(s[here], y[here], **(style | _FAILS))


def _dotted(data: xr.Dataset) -> str:
    fails = (data["outcome"].to_numpy() != 0).any()
    return " Dotted: the vehicle does not pass there." if fails else ""


def _table(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Table:
    names = (
        "torque_min",
        "torque_max",
        "torque_range",
        "torque_rms",
        "required_friction",
        "min_normal_force",
        "clearance_min",
    )
    columns = [_numbers(metrics, name) for name in names]
    rows = [
        (label, *(number(column[k], 4) for column in columns), _fate(metrics, k))
        for k, label in enumerate(pairs_of(data))
    ]
    headings = (
        "angles",
        f"least torque {NEWTON_METRE}",
        f"largest {NEWTON_METRE}",
        f"range {NEWTON_METRE}",
        f"root mean square {NEWTON_METRE}",
        "friction needed [1]",
        "least normal force [N]",
        "clearance [m]",
        "verdict",
    )
    note = (
        "Friction is a dash where a wheel lifts off. The wheels' work from the first to the last "
        f"place comes to {_works(metrics)}."
    )
    return Table("Pairs of angles", headings, rows, note)


def _fate(metrics: Mapping[str, Metric], k: int) -> str:
    """Outcome of a pair of angles, and where it first occurs."""
    words = {"rolls_over_from": "rolls over", "slips_from": "slips", "bottoms_from": "bottoms"}
    places = {name: _numbers(metrics, name)[k] for name in words}
    failures = [
        f"{words[name]} from {number(x, 4)} m" for name, x in places.items() if math.isfinite(x)
    ]
    return ", ".join(failures) or "passes"


def _works(metrics: Mapping[str, Metric]) -> str:
    works = _numbers(metrics, "wheel_work")
    largest = max((abs(work) for work in works), default=math.nan)
    return NONE if math.isnan(largest) else f"{number(largest, 2)} J at most, either way"


def _verdict(data: xr.Dataset, metrics: Mapping[str, Metric]) -> str:
    given = number(float(data.attrs["friction"]), 3)
    failing = [k for k in range(data.sizes["angles"]) if _fate(metrics, k) != "passes"]
    if not failing:
        needed = number(max(_numbers(metrics, "required_friction")), 3)
        return (
            "Nothing slips, rolls over or touches the ground with its belly: a friction of "
            f"{needed} is needed, and the ground has {given}."
        )
    return (
        f"Of {data.sizes['angles']} pairs, {len(failing)} do not pass on a ground of friction "
        f"{given}: the table says why and from where on. What is computed beyond is the balance "
        "that would hold if the ground held the wheels."
    )


def _numbers(metrics: Mapping[str, Metric], name: str) -> list[float]:
    found = metrics.get(name, [])
    return [float(x) for x in found] if isinstance(found, Sequence) else []  # type: ignore[arg-type]
