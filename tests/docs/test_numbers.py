"""Numbers that pages of machines and theory state: computed anew, and none besides."""

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
    page = path.read_text(encoding="utf-8")
    assert passage.stated(page) == passage.made(page), (
        f"run python scripts/page_numbers.py {path.stem} --write"
    )


PAGE = "Drop it from 1.25 m: it\nlands after 0.505 s,\nwith `2.5` in code.\n"


def drop():
    return [(2.0 * 1.25 / 9.81) ** 0.5, 1e-4]


def test_another_number_is_seen_and_rewritten_where_it_stands():
    passage = Passage("it lands after {:.3f} s,", lambda: drop()[:1])
    stale = PAGE.replace("0.505", "0.51")
    made = passage.made(PAGE)
    assert passage.stated(PAGE) == made == "it lands after 0.505 s,"
    assert passage.stated(stale) != made
    assert PROGRAM["rewritten"](passage, stale, made) == PAGE


def test_a_bound_is_wrong_where_it_is_less_than_what_is_computed():
    page = "It is exact to 1e-11 m\nand 1e-13 s."
    for late, made in ((3e-14, "1e-13"), (1e-13, "1e-13"), (2e-13, "1e-12")):
        text = "exact to {:.0e} m and {:.0e} s"
        passage = Passage(text, lambda late=late: (1e-12, late), bound=True)
        assert passage.made(page) == f"exact to 1e-11 m and {made} s"
        assert (passage.stated(page) == passage.made(page)) == (late <= 1e-13)


def test_a_number_that_depends_on_the_processor_may_differ_by_what_is_declared():
    page = "It walks 9.77 m and slips 0.05 cm."
    for far, made in ((9.72, "9.77"), (9.87, "9.77"), (9.66, "9.66")):
        passage = Passage(
            "walks {:.2f} m and slips {:.2f} cm", lambda far=far: (far, 0.04), near=(0.101, 0.02)
        )
        assert passage.made(page) == f"walks {made} m and slips 0.05 cm"


def test_a_number_that_nothing_makes_is_named():
    passage = Passage("it lands after {:.3f} s,", drop)
    (words,) = PROGRAM["undeclared"](PAGE, [passage], [])
    assert "1.25" in words
    units = "of 3 links it lifts 12 N by 30 %, to 1e-12, figure 4 of 2016, 7 steps"
    assert len(PROGRAM["undeclared"](units, [], [])) == 3
    assert PROGRAM["undeclared"](PAGE, [passage], ["from 1.25 m"]) == []
    for other in (Passage("it falls {:.1f} m", drop), Passage("{:.1f} ", drop)):
        with pytest.raises(ValueError, match="these words"):
            other.search(PAGE)
    with pytest.raises(ValueError, match="not these words"):
        PROGRAM["undeclared"](PAGE, [passage], ["from 2.5 m"])


def test_exponents_are_written_as_pages_write_them():
    page = "by 3e-4 m and 1e-11"
    made = Passage("by {:.1e} m and {:.0e}", lambda: [2.71e-4, 1e-11]).made(page)
    assert made == "by 2.7e-4 m and 1e-11"


def test_a_passage_that_cannot_be_computed_is_told_and_loses_no_other(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("0.505", "0.51"))

    def fails():
        raise ZeroDivisionError

    bad, good = (Passage("it lands after {:.3f} s,", made) for made in (fails, lambda: drop()[:1]))
    differs = PROGRAM["differs"]
    assert differs("page", page, bad, write=True)
    assert "not computed: it lands after" in capsys.readouterr().out
    assert differs("page", page, good, write=True)
    assert page.read_text() == PAGE
    assert not differs("page", page, good, write=True)
