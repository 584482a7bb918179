"""All charts of a page in the little room that a page has for them.

Descriptions are JSON, before packed numbers; both are deflated together. ``charts.js`` reads them.
Of lines and dots what cannot be seen at the size of a panel is left out.
"""

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.path import Path

from footfall.arrays import Array
from footfall.report.charts.looks import Entry, Mark, Scale
from footfall.report.charts.panel import Chart, Panel
from footfall.report.packed_numbers import PackedNumbers, packed

WIDTH, HEIGHT = 2000.0, 800.0
"""Size of a panel [pixels] at which a line is judged: some four times that on a screen."""
TOLERANCE = 0.5
"""Distance [pixels of that size] from a line to a point of it that may be left out."""
_BUCKETS = 700  # over the width of a page: a noisy line has its extremes in each
_OF_A_BUCKET = 4  # first, lowest, highest and last point


def thinned(x: Array, y: Array, low: Array, high: Array, width: float = 1.0) -> tuple[Array, Array]:
    """Return x and y (m,) of a line through x and y (n,) in a panel from low to high (2,).

    width: of the panel, as a share of the page's. The line is never farther than ``TOLERANCE`` from
    the points that are left out, unless more than fit into a panel lie above each other: then it
    has the extremes. NaN parts pieces, as before.
    """
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 3:
        return x, y
    size = np.array([width * WIDTH, HEIGHT]) / (high - low)
    buckets = max(int(width * _BUCKETS), 1)
    points = np.column_stack((x, y))
    shown = points * size
    path = Path(shown)
    path.simplify_threshold = TOLERANCE
    simplified = path.cleaned(remove_nans=True, simplify=True)
    vertices, codes = np.asarray(simplified.vertices), np.asarray(simplified.codes)
    drawn = (codes == Path.MOVETO) | (codes == Path.LINETO)
    drawn[1:] &= (vertices[1:] != vertices[:-1]).any(axis=1)  # the last one comes twice
    vertices, codes = vertices[drawn] / size, codes[drawn]
    begins = np.flatnonzero(codes == Path.MOVETO)[1:]
    few = np.insert(vertices, begins, np.nan, axis=0)
    if len(few) > _OF_A_BUCKET * buckets and (np.diff(x[known]) >= 0.0).all():
        few = points[_extremes(x, y, known, buckets)]
    return few[:, 0], few[:, 1]


def _extremes(x: Array, y: Array, known: np.ndarray, buckets: int) -> np.ndarray:
    """Return rows of the first, lowest, highest and last point in every bucket, and of gaps."""
    rows = np.flatnonzero(known)
    share = (x[rows] - x[rows[0]]) / max(float(x[rows[-1]] - x[rows[0]]), 1e-300)
    bucket = np.minimum((share * buckets).astype(int), buckets - 1)
    begins = np.flatnonzero(np.diff(bucket, prepend=-1))
    by_height = np.lexsort((y[rows], bucket))
    ends = np.append(begins[1:], len(rows)) - 1
    chosen = [rows[begins], rows[ends], rows[by_height[begins]], rows[by_height[ends]]]
    gaps = np.flatnonzero(~known)
    return np.unique(np.concatenate([*chosen, gaps[np.diff(gaps, prepend=-2) > 1]]))


