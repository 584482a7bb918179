"""The picture of the humanoid's closed loop: the systems and wires of the diagram, none besides."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def program():
    return runpy.run_path(str(ROOT / "scripts" / "draw_humanoid_loop.py"))


@pytest.fixture(scope="module")
def diagram(program):
    return program["closed_loop"]()


def test_the_stored_picture_is_that_of_the_diagram(program, diagram):
    stored = (ROOT / "docs" / "images" / "humanoid_loop.svg").read_text(encoding="utf-8")
    assert program["draw"](*program["read_diagram"](diagram)) == stored, (
        "the closed loop has changed: run python scripts/draw_humanoid_loop.py"
    )


def test_every_wire_ends_in_a_port(program, diagram):
    systems, signals = program["read_diagram"](diagram)
    picture = program["draw"](systems, signals)
    assert sum(len(one.sinks) for one in signals) == len(diagram.connection_map())
    assert len(re.findall(r"l-6 -3v6z", picture)) == len(diagram.connection_map())
    assert len(re.findall(r'<text class="name"', picture)) == len(diagram.GetSystems())
    # the plant is the last, and its state goes back
    order = program["in_order"](systems, signals)
    assert order[-1].name == "constrained_plant"
    (state,) = (one for one in signals if one.name == "state")
    assert len(state.sinks) == sum("state" in each.inputs for each in systems)
