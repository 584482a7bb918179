"""Tables that commands print fit a screen, and say what they leave out."""

import math
import os
import re
from types import SimpleNamespace

import pytest
import xarray as xr

from footfall.analysis.context import AnalysisResult
from footfall.cli.progress import describe
from footfall.cli.tables import print_claims, print_differences, print_metrics, print_result
from footfall.comparison import Difference
from footfall.registry.claims import judged, stated


def rows(count, unit):
    return [Difference(f"{unit} {k}", unit, float(k), 0.5 * k, 0.0) for k in range(count)]


def printed(capsys):
    """The lines of a terminal, without the blank ones."""
    return [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]


@pytest.fixture(autouse=True)
def _narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_few_differences_are_all_told(capsys):
    print_differences("one against another", rows(12, "m") + rows(8, "rad"))
    assert len(printed(capsys)) == 1 + 2 + 20  # title, heading and its rule


def test_of_many_differences_the_largest_of_each_unit_are_told(capsys):
    many = [*rows(30, "m"), Difference("never", "rad", math.nan, 1.0, 1.0), *rows(30, "rad")]
    print_differences("one against another", many)
    _, _, _, *told, note = printed(capsys)
    names = [line.partition("  ")[0] for line in told]
    assert names == ["m 27", "m 28", "m 29", "never", "rad 28", "rad 29"]
    assert "55 quantities that differ less" in note


@pytest.mark.parametrize(("elapsed", "says"), [(50.0, "0.02x real"), (0.5, "2x real")])
def test_a_slow_run_says_how_slow(elapsed, says):
    progress = SimpleNamespace(time=1.0, duration=2.0, contacts=3, residual=0.0)
    assert says in describe("robot", progress, elapsed)


@pytest.mark.parametrize("name", ["[/b] knee", "[m/s]", ":smile:"])
def test_names_are_printed_as_they_are(name, capsys):
    print_differences(name, [Difference(name, "m", 1.0, 1.0, 1.0)])
    assert capsys.readouterr().out.count(name) == 2


def test_a_claim_stands_below_the_engine_that_it_is_of(monkeypatch, capsys):
    words = {"unit": "m", "source": "", "reason": ""}
    both = judged("both", value=1.0, published=1.0, tolerance=0.1, **words)
    last = stated("last", value=2.0, bound=0.0, tolerance=0.1, own_error=3.0, **words)
    other = stated("last", value=2.0, bound=0.0, tolerance=0.1, own_error=4.0, **words)
    runs = {"a": (both,), "b": (both, last), "c": (other,)}
    monkeypatch.setenv("COLUMNS", "200")
    print_claims(runs)
    _, _, _, *told = printed(capsys)
    cells = [re.split(r" {3,}", line) for line in told]
    assert cells[0][2:] == ["1 m reproduced", "1 m reproduced", "-"]
    assert cells[1][2:] == ["-", "2 m predicted", "2 m predicted"]
    # words leave each engine its own error
    assert cells[1][1] == "0 m ± 3.1 m (engine's error) or 0 m ± 4.1 m (engine's error)"


def test_an_analysis_prints_the_digits_that_its_tolerance_asks_for(capsys):
    words = {"unit": "rad", "source": "", "reason": ""}
    claims = (
        judged("many", value=4.66920160910, published=4.669201609, tolerance=1e-9, **words),
        stated("few", value=0.002322318673, bound=0.01, relation="at most", **words),
    )
    result = AnalysisResult(xr.Dataset(), {"share": 1.0 / 3.0, "runs": 5.0}, claims)
    print_result(SimpleNamespace(name="compass/any", analysis=None), result)
    told = " ".join(printed(capsys))
    assert "4.6692016091 rad reproduced" in told
    assert re.search(r"few +at most 0.01 rad +0.0023223 rad predicted", told)
    assert "0.333333 " in told
    assert "0.3333333" not in told
    assert told.index("4.669") < told.index("0.333333")  # what is claimed comes first


ENGINES = ("moreau", "drake", "drake-sap", "drake-lagged", "drake-similar", "drake-continuous")
FEET = {f"a_long_name_of_foot_{k}": -1.2345e-15 * k for k in range(1, 5)}
UNITS = "rad, rad, m, m, rad, rad, N m"


@pytest.mark.parametrize("width", [80, 200])
@pytest.mark.parametrize("engines", [1, 6])
def test_no_number_is_cut_or_broken_and_each_stands_by_its_name(
    width, engines, monkeypatch, capsys
):
    monkeypatch.setenv("COLUMNS", str(width))
    known = {"force": ("N", "force on feet"), "far": ("m", "way")}
    metrics = {"force": FEET, "far": [0.123456, -7.65432e-11, 3.0]}
    print_metrics("several", dict.fromkeys(ENGINES[:engines], metrics), known)
    told = printed(capsys)
    assert max(map(len, told)) <= width
    for name, value in FEET.items():
        beside = [line for line in told if f"{name} {value:.5g}" in line]
        assert sum(line.count(name) for line in beside) == engines
    whole = " ".join(told)
    assert whole.count("0.12346") == whole.count("-7.6543e-11") == engines
    parts = [line.split() for line in told if line.startswith("metric")]
    assert [name for part in parts for name in part if name in ENGINES] == [*ENGINES[:engines]]
    for part in parts:
        assert ("unit" in part, part[0]) == (True, "metric")


def test_numbers_of_several_units_stand_with_theirs_a_line_each(capsys):
    margins = [0.1 * k for k in range(1, 8)]
    print_metrics("hopper", {"closed-form": {"margins": margins}}, {"margins": (UNITS, "least")})
    _, _, _, *told = printed(capsys)
    wanted = [f"{value:.5g} {unit}" for value, unit in zip(margins, UNITS.split(", "), strict=True)]
    assert [re.sub("margins|least", "", line).strip() for line in told] == wanted


def test_how_a_run_ended_is_told_first_and_what_any_run_has_last(capsys):
    names = ["duration", "min_gap", "energy_gain", "reach", "fallen", "final_speed", "fall_time"]
    print_metrics("metrics", {"moreau": dict.fromkeys(names, 1.0)}, {})
    _, _, _, *told, besides = printed(capsys)
    first = [line.split()[0] for line in told]
    assert first == ["fallen", "fall_time", "reach", "final_speed", "duration", "min_gap"]
    assert besides.endswith("energy_gain")


def test_where_nobody_watches_lines_are_as_long_as_they_need(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr(os, "isatty", lambda _: False)
    meaning = "a long way to say what it means " * 8
    print_metrics("metrics", {"moreau": {"reach": FEET}}, {"reach": ("m", meaning)})
    (line,) = [one for one in printed(capsys) if one.startswith("reach")]
    assert line.endswith(meaning.strip())
    assert all(name in line for name in FEET)
