"""Paths of points in a report, in a real browser: they grow with the time and can be hidden."""

import numpy as np
import pytest
from tests.browser.chromium import Page, chromium_path
from tests.browser.player import FRAME, PLAYER, TWO_FRAMES, VIEWER
from tests.scenario.runs import run

from footfall.report import Section, write_reports
from footfall.scenario.io import load_scenario

pytestmark = pytest.mark.slow

NAME = "hopper/report"
_COUNT = (
    VIEWER + ".scene_tree.find(['scene', 'hybrid', 'traces', 'R', '<object>'])"
    ".object.geometry.drawRange.count"
)


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    chromium_path()  # skips before anything is simulated
    folder = tmp_path_factory.mktemp("browser")
    report = folder / "report.html"
    section = Section(NAME, load_scenario(NAME), {"hybrid": run(NAME, "hybrid")})
    write_reports([section], report)
    with Page(folder / "profile") as page:
        page.open(report)
        page.evaluate(f"{PLAYER}.scrollIntoView()")
        page.wait_for(f"{PLAYER}.dataset.player === 'ready'")
        page.evaluate(f"{VIEWER}.animator.pause()")
        yield page


def _seek(page, time):
    page.evaluate(
        "(() => { const s = document.querySelector('[data-time]');"
        f" s.value = {time}; s.dispatchEvent(new Event('input')); }})(); {TWO_FRAMES}"
    )
    box = page.evaluate(
        f"(() => {{ const b = {FRAME}.getBoundingClientRect();"
        " return [b.x + scrollX, b.y + scrollY + 25, b.width, b.height - 25]; })()"
    )
    return page.picture(box).astype(int)


def _magenta(picture):
    """Number of pixels of the colour of the path of P, which nothing else has."""
    red, green, blue = np.moveaxis(picture, 2, 0)
    return int(((red - green > 60) & (blue - green > 30)).sum())


def test_paths_grow_with_the_time(tab):
    counts, pixels = [], []
    for time in (0.0, 0.15, 0.3, 0.4):
        pixels.append(_magenta(_seek(tab, time)))
        counts.append(tab.evaluate(_COUNT))
    assert counts[0] == 0.0
    assert (np.diff(counts) > 0.0).all()
    # 24 indices for each of some 80 pieces
    assert counts[2] / counts[3] == pytest.approx(0.3 / 0.4, abs=0.02)
    assert pixels[0] == 0
    assert (np.diff(pixels) > 20).all()  # P goes 40 cm, which is a third of the picture


def test_paths_can_be_hidden(tab):
    seen = _magenta(_seek(tab, 0.4))
    tab.evaluate("document.querySelector('[data-traces]').click()")
    assert _magenta(_seek(tab, 0.4)) == 0
    tab.evaluate("document.querySelector('[data-traces]').click()")
    assert _magenta(_seek(tab, 0.4)) == seen


def test_a_short_run_is_played_slowly(tab):
    assert tab.evaluate("document.querySelector('[data-speed]').value") == "0.1"
    assert tab.evaluate(f"{VIEWER}.animator.mixer.timeScale") == 0.1
    tab.evaluate(
        "(() => { const s = document.querySelector('[data-speed]');"
        " s.value = '0.5'; s.dispatchEvent(new Event('change')); })()"
    )
    assert tab.evaluate(f"{VIEWER}.animator.mixer.timeScale") == 0.5


def test_the_console_is_silent(tab):
    # a path that three.js does not find would be warned of there
    warned = [
        event["params"]["args"]
        for event in tab.events
        if event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] == "warning"
    ]
    assert warned == []
    assert tab.errors() == []
