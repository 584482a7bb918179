"""A folder to start from with a robot of one's own: scenario, controller and a few words.

It has what the model says, and what was chosen where it says nothing, such as points to stand on.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import yaml

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.feet import Feet, find_feet
from footfall.files import new_folder, write_text
from footfall.plants.coordinates import actuators_of, joints_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.model_files import Argument, stem_of
from footfall.plants.loading.standing_postures import standing_posture
from footfall.plants.loading.uris import known_packages, resolve
from footfall.plants.repair import repair_urdf
from footfall.resources import model_file
from footfall.scenario.assemble import Robot, build_robot
from footfall.scenario.drop import Drop, drop_scenario
from footfall.scenario.io import dump_scenario
from footfall.scenario.schema import Scenario
from footfall_controllers import stand

_SHORT = 0.1  # of the height of the mass centre
_NEAR = 2e-3  # m above the lowest point of a foot: what stands with it


def standing_points(robot: Robot, feet: Feet) -> dict[str, list[list[float]]]:
    """Return points (x, y, z) in the frame of their link [m] by link, those at a foot's outline.

    Of the contact points of a foot those near its lowest one count; of many the outermost four,
    which hold the foot as all of them do. A foot that is short beside the robot, as the corners of
    a rounded one make it, stands on one point in their middle: it can turn.
    """
    plant, dynamics = robot.plant, Dynamics(robot.model, robot.contacts)
    dynamics.set_state(robot.initial_state)
    gaps, places = dynamics.gaps()
    reported = robot.contacts.reported_as
    foot, body = feet.of_contact[reported], feet.ground.body[reported]
    short = _SHORT * float(plant.CalcCenterOfMassPositionInWorld(dynamics.context)[2])
    found: dict[str, list[list[float]]] = {}
    for number, links in enumerate(feet.links):
        own = np.flatnonzero(foot == number)
        low = own[gaps[own] <= gaps[own].min() + _NEAR]
        for link in links:
            of_link = low[body[low] == int(link.index())]
            if len(of_link):
                X_WB = plant.EvalBodyPoseInWorld(dynamics.context, link)
                p_W = places[_outermost(places, of_link)]
                if np.ptp(p_W, axis=0).max() < short:
                    p_W = p_W.mean(axis=0, keepdims=True)
                p_B = X_WB.inverse().multiply(p_W.T).T
                found[link.name()] = np.round(p_B, 5).tolist()
    return found


def _outermost(places: Array, rows: Array) -> list[int]:
    """Rows of the points farthest along the diagonals of the ground, each once."""
    directions = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    ends = rows[np.argmax(places[rows, :2] @ directions.T, axis=0)]
    return [int(row) for row in dict.fromkeys(ends.tolist())]


_HERE = Path(__file__).parent
_MODEL = "model"  # folder of a repaired copy
_SPEED = 0.1  # m/s that the push of the example gives to the whole robot
_PUSH_TIME = 0.1  # s
_LOW = 0.6  # of the height at the start: the robot has fallen


@dataclass(frozen=True)
class Starter:
    """A folder that was written, its scenario, and a line about each thing that was chosen."""

    folder: Path
    scenario: Path
    notes: tuple[str, ...]


def write_starter(
    model: str, folder: Path, arguments: Mapping[str, Argument] | None = None
) -> Starter:
    """Write stand.yaml, stand.py and README.md for a robot into a new folder.

    model: a machine that ships, a URDF, SDF, MJCF or xacro file, or a package:// address, whose
    root is free in space. A URDF that Drake refuses, or whose joints nothing drives, is repaired
    into the folder. The posture is that of an SRDF file beside the URDF, else the model's own.
    Raises ModelError or ScenarioError, one line, where there is nothing that could stand.
    """
    with new_folder(folder):
        return _written(model, folder, arguments or {})


def _written(model: str, folder: Path, arguments: Mapping[str, Argument]) -> Starter:
    """Write the files of a starter."""
    drop, source, notes = _dropped(model, folder, arguments)
    joints = {joint.name() for joint in joints_of(_robot(drop).plant)}
    name, posture = ("", {}) if source is None else standing_posture(source, joints)
    if posture:
        setting = f"initial.positions={json.dumps(posture)}"
        drop = drop_scenario(
            _file(drop.scenario), height=0.0, arguments=arguments, settings=[setting]
        )
    robot = _robot(drop)
    values = _values(drop.scenario, robot, folder)
    origin = f"The posture {name}." if posture else "The model's own posture."
    values |= {"title": stem_of(model), "posture_from": origin}
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=False,  # noqa: S701 (YAML and Markdown, no page)
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    for target in ("stand.yaml", "README.md"):
        text = environment.get_template(f"{target}.jinja").render(values)
        write_text(folder / target, text)
    write_text(folder / "stand.py", Path(stand.__file__).read_text(encoding="utf-8"))
    return Starter(
        folder, folder / "stand.yaml", (*notes, *drop.notes, *_warnings(drop, posture), origin)
    )


def _warnings(drop: Drop, posture: Mapping[str, float]) -> list[str]:
    """Return what Drake said of the file, but for keyframes if one is the posture."""
    return [line for line in drop.warnings.known if not posture or "<keyframe>" not in line]


def _dropped(
    model: str, folder: Path, arguments: Mapping[str, Argument]
) -> tuple[Drop, Path | None, tuple[str, ...]]:
    """Return the model on the ground, the file that it is from, and what was repaired."""
    file = model_file(model, arguments=bool(arguments))
    refused: ModelError | None = None
    try:
        drop = drop_scenario(model, height=0.0, arguments=arguments)
        if _robot(drop).plant.num_actuators() > 0:
            return drop, resolve(file, known_packages({}), Path.cwd(), model), ()
    except ModelError as error:
        refused = error
    path = Path(file)
    if path.suffix.lower() != ".urdf" or not path.is_file():
        if refused is not None:
            raise refused
        raise _undriven(model)
    repaired = repair_urdf(path, folder / _MODEL)
    drop = drop_scenario(str(repaired.file), height=0.0)
    if _robot(drop).plant.num_actuators() == 0:
        raise _undriven(model)
    note = f"repaired into {repaired.file}: {len(repaired.notes)} changes, as `footfall repair` has"
    return drop, path, (note,)


def _undriven(model: str) -> ModelError:
    return ModelError(f"{model}: none of its joints has an actuator or an effort limit: add some.")


def _robot(drop: Drop) -> Robot:
    return build_robot(drop.scenario)


def _file(scenario: Scenario) -> str:
    """Return the file of the scenario's only model."""
    model = scenario.directives[0].add_model
    return "" if model is None else str(model.file)


