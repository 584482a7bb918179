"""The picture of the architecture shows the code as it is, and the code has the shape it shows."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOX = re.compile(r'<g class="(\w+)" id="(\w+)">(?:<title>\w+ imports ([\w, ]+)</title>)?')


@pytest.fixture(scope="module")
def program():
    return runpy.run_path(str(ROOT / "scripts" / "draw_architecture.py"))


@pytest.fixture(scope="module")
def architecture(program):
    return program["read_architecture"]()


@pytest.fixture(scope="module")
def picture(program, architecture):
    return program["draw"](architecture)


def told(picture):
    """Return a picture without places and lines of code, which change with every commit."""
    return sorted(BOX.findall(picture)), picture.count('class="import"')


def test_the_stored_picture_is_of_this_code(picture):
    stored = (ROOT / "docs" / "images" / "architecture.svg").read_text()
    assert told(stored) == told(picture), (
        "the architecture has changed: run python scripts/draw_architecture.py"
    )


def test_it_is_drawn_alike_twice(program, picture):
    assert picture == program["draw"](program["read_architecture"]())


def test_it_shows_every_package_and_machine(picture):
    _, names, _ = zip(*BOX.findall(picture), strict=True)
    assert len(names) == len(set(names))
    assert {"cli", "machines", "registry", "engines", "footfall_controllers"} <= set(names)
    assert {"biped", "hopper", "ugv"} <= set(names)


def test_arrows_go_down(architecture):
    assert not list(architecture.upward())


def test_what_is_left_out_is_implied(architecture):
    # following the arrows that are drawn reaches all that is imported, and nothing else
    drawn = {name: set() for name in architecture.imports}
    for name, target in architecture.arrows:
        drawn[name].add(target)

    def reached(name):
        return drawn[name].union(*map(reached, drawn[name]))

    for name, targets in architecture.imports.items():
        assert targets <= reached(name)
