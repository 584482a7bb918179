"""The house rules that a machine can check: cheap imports, clean files, documents that agree."""

import ast
import re
import subprocess
import sys
import tomllib

import pytest
from tests.tracked import ROOT, modules, tracked

MODELS = sorted(
    {
        ROOT / kind / path.relative_to(ROOT / kind).parts[0]
        for kind in ("urdf", "sdf")
        for path in tracked()
        if path.is_relative_to(ROOT / kind)
    }
)
REQUIREMENT_NAME = re.compile(r"[A-Za-z0-9._-]+")


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


def project_files():
    """Files of the project."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    return list(tracked())


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


def test_no_file_names_a_machine_or_a_registry():
    # written in pieces, so that this file does not name them either
    places = "|".join(["/" + "root/", "/" + "work/", "/" + "home/", "/" + "Users/", "/" + "tmp/"])
    hosts = "|".join(
        ["pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\.org", "index" + "-url"]
    )
    forbidden = re.compile(rf"(?<![\w.<}}\-])(?:{places})|{hosts}".encode())
    found = [
        f"{path.relative_to(ROOT)}: {match.group().decode()}"
        for path in project_files()
        if (match := forbidden.search(path.read_bytes()))
    ]
    assert not found


def test_every_dependency_has_its_reason():
    project = pyproject()["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {REQUIREMENT_NAME.match(entry).group() for entries in lists for entry in entries}
    contributing = (ROOT / "CONTRIBUTING.md").read_text().lower()
    reasons = set(re.findall(r"^- `([^`]+)`:", contributing, flags=re.MULTILINE))
    assert {name.lower() for name in names} - {"footfall"} <= reasons


def test_every_floor_of_the_contracts_is_in_the_table_of_floors():
    contracts = pyproject()["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["id"] == "floors")
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", contributing, flags=re.MULTILINE)
    # from the roof down; neighbours of one floor may be written in any order
    table = re.findall(r"`(\w+)`", " ".join(rows))
    table.remove("footfall_controllers")  # it has a contract of its own
    floors = [re.findall(r"\w+", layer) for layer in layers if layer != "__main__"]
    place = {name: floor for floor, names in enumerate(floors) for name in names}
    assert sorted(table) == sorted(place)
    assert [place[name] for name in table] == sorted(place.values())


def test_every_requirement_is_pinned():
    project = pyproject()["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {
        REQUIREMENT_NAME.match(entry).group().lower() for entries in lists for entry in entries
    }
    lines = (ROOT / "constraints.txt").read_text().lower().splitlines()
    pinned = {line.split("==")[0] for line in lines if not line.startswith("#")}
    assert names - {"footfall"} <= pinned


def test_what_somebody_left_in_a_checkout_is_not_judged(tmp_path):
    (tmp_path / "ours.py").touch()
    for command in (["init", "-q"], ["add", "ours.py"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "left.log").touch()
    (tmp_path / "new.py").touch()
    assert tracked(tmp_path) == (tmp_path / "ours.py",)
    assert modules(tmp_path) == (tmp_path / "new.py", tmp_path / "ours.py")


def test_there_are_models():
    assert MODELS


@pytest.mark.parametrize("folder", MODELS, ids=lambda folder: folder.name)
def test_every_model_has_its_card(folder):
    assert (folder / "README.md").is_file()
    assert [*folder.glob("*.urdf"), *folder.glob("*.sdf"), *folder.glob("*.track")]


def test_changelog_begins_with_this_version():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert headings[0] == pyproject()["project"]["version"]


def test_citation_is_of_this_version():
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {pyproject()['project']['version']}\n" in citation


def test_links_in_documents_lead_somewhere():
    documents = [path for path in project_files() if path.suffix == ".md"]
    link = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
    broken = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in documents
        for target in link.findall(path.read_text())
        if not (path.parent / target).exists()
    ]
    assert not broken


def test_docstrings_begin_with_what_the_thing_is_or_does():
    questions = {"What", "Where", "How", "Whether", "Who", "Why", "Which", "When"}
    ours = [*(path for kind in ("app", "controllers", "tests") for path in modules(ROOT / kind))]
    ours += [path for path in tracked(ROOT / "scripts") if path.suffix == ".py"]
    asking = []
    for path in ours:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                first = (ast.get_docstring(node) or "").partition(" ")[0].strip(",:")
                if first in questions:
                    asking.append(f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'module')}")
    assert not asking
