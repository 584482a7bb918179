"""Costs of starting footfall, its version, and the files that count as those of the project."""

import subprocess
import sys
import tomllib

from tests.tracked import ROOT, modules, tracked


def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def modules_after(code):
    """Top-level modules in an interpreter of its own after ``code`` ran there."""
    listing = "\nimport sys\nprint('MODULES', *{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code + listing], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_importing_footfall_costs_nothing():
    heavy = {"pydrake", "numpy", "scipy", "numba", "xarray", "matplotlib", "typer"}
    assert not heavy & modules_after("import footfall")


def test_version_is_that_of_the_distribution():
    code = "import footfall; assert footfall.__version__ == '{}'"
    assert modules_after(code.format(pyproject()["project"]["version"]))


def test_help_imports_no_drake():
    help_page = """
import sys
from footfall.cli import main
sys.argv = ["footfall", "--help"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""
    assert not {"pydrake", "numba", "matplotlib"} & modules_after(help_page)


def test_what_somebody_left_in_a_checkout_is_not_judged(tmp_path):
    (tmp_path / "ours.py").touch()
    for command in (["init", "-q"], ["add", "ours.py"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "left.log").touch()
    (tmp_path / "new.py").touch()
    assert tracked(tmp_path) == (tmp_path / "ours.py",)
    assert modules(tmp_path) == (tmp_path / "new.py", tmp_path / "ours.py")
