"""The page of a verification: every problem, whole, alone, and honest about what failed."""

from dataclasses import replace

import pytest
from tests.report.test_page import _Reader
from tests.verify.falling import FALL, FALLEN, fallen

from footfall.provenance import collect_provenance
from footfall.report.verification import write_verification
from footfall.trajectory import Status
from footfall.verify.cases import CASES
from footfall.verify.runner import run_case, simulate

pytestmark = pytest.mark.slow  # all problems, each at two steps


def _page(results, folder):
    path = folder / "verification.html"
    write_verification(results, collect_provenance(), path)
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The page of all problems, each at its two largest steps in the rigid engine."""
    results = [run_case(replace(case, steps=case.steps[:2]), ["moreau"]) for case in CASES]
    page = _page(results, tmp_path_factory.mktemp("page"))
    return page, _Reader(page)


@pytest.mark.slow
def test_every_problem_is_on_the_page(suite):
    page, reader = suite
    places = {attrs.get("id") for attrs in reader.all("section")}
    links = {attrs["href"] for attrs in reader.all("a")}
    for case in CASES:
        assert case.name in places
        assert f"#{case.name}" in links
        assert f"footfall verify {case.name}\n" in page
        assert f"footfall run {case.scenario} --set" in page
        for quantity in case.quantities:
            assert quantity.check.name in "".join(reader.text)


def test_the_page_needs_nothing_else(suite):
    _, reader = suite
    for tag, attribute in (("img", "src"), ("link", "href"), ("script", "src")):
        for attrs in reader.all(tag):
            assert attrs.get(attribute, "data:").startswith("data:")
    assert all(attrs["href"].startswith("#") for attrs in reader.all("a"))


def test_every_picture_tells_what_it_shows(suite):
    _, reader = suite
    charts = [attrs for attrs in reader.all("div") if "data-chart" in attrs]
    words = [attrs["aria-label"] for attrs in charts] + [one["alt"] for one in reader.all("img")]
    assert len(words) == 2 * len(CASES)
    assert all(len(each) > 20 for each in words)


def test_drake_stands_beside_the_rigid_engine(tmp_path):
    page = _page([run_case(FALL)], tmp_path)
    assert "Drake's contact at the same step" in page
    assert "footfall compare smoke/Defaults --engines moreau,drake-sap" in page
    assert "--set duration=0.25 --set time_step=0.005" in page


def test_what_fails_is_told(tmp_path):
    def fails_in_drake(scenario, engine, label):
        trajectory = simulate(scenario, engine, label)
        if engine == "moreau":
            return trajectory
        return replace(trajectory, status=Status.FAILED, message="diverges <here>")

    wrong = replace(FALL, quantities=(FALLEN, fallen(1.0, 1e-3)))
    page = _page([run_case(wrong, None, fails_in_drake)], tmp_path)
    assert "<b>0 of 1 problems passed</b>" in page
    assert "drake-sap at 0.005 s: diverges &lt;here&gt;" in page
    assert 'class="verdict failed"' in page
    assert "1 of 2" in page


def test_a_case_without_any_run_has_a_page(tmp_path):
    broken = replace(FALL, settings=("frictoin=1",))
    page = _page([run_case(broken)], tmp_path)
    assert "moreau at 0.01 s, moreau at 0.005 s, drake-sap at 0.01 s" in page
    assert "did you mean" in page
    _Reader(page)


def test_formulas_are_raised_and_everything_else_is_escaped(tmp_path):
    odd = replace(FALL, statement="x_(k+1) = e^(2k) x_(k) <b>& so on</b>.")
    page = _page([run_case(odd, ["moreau"])], tmp_path)
    assert "x<sub>k+1</sub> = e<sup>2k</sup> x<sub>k</sub> &lt;b&gt;&amp; so on&lt;/b&gt;." in page


def test_a_page_of_nothing_is_a_page(tmp_path):
    assert "<b>0 of 0 problems passed</b>" in _page([], tmp_path)
