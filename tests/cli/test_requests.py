"""Requests that are checked before Drake is loaded, lists for programs, and runs without a page."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.command import footfall

from footfall.control.stand import Stand
from footfall.engines import DrakeConfig, MoreauConfig, MujocoConfig
from footfall.errors import ScenarioError
from footfall.plants.terrain import Terrain
from footfall.registry.machines import machines
from footfall.scenario import schema
from footfall.scenario.request_check import check_settings, fields_of_tag, imported_fields
from footfall.scenario.schema import InitialState, Scenario
from footfall_controllers.inverse_dynamics import InverseDynamics
from footfall_controllers.posture import Posture

WRONG = [
    ["run", "biped/clim"],
    ["run", "nowhere.yaml"],
    ["run", "biped/climb", "--engine", "bullet"],
    ["run", "biped/climb", "--set", "frictin=1"],
    ["run", "biped/climb", "--set", "terrain.slope=1"],
    ["run", "scenes/rough", "--set", "terrain.celll=0.1"],
    ["run", "scenes/rough", "--set", "terrain.kind=3"],
    ["run", "biped/climb", "--set", "duration=long"],
    ["run", "biped/climb", "--set", "controller.kpp=1"],
    ["run", "biped/stand", "--set", "controller.kp=stiff"],
    ["compare", "biped/climb", "--engines", "moreau,dake"],
    ["drop", "biped", "--engines", "moreau,dake"],
    ["drop", "nowhere.urdf"],
    ["drop", "biped", "--set", "frictin=1"],
]
PROGRAM = """
import json, sys
from footfall.cli import main
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as leaving:
        assert leaving.code == 2, arguments
    heavy = {"pydrake", "xarray", "numba", "matplotlib"} & set(sys.modules)
    assert not heavy, (arguments, heavy)
"""


def test_wrong_requests_are_told_before_drake_is_loaded():
    # Drake alone takes longer than the half second that such an answer may take
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(WRONG)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = told.stderr.splitlines()
    assert len(lines) == len(WRONG)
    assert all(line.startswith("footfall: ") for line in lines)


@pytest.mark.parametrize(
    "setting",
    ["friction=null", "camera=null", "moreau.solver=fixed-point", "drake.plant.time_step=1e-3",
     "initial.positions.x=0.1", "controller.kp=3", "study=", "duration=5", "joint_friction.*=0.5",
     "terrain={slope_deg: 3}", "pairs.0.friction=0.2", "simulator.accuracy=1e-6"],
)  # fmt: skip
def test_a_setting_that_may_be_right_passes(setting):
    check_settings([setting if not setting.endswith("=") else f"{setting}biped"], "biped/climb")


def test_settings_of_a_group_are_held_to_the_tag_that_it_has_by_then():
    to_map = "terrain=!HeightMap {file: hills.png}"
    check_settings([to_map, "terrain.height=2"], "biped/climb")
    check_settings(["terrain.kind=steps", to_map], "scenes/rough", {"terrain": "RoughGround"})
    with pytest.raises(ScenarioError, match="terrain has no 'kind'"):
        check_settings([to_map, "terrain.kind=steps"], "scenes/rough", {"terrain": "RoughGround"})
    with pytest.raises(ScenarioError, match="terrain has no 'height'"):
        check_settings(["terrain.height=2"], "biped/climb")


def test_fields_that_are_read_off_the_source_are_those_of_the_dataclasses():
    known = 0
    for name, machine in machines().items():
        for kind in (*machine.controllers, *machine.analyses, Posture, InverseDynamics, Stand):
            read = fields_of_tag(kind.__name__, name)
            if read is not None:  # what inherits from others is left to loading
                known += 1
                assert list(read) == [item.name for item in dataclasses.fields(kind)], kind
    assert known > 30
    for kind in (Scenario, Terrain, InitialState, MoreauConfig, DrakeConfig, MujocoConfig):
        read = imported_fields(Path(schema.__file__), kind.__name__)
        assert list(read) == [item.name for item in dataclasses.fields(kind)]


def test_scenarios_are_listed_by_their_beginning_and_for_programs(capsys):
    status, out, _ = footfall("list", "biped", "--json", capsys=capsys)
    listed = json.loads(out)
    assert status == 0
    assert "biped/climb" in listed
    assert all(name.startswith("biped") for name in listed)
    status, _, err = footfall("list", "bipde", capsys=capsys)
    assert (status, "did you mean 'biped'" in err) == (2, True)


def test_what_engines_can_do_is_listed(capsys):
    listed = json.loads(footfall("list", "engines", "--json", capsys=capsys)[1])
    assert "closed loops" in listed["moreau"]
    assert "closed loops" not in listed["drake-continuous"]
    assert "sensors" not in listed["hybrid"]


def test_the_version_is_told(capsys):
    status, out, _ = footfall("--version", capsys=capsys)
    assert status == 0
    assert out.startswith("footfall 0.")


def test_a_run_without_a_report_says_how_to_have_one(tmp_path, capsys):
    folder = tmp_path / "run"
    status, out, _ = footfall(
        "run", "biped/drop", "--set", "duration=0.02", "--no-report", "--out", folder, capsys=capsys
    )
    assert status == 0
    assert not (folder / "report.html").exists()
    assert f"footfall report {folder}" in out.replace("\n", "")
    # a word on what a number means, and what is left out is named
    assert "simulated time" in out
    assert "max_residual" in out.rpartition("metrics.json")[2]


def test_what_a_sequence_of_engines_leaves_is_reported_together(tmp_path, capsys):
    folder = tmp_path / "both"
    footfall(
        "compare", "biped/climb", "--engines", "moreau,closed-form", "--set", "duration=0.02",
        "--no-report", "--out", folder, capsys=capsys,
    )  # fmt: skip
    status, _, _ = footfall("report", folder / "moreau", folder / "closed-form", capsys=capsys)
    assert status == 0
    assert "closed-form" in (folder / "moreau" / "report.html").read_text()
