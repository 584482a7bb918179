"""Models in xacro on the command line: --arg of view, drop and repair."""

import numpy as np
import pytest
from tests.cli.command import footfall as command
from tests.scenario.test_arguments import XACRO

import footfall as ff
from footfall.cli.options import read_arguments
from footfall.errors import ModelError, ScenarioError
from footfall.resources import share_root
from footfall.scenario.io import parse_scenario
from footfall.show import model as shown_model
from footfall.trajectory import Trajectory


@pytest.fixture
def _stone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "stone.urdf.xacro").write_text(XACRO)


@pytest.mark.slow
@pytest.mark.usefixtures("_stone")
def test_a_drop_keeps_the_file_and_its_arguments_and_runs_again(tmp_path, monkeypatch, capsys):
    out, again, heavier = (str(tmp_path / name) for name in ("out", "again", "heavier"))
    status, _, err = command(
        "drop", "stone.urdf.xacro", "--arg", "mass=3", "--arg", "link=shell", "--height", "0.01",
        "--duration", "0.1", "--engines", "moreau,drake-sap", "--out", out, capsys=capsys,
    )  # fmt: skip
    assert status == 0, err
    saved = f"{out}/moreau/scenario.yaml"
    monkeypatch.chdir("/")
    assert command("run", saved, "--out", again, capsys=capsys)[0] == 0
    more = ("--set", "arguments.stone.mass=30")
    assert command("run", saved, *more, "--out", heavier, capsys=capsys)[0] == 0
    assert command("report", f"{out}/moreau", capsys=capsys)[0] == 0
    assert command("replay", f"{out}/moreau", "--no-loop", capsys=capsys)[0] == 0
    scenario = parse_scenario((tmp_path / "heavier" / "scenario.yaml").read_text())
    assert scenario.directives[0].add_model.file == str(tmp_path / "stone.urdf.xacro")
    assert scenario.arguments == {"stone": {"mass": 30, "link": "shell"}}
    runs = [
        Trajectory.load(f"{folder}/trajectory.nc").data
        for folder in (f"{out}/moreau", again, heavier)
    ]
    first, second, third = (run["q"].to_numpy() for run in runs)
    # the same arithmetic in the same order: not a bit may differ
    assert (first == second).all()
    # a stone falls as fast as a lighter one; what it meets the ground with goes by its mass
    assert third == pytest.approx(first, abs=1e-12)
    energies = [run["kinetic_energy"].to_numpy() for run in runs]
    assert np.ptp(energies[2]) == pytest.approx(10 * np.ptp(energies[0]), rel=1e-9)


@pytest.mark.usefixtures("_stone")
def test_a_model_in_xacro_is_viewed_with_its_arguments(monkeypatch, capsys):
    look, shown = shown_model.view_model, []

    def once(model, meshcat, controls, **how):
        look(model, meshcat, controls, **how | {"interrupted": lambda: True})
        shown.append(meshcat.HasPath("/drake/proximity/model/shell"))

    monkeypatch.setattr(shown_model, "view_model", once)
    status, _, err = command("view", "stone.urdf.xacro", "--arg", "link=shell", capsys=capsys)
    assert status == 0, err
    assert shown == [True]


@pytest.mark.usefixtures("_stone")
def test_repair_makes_a_urdf_of_a_xacro_file(tmp_path, capsys):
    """The massless link of nothing but inertia is what there is to repair."""
    asked = ("stone.urdf.xacro", "--arg", "mass=0", "--verbose")
    status, said, err = command("repair", *asked, capsys=capsys)
    assert status == 0, err
    assert "link 'core': inertia changed" in said
    text = (tmp_path / "stone_repaired" / "stone.urdf").read_text()
    assert "xacro" not in text
    assert '<mass value="0"/>' in text


BAD = {
    "no value": (["--arg", "mass"], "--arg mass: write it as NAME=VALUE"),
    "no name": (["--arg", "=3"], "--arg =3: write it as NAME=VALUE"),
    "twice": (["--arg", "mass=3", "--arg", "mass=4"], "mass is given twice"),
    "unknown": (["--arg", "mas=3"], "stone.urdf.xacro: there is no argument 'mas'; did you mean"),
    "no number": (["--arg", "mass=much"], "there is no property 'much'"),
}