def _values(scenario: Scenario, robot: Robot, folder: Path) -> dict[str, Any]:
    """Return what the templates ask for."""
    plant, state = robot.plant, robot.initial_state
    feet = find_feet(robot.model, robot.contacts, state, {})
    if feet is None or len(feet) == 0:
        raise ScenarioError(
            f"{scenario.name}: no link of it stands on the ground: give its feet <collision> "
            "shapes, or a posture in which it stands."
        )
    single = [joint for joint in joints_of(plant) if joint.num_positions() == 1]
    places = {joint.name(): round(float(state[joint.position_start()]), 6) for joint in single}
    driven = [actuator.joint().name() for actuator in actuators_of(plant)]
    context = plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, state)
    base = feet.tree.base
    height = float(plant.EvalBodyPoseInWorld(context, base).translation()[2])
    force = round(feet.tree.mass * _SPEED / _PUSH_TIME, 3)
    push = {"link": base.name(), "start": 1.0, "duration": _PUSH_TIME, "force": [force, 0.0, 0.0]}
    links = [
        (name, [link.name() for link in group])
        for name, group in zip(feet.names, feet.links, strict=True)
    ]
    return {
        "directives": [_flow(part) for part in _directives(scenario, folder)],
        "root": scenario.initial.drop_along,
        "posture": [(_flow(name), value) for name, value in places.items()],
        "actuated": [(_flow(name), places[name]) for name in driven],
        "feet": [(_flow(name), _flow(group)) for name, group in links],
        "fallen_below": _flow({base.name(): round(_LOW * height, 3)}),
        "points": [(_flow(k), _flow(v)) for k, v in standing_points(robot, feet).items()],
        "push": _flow(push),
    }


def _directives(scenario: Scenario, folder: Path) -> list[dict[str, Any]]:
    """Directives as YAML has them, without what is empty; a file in the folder by its place."""
    mapping = yaml.safe_load(dump_scenario(scenario).replace("!", ""))
    parts: list[dict[str, Any]] = [_bare(part) for part in mapping["directives"]]
    for part in parts:
        model = part.get("add_model")
        if model is not None:
            with suppress(ValueError):
                model["file"] = str(Path(model["file"]).relative_to(folder.resolve()))
    return parts


def _bare(value: Any) -> Any:  # noqa: ANN401 (whatever YAML holds)
    """Return a value without the groups and lists of it that are empty."""
    if isinstance(value, dict):
        parts = {key: _bare(part) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in (None, {}, [], "")}
    return [_bare(part) for part in value] if isinstance(value, list) else value


def _flow(value: Any) -> str:  # noqa: ANN401 (whatever YAML holds)
    """Return a value on one line of YAML."""
    text: str = yaml.safe_dump(value, default_flow_style=True, width=1e9, sort_keys=False)
    return text.removesuffix("\n...\n").strip()
