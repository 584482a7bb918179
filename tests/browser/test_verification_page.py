"""The page of a verification in a real browser: it fits, it is silent, its links lead somewhere."""

import pytest
from tests.browser.chromium import Page, chromium_path
from tests.verify.falling import FALL

from footfall.provenance import collect_provenance
from footfall.report.verification import write_verification
from footfall.verify.runner import run_case

pytestmark = pytest.mark.slow

TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    chromium_path()  # skips before anything is simulated
    folder = tmp_path_factory.mktemp("browser")
    page = folder / "verification.html"
    write_verification([run_case(FALL)], collect_provenance(), page)
    with Page(folder / "profile") as tab:
        tab.open(page)
        yield tab


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_no_wider_than_its_window(tab, width):
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    tab.call("Emulation.setDeviceMetricsOverride", **screen)
    try:
        tab.evaluate(TWO_FRAMES)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    finally:
        tab.resize()


def test_every_figure_is_drawn(tab):
    tab.wait_for("document.documentElement.dataset.charts === '2'")
    for figure in range(2):
        chart = f"document.querySelectorAll('[data-chart]')[{figure}]"
        tab.evaluate(f"{chart}.scrollIntoView()")
        tab.wait_for(f"{chart}.querySelector('svg g path') !== null")


def test_the_summary_leads_to_the_problem(tab):
    tab.evaluate("document.querySelector('a[href=\"#fall\"]').click()")
    assert tab.evaluate("location.hash") == "#fall"
    assert tab.evaluate("document.querySelector(':target').tagName") == "SECTION"


def test_the_console_is_silent_and_no_request_leaves_the_page(tab):
    assert tab.errors() == []
    asked = [url for url in tab.requests() if not url.startswith(("data:", "blob:", "about:"))]
    assert [url.rpartition("/")[2] for url in asked] == ["verification.html"]