@pytest.mark.usefixtures("_stone")
@pytest.mark.parametrize("name", ["view", "drop", "repair"])
@pytest.mark.parametrize(("arguments", "said"), BAD.values(), ids=BAD.keys())
def test_a_wrong_argument_gets_one_line_and_status_2(name, arguments, said, capsys):
    status, _, err = command(name, "stone.urdf.xacro", *arguments, capsys=capsys)
    assert status == 2
    assert len(err.splitlines()) == 1
    assert said in err


@pytest.mark.parametrize("model", ["compass", "compass.urdf.xacro"])
def test_arguments_choose_the_xacro_file_of_a_machine_that_ships(
    model, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(share_root() / "urdf" / "compass")
    out = str(tmp_path / "out")
    options = ("--arg", "m_hip=3", "--out", out)
    status, _, err = command("repair", model, *options, capsys=capsys)
    assert status == 0, err
    assert '<mass value="3' in (tmp_path / "out" / "compass.urdf").read_text()


@pytest.mark.usefixtures("_stone")
@pytest.mark.parametrize("name", ["view", "drop"])
def test_arguments_that_make_no_body_are_told_by_the_line_of_the_file(name, capsys):
    status, _, err = command(name, "stone.urdf.xacro", "--arg", "mass=-1", capsys=capsys)
    assert status == 2
    assert err.startswith("footfall: ")
    assert "stone.urdf.xacro:6: link 'core' has mass -1 kg" in err


def test_a_machine_that_is_no_xacro_file_takes_none(capsys):
    status, _, err = command("drop", "ball", "--arg", "mass=3", capsys=capsys)
    assert status == 2
    assert "ball.urdf is no .xacro file and takes no arguments; leave mass of 'ball' out." in err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("a=3", 3), ("a=3e-1", 0.3), ("a=true", True), ("a=", ""), ("a='3'", "3"), ("a=b=c", "b=c"),
        ("a=[1, 2]", "[1, 2]"), ("a=null", "null"), ("a=2026-11-20", "2026-11-20"), ("a={", "{"),
        ("a=!x y", "!x y"),
    ],
)  # fmt: skip
def test_values_are_numbers_truths_and_texts(option, value):
    (read,) = read_arguments([option]).values()
    assert read == value
    assert type(read) is type(value)


def test_no_option_is_no_argument():
    assert read_arguments(None) == {}
    with pytest.raises(ScenarioError):
        read_arguments(["a b=3"])


def test_a_xacro_file_that_runs_code_wants_to_be_trusted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FOOTFALL_TRUST", "")
    code = XACRO.replace('default="2"', 'default="${(lambda: 2)()}"')
    (tmp_path / "stone.urdf.xacro").write_text(code)
    status, _, err = command("repair", "stone.urdf.xacro", "--out", "a", capsys=capsys)
    assert status == 2
    assert "stone.urdf.xacro:2: ${(lambda: 2)()}: a lambda is not allowed" in err
    assert command("repair", "stone.urdf.xacro", "--trust", "--out", "a", capsys=capsys)[0] == 0
    assert command("repair", "stone.urdf.xacro", "--out", "b", capsys=capsys)[0] == 2
    with pytest.raises(ModelError, match="a lambda is not allowed"):
        ff.load("stone.urdf.xacro")
    drop = ["drop", "stone.urdf.xacro", "--duration", "0.01", "--no-report"]
    assert command(*drop, "--out", "c", capsys=capsys)[0] == 2
    status, out, err = command(*drop, "--trust", "--out", "d", capsys=capsys)
    assert status == 0, err
    assert "footfall run d/moreau/scenario.yaml --trust" in " ".join(out.split())
    loaded = ff.load("stone.urdf.xacro", trust=True, duration=0.01)
    assert len(loaded.run().trajectory.data["time"]) > 1


def test_every_command_that_loads_a_robot_can_be_told_to_trust_it(capsys):
    for name in ("run", "compare", "drop", "new", "repair", "view", "replay", "report", "video"):
        _, told, _ = command(name, "--help", capsys=capsys)
        assert "--trust" in told, name
