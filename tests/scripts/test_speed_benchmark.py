"""The benchmark of speed runs; what it measures is read, not asserted."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "benchmarks" / "speed.py"


@pytest.fixture(scope="module")
def speed():
    spec = importlib.util.spec_from_file_location("speed", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_benchmark_runs(speed, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["speed.py", "--rounds", "2", "--profile"])
    monkeypatch.setattr(speed, "STEPS", 5)
    speed.main()
    lines = capsys.readouterr().out.splitlines()
    medians = {line[:40].strip(): float(line[40:50]) for line in lines[1:9]}
    assert {"moreau, inverse dynamics", "drake-lagged, inverse dynamics"} <= set(medians)
    assert np.all(np.array(list(medians.values())) > 0.0)
    assert any(line.startswith("kernel with two contacts") for line in lines)
