"""The page of a bifurcation over the slope."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.metrics import Metric, scalar
from footfall.report.charts.panel import Panel
from footfall.report.curves import Level, Line, Over, Part, Plot, Uprights, curves
from footfall.report.figure import Figure
from footfall.report.tables import NONE, Contents, Table, listed, number

_OVER = Over("slope [deg]")
_BLUE, _RED = "#0072B2", "#D55E00"
_FLIP: dict[str, Any] = {"color": _RED, "linewidth": 0.9}
_LIMIT: dict[str, Any] = {"color": "#CC79A7", "linewidth": 1.3, "linestyle": (0, (4, 2))}
_END: dict[str, Any] = {"color": "#444444", "linewidth": 1.2, "linestyle": (0, (1, 1.5))}
_BOUND: dict[str, Any] = {"color": "black", "linewidth": 0.9}
_GAIT: dict[str, Any] = {"color": "#9a9a9a", "linewidth": 1.0}
_LOOSE: dict[str, Any] = {**_GAIT, "linestyle": (0, (4, 2))}
_INK, _SIZES = 300.0, (1.8, 4.0)  # size of a dot: that over the number of slopes, within these
_APART = 0.16  # of the axis: the room of a label, also on a narrow page
_BEFORE = 0.12  # of the cascade: how far before its first doubling the closer look begins


def bifurcation_contents(data: xr.Dataset, metrics: Mapping[str, Metric]) -> Contents:
    """Figures and tables of a walker, "compass" or "simplest"."""
    slope, flips = np.degrees(data["slope"].to_numpy()), np.degrees(data["flip_slope"].to_numpy())
    limits = [scalar(metrics, name) for name in ("accumulation_slope_deg", "last_slope_deg")]
    whole = float(slope[0]), float(slope[-1])
    figures = [_diagram(data, flips, limits, whole, "Where walks settle")]
    known = [value for value in (*limits, *flips[-1:]) if math.isfinite(value)]
    if len(flips) and (wide := max(known) - flips[0]) > 0.0:
        closer = float(flips[0] - _BEFORE * wide), min(float(max(known) + 0.03 * wide), whole[1])
        title = "The cascade of doublings, closer"
        figures.append(_diagram(data, flips, limits, closer, title))
    figures.append(_multipliers(data, flips))
    tables = [_doublings(data, metrics)] if len(flips) else []
    return Contents(figures, tables, _notes(data, metrics))


def _diagram(
    data: xr.Dataset, flips: Array, limits: list[float], shown: tuple[float, float], title: str
) -> Figure:
    """Period and angle of the kept steps over the slopes that are shown [deg].

    limits: where doublings accumulate, and the steepest slope on which walks last [deg].
    """
    slope = np.degrees(data["slope"].to_numpy())
    period = data["step_time"].to_numpy()
    angle = np.degrees(2.0 * np.abs(data["walk"].to_numpy()[:, :, 0]))
    # the last steps before a fall are nowhere settled
    inside = np.asarray(np.isfinite(angle).all(axis=1)) & (slope >= shown[0]) & (slope <= shown[1])
    size = float(np.clip(_INK / max(int(inside.sum()), 1), *_SIZES))
    dots = {"color": _BLUE, "linestyle": "", "marker": ".", "markersize": size}
    marks = _uprights(flips, limits, shown)
    unit = "√(l/g)" if data.attrs.get("walker") == "simplest" else "s"
    plots = []
    for label, values, under in (
        (f"step period [{unit}]", period, []),
        ("angle between the legs\nat the strike [deg]", angle, _branch(data)),
    ):
        seen = values[inside].ravel()
        settled = Line(np.repeat(slope[inside], values.shape[1]), seen, look=dots)
        ends = (seen.min(), seen.max()) if len(seen) else (0.0, 1.0)
        room = 0.05 * max(ends[1] - ends[0], 1e-9)
        parts = [*under, settled, *marks]
        plots.append(Plot(label, parts, low=float(ends[0] - room), high=float(ends[1] + room)))
    alt = (
        "Step period and angle between the legs of the steps that walks settle in, over the slope, "
        f"with the period doublings at {listed(f'{flip:.4f}' for flip in flips)} degrees."
    )
    note = (
        f"Dots: the last {data.sizes['kept']} steps of a walk that begins beside the gait of "
        "period one; where there are none, walks do not last. Grey: the gait of period one, dashed "
        "where it is unstable."
    )
    return curves(None, title, plots, over=_OVER, note=note, alt=alt, row_height=2.9)


def _branch(data: xr.Dataset) -> list[Line]:
    """The gait of period one, stable and not."""
    slope = np.degrees(data["branch_slope"].to_numpy())
    angle = np.degrees(2.0 * np.abs(data["gait"].to_numpy()[:, 0]))
    stable = _modulus(data).max(axis=1) < 1.0
    # a line ends between two points of which one is stable and the other is not: join them dashed
    broken = ~(stable & np.append(stable[1:], stable[-1:]))
    loose = ~stable | broken | np.append(False, broken[:-1])
    return [
        Line(slope, np.where(stable, angle, np.nan), "gait of period one", _GAIT),
        Line(slope, np.where(loose, angle, np.nan), "unstable", _LOOSE),
    ]


def _modulus(data: xr.Dataset) -> Array:
    """Moduli of the multipliers of the gait of period one, (branch, m)."""
    real, imaginary = data["multiplier_real"].to_numpy(), data["multiplier_imag"].to_numpy()
    return np.asarray(np.hypot(real, imaginary))


def _uprights(flips: Array, limits: list[float], shown: tuple[float, float]) -> list[Part]:
    """Lines at the doublings, where they accumulate and where walks end; slopes of the first."""
    low, high = shown
    marks: list[Part] = [Uprights(flips.tolist(), "period doubles", _FLIP)]
    for value, words, look in zip(
        limits, ("doublings accumulate", "last walk"), (_LIMIT, _END), strict=True
    ):
        if low < value < high:
            marks.append(Uprights([value], f"{words}, {value:.4f}°", look))

    def name(panel: Panel) -> None:
        panel.set_xlim(low, high)
        room, last = _APART * (high - low), -math.inf
        for flip in flips:
            if max(low, last + room) <= flip <= high - room:
                style: dict[str, Any] = {"fontsize": 8.0, "va": "top", "ha": "left"}
                text = f"\N{NO-BREAK SPACE}{flip:.4f}°"
                panel.text(flip, 1.0, text, color=_RED, shares=(False, True), **style)
                last = float(flip)

    return [*marks, name]


def _multipliers(data: xr.Dataset, flips: Array) -> Figure:
    slope = np.degrees(data["branch_slope"].to_numpy())
    dots = {"color": _BLUE, "linestyle": "", "marker": ".", "markersize": 4.0}
    marks = _uprights(flips[:1], [math.nan, math.nan], (float(slope.min()), float(slope.max())))

    def lines(values: Array) -> list[Line]:
        label = "multipliers of the gait of period one"
        return [Line(slope, column, label, dots) for column in values.T]

    real = lines(data["multiplier_real"].to_numpy())
    plots = [
        Plot("modulus [1]", [*lines(_modulus(data)), Level(1.0, look=_BOUND), *marks]),
        Plot("real part [1]", [*real, Level(1.0, mirrored=True, look=_BOUND), *marks]),
    ]
    note = (
        "A gait is stable while all moduli are below 1. Two equal moduli are a pair of complex "
        "multipliers. The first doubling is where a real one passes -1."
    )
    return curves(None, "Multipliers of the gait", plots, over=_OVER, note=note)


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
        paragraphs.append(f"{data.attrs['stops'].removesuffix('.')}.")
    last, lost = scalar(metrics, "last_slope_deg"), scalar(metrics, "first_lost_slope_deg")
    if math.isfinite(last) and math.isfinite(lost):
        paragraphs.append(
            f"Walks last up to about {last:.4f} degrees; {number(lost - last, 2)} degrees steeper "
            "one did not. The end of an irregular gait is where walks are seen to end, not the "
            "zero of a function: longer walks, or another machine's rounding, may move it a little."
        )
    elif math.isfinite(last):
        paragraphs.append(f"Walks last on all slopes of the diagram, up to {last:.4f} degrees.")
    paragraphs.append(
        "The diagram shows where walks settle that begin beside the gait of period one; another "
        "gait that such walks do not find would not be seen."
    )
    return paragraphs
