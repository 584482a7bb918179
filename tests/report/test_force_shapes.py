"""Stills with contact forces: arrows and cones in their colours, at the time that is asked for."""

import numpy as np
import pytest
from PIL import Image
from tests.cli.command import footfall
from tests.scenario.runs import run

from footfall.errors import RunError
from footfall.plants.loading.load import load_model
from footfall.report.film import write_still
from footfall.run_folder import make_run_folder
from footfall.saved import save_run
from footfall.scenario.assemble import load_contacts, model_spec
from footfall.scenario.io import load_scenario
from footfall.show.forces import cones_of
from footfall.trajectory import Trajectory

NAME, SHORT = "biped/stand", ("duration=0.2",)


def _changed(one, other):
    """Pixels of the second picture that differ from the first, and their rows."""
    places = np.argwhere(np.abs(one - other).max(axis=2) > 25)
    return other[places[:, 0], places[:, 1]], places[:, 0]


@pytest.fixture(scope="module")
def stills(tmp_path_factory):
    """Pictures without forces, with them, and with cones."""
    folder = tmp_path_factory.mktemp("stills")
    model, contacts = load_contacts(load_scenario(NAME, SHORT))
    trajectory = run(NAME, "moreau", *SHORT).trajectory
    found = []
    for name, options in (
        ("none", {"forces": False}), ("arrows", {}), ("cones", {"cones": cones_of(contacts)}),
    ):  # fmt: skip
        path = folder / f"{name}.png"
        assert write_still(model, trajectory, path, **options) == trajectory.data["time"][-1]
        with Image.open(path) as picture:
            found.append(np.asarray(picture.convert("RGB"), dtype=float))
    return found


def test_arrows_are_there_in_their_colours(stills):
    none, arrows, _ = stills
    new, rows = _changed(none, arrows)
    red, green, blue = new.T
    assert ((green > red + 20) & (green > blue + 10)).sum() > 30  # normal: a bluish green
    assert ((red > green + 20) & (green > blue + 40)).sum() > 10  # friction: orange
    assert rows.min() > 0.4 * len(none)  # at the feet, in the lower half


def test_a_cone_adds_to_the_picture_at_the_feet(stills):
    _, arrows, cones = stills
    new, rows = _changed(arrows, cones)
    assert (new[:, 2] > new[:, 0] + 20).sum() > 300  # light blue
    assert rows.min() > 0.4 * len(arrows)


def test_a_still_is_of_the_row_that_is_nearest(tmp_path):
    model = load_model(model_spec(load_scenario(NAME, SHORT)))
    trajectory = run(NAME, "moreau", *SHORT).trajectory
    assert write_still(model, trajectory, tmp_path / "a.png", time=0.1004) == pytest.approx(0.1)
    with pytest.raises(RunError, match=r"end in \.png"):
        write_still(model, trajectory, tmp_path / "a.jpg")


def test_the_command_writes_one_into_the_folder_of_the_run(tmp_path, capsys):
    scenario, done = load_scenario(NAME, SHORT), run(NAME, "moreau", *SHORT)
    folder = make_run_folder(NAME, "moreau", tmp_path / "run")
    save_run(folder, NAME, scenario, done)
    assert isinstance(Trajectory.load(folder.trajectory), Trajectory)
    status, out, err = footfall("still", folder.path, "--at", "0.05", "--cones", capsys=capsys)
    assert (status, err) == (0, "")
    assert "t = 0.05 s" in out
    with Image.open(folder.path / "still.png") as picture:
        assert picture.size == (960, 600)
