"""Numbers that pages of machines state: computed anew, and none besides."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = runpy.run_path(str(ROOT / "scripts" / "page_numbers.py"))
NAMES = PROGRAM["names"]()
DECLARED = {name: PROGRAM["declared"](name) for name in NAMES}
Passage = PROGRAM["Passage"]


PASSAGES = [
    pytest.param(
        path, passage, id=f"{name}-{number}", marks=pytest.mark.slow if passage.slow else ()
    )
    for name, (path, declared, _) in DECLARED.items()
    for number, passage in enumerate(declared)
    if not passage.minutes
]


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_page_is_computed_or_given(name):
    path, declared, given = DECLARED[name]
    assert PROGRAM["undeclared"](path.read_text(encoding="utf-8"), declared, given) == []


@pytest.mark.parametrize(("path", "passage"), PASSAGES)
def test_a_page_states_what_is_computed(path, passage):
    assert passage.stated(path.read_text(encoding="utf-8")) == passage.made(), (
        f"run python scripts/page_numbers.py {path.stem} --write"
    )


PAGE = "Drop it from 1.25 m: it\nlands after 0.505 s,\nwith `2.5` in code.\n"


def drop():
    return [(2.0 * 1.25 / 9.81) ** 0.5, 1e-4]


def test_another_number_is_seen_and_rewritten_where_it_stands():
    passage = Passage("it lands after {:.3f} s,", lambda: drop()[:1])
    stale = PAGE.replace("0.505", "0.51")
    assert passage.stated(PAGE) == passage.made() == "it lands after 0.505 s,"
    assert passage.stated(stale) != passage.made()
    assert PROGRAM["rewritten"](passage, stale) == PAGE


def test_a_number_that_nothing_makes_is_named():
    passage = Passage("it lands after {:.3f} s,", drop)
    (words,) = PROGRAM["undeclared"](PAGE, [passage], [])
    assert "1.25" in words
    assert PROGRAM["undeclared"](PAGE, [passage], ["from 1.25 m"]) == []
    for other in (Passage("it falls {:.1f} m", drop), Passage("{:.1f} ", drop)):
        with pytest.raises(ValueError, match="these words"):
            other.search(PAGE)
    with pytest.raises(ValueError, match="not these words"):
        PROGRAM["undeclared"](PAGE, [passage], ["from 2.5 m"])


def test_exponents_are_written_as_pages_write_them():
    assert Passage("{:.1e} m and {:.0e}", lambda: [2.71e-4, 1e-11]).made() == "2.7e-4 m and 1e-11"
