"""The page of a bifurcation: diagram over the slope, its cascade, multipliers, doublings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.metrics import Metric, scalar
from footfall.report.contents import Contents, Table
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.wording import NONE, listed, number

_SLOPE = "slope [deg]"
_DOTS: dict[str, Any] = {"color": "#0072B2", "linestyle": "", "marker": ".", "markeredgewidth": 0.0}
_FLIP: dict[str, Any] = {"color": "#D55E00", "linewidth": 0.9}
_LIMIT: dict[str, Any] = {"color": "#CC79A7", "linewidth": 1.3, "linestyle": (0, (4, 2))}
_END: dict[str, Any] = {"color": "#444444", "linewidth": 1.2, "linestyle": (0, (1, 1.5))}
_INK, _SIZES = 300.0, (1.8, 4.0)  # size of a dot: that over the number of slopes, within these
_APART = 0.065  # of the axis: lines that are nearer cannot both be labelled
_BEFORE = 0.12  # of the cascade: how far before its first doubling the closer look begins


@dataclass(frozen=True)
class _Slopes:
    """Doublings, their accumulation and the steepest slope on which walks last [deg]."""

    flips: Array
    accumulation: float
    last: float


def bifurcation_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Figures and tables of a walker, "compass" or "simplest"."""
    slopes = _Slopes(
        np.degrees(data["flip_slope"].to_numpy()),
        scalar(metrics, "accumulation_slope_deg"),
        scalar(metrics, "last_slope_deg"),
    )
    figures = [_diagram(data, slopes, None, "Where walks settle")]
    closer = _cascade(data, slopes)
    if closer is not None:
        figures.append(_diagram(data, slopes, closer, "The cascade of doublings, closer"))
    figures.append(_multipliers(data, slopes))
    tables = [_doublings(data, metrics)] if len(slopes.flips) else []
    return Contents(figures, tables, _notes(data, metrics))


def _diagram(
    data: xr.Dataset, slopes: _Slopes, shown: tuple[float, float] | None, title: str
) -> Figure:
    """Period and angle of the kept steps over the slope, all of it or a part [deg]."""
    slope = np.degrees(data["slope"].to_numpy())
    period = data["step_time"].to_numpy()
    angle = np.degrees(2.0 * np.abs(data["walk"].to_numpy()[:, :, 0]))
    # the last steps before a fall are nowhere settled
    inside = np.asarray(np.isfinite(angle).all(axis=1))
    if shown is not None:
        inside &= (slope >= shown[0]) & (slope <= shown[1])
    size = float(np.clip(_INK / max(int(inside.sum()), 1), *_SIZES))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, values in zip(axes[:, 0], (period, angle), strict=True):
            repeated = np.repeat(slope[inside], values.shape[1])
            panel.plot(repeated, values[inside].ravel(), markersize=size, zorder=3.0, **_DOTS)
            panel.set_xlim(*(shown or (slope[0], slope[-1])))
            panel.set_ylim(*panel.get_ylim())
        _plot_branch(axes[1, 0], data)
        for panel in axes[:, 0]:
            _plot_slopes(panel, slopes)
        _label_flips(axes[0, 0], slopes.flips)
        unit = "√(l/g)" if data.attrs.get("walker") == "simplest" else "s"
        axes[0, 0].set_ylabel(f"step period [{unit}]")
        axes[1, 0].set(ylabel="angle between the legs\nat the strike [deg]", xlabel=_SLOPE)
        legend_on_top(axes[1, 0])

    alt = (
        "Step period and angle between the legs of the steps that walks settle in, over the slope, "
        f"with the period doublings at {_in_degrees(slopes.flips)}."
    )
    steps = data.sizes["kept"]
    note = (
        f"Dots: the last {steps} steps of a walk that begins beside the gait of period one; where "
        "there are none, walks do not last. Grey: the gait of period one, dashed where it is "
        "unstable."
    )
    return draw(title, alt, (2, 1), plot, note=note, row_height=2.9, dense=True)


def _cascade(data: xr.Dataset, slopes: _Slopes) -> tuple[float, float] | None:
    """The part of the slopes [deg] in which periods double and walks become irregular."""
    if not len(slopes.flips):
        return None
    known = [slopes.last, slopes.accumulation, float(slopes.flips[-1])]
    end = max(value for value in known if math.isfinite(value))
    first = float(slopes.flips[0])
    steepest = float(np.degrees(data["slope"][-1]))
    if end <= first:
        return None
    wide = end - first
    return first - _BEFORE * wide, min(end + 0.03 * wide, steepest)


def _plot_branch(panel: Axes, data: xr.Dataset) -> None:
    """The gait of period one under the dots, stable and not."""
    slope = np.degrees(data["branch_slope"].to_numpy())
    angle = np.degrees(2.0 * np.abs(data["gait"].to_numpy()[:, 0]))
    stable = _modulus(data).max(axis=1) < 1.0
    # a line ends between two points of which one is stable and the other is not: join them dashed
    broken = ~(stable & np.append(stable[1:], stable[-1:]))
    style: dict[str, Any] = {"color": "#9a9a9a", "linewidth": 1.0, "zorder": 2.0}
    panel.plot(slope, np.where(stable, angle, np.nan), **style, label="gait of period one")
    loose = np.where(~stable | broken | np.append(False, broken[:-1]), angle, np.nan)
    panel.plot(slope, loose, **(style | {"linestyle": (0, (4, 2))}), label="unstable")


def _modulus(data: xr.Dataset) -> Array:
    """Moduli of the multipliers of the gait of period one, (branch, m)."""
    real, imaginary = data["multiplier_real"].to_numpy(), data["multiplier_imag"].to_numpy()
    return np.asarray(np.hypot(real, imaginary))


