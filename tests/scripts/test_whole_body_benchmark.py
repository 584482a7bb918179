"""The benchmark of whole-body control runs; what it measures is read, not asserted."""

import importlib
from pathlib import Path

import jinja2
import numpy as np

FOLDER = Path(__file__).parents[2] / "scripts" / "benchmarks"


def test_ticks_are_measured_and_the_page_is_whole(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(FOLDER)
    benchmark = importlib.import_module("whole_body")
    monkeypatch.setattr(benchmark, "HAS_PLACO", False)
    monkeypatch.setattr(benchmark, "_RUNS", 1)
    row = benchmark._measured("scenes/balance", 0.15, tmp_path)
    assert row.outcomes == "30 solved"
    assert len(row.ours) == 30 - benchmark._FIRST
    assert 0.0 < row.median(row.ours) <= row.late(row.ours)
    text = (FOLDER / "whole_body.md.j2").read_text()
    template = jinja2.Template(text, trim_blocks=True, undefined=jinja2.StrictUndefined)
    beside = benchmark.Row("beside", 5, row.ours, row.others, "", 2.0 * row.ours, 0, 0.5, 60.0)
    given = {"date": "today", "computer": "here", "versions": "these", "load": 1.0}
    page = template.render(rows=[row, beside], **given)
    lines = [line for line in page.splitlines() if line.startswith("|")]
    assert len(lines) == 4
    assert {line.count("|") for line in lines} == {10}
    assert f"{np.median(2.0 * row.ours):.0f}" in lines[-1]
