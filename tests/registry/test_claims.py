"""Verdicts: nothing fitted passes for reproduced."""

import math
import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import footfall
from footfall.errors import ScenarioError
from footfall.registry.claims import Claim, checked, judged, read_statements, stated
from footfall.registry.documents import read_metrics, read_misprints, read_notes
from footfall.registry.machines import get_machine, machines


@pytest.mark.parametrize(
    ("value", "fitted", "verdict"),
    [
        (1.04, False, "reproduced"),
        (1.04, True, "fitted"),
        (1.06, False, "differs"),
        (1.06, True, "differs"),
    ],
)
def test_verdicts(value, fitted, verdict):
    claim = judged(
        "length", "m", value, 1.0, 0.05, source="table 1", reason="rounding", fitted=fitted
    )
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    ("relation", "value", "fitted", "verdict"),
    [
        ("about", 1.04, False, "predicted"),
        ("about", 1.04, True, "fitted"),
        ("about", 1.06, True, "differs"),
        ("at least", 0.94, False, "differs"),
        ("at least", 9.0, False, "predicted"),
        ("at most", -9.0, False, "predicted"),
        ("at most", 1.06, False, "differs"),
        ("at most", float("nan"), False, "differs"),
    ],
)
def test_words_are_predicted_at_best(relation, value, fitted, verdict):
    claim = stated(
        "length", "m", value, 1.0, relation, 0.05, source="page 1", reason="", fitted=fitted
    )
    assert claim.verdict == verdict
    # our reading of the words does not pass for what is published
    assert math.isnan(claim.published)
    assert claim.held_to("{:g}".format) == ("" if relation == "about" else f"{relation} ") + (
        "1 ± 0.05"
    )


def test_words_leave_an_engine_its_own_error():
    words = {"name": "angle", "unit": "rad", "bound": 0.0, "source": "", "reason": ""}
    assert stated(**words, value=5e-6, tolerance=1e-9).verdict == "differs"
    claim = stated(**words, value=5e-6, tolerance=1e-9, own_error=6e-6)
    assert (claim.verdict, claim.own_error) == ("predicted", 6e-6)
    assert claim.held_to("{:.1e}".format) == "0.0e+00 ± 6.0e-06 (engine's error)"
    assert stated(**words, value=7e-6, tolerance=1e-9, own_error=6e-6).verdict == "differs"


def test_a_formula_of_ours_is_checked_and_reproduces_nothing():
    words = {"source": "statics", "reason": ""}
    assert checked("weight", "N", 6.0, 6.0, 1e-9, **words).verdict == "check"
    assert checked("weight", "N", 6.1, 6.0, 1e-9, **words).verdict == "differs"
    assert checked("weight", "N", 6.0, 6.0, 0.0, **words).held_to(str) == "6.0 by formula"
    assert judged("weight", "N", 6.0, 6.0, 0.5, **words).held_to(str) == "6.0 ± 0.5, published"


@pytest.mark.parametrize(
    ("published", "verdict", "bound", "basis"),
    [
        (float("nan"), "reproduced", 1.0, "words"),
        (float("nan"), "reproduced", 1.0, "formula"),
        (float("nan"), "check", 1.0, "words"),
        (1.0, "check", float("nan"), "number"),
        (1.0, "predicted", 1.0, "words"),
        (1.0, "check", 1.0, "formula"),
        (float("nan"), "predicted", float("nan"), "words"),
    ],
)
def test_a_verdict_means_one_thing(published, verdict, bound, basis):
    with pytest.raises(ValueError, match="length: "):
        Claim("length", "m", 1.0, published, 0.1, verdict, "", "", bound, basis=basis)


@pytest.mark.parametrize(
    ("value", "relation", "met"),
    [
        (0.5, "about", True),
        (1.5, "about", True),
        (0.25, "about", False),
        (1.75, "about", False),
        (0.5, "at least", True),
        (0.25, "at least", False),
        (1.5, "at most", True),
        (1.75, "at most", False),
    ],
)
def test_the_end_of_a_tolerance_belongs_to_it(value, relation, met):
    words = {"name": "length", "unit": "m", "value": value, "source": "", "reason": ""}
    verdict = stated(**words, bound=1.0, relation=relation, tolerance=0.5).verdict
    assert verdict == ("predicted" if met else "differs")
    if relation == "about":
        held = judged(**words, published=1.0, tolerance=0.5).verdict
        assert held == ("reproduced" if met else "differs")
        by_formula = checked(**words, exact=1.0, tolerance=0.5).verdict
        assert by_formula == ("check" if met else "differs")


def test_a_claim_is_held_against_one_value_after_another():
    claim = Claim("l", "m", math.nan, 2.0, 0.5, "fitted", "", "rounding")
    assert (claim.holds(2.5), claim.holds(math.nan)) == (True, False)
    met, missed = claim.of(2.5), claim.of(2.6, "as ever")
    assert (met.value, met.verdict, met.reason) == (2.5, "fitted", "rounding")
    assert (missed.value, missed.verdict, missed.reason) == (2.6, "differs", "rounding; as ever")


def test_a_claim_is_of_whole_runs_and_stays_as_it_is():
    claim = stated("length", "m", 1.0, 1.0, source="", reason="")
    assert not claim.about_end
    assert not Claim("length", "m", 1.0, 1.0, 0.0, "reproduced", "", "").about_end
    assert stated("length", "m", 1.0, 1.0, source="", reason="", about_end=True).about_end
    with pytest.raises(FrozenInstanceError):
        claim.verdict = "reproduced"


