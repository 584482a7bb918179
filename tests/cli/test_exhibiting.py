"""The gallery: every scenario that is asked for, as it ran, on a site that needs nothing else."""

import re

import pytest
from PIL import Image
from tests.browser.chromium import Page, chromium_path
from tests.cli.command import footfall

from footfall.cli import exporting
from footfall.errors import RunError
from footfall.registry.machines import machines
from footfall.scenario.names import scenario_descriptions


@pytest.fixture
def site(tmp_path):
    return tmp_path / "site"


@pytest.mark.slow
def test_a_gallery_shows_runs_with_their_claims_and_names_analyses(site, capsys):
    names = ("motor/dc_line", "motor/ratio_sweep")
    status, out, _ = footfall("gallery", *names, "--out", site, capsys=capsys)
    assert status == 0
    assert str(site / "index.html") in out
    page = (site / "index.html").read_text(encoding="utf-8")
    for name in names:
        assert f"<pre>footfall run {name}</pre>" in page
        assert scenario_descriptions()[name].split("'")[0] in page
    assert "An analysis: Sweep" in page or "An analysis: RatioSweep" in page
    assert re.search(r'class="verdict \w+">\d+ \w+<', page)
    picture, still = sorted((site / "pictures").iterdir())
    with Image.open(still) as shown:
        assert (shown.format, shown.n_frames, shown.size) == ("WEBP", 1, (384, 240))
    with Image.open(picture) as loop:
        assert loop.format == "WEBP"
        assert loop.n_frames >= 12
        first = loop.convert("RGB")
        loop.seek(loop.n_frames // 2)
        assert first.tobytes() != loop.convert("RGB").tobytes()  # it moves


@pytest.mark.slow
def test_what_is_cut_short_has_no_claims_and_may_have_its_page(site, capsys):
    asked = ("biped/climb", "--at-most", "0.05", "--pages", "--out", site)
    pages = [name for name in scenario_descriptions() if name.startswith("biped/climb")]
    status, _, _ = footfall("gallery", *asked, capsys=capsys)
    assert status == 0
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "0.05 s at most" in page
    assert 'class="verdict' not in page
    links = re.findall(r'<h3><a href="([^"]*)"', page)
    assert len(links) == len(pages)
    assert all((site / link).is_file() for link in links)


def test_what_cannot_be_shown_is_said_and_the_rest_is_there(site, capsys, monkeypatch):
    shown = exporting._simulated

    def fails_once(name, *arguments, **options):
        if name == "verify/coin":
            raise RunError("no coin today")
        return shown(name, *arguments, **options)

    monkeypatch.setattr(exporting, "_simulated", fails_once)
    asked = ("verify/coin", "verify/belt", "--at-most", "0.05", "--out", site)
    status, _, err = footfall("gallery", *asked, capsys=capsys)
    assert status == 1
    assert "verify/coin could not be shown" in err
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "no coin today" in page
    assert "pictures/verify_belt.webp" in page


@pytest.mark.parametrize(
    ("asked", "tells"),
    [(["bipde"], "did you mean"), (["--at-most", "0"], "more than 0 s")],
)
def test_bad_requests_are_one_line(asked, tells, site, capsys):
    status, _, err = footfall("gallery", *asked, "--out", site, capsys=capsys)
    assert (status, len(err.splitlines())) == (2, 1)
    assert tells in err
    assert not site.exists()


@pytest.mark.slow
def test_one_scenario_of_every_machine_is_in_the_gallery_and_a_browser_shows_it(
    tmp_path, site, capsys
):
    chromium_path()
    first = {}
    for name in scenario_descriptions():
        first.setdefault(name.partition("/")[0], name)
    status, _, err = footfall(
        "gallery", *first.values(), "--at-most", "0.1", "--out", site, capsys=capsys
    )
    assert status == 0, err
    assert set(first) >= set(machines()) - {"simplest_walker"}  # which is one of the compass
    with Page(tmp_path / "profile", 380, 800) as page:
        page.open(site / "index.html")
        page.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager'; })")
        page.wait_for("[...document.images].every(i => i.complete && i.naturalWidth === 384)")
        assert page.evaluate("document.querySelectorAll('.card').length") >= len(first)
        assert page.evaluate("document.images.length") >= len(first) - 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        reduced = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        page.call("Emulation.setEmulatedMedia", features=reduced)
        page.wait_for("[...document.images].every(i => i.currentSrc.endsWith('_still.webp'))")
        assert page.errors() == []
