"""Needs of the site of the documents, without building it: `make docs` does that in CI."""

import re
from pathlib import Path

import pytest
from tests.tracked import tracked

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [path for path in tracked(DOCS) if path.suffix == ".md"]
TREE = re.compile(r"^```\{toctree\}\n(.*?)^```", flags=re.MULTILINE | re.DOTALL)
INCLUDED = re.compile(r"^```\{(?:literal)?include\} (\S+)", flags=re.MULTILINE)


def entries(page):
    """Pages of the trees of a page."""
    lines = [line for tree in TREE.findall(page.read_text()) for line in tree.splitlines()]
    return [line for line in lines if line and not line.startswith(":") and "*" not in line]


def test_every_page_is_in_one_section():
    listed = [(page.parent / f"{entry}.md").resolve() for page in PAGES for entry in entries(page)]
    assert sorted([*listed, DOCS / "index.md"]) == PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_what_a_page_includes_is_there(page):
    for target in INCLUDED.findall(page.read_text()):
        path = (page.parent / target).resolve()
        assert path.is_file() or path.parent == DOCS / "generated", target


def test_the_guide_shows_every_file_of_the_example():
    folder = DOCS.parent / "tests" / "registry" / "example_machine"
    files = {path.name for path in tracked(folder)}
    guide = (DOCS / "guides" / "add_a_machine.md").read_text()
    shown = {Path(target).name for target in INCLUDED.findall(guide)}
    assert shown == files - {"__init__.py"}
    assert all(f"  {name}" in guide for name in files)