def fewer_dots(x: Array, y: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Return x and y (m,) of dots without those that lie on others, to a pixel of ``WIDTH``."""
    known = np.isfinite(x) & np.isfinite(y)
    size = np.array([WIDTH, HEIGHT]) / (high - low)
    points = np.column_stack((x, y))[known]
    _, first = np.unique(np.round(points * size).astype(np.int64), axis=0, return_index=True)
    few = points[np.sort(first)]
    return few[:, 0], few[:, 1]


_MANY_DOTS = 200
_FEW_POINTS = 60_000  # that no page minds


class PackedCharts:
    """Charts of a page, numbered as they are added."""

    def __init__(self) -> None:
        """Begin without any."""
        self._charts: list[dict[str, Any]] = []
        self._numbers = PackedNumbers()

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._charts)

    def add(self, chart: Chart) -> int:
        """Take a chart; returns its number."""
        columns = chart.panels.shape[1]
        inches = [round(one, 3) for one in chart.heights]
        self._charts.append(
            {
                "widths": [round(chart.width / columns, 3)] * columns,
                "heights": inches,
                "legend": [_entry(one) for one in chart.legend],
                "panels": [self._panel(one, 1.0 / columns) for one in chart.shown],
            }
        )
        return len(self._charts) - 1

    def packed(self) -> str:
        """Return all of them: length of the JSON (four bytes), JSON, numbers; deflated, base64."""
        content = {"arrays": self._numbers.table, "charts": self._charts}
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
        return packed(struct.pack("<I", len(text)) + text + self._numbers.content())

    def _panel(self, panel: Panel, width: float) -> dict[str, Any]:
        scales = panel.scale("x"), panel.scale("y")
        marks = sorted(panel.marks, key=lambda mark: mark.order)
        return {
            "rows": (panel.row, panel.row + 1),
            "columns": (panel.column, panel.column + 1),
            "title": panel.title,
            "x": _scale(scales[0]),
            "y": _scale(scales[1]),
            "time": panel.over_time,
            "equal": panel.equal,
            "bare": panel.bare,
            "grid": [panel.axes["x"].grid, panel.axes["y"].grid],
            "legend": [_entry(one) for one in panel.legend_entries],
            "marks": [self._mark(one, scales, width) for one in marks if one.style and len(one.x)],
        }

    def _mark(self, mark: Mark, scales: Sequence[Scale], width: float) -> dict[str, Any]:
        x, y = _seen(mark, scales, width)
        return {
            "kind": mark.kind,
            "x": self._numbers.add(x),
            "y": self._numbers.add(y),
            "shares": mark.shares,
            "label": mark.label,
            **mark.style,
        }


def points_of(chart: Chart) -> int:
    """Return how many points a page has to draw for a chart, or more if that is little."""
    every = [(panel, mark) for panel in chart.shown for mark in panel.marks]
    total = sum(len(mark.x) for _, mark in every)
    if total <= _FEW_POINTS:
        return total
    width = 1.0 / chart.panels.shape[1]
    scales = {panel: (panel.scale("x"), panel.scale("y")) for panel in chart.shown}
    return sum(len(_seen(mark, scales[panel], width)[0]) for panel, mark in every)


def _seen(mark: Mark, scales: Sequence[Scale], width: float) -> tuple[Array, Array]:
    """Return x and y of a mark, logarithms along logarithmic axes, as far as they can be seen."""
    of_axis = zip((mark.x, mark.y), scales, mark.shares, strict=True)
    x, y = (_logarithms(one) if own.log and not share else one for one, own, share in of_axis)
    if mark.kind == "line" and mark.shares == (False, False):
        return _few(mark, x, y, scales, width)
    return x, y


def _few(
    mark: Mark, x: Array, y: Array, scales: Sequence[Scale], width: float
) -> tuple[Array, Array]:
    """Return as much of a line or of dots as can be told apart."""
    ends = np.array([sorted((one.low, one.high)) for one in scales])
    for row, scale in zip(ends, scales, strict=True):
        row[:] = np.log10(row) if scale.log else row
    if "heads" in mark.style:
        return x, y
    if "marker" not in mark.style:
        return thinned(x, y, ends[:, 0], ends[:, 1], width)
    if "stroke" not in mark.style and len(x) > _MANY_DOTS:
        return fewer_dots(x, y, ends[:, 0], ends[:, 1])
    return x, y


def _logarithms(values: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms: Array = np.log10(np.where(values > 0.0, values, np.nan))
    return logarithms


def _scale(scale: Scale) -> dict[str, Any]:
    known = {"label": scale.label, "low": scale.low, "high": scale.high, "log": scale.log}
    return known if scale.ticks is None else known | {"ticks": [list(one) for one in scale.ticks]}


def _entry(entry: Entry) -> dict[str, Any]:
    return {"label": entry.label, "kind": entry.kind, **entry.style}
