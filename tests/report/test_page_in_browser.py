"""The report in a real browser: it moves, it complains about nothing, it asks for nothing."""

import base64
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.browser.chromium import Page, chromium_path
from tests.browser.player import FRAME, PLAYER, TWO_FRAMES, VIEWER
from tests.report.conftest import LONG
from tests.scenario.runs import run

from footfall import report
from footfall.report.tables import MINUS

pytestmark = pytest.mark.slow

ENGINES = ("moreau", "drake", "closed-form")


@pytest.fixture(scope="module")
def tab(tmp_path_factory, report_page):
    chromium_path()  # skips where there is none
    with Page(tmp_path_factory.mktemp("browser") / "profile") as page:
        page.open(report_page)
        page.evaluate(f"{PLAYER}.scrollIntoView()")
        page.wait_for(f"{PLAYER}.dataset.player === 'ready'")
        yield page


@pytest.fixture
def paused(tab):
    """The tab with its first animation paused."""
    tab.evaluate(f"{VIEWER}.animator.pause()")
    return tab


def _seek(page, time):
    page.evaluate(f"{VIEWER}.animator.seek({time}); {TWO_FRAMES}")


def _canvas(page):
    """The figure in the first frame, without the button of Meshcat's own controls."""
    page.evaluate(TWO_FRAMES)
    box = page.evaluate(
        f"(() => {{ const b = {FRAME}.getBoundingClientRect();"
        " return [b.x + scrollX, b.y + scrollY + 25, b.width, b.height - 25]; })()"
    )
    return page.picture(box).astype(int)


def _changed(before, after):
    """Number of pixels that differ visibly."""
    return int((np.abs(before - after).max(axis=2) > 40).sum())


