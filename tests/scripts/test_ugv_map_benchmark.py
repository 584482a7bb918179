"""The benchmark of the vehicle's map runs; what it measures is read, not asserted."""

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "scripts" / "benchmarks"


@pytest.mark.slow
def test_the_benchmark_of_the_map_runs(monkeypatch, capsys):
    monkeypatch.syspath_prepend(FOLDER)
    benchmark = importlib.import_module("ugv_map")
    words = ["ugv_map.py", "--stations", "9", "--angles", "5", "--repeats", "1"]
    monkeypatch.setattr("sys.argv", words)
    benchmark.main()
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == 8
    assert all(row[-1] == "s" and float(row[-2]) >= 0.0 for row in rows)
