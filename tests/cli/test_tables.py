"""Tables that commands print fit a screen, and say what they leave out."""

import math
from types import SimpleNamespace

import pytest
import xarray as xr

from footfall.analysis.context import AnalysisResult
from footfall.cli.progress import describe
from footfall.cli.tables import claims_table, console, differences_table, print_result
from footfall.comparison import Difference
from footfall.registry.claims import judged, stated


def rows(count, unit):
    return [Difference(f"{unit} {k}", unit, float(k), 0.5 * k, 0.0) for k in range(count)]


def quantities(table):
    return list(table.columns[0].cells)


def test_few_differences_are_all_told():
    table = differences_table("one against another", rows(12, "m") + rows(8, "rad"))
    assert table.row_count == 20
    assert table.caption is None


def test_of_many_differences_the_largest_of_each_unit_are_told():
    many = [*rows(30, "m"), Difference("never", "rad", math.nan, 1.0, 1.0), *rows(30, "rad")]
    table = differences_table("one against another", many)
    assert quantities(table) == ["m 27", "m 28", "m 29", "never", "rad 28", "rad 29"]
    assert "55 quantities that differ less" in table.caption


@pytest.mark.parametrize(("elapsed", "says"), [(50.0, "0.02x real"), (0.5, "2x real")])
def test_a_slow_run_says_how_slow(elapsed, says):
    progress = SimpleNamespace(time=1.0, duration=2.0, contacts=3, residual=0.0)
    assert says in describe("robot", progress, elapsed)


@pytest.mark.parametrize("name", ["[/b] knee", "[m/s]", ":smile:"])
def test_names_are_printed_as_they_are(name, capsys):
    console().print(differences_table(name, [Difference(name, "m", 1.0, 1.0, 1.0)]))
    assert capsys.readouterr().out.count(name) == 2


def test_a_claim_stands_below_the_engine_that_it_is_of():
    words = {"unit": "m", "source": "", "reason": ""}
    both = judged("both", value=1.0, published=1.0, tolerance=0.1, **words)
    last = stated("last", value=2.0, bound=0.0, tolerance=0.1, own_error=3.0, **words)
    other = stated("last", value=2.0, bound=0.0, tolerance=0.1, own_error=4.0, **words)
    runs = {"a": (both,), "b": (both, last), "c": (other,)}
    table = claims_table({name: SimpleNamespace(claims=claims) for name, claims in runs.items()})
    rows = list(zip(*(list(column.cells) for column in table.columns), strict=True))
    assert rows[0][2:] == ("1 m reproduced", "1 m reproduced", "-")
    assert rows[1][2:] == ("-", "2 m predicted", "2 m predicted")
    # words leave each engine its own error
    assert rows[1][1] == "0 m ± 3.1 m (engine's error) or 0 m ± 4.1 m (engine's error)"


def test_an_analysis_prints_the_digits_that_its_tolerance_asks_for(capsys):
    words = {"unit": "rad", "source": "", "reason": ""}
    claims = (
        judged("many", value=4.66920160910, published=4.669201609, tolerance=1e-9, **words),
        stated("few", value=0.002322318673, bound=0.01, relation="at most", **words),
    )
    result = AnalysisResult(xr.Dataset(), {"share": 1.0 / 3.0, "runs": 5.0}, claims)
    print_result(SimpleNamespace(name="compass/any", analysis=None), result)
    lines = capsys.readouterr().out.splitlines()
    told = " ".join(" ".join(lines).split())
    assert "4.6692016091 rad reproduced" in told
    assert "few, held to at most 0.01 rad: 0.0023223 rad predicted" in told
    assert "0.333333 " in told
    assert "0.3333333" not in told
