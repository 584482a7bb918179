"""All charts of a page in the little room that a page has for them.

Descriptions are JSON, before packed numbers; both are deflated together. ``charts.js`` reads them.
"""

import json
import struct
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.report.charts.model import Chart, Entry, Mark, Panel, Scale
from footfall.report.packed_numbers import PackedNumbers, packed


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
        self._charts.append(
            {
                "widths": list(chart.widths),
                "heights": list(chart.heights),
                "legend": [_entry(one) for one in chart.legend],
                "panels": [self._panel(one) for one in chart.panels],
            }
        )
        return len(self._charts) - 1

    def packed(self) -> str:
        """Return all of them: length of the JSON (four bytes), JSON, numbers; deflated, base64."""
        content = {"arrays": self._numbers.table, "charts": self._charts}
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode()
        return packed(struct.pack("<I", len(text)) + text + self._numbers.content())

    def _panel(self, panel: Panel) -> dict[str, Any]:
        logs = panel.x.log, panel.y.log
        return {
            "rows": panel.rows,
            "columns": panel.columns,
            "title": panel.title,
            "x": _scale(panel.x),
            "y": _scale(panel.y),
            "time": panel.over_time,
            "equal": panel.equal,
            "grid": panel.grid,
            "legend": [_entry(one) for one in panel.legend],
            "marks": [self._mark(one, logs) for one in panel.marks],
        }

    def _mark(self, mark: Mark, logs: tuple[bool, bool]) -> dict[str, Any]:
        log = [of_axis and not share for of_axis, share in zip(logs, mark.shares, strict=True)]
        return {
            "kind": mark.kind,
            "x": self._array(mark.x, log=log[0]),
            "y": self._array(mark.y, log=log[1]),
            "shares": mark.shares,
            "label": mark.label,
            **mark.style,
        }

    def _array(self, values: Array, *, log: bool) -> int:
        """Return the number of an array; along a logarithmic axis logarithms are kept."""
        if log:
            values = np.log10(np.where(values > 0.0, values, np.nan))
        return self._numbers.add(values)


def _scale(scale: Scale) -> dict[str, Any]:
    found = {"label": scale.label, "low": scale.low, "high": scale.high, "log": scale.log}
    return found if scale.ticks is None else found | {"ticks": [list(one) for one in scale.ticks]}


def _entry(entry: Entry) -> dict[str, Any]:
    return {"label": entry.label, "kind": entry.kind, **entry.style}
