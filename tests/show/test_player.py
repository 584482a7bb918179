"""Saved runs on the page: clock, scrubbing, rows, several runs, plots."""

import numpy as np
import pytest
from tests.scenario.runs import run
from tests.show.meshcat_state import is_visible, shown_pose

from footfall.errors import RunError
from footfall.plants.loading.load import load_model
from footfall.scenario.assemble import load_contacts, model_spec
from footfall.scenario.io import load_scenario
from footfall.show import View, start_meshcat
from footfall.show.forces import RecordedForces
from footfall.show.live.controls import Command, Controls
from footfall.show.live.display import Display
from footfall.show.live.player import Player

NAME, SHORT = "biped/stand", ("duration=0.2",)


def _played(*acts, engines=("moreau", "drake"), plots=(), strict=True):
    """Page, scene, and runs after commands, one a look."""
    scenario = load_scenario(NAME, SHORT)
    model, contacts = load_contacts(scenario)
    runs = {engine: run(NAME, engine, *SHORT).trajectory for engine in engines}
    meshcat, controls = start_meshcat(), Controls()
    display = Display(meshcat, View())
    player = Player(
        meshcat, controls, display, model, contacts, runs, View(),
        cameras={}, plots=plots, strict=strict,
    )  # fmt: skip
    waiting = [Command("pause"), *acts, Command("close")]

    def next_look():
        controls.put(waiting.pop(0))
        return False

    assert player.play(next_look) == "close"
    return controls, meshcat, runs


def test_a_scrubbed_run_shows_its_row_and_the_forces_there():
    controls, meshcat, runs = _played(Command("seek", {"value": 0.1}))
    assert controls.state["time"] == pytest.approx(0.1)
    data = runs["moreau"].data
    row = int(np.searchsorted(data["time"], 0.1 + 1e-9)) - 1
    forces = RecordedForces(load_model(model_spec(load_scenario(NAME, SHORT))), runs["moreau"])
    mean = forces.mean(0.1, 0.1)
    for name, force in zip(forces.names, mean.force, strict=True):
        impulse = data["impulse"].sel(contact=name).to_numpy()[row]
        np.testing.assert_allclose(force, impulse / 1e-3, atol=1e-9)
        path = f"/scene/contact_forces/{name.replace('::', '/')}/normal"
        assert is_visible(meshcat, path) == (force[0] > 1.0)


def test_a_step_is_a_row_and_the_ends_are_the_ends():
    controls, _, runs = _played(
        Command("seek", {"value": 0.1}),
        Command("step", {"count": 3}),
        Command("step", {"count": -1}),
    )
    assert controls.state["time"] == pytest.approx(0.102)
    last = float(runs["moreau"].data["time"][-1])
    controls, _, _ = _played(Command("seek", {"value": 9.0}))
    assert controls.state["time"] == pytest.approx(last)


def test_runs_stand_beside_each_other_or_in_each_other():
    for beside in (True, False):
        _, meshcat, _ = _played(Command("beside", {"value": beside}))
        offset = shown_pose(meshcat, "/scene/drake")[1, 3]
        assert (abs(offset) > 0.01) == beside


def test_the_legend_has_every_engine_in_a_colour_of_its_own():
    controls, _, _ = _played()
    runs = [row for row in controls.about["legend"] if row["kind"] == "run"]
    assert [row["name"] for row in runs] == ["moreau", "drake"]
    assert runs[0]["colour"] == ""  # the machine's own
    assert runs[1]["colour"] != ""


def test_plots_have_the_series_of_all_runs_in_degrees():
    controls, _, runs = _played(plots=("theta1",))
    assert [plot["unit"] for plot in controls.about["plots"]] == ["°", "°"]
    q = runs["drake"].data["q"].sel(position="theta1").to_numpy()
    assert controls.rows[-1][2] == pytest.approx(np.rad2deg(q[-1]))


def test_a_plot_of_what_there_is_not_is_refused_or_left_out():
    with pytest.raises(RunError, match="theta9"):
        _played(plots=("theta9",))
    controls, _, _ = _played(plots=("theta9",), strict=False)
    assert controls.about["plots"] == []