def test_a_value_is_held_to_the_number_of_its_basis():
    words = {"source": "", "reason": ""}
    least = Claim("l", "m", 3.0, 2.0, 0.5, "reproduced", "", "", relation="at least")
    for claim, target, criterion, held_to in (
        (judged("l", "m", 2.0, 2.0, 0.5, **words), 2.0, "± 0.5", "2.0 ± 0.5, published"),
        (judged("l", "m", 2.0, 2.0, 0.0, **words), 2.0, "", "2.0, published"),
        (least, 2.0, "at least", "at least 2.0 ± 0.5, published"),
        (stated("l", "m", 3.0, 3.0, **words), 3.0, "3.0", "3.0"),
        (stated("l", "m", 3.0, 3.0, "at most", 0.5, **words), 3.0, *["at most 3.0 ± 0.5"] * 2),
        (checked("l", "m", 4.0, 4.0, 0.5, **words), 4.0, *["4.0 ± 0.5 by formula"] * 2),
    ):
        assert claim.target == target
        assert claim.criterion(str) == criterion
        assert claim.held_to(str) == held_to


@pytest.mark.parametrize(
    ("published", "tolerance", "digits"),
    [
        (100.0, 1e-3, 6),  # 99.999 and 100.001 are told from 100
        (-100.0, 1e-3, 6),
        (1.0, 1e-3, 4),
        (-1.0, 1e-3, 4),
        (1.0, 0.5, 2),
        (1.0, 1e-30, 15),  # of a double
        (5.0, 0.0, 2),  # nothing to tell apart
        (0.0, 0.1, 2),
        (math.inf, 0.1, 2),
    ],
)
def test_digits_tell_values_to_their_tolerance(published, tolerance, digits):
    claim = judged("length", "m", published, published, tolerance, source="", reason="")
    assert claim.digits(2) == digits
    assert claim.digits(9) == max(digits, 9)


def test_machines_are_found_by_name():
    assert get_machine("") is None
    assert get_machine("biped") is machines()["biped"]
    with pytest.raises(ScenarioError, match="machine is 'bipde': choose one of biped"):
        get_machine("bipde")


def test_every_machine_can_be_cited():
    for name, machine in machines().items():
        assert machine.name == name
        assert machine.citation.endswith(".")
        assert machine.bibtex.startswith("@")


def test_misprints_and_metrics_are_rows_of_tables(tmp_path, monkeypatch):
    for machine in machines().values():
        for one in machine.misprints:
            assert all(one)
            assert "\\|" not in one.printed + one.correct
    (bound,) = [m for m in machines()["hopper"].misprints if "tau_max" in m.correct]
    assert (bound.printed, bound.correct) == ("tau <= tau_max", "|tau| <= tau_max")
    package = tmp_path / "misprinted"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    for row in ("| a | b | c |", "| a | b | c | |"):
        (package / "misprints.md").write_text(f"| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n{row}\n")
        with pytest.raises(ValueError, match=r"misprints.md of misprinted: give 4 filled cells"):
            read_misprints("misprinted")
    headings = "| name | unit | meaning |\n|---|---|---|\n"
    (package / "metrics.md").write_text(f"Of a test.\n\n{headings}| way | m | of \\|x\\| |\n")
    assert read_metrics("misprinted") == {"way": ("m", "of |x|")}


def test_pages_tell_all_notes_that_are_written_for_them():
    written = [*Path(footfall.__file__).parent.glob("machines/*/report/notes.md")]
    assert len(written) > 5
    for path in written:
        notes = read_notes(f"footfall.machines.{path.parts[-3]}.report")
        told = re.findall(r"_NOTES\[.(\w+).\]", path.with_name("page.py").read_text())
        assert set(notes) == set(told), path
        assert not any("\n" in text or "##" in text for text in notes.values())


_HEADINGS = (
    "| key | statement | unit | held to | tolerance | flags | source | reason |\n" + 8 * "|---"
)
_ROWS = """
| printed | way of {what} | m | 1.5 | 0.05 | printed | p. 3 | a digit |
| chosen | mass | kg | 2 | 0 | printed, fitted | p. 4 | it was fitted |
| little | it \\| hardly moves | m | at most - | 0 | words, about the end | p. 5 | {times} times |
| formula | rate | 1 | 3 | 1e-3 | formula | (7) | this machine's |
"""


def test_statements_are_rows_of_a_table_which_become_claims_with_a_value(tmp_path, monkeypatch):
    package = tmp_path / "stating"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    (package / "claims.md").write_text(f"{_HEADINGS}|{_ROWS}", encoding="utf-8")
    said = read_statements("stating")
    printed = said["printed"].of(1.54, what="a {step}")
    assert printed == judged(
        "way of a {step}", "m", 1.54, 1.5, 0.05, source="p. 3", reason="a digit"
    )
    assert [said["chosen"].of(value).verdict for value in (2.0, 2.1)] == ["fitted", "differs"]
    little = said["little"].of(True, bound=0.5, own_error=0.6, times=3)
    given = {"own_error": 0.6, "about_end": True, "source": "p. 5", "reason": "3 times"}
    assert little == stated("it | hardly moves", "m", 1.0, 0.5, "at most", **given)
    formula = {"source": "(7)", "reason": "this machine's"}
    assert said["formula"].of(3.1) == checked("rate", "1", 3.1, 3.0, 1e-3, **formula)
    exact = said["formula"].of(4.05, bound=4.0, tolerance=0.1)
    assert exact == checked("rate", "1", 4.05, 4.0, 0.1, **formula)


def test_no_two_machines_mean_different_things_by_one_metric():
    known = {}
    for machine in machines().values():
        for name, meaning in machine.metrics.items():
            assert known.setdefault(name, meaning) == meaning
