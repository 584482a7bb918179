"""The page of saved runs, in a real browser: scrubbing, steps, runs over each other, plots."""

import numpy as np
import pytest
from tests.browser.chromium import chromium_path
from tests.browser.served import Served
from tests.scenario.runs import run

from footfall.machines.biped.measures import points
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.io import dump_scenario, load_scenario

pytestmark = pytest.mark.slow  # what the page asks for is tested without a browser as well

NAME, SHORT, ENGINES = "biped/climb", ("duration=0.3",), ("moreau", "drake")
OBJECT = "viewer().scene_tree.find({}).object"
SLOPE = np.deg2rad(-5.0)  # the file's own: uphill is along x


@pytest.fixture(scope="module")
def replayed(tmp_path_factory):
    chromium_path()  # skips where there is none
    folder = tmp_path_factory.mktemp("replay")
    scenario = load_scenario(NAME, SHORT)
    for engine in ENGINES:
        kept = make_run_folder(NAME, engine, folder / engine)
        kept.write_scenario(dump_scenario(scenario))
        save_run(kept, NAME, scenario, run(NAME, engine, *SHORT))
    replayed = Served(folder, "replay", *ENGINES, "--plot", "theta1")
    replayed.labels = [row["name"] for row in replayed.page.evaluate("about.legend")][:2]
    yield replayed
    replayed.close()


@pytest.fixture
def paused(replayed):
    replayed.wait("['running', 'paused'].includes(state.status)")
    if replayed.page.evaluate("state.status") == "running":
        replayed.click("#play")
    replayed.wait("state.status === 'paused'")
    return replayed


def _seek(page, time):
    page.choose("scrub", time, "input")
    page.wait(f"Math.abs(state.time - {time}) < 1e-6")


def _hip(engine, time):
    """Place of the hip in W [m] in the row of a time."""
    data = run(NAME, engine, *SHORT).trajectory.data
    x, z = points(data["q"].sel(time=time, method="nearest").to_numpy())[0]
    cosine, sine = np.cos(SLOPE), np.sin(SLOPE)
    return x * cosine - z * sine, 0.0, x * sine + z * cosine


def test_scrubbing_shows_every_run_at_that_time(paused):
    for time in (0.05, 0.25):
        _seek(paused, time)
        for label, engine in zip(paused.labels, ENGINES, strict=True):
            shown = f"{OBJECT.format(['scene', label, 'biped', 'hip'])}.matrix.elements"
            for k, place in enumerate(_hip(engine, time), start=12):
                paused.wait(f"Math.abs({shown}[{k}] - {place}) < 1e-6")  # pages have floats


def test_runs_stand_beside_each_other_or_in_each_other(paused):
    second = f"{OBJECT.format(['scene', paused.labels[1]])}.matrix.elements[13]"
    paused.wait(f"Math.abs({second}) > 0.1")
    paused.click("#beside")
    paused.wait(f"Math.abs({second}) < 1e-6")
    paused.click("#beside")
    paused.wait(f"Math.abs({second}) > 0.1")


def test_the_legend_has_a_colour_for_every_run(paused):
    colours = paused.page.evaluate(
        "[...document.querySelectorAll('#legend [data-kind=run] i')].map(e => e.style.background)"
    )
    assert len(colours) == len(set(colours)) == 2


def test_steps_go_both_ways_and_keys_do_the_same(paused):
    _seek(paused, 0.1)
    for act, row in (
        (lambda: paused.click("#step"), 1),
        (lambda: paused.click("#steps"), 11),
        (lambda: paused.click("#back"), 10),
        (lambda: paused.press("."), 11),
        (lambda: paused.press(","), 10),
    ):
        act()
        paused.wait(f"Math.abs(state.time - {0.1 + 1e-3 * row}) < 1e-6")


def test_it_plays_to_the_end_and_begins_anew(paused):
    _seek(paused, 0.2)
    paused.press(" ")
    paused.wait("state.status === 'paused' && Math.abs(state.time - 0.3) < 1e-6")
    paused.choose("speed", "0.05")
    paused.press(" ")
    paused.wait("state.status === 'running' && state.time < 0.2")
    paused.press(" ")
    paused.choose("speed", "1")


def test_the_plot_has_both_runs(paused):
    paused.wait("plots.rows.length > 100")
    assert paused.page.evaluate("plots.panels.map(panel => panel.columns.length)") == [2]
    time, *values = paused.page.evaluate("plots.rows.at(-1)")
    for value, engine in zip(values, ENGINES, strict=True):
        q = run(NAME, engine, *SHORT).trajectory.data["q"].sel(position="theta1")
        shown = np.rad2deg(float(q.sel(time=time, method="nearest")))
        assert value == pytest.approx(shown, rel=1e-9)  # out of JSON


def test_layers_are_shown_and_hidden(paused):
    forces = f"{OBJECT.format(['scene', 'contact_forces'])}.visible"
    before = paused.page.evaluate(forces)
    for shown in (not before, before):
        paused.click("[data-layer=arrows]")
        told = str(shown).lower()
        paused.wait(f"state.shown.arrows === {told} && {forces} === {told}")


def test_a_page_that_is_loaded_again_keeps_the_time(paused):
    _seek(paused, 0.15)
    paused.load_again()
    paused.wait("state.status === 'paused' && Math.abs(state.time - 0.15) < 1e-6")
    paused.wait("Math.abs(Number(el('scrub').value) - 0.15) < 1e-6")


def test_nothing_is_asked_of_elsewhere_or_complained_of(replayed):
    assert replayed.foreign_requests() == []
    assert replayed.page.errors() == []


def test_close_ends_the_command(replayed):
    replayed.click("#close")
    assert replayed.process.wait(60) == 0
