"""Publication: sdist and wheel are built, installed elsewhere, and run from `/`."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = "biped/drop"

pytestmark = [pytest.mark.slow, pytest.mark.packaging]


def run(*command, cwd="/"):
    """Run a command without what points Python to the checkout; return what it printed."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    clean["PIP_CONSTRAINT"] = str(ROOT / "constraints.txt")
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that is built out of the sdist, as a publisher would build it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The bin/ folder of a fresh environment that has the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
    return folder / "bin"


def test_wheel_has_every_file(wheel):
    def below(folder, into):
        files = (path for path in folder.rglob("*") if path.is_file())
        return {f"{into}/{path.relative_to(folder)}" for path in files if not is_cache(path)}

    def is_cache(path):
        return "__pycache__" in path.parts or path.suffix in {".nbi", ".nbc", ".pyc"}

    expected = below(ROOT / "app" / "footfall", "footfall")
    expected |= below(ROOT / "controllers" / "footfall_controllers", "footfall_controllers")
    for kind in ("urdf", "sdf"):
        expected |= below(ROOT / kind, f"footfall/share/{kind}")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == expected


def test_models_are_found_where_it_is_installed(installed):
    code = "from footfall.resources import share_root; print(share_root())"
    share = Path(run(installed / "python", "-c", code).strip())
    assert share.name == "share"
    assert installed.parent in share.parents
    assert (share / "urdf" / "biped" / "biped.urdf").is_file()


def test_scenario_runs_from_the_root_folder(installed, tmp_path):
    out = tmp_path / "drop"
    run(installed / "footfall", "run", SCENARIO, "--set", "duration=0.2", "--out", out)
    assert json.loads((out / "metrics.json").read_text())["status"] == "done"
    assert {"scenario.yaml", "provenance.json", "trajectory.nc", "report.html"} <= {
        path.name for path in out.iterdir()
    }
