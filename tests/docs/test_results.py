"""Tables of the pages: what is stored for them is what runs give, and is shown as it is."""

import json
import math
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALL_DIGITS = 1e-6  # how far a result may be from the stored one, relative, unless few are shown


def stored():
    """Scenario, engine and stored results of every run, with the marks of what it takes."""
    for path in sorted((ROOT / "docs" / "results").glob("*.json")):
        for name, runs in json.loads(path.read_text(encoding="utf-8")).items():
            for engine, run in runs.items():
                slow = [pytest.mark.slow] if run["seconds"] >= 0.5 else []
                longest = [pytest.mark.longest] if run["seconds"] >= 30.0 else []
                yield pytest.param(name, engine, run, id=f"{name}-{engine}", marks=slow + longest)


@pytest.fixture(scope="module")
def program():
    return runpy.run_path(str(ROOT / "scripts" / "page_results.py"))


@pytest.fixture(scope="module")
def results(program):
    return program["results"]


def near(value, other, rel):
    """Say whether metrics are the same: numbers, lists of them, or numbers by name."""
    if isinstance(value, dict):
        return value.keys() == other.keys() and all(near(value[k], other[k], rel) for k in value)
    if isinstance(value, list | tuple):
        pairs = zip(value, other, strict=True)
        return len(value) == len(other) and all(near(a, b, rel) for a, b in pairs)
    same = math.isclose(value, other, rel_tol=rel, abs_tol=1e-9)  # pages show no less
    return same or (math.isnan(value) and math.isnan(other))


@pytest.mark.parametrize(("name", "engine", "run"), list(stored()))
def test_what_pages_show_is_what_a_run_gives(program, name, engine, run):
    rel = ALL_DIGITS if run["digits"] is None else max(ALL_DIGITS, 10.0 ** (1 - run["digits"]))
    found = program["measured"](name, engine, list(run["metrics"]), run["digits"])
    hint = f"run python scripts/page_results.py '{name}', and look at what has changed"
    for metric, value in run["metrics"].items():
        assert near(found["metrics"][metric], value, rel), f"{metric}: {hint}"
    verdicts, before = (
        {claim["name"]: claim["verdict"] for claim in each["claims"]} for each in (found, run)
    )
    assert verdicts == before, hint
    for ours, was in zip(found["claims"], run["claims"], strict=True):
        assert near(ours["value"], was["value"], rel), f"{ours['name']}: {hint}"


@pytest.fixture
def two_runs(results, tmp_path, monkeypatch):
    claim = {
        "name": "it falls", "unit": "m", "value": 1.0, "published": 1.5, "tolerance": 0.1,
        "verdict": "differs", "source": "a paper", "reason": "the paper's gravity is the Moon's",
    }  # fmt: skip
    runs = {
        engine: {"metrics": {"speed_error": error, "end_speed": 3.14159}, "claims": [claim]}
        for engine, error in (("moreau", 1e-13), ("drake", 0.0123456))
    }
    (tmp_path / "motor.json").write_text(json.dumps({"motor/step": runs}))
    monkeypatch.setattr(results, "STORE", tmp_path)
    results.stored.cache_clear()
    yield
    results.stored.cache_clear()


@pytest.mark.usefixtures("two_runs")
def test_metrics_become_a_table_whose_digits_are_asked_for(results):
    asked = {"engines": "moreau drake", "metrics": "speed_error end_speed", "digits": "2"}
    rows = results.results_table(results.Request.of("motor/step", asked)).splitlines()
    assert rows[0] == "|  | `moreau` | `drake` |"
    assert rows[2:] == [
        "| speed error [rad/s] | below 1 × 10⁻⁹ | 0.012 |",  # noqa: RUF001 (as pages write it)
        "| end speed [rad/s] | 3.1 | 3.1 |",
    ]


@pytest.mark.usefixtures("two_runs")
def test_claims_become_a_table_and_the_reasons_of_what_differs(results):
    asked = results.Request.of("motor/step", {"engines": "moreau drake"})
    table, _, why = results.claims_table(asked).partition("Why those differ that do:")
    assert table.count("| 1.5 m | ± 0.1 m | 1 m | *differs* |") == 2
    assert why.strip() == "- it falls: the paper's gravity is the Moon's."


@pytest.mark.usefixtures("two_runs")
@pytest.mark.parametrize(
    ("argument", "options", "message"),
    [
        ("motor/nothing*", {}, "there is no scenario motor/nothing*"),
        ("motor/step", {"engines": "hybrid"}, "motor/step in hybrid is not stored: run python"),
        ("motor/step", {"engines": "moreau", "metrics": "mass"}, "has no mass stored: run"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(results, argument, options, message):
    with pytest.raises(ValueError, match=message.replace("*", r"\*")):
        results.results_table(results.Request.of(argument, {"metrics": "end_speed", **options}))
