"""All charts of a page in the little room that a page has for them.

Descriptions are JSON, before packed numbers; both are deflated together. ``charts.js`` reads them.
"""

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.report.charts.chart import Chart
from footfall.report.charts.panel import Entry, Mark, Panel, Scale
from footfall.report.charts.thinning import fewer_dots, thinned
from footfall.report.packed_numbers import PackedNumbers, packed

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
        found: Array = np.log10(np.where(values > 0.0, values, np.nan))
    return found


def _scale(scale: Scale) -> dict[str, Any]:
    known = {"label": scale.label, "low": scale.low, "high": scale.high, "log": scale.log}
    return known if scale.ticks is None else known | {"ticks": [list(one) for one in scale.ticks]}


def _entry(entry: Entry) -> dict[str, Any]:
    return {"label": entry.label, "kind": entry.kind, **entry.style}