def test_the_animation_is_not_blank(paused):
    _seek(paused, 0.0)
    picture = _canvas(paused)
    # sky, ground, marks and three robots: many colours, and none of them fills the picture
    colours, counts = np.unique(picture.reshape(-1, 3) // 16, axis=0, return_counts=True)
    assert len(colours) > 15
    assert counts.max() < 0.7 * counts.sum()
    # the first robot is painted in saturated blue, green and red, which nothing else has
    for channel in range(3):
        others = np.delete(picture, channel, axis=2).max(axis=2)
        assert (picture[:, :, channel] - others > 60).sum() > 50


def test_the_animation_moves(paused):
    _seek(paused, 0.0)
    start = _canvas(paused)
    _seek(paused, 0.0)
    assert _changed(start, _canvas(paused)) == 0
    _seek(paused, 0.9)
    # a robot's legs are some pixels wide and some hundred long
    assert _changed(start, _canvas(paused)) > 500


def test_the_animation_is_as_long_as_the_run(paused):
    assert paused.evaluate(f"{VIEWER}.animator.duration") == pytest.approx(1.0, abs=1.0 / 30.0)


@pytest.mark.slow
def test_every_robot_can_be_hidden(paused):
    _seek(paused, 0.5)
    for path in (*ENGINES, "contact_forces"):
        choice = f"document.querySelector('[data-show=\"/scene/{path}\"]')"
        before = _canvas(paused)
        paused.evaluate(f"{choice}.click()")
        assert _changed(before, _canvas(paused)) > 50, path
        paused.evaluate(f"{choice}.click()")
        assert _changed(before, _canvas(paused)) == 0, path


def test_robots_stand_apart_or_in_each_other(paused):
    _seek(paused, 0.5)
    apart = _canvas(paused)
    paused.evaluate("document.querySelector('[data-spacing]').click()")
    together = _canvas(paused)
    paused.evaluate("document.querySelector('[data-spacing]').click()")
    assert _changed(apart, together) > 500
    assert _changed(apart, _canvas(paused)) == 0


def test_the_slider_sets_the_time(paused):
    paused.evaluate(
        "(() => { const s = document.querySelector('[data-time]'); s.focus(); s.value = 0.4;"
        " s.dispatchEvent(new Event('input')); })()"
    )
    slid = _canvas(paused)
    assert paused.evaluate("document.querySelector('[data-clock]').textContent") == "0.40 s"
    _seek(paused, 0.4)
    assert _changed(slid, _canvas(paused)) == 0
    paused.evaluate("document.activeElement.blur()")


def test_the_button_plays_to_the_end_and_again(paused):
    button = "document.querySelector('[data-play]')"
    paused.wait_for(f"{button}.textContent === 'Play'")
    paused.evaluate(f"{button}.click()")
    paused.wait_for(f"{VIEWER}.animator.time > 0.99 && {button}.textContent === 'Play'")
    paused.evaluate(f"{button}.click()")
    paused.wait_for(f"{VIEWER}.animator.time < 0.9 && {button}.textContent === 'Pause'")


def test_the_second_animation_plays_too(tab):
    second = "document.querySelectorAll('[data-player]')[1]"
    tab.evaluate(f"{second}.scrollIntoView()")
    tab.wait_for(f"{second}.dataset.player === 'ready'")
    tab.evaluate(f"{PLAYER}.scrollIntoView()")


CHART = "document.querySelector('[data-title$=positions]')"
PANEL = f"{CHART}.querySelector('.panel')"


def _seen(page, panel=PANEL):
    """Scroll to a panel, and return left, top, width and height of its drawing on the screen."""
    page.evaluate(f"{panel}.scrollIntoView({{block: 'center'}})")
    page.wait_for(f"{panel}.querySelector('svg g path') !== null")
    return page.evaluate(
        f"(() => {{ const b = {panel}.querySelector('svg').getBoundingClientRect();"
        " return [b.x, b.y, b.width, b.height]; })()"
    )


def _mouse(page, kind, x, y, buttons=0):
    button = "left" if kind != "mouseMoved" or buttons else "none"
    page.call(
        "Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons,
        clickCount=1,
    )  # fmt: skip


def _ends(page, panel=PANEL):
    """Times that the ticks of a panel show."""
    texts = page.evaluate(
        f"[...{panel}.querySelectorAll('svg text[text-anchor=middle]')].map(t => t.textContent)"
    )
    return [float(text.replace("\N{MINUS SIGN}", "-")) for text in texts]


def test_figures_show_the_time_of_the_animation_and_a_click_in_one_sets_it(paused):
    x, y, width, height = _seen(paused)
    before = float(paused.evaluate("document.querySelector('[data-time]').value"))
    for kind, buttons in (("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)):
        _mouse(paused, kind, x + 0.7 * width, y + 0.5 * height, buttons)
    told = paused.evaluate(f"{CHART}.querySelector('.readout').textContent")
    assert "moreau" in told
    time = float(told.partition("t = ")[2].partition(" s")[0])
    assert time != pytest.approx(before, abs=0.05)
    # the slider knows milliseconds
    assert float(paused.evaluate("document.querySelector('[data-time]').value")) == pytest.approx(
        time, abs=2e-3
    )
    line = paused.evaluate(f"{PANEL}.querySelector('.now').getAttribute('d')")
    assert float(line.removeprefix("M").partition(" ")[0]) == pytest.approx(0.7 * width, abs=1.0)


def test_a_figure_is_zoomed_by_dragging_and_shows_all_again(tab):
    x, y, width, height = _seen(tab)
    whole = _ends(tab)
    _mouse(tab, "mousePressed", x + 0.4 * width, y + 0.5 * height, 1)
    _mouse(tab, "mouseMoved", x + 0.5 * width, y + 0.5 * height, 1)
    _mouse(tab, "mouseReleased", x + 0.5 * width, y + 0.5 * height)
    near = _ends(tab)
    assert max(near) - min(near) < 0.3 * (max(whole) - min(whole))
    reset = f"{CHART}.querySelector('[data-tool=reset]')"
    assert not tab.evaluate(f"{reset}.hidden")
    tab.evaluate(f"{reset}.click()")
    assert _ends(tab) == whole
    assert tab.evaluate(f"{reset}.hidden")


def test_a_figure_is_read_by_keyboard(tab):
    _seen(tab)
    whole = _ends(tab)
    tab.evaluate(f"{PANEL}.focus()")
    for key in ("ArrowRight", "ArrowRight", "+"):
        tab.call("Input.dispatchKeyEvent", type="keyDown", key=key)
    assert "moreau" in tab.evaluate(f"{CHART}.querySelector('.readout').textContent")
    near = _ends(tab)
    assert max(near) - min(near) < max(whole) - min(whole)
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Escape")
    assert _ends(tab) == whole
    tab.evaluate(f"{PANEL}.blur()")


def test_what_a_figure_saves_is_what_was_simulated(tab):
    _seen(tab)
    chart = f"{PANEL}.chartPanel.chart"
    lines = tab.evaluate(f"{chart}.csv()").splitlines()
    names = [name.strip('"') for name in lines[0].split('","')]
    assert names[:2] == ["time [s]", "x [m] moreau"]
    rows = np.array([[float(v or "nan") for v in line.split(",")] for line in lines[1:]])
    data = run("biped/climb", "moreau", *LONG).trajectory.data
    x = np.interp(rows[:, 0], data["time"], data["q"].sel(position="x"))
    # a pixel of the panel, in which two metres are some hundred
    assert np.nanmax(np.abs(rows[:, 1] - x)) < 0.01 * np.ptp(x)
    drawing = tab.evaluate(f"{chart}.svg()")
    assert ET.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314
    assert "Generalized positions" in drawing


def test_its_buttons_save_files(tab, tmp_path):
    _seen(tab)
    tab.save_to(tmp_path)
    for kind in ("CSV", "SVG"):
        button = f"[...{CHART}.querySelectorAll('button')].find(b => b.textContent === '{kind}')"
        tab.evaluate(f"{button}.click()")
        (file,) = _files(tab, tmp_path, f"*.{kind.lower()}")
        assert file.read_text() == tab.evaluate(f"{PANEL}.chartPanel.chart.{kind.lower()}()")
        assert file.stem.startswith("Generalized positions")


def _files(tab, folder, pattern):
    """Files of a folder that the browser has finished."""
    tab.wait_for(lambda: any(one.stat().st_size > 0 for one in folder.glob(pattern)))
    tab.wait_for(lambda: not list(folder.glob("*.crdownload")))
    return list(folder.glob(pattern))


def test_the_page_is_light_or_dark_as_one_likes(paused):
    tab = paused
    _seen(tab)
    colour = "getComputedStyle(document.body).backgroundColor"
    frame = f"{PANEL}.querySelector('svg g').innerHTML"  # without the cursor
    light = tab.evaluate(colour), tab.evaluate(frame)
    tab.evaluate("document.querySelector('[data-theme-button]').click()")
    dark = tab.evaluate(colour), tab.evaluate(frame)
    tab.evaluate("document.querySelector('[data-theme-button]').click()")
    least, most = ([int(part) for part in re.findall(r"\d+", one[0])] for one in (light, dark))
    assert max(most) < 60 < min(least)
    assert dark[1] != light[1]
    assert (tab.evaluate(colour), tab.evaluate(frame)) == light


def test_every_picture_is_drawn_and_fits(tab):
    bad = tab.evaluate(
        "[...document.images].filter(i => !i.complete || i.naturalWidth === 0"
        " || i.getBoundingClientRect().right > document.documentElement.clientWidth)"
        ".map(i => i.alt)"
    )
    assert bad == []
    assert tab.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )


def test_the_page_fits_a_telephone(tab):
    narrow = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    tab.call("Emulation.setDeviceMetricsOverride", **narrow)
    try:
        tab.evaluate(TWO_FRAMES)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        tab.resize()


def test_paper_has_several_figures_a_page_and_whole_tables_in_black_on_white(tab):
    tab.evaluate("document.querySelector('[data-theme-button]').click()")
    pdf = base64.b64decode(tab.call("Page.printToPDF")["data"])
    tab.evaluate("document.querySelector('[data-theme-button]').click()")
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    assert pages < tab.evaluate("document.querySelectorAll('figure').length")  # tables and all
    paper = {"width": 718, "height": 980, "deviceScaleFactor": 1, "mobile": False}
    tab.call("Emulation.setDeviceMetricsOverride", **paper)
    tab.call("Emulation.setEmulatedMedia", media="print")
    theme = "document.documentElement.dataset.theme"
    try:
        tab.evaluate(f"{theme} = 'dark'; window.dispatchEvent(new Event('beforeprint'))")
        tab.evaluate(TWO_FRAMES)
        assert tab.evaluate(theme) == "light"
        cut = (
            "[...document.querySelectorAll('table, .panel > svg')].filter(one =>"
            " one.getBoundingClientRect().right > document.body.getBoundingClientRect().right + 1)"
        )
        assert tab.evaluate(f"{cut}.map(one => one.textContent.slice(0, 80))") == []
        # drawings are as high as they are drawn, so that none stands in blank paper
        blank = tab.evaluate(
            "Math.max(...[...document.querySelectorAll('.panel > svg')].map(one => {"
            " const {width, height} = one.getBoundingClientRect(), box = one.viewBox.baseVal;"
            " return Math.abs(height - width * box.height / box.width); }))"
        )
        assert blank < 1.0
    finally:
        tab.call("Emulation.setEmulatedMedia", media="")
        tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
        tab.resize()
    assert tab.evaluate(theme) == "light"


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-1.0004e-12, -0.9999e-12),
        (0.0, 4.2e-14),
        (1234567.0, 1234569.0),
        (-3.0, 5.0),
        (99.9, 100.1),
    ],
)
def test_ticks_say_where_they_are_however_little_values_differ(low, high, tab):
    folder = Path(report.__file__).parent / "templates" / "charts"
    script = "".join((folder / name).read_text() for name in ("looks.js", "axes.js"))
    ticks = tab.evaluate(f"(() => {{ {script}; return evenTicks({low}, {high}, 6); }})()")
    assert 3 <= len(ticks) <= 12
    step = ticks[1][0] - ticks[0][0]
    told = [float(text.replace(MINUS, "-")) for _, text in ticks]
    assert told == pytest.approx([at for at, _ in ticks], abs=1e-6 * step)
    assert all(text == "0" for at, text in ticks if at == 0.0)


def test_the_console_is_silent_and_no_request_leaves_the_page(tab):
    # so late that it judges everything that the other tests made the page do
    assert tab.errors() == []
    asked = [url for url in tab.requests() if not url.startswith(("data:", "blob:", "about:"))]
    assert [url.rpartition("/")[2] for url in asked] == ["report.html"]
    assert asked[0].startswith("file:")


def test_nothing_outside_can_be_reached(tab):
    refused = tab.evaluate(
        "new Promise(done => { document.addEventListener('securitypolicyviolation',"
        " e => done(e.effectiveDirective), {once: true});"
        " new Image().src = 'https://example.invalid/x.png'; })"
    )
    assert refused == "img-src"