def _plot_slopes(panel: Axes, slopes: _Slopes) -> None:
    """Lines at the doublings, where they accumulate, and where walks end."""
    low, high = panel.get_xlim()
    for index, flip in enumerate(slopes.flips):
        panel.axvline(flip, label="period doubles" if index == 0 else None, **_FLIP)
    if low < slopes.accumulation < high:
        label = f"doublings accumulate, {slopes.accumulation:.4f}°"
        panel.axvline(slopes.accumulation, label=label, **_LIMIT)
    if low < slopes.last < high:
        panel.axvline(slopes.last, label=f"last walk, {slopes.last:.4f}°", **_END)
    panel.set_xlim(low, high)


def _label_flips(panel: Axes, flips: Sequence[float] | Array) -> None:
    """The slopes of the doublings above the panel, as many as have room."""
    low, high = panel.get_xlim()
    last = -math.inf
    for flip in flips:
        if low <= flip <= high and flip - last > _APART * (high - low):
            style: dict[str, Any] = {"fontsize": 8.0, "va": "bottom", "ha": "center"}
            where = panel.get_xaxis_transform()
            panel.text(flip, 1.01, f"{flip:.4f}°", transform=where, color=_FLIP["color"], **style)
            last = float(flip)


def _multipliers(data: xr.Dataset, slopes: _Slopes) -> Figure:
    """Modulus and real part of the multipliers of the gait of period one."""
    slope = np.degrees(data["branch_slope"].to_numpy())
    dots: dict[str, Any] = {"marker": ".", "markersize": 4.0, "linestyle": "", "color": "#0072B2"}
    first = _Slopes(slopes.flips[:1], math.nan, math.nan)

    def plot(axes: npt.NDArray[Any]) -> None:
        values = (_modulus(data), data["multiplier_real"].to_numpy())
        for panel, parts in zip(axes[:, 0], values, strict=True):
            for column in range(parts.shape[1]):
                label = "multipliers of the gait of period one" if column == 0 else None
                panel.plot(slope, parts[:, column], label=label, **dots)
            panel.set_xlim(slope.min(), slope.max())
            _plot_slopes(panel, first)
        _label_flips(axes[0, 0], first.flips)
        axes[0, 0].axhline(1.0, color="black", linewidth=0.9)
        for bound in (-1.0, 1.0):
            axes[1, 0].axhline(bound, color="black", linewidth=0.9)
        axes[0, 0].set_ylabel("modulus [1]")
        axes[1, 0].set(ylabel="real part [1]", xlabel=_SLOPE)
        legend_on_top(axes[0, 0])

    alt = (
        "Modulus and real part of the multipliers of the gait of period one over the slope; the "
        "period doubles where a real one passes -1."
    )
    note = (
        "A gait is stable while all moduli are below 1. Two equal moduli are a pair of complex "
        "multipliers. The first doubling is where a real one passes -1."
    )
    return draw("Multipliers of the gait", alt, (2, 1), plot, note=note, row_height=2.2)


def _doublings(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Table:
    slopes = data["flip_slope"].to_numpy()
    periods = data["flip_period"].to_numpy().astype(int)
    apart = np.diff(np.degrees(slopes), prepend=np.nan)
    ratios = np.append(np.full(min(2, len(slopes)), np.nan), apart[1:-1] / apart[2:])
    rows = [
        (
            f"{period} to {2 * period}",
            f"{np.degrees(slope):.6f}",
            f"{slope:.9f}",
            NONE if math.isnan(gap) else f"{gap:.6f}",
            number(float(ratio), 5),
        )
        for period, slope, gap, ratio in zip(periods, slopes, apart, ratios, strict=True)
    ]
    headings = ("steps in a period", "slope [deg]", "slope [rad]", "from the last [deg]", "ratio")
    note = (
        "Each doubling is where a multiplier of its own branch is -1. The ratio of distances tends "
        "to Feigenbaum's 4.6692."
    )
    accumulation = scalar(metrics, "accumulation_slope_deg")
    if math.isfinite(accumulation):
        error = scalar(metrics, "accumulation_error_deg")
        note += (
            f" By it the doublings accumulate at {accumulation:.6f} degrees; Aitken's "
            f"extrapolation differs by {number(error, 2)} degrees."
        )
    return Table("Period doublings", headings, rows, note)


def _notes(data: xr.Dataset, metrics: Mapping[str, Metric]) -> list[str]:
    paragraphs = []
    if data.attrs.get("walker") == "simplest":
        paragraphs.append(
            "The simplest walker has legs without mass and a point mass at the hip; its times are "
            "in units of the pendulum's √(l/g). The model and the slope of the scenario play no "
            "part here."
        )
    if data.attrs.get("stops"):
        paragraphs.append(f"{data.attrs['stops']}.")
    last, lost = scalar(metrics, "last_slope_deg"), scalar(metrics, "first_lost_slope_deg")
    if math.isfinite(last) and math.isfinite(lost):
        paragraphs.append(
            f"Walks last up to about {last:.3f} degrees, at {lost:.3f} one did not. The end "
            "of an irregular gait is where walks are seen to end, not the zero of a function: "
            "longer walks, or another machine's rounding, may move it a little."
        )
    elif math.isfinite(last):
        paragraphs.append(f"Walks last on all slopes of the diagram, up to {last:.4f} degrees.")
    paragraphs.append(
        "The diagram shows where walks settle that begin beside the gait of period one; another "
        "gait that such walks do not find would not be seen."
    )
    return paragraphs


def _in_degrees(flips: Array) -> str:
    return listed(f"{flip:.4f}" for flip in flips) + (" degrees" if len(flips) else "")
