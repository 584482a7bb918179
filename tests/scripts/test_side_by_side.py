"""Claims of accuracy in the comparison with other engines, and its page, which is whole."""

import importlib
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
FOLDER = Path(__file__).parents[2] / "scripts" / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    return importlib.import_module


@pytest.fixture
def accuracy(benchmark):
    return benchmark("accuracy")


@pytest.mark.longest
def test_rigid_contact_neither_sinks_nor_creeps(accuracy):
    for values in accuracy.at_rest().values():
        by_scheme = dict(zip(accuracy.SCHEMES, values, strict=True))
        assert abs(by_scheme["moreau"]) < 1e-9  # mm: rounding of the places of bodies
        assert abs(by_scheme["midpoint"]) < 1e-9
        assert by_scheme["drake-lagged"] > 1e-2  # what compliance is for


def test_energy_errors_fall_with_the_order_of_the_scheme(accuracy):
    errors = dict(accuracy.energies())
    for scheme, factor in (("moreau", 2.0), ("midpoint", 4.0), ("drake-sap", 2.0)):
        k = accuracy.SCHEMES.index(scheme)
        coarse, fine = errors[2e-3][k], errors[1e-3][k]
        assert coarse / fine == pytest.approx(factor, rel=0.1)


def test_the_page_holds_every_table(benchmark, monkeypatch, tmp_path):
    side_by_side = benchmark("side_by_side")
    monkeypatch.setattr("sys.argv", ["side_by_side.py", str(tmp_path)])
    for name, value in (
        ("MACHINES", ("biped",)),
        ("ROBOTS", ()),
        ("ROUNDS", 2),
        ("STEPS", 2),
        ("ROLLED", 3),
    ):
        monkeypatch.setattr(side_by_side, name, value)
    for name, value in (("WORLDS", 6), ("STEPS", 5), ("ROUNDS", 1)):
        monkeypatch.setattr(side_by_side.batches, name, value)
    monkeypatch.setattr(side_by_side, "SIZES", {"boxes": (3, 6), "spheres": (5, 10)})
    monkeypatch.setattr(
        side_by_side, "at_rest", lambda: {"sinks": [0.0] * len(side_by_side.SCHEMES)}
    )
    monkeypatch.setattr(
        side_by_side, "energies", lambda: [(1e-3, [0.1] * len(side_by_side.SCHEMES))]
    )
    side_by_side.main()
    text = (tmp_path / "speed.md").read_text()
    tables = re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE)
    assert len(tables) == 1 + 1 + 1 + 2 + 2
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1, table
    rows = [line for line in text.splitlines() if line.startswith("| biped")]
    assert len(rows) == 1 + 1 + 2  # a step, rolled, and batches on one thread and on two
    assert all(float(cell) > 0.0 for row in rows for cell in row.split("|")[2:-1])
    for picture in re.findall(r"\]\((\S+\.svg)\)", text):
        assert (tmp_path / picture).stat().st_size > 1000
