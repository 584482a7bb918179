"""Names in documents are those of the code: modules, their contents, files and folders."""

import pkgutil
import re

import pytest
from tests.tracked import ROOT, tracked

from footfall.registry.machines import analysis_types, controller_types
from footfall.scenario.names import scenario_names

DOCUMENTS = sorted(
    [
        *(
            path
            for kind in ("docs", "urdf", "sdf")
            for path in tracked(ROOT / kind)
            if path.suffix == ".md"
        ),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
    ]
)
NAME = re.compile(r"`(footfall(?:_controllers)?(?:\.\w+)+)`")
HEADS = {name.partition("/")[0] for name in scenario_names()}
SCENARIO = re.compile(rf"(?<![\w/.])(?:{'|'.join(sorted(HEADS))})/\w+(?![\w/.]|\.\w)")
PLACE = re.compile(r"`((?:app|controllers|docs|scripts|sdf|tests|urdf)/[\w./]*)`")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_it_names_is_there(document):
    text = document.read_text()
    missing = {place for place in PLACE.findall(text) if not (ROOT / place).exists()}
    missing |= set(SCENARIO.findall(text)) - set(scenario_names())
    for name in sorted(set(NAME.findall(text))):
        try:
            pkgutil.resolve_name(name)
        except (ImportError, AttributeError):
            missing.add(name)
    assert not missing


def test_the_program_of_event_driven_simulation_runs():
    text = (ROOT / "docs" / "theory" / "event_driven.md").read_text()
    (program,) = re.findall(r"\n((?:    .*\n|\n)*    run = simulate.*\n)", text)
    names = {}
    lines = [line.removeprefix("    ") for line in program.splitlines()]
    exec("import numpy as np\n" + "\n".join(lines), names)  # noqa: S102 (a program of ours)
    # dropped from 1 m with e = 0.8: sqrt(2/g) down, then flights that shrink by 0.8
    fall = (2.0 / 9.81) ** 0.5
    times = [event.time for event in names["run"].events]
    assert times[:2] == pytest.approx([fall, fall * (1.0 + 2.0 * 0.8)], rel=1e-11)


def test_scenarios_are_told_every_tag_of_the_machines():
    text = (ROOT / "docs" / "guides" / "scenarios.md").read_text()
    tags = {kind.__name__ for kind in (*controller_types(), *analysis_types())}
    ours = {"Ball", "Coupler", "Distance", "InverseDynamics", "Posture", "Python", "PythonObject"}
    ours |= {"Gaussian", "LogUniform", "Stand", "TorqueProfile", "Uniform", "UniformDiscrete"}
    ours |= {"VirtualConstraints"}
    ours |= {"Convergence", "Optimisation"}
    ours |= {"HeightMap", "RoughGround", "Stairs", "Sweep", "Weld", "WholeBody"}
    ours |= {
        "AngularMomentum",
        "CentreOfMass",
        "JointPosture",
        "Frame",
        "Orientation",
        "Place",
        "CentreOfPressure",
        "JointTorque",
        "PredictedPlace",
    }
    assert set(re.findall(r"!([A-Z]\w+)", text)) == tags | ours
