"""The phase of a walk beside its animation, and its centre of pressure, in a real browser."""

import pytest
from tests.browser.chromium import Page, chromium_path
from tests.browser.player import FRAME, PLAYER, TWO_FRAMES, VIEWER
from tests.scenario.runs import run

from footfall.report import Section, write_reports
from footfall.scenario.io import load_scenario

pytestmark = pytest.mark.slow

NAME, SHORT = "humanoid/opc", ("duration=0.4",)


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    chromium_path()  # skips before anything is simulated
    folder = tmp_path_factory.mktemp("browser")
    section = Section(
        NAME, load_scenario(NAME, SHORT), {"closed-form": run(NAME, "closed-form", *SHORT)}
    )
    write_reports([section], folder / "report.html")
    with Page(folder / "profile") as page:
        page.open(folder / "report.html")
        page.evaluate(f"{PLAYER}.scrollIntoView()")
        page.wait_for(f"{PLAYER}.dataset.player === 'ready'")
        page.evaluate(f"{VIEWER}.animator.pause()")
        yield page


def _go_to(page, time):
    """Move the slider, as a reader does."""
    slider = f"{PLAYER}.querySelector('[data-time]')"
    page.evaluate(f"{slider}.value = {time}; {slider}.dispatchEvent(new Event('input'))")
    page.evaluate(TWO_FRAMES)


def test_the_phase_is_named_as_time_goes(tab):
    events = run(NAME, "closed-form", *SHORT).trajectory.events
    toe_off = next(event.time for event in events if event.kind == "toe-off")
    for time, phase in (
        (0.0, "left foot flat, double support"),
        (toe_off - 0.02, "left foot flat, double support"),
        (toe_off + 0.02, "left foot flat, single support"),
    ):
        _go_to(tab, time)
        assert tab.evaluate(f"{PLAYER}.querySelector('[data-phase]').textContent") == phase


def test_the_centre_of_pressure_is_seen_and_can_be_hidden(tab):
    _go_to(tab, 0.35)
    disc = f"{FRAME}.contentWindow.viewer.scene_tree.find(['scene', 'centre_of_pressure'])"
    assert tab.evaluate(f"{disc}.object.visible")
    tab.evaluate(f"{PLAYER}.querySelector('[data-show=\"/scene/centre_of_pressure\"]').click()")
    assert not tab.evaluate(f"{disc}.object.visible")
