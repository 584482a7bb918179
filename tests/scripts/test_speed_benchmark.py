"""The benchmarks of speed, memory and pages run; what they measure is read, not asserted."""

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "scripts" / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module


def _rows(text, indent=""):
    """Numbers of a table's lines by the words before them."""
    rows = {}
    for line in text.splitlines():
        label = line[:34].rstrip()
        if label.startswith(indent):
            rows[label.strip()] = line[34:].split()
    return rows


def test_the_benchmark_of_speed_runs(benchmark, monkeypatch, capsys):
    speed = benchmark("speed")
    monkeypatch.setattr("sys.argv", ["speed.py", "biped", "humanoid", "--rounds", "2", "--profile"])
    monkeypatch.setattr(speed, "STEPS", 5)
    speed.main()
    table, _, profiles = capsys.readouterr().out.partition("ratio: to")
    rows = _rows(table, indent="  ")
    expected = {
        "moreau, bare loop",
        "moreau, loop of one's own",
        "moreau",
        "drake-lagged",
        "drake-sap",
        "moreau, controller",
    }
    assert expected <= set(rows)
    assert float(rows["drake-lagged"][-1]) == 1.0  # what ratios are taken to
    assert all(float(row[0]) > 0.0 for row in rows.values())
    assert "100 steps in a rollout" in profiles
    assert "compiled step" in profiles


def test_all_points_of_the_benchmarks_machines_carry(benchmark, tmp_path):
    machines, stepping = benchmark("machines"), benchmark("stepping")
    carrying = {"biped": 2, "humanoid": 8, "quadruped": 4}
    for name, count in carrying.items():
        scenario = machines.scenario_of(name, tmp_path)
        engine, context = stepping.alone(scenario, stepping.build_robot(scenario))
        context.SetDiscreteState(engine.EvalUniquePeriodicDiscreteUpdate(context))
        report = engine.GetOutputPort("contact_report").Eval(context)
        assert (report.impulse[:, 0] > 0.0).sum() == count


def test_the_benchmark_of_memory_runs(benchmark, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["memory.py", "--steps", "100", "--engines", "moreau"])
    benchmark("memory").main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10 + 1
    assert "100 steps" in lines[-2]
    assert float(lines[-2].split()[-2]) > 10.0  # an interpreter with Drake takes more MiB than that


@pytest.mark.slow
def test_the_benchmark_of_pages_runs(benchmark, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["page.py", "smoke/Defaults", "--rounds", "1"])
    benchmark("page").main()
    _, row, *missed = capsys.readouterr().out.splitlines()
    assert all(line.startswith("missed: smoke/Defaults") for line in missed)
    name, *numbers = row.replace("kB", " ").split()
    assert name == "smoke/Defaults"
    _, start_up, _, _, _, size, *parts = (float(number) for number in numbers)
    assert start_up > 0.1  # s: an interpreter that imports Drake takes more
    assert 0.3 < size < 2.0  # MB: the viewer of its animation alone takes 0.4
    assert sum(parts) == pytest.approx(1e3 * size, abs=0.5 * len(parts) + 5.0)  # rounded
