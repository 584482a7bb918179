"""A scenario that lets any robot fall on the ground: a model file is all it needs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import AddCollisionFilterGroup, AddModel, ModelDirective
from pydrake.multibody.plant import MultibodyPlant

from footfall.errors import ModelError, ScenarioError
from footfall.plants.coordinates import floating_joints, joints_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import load_model
from footfall.plants.loading.model_files import Argument, stem_of
from footfall.plants.loading.model_warnings import NO_WARNINGS, ModelWarnings
from footfall.plants.loading.plant_check import starts_on_limits
from footfall.resources import model_file
from footfall.scenario.assemble import Robot, build_robot, model_spec
from footfall.scenario.io import with_settings
from footfall.scenario.names import scenario_names
from footfall.scenario.schema import Scenario
from footfall.wording import listed

_NEAR = 1e-5  # m: shapes that start nearer than this touch or overlap as they were drawn


@dataclass(frozen=True)
class Drop:
    """A scenario, and a line about each thing that the model did not say and was chosen for it.

    friction: the like about what lets its joints come to rest. warnings: what Drake said of it.
    """

    scenario: Scenario
    notes: tuple[str, ...]
    friction: tuple[str, ...] = ()
    warnings: ModelWarnings = NO_WARNINGS


def drop_scenario(
    model: str,
    *,
    height: float = 0.2,
    duration: float = 2.0,
    arguments: Mapping[str, Argument] | None = None,
    settings: Sequence[str] = (),
    change: Callable[[Scenario], Scenario] = lambda scenario: scenario,
) -> Drop:
    """Make the scenario in which a robot falls from a height [m] of its lowest contact point.

    model: a machine that ships, a URDF, SDF, MJCF or xacro file, or a package:// address; its root
    must be free in space. arguments: of a xacro file. settings: ``--set`` overrides, carried out
    first; change: more of them, by a function. Joints start at their defaults, or on the nearest
    limit. Links that overlap in that posture do not collide with each other: they do so in the
    drawing, not in the robot. Raises ScenarioError or ModelError, one line.
    """
    if not 0.0 <= height < np.inf:
        raise ScenarioError(f"--height is {height}: give a number of metres that is not negative.")
    file = model_file(model, arguments=bool(arguments))
    name = re.sub(r"\W", "_", stem_of(file))
    scenario = Scenario(
        name=f"drop/{name}",
        description=f"{name} falls from {height:g} m.",
        duration=duration,
        directives=[ModelDirective(add_model=AddModel(name=name, file=_anywhere(file)))],
        arguments={name: dict(arguments)} if arguments else {},
    )
    scenario = change(with_settings(scenario, settings, f"drop {model}"))
    probe = load_model(model_spec(scenario), judged=False)
    root = _root(probe.plant, model)
    scenario.initial.drop_along = scenario.initial.drop_along or root
    scenario.initial.gap = scenario.initial.gap or height
    notes = _start_on_limits(scenario, probe.plant)
    robot = build_robot(scenario)
    notes += _part_overlapping(scenario, robot)
    return Drop(scenario, tuple(notes), tuple(_friction_notes(robot)), robot.model.warnings)


def _anywhere(file: str) -> str:
    """A path that means the same wherever the saved scenario is run again."""
    return file if "://" in file else str(Path(file).resolve())


def _root(plant: MultibodyPlant, model: str) -> str:
    """The link that is free in space, by its full name; ModelError where none is, or several."""
    free = floating_joints(plant)
    if len(free) == 1:
        ((root, joint),) = free.items()
        together = plant.GetBodiesWeldedTo(joint.child_body())
        if any(body.default_mass() > 0.0 for body in together):
            return root
        raise ModelError(
            f"{model}: its root link '{root}' has no mass, so it is made to be attached to "
            f"something: {_instead(model)}"
        )
    if free:
        raise ModelError(
            f"{model} has {len(free)} free bodies ({listed(list(free))}), and drop lets one fall: "
            f"{_instead(model)}"
        )
    held = [
        joint
        for joint in joints_of(plant)
        if joint.parent_body().index() == plant.world_body().index()
    ]
    by = f"by its joint '{held[0].name()}'" if held else "by a weld"
    raise ModelError(
        f"{model} is attached to the world {by} and cannot fall: take the joint to the world out "
        f"of a copy of the file; or {_instead(model)}"
    )


def _instead(model: str) -> str:
    """Return advice for a machine that is not made to be dropped."""
    own = [name for name in scenario_names() if name.startswith(f"{model}/")]
    if own:
        return f"run one of its own scenarios, {listed(own)}."
    return "write a scenario that places it, with add_model and add_weld."


def _start_on_limits(scenario: Scenario, plant: MultibodyPlant) -> list[str]:
    """Let joints whose default lies outside their limits begin on the nearest one; says so."""
    directive = scenario.directives[0]
    model = directive.add_model
    inside = {name.rpartition("::")[2]: q for name, q in starts_on_limits(plant).items()}
    moved = {name: q for name, q in inside.items() if name not in scenario.initial.positions}
    if model is None or not inside:
        return []
    starts = {name: np.array(q) for name, q in inside.items()}
    model.default_joint_positions = model.default_joint_positions | starts
    directive.add_model = model  # Drake hands out copies
    if not moved:
        return []
    places = [f"{name} at {', '.join(f'{x:.4g}' for x in q)}" for name, q in moved.items()]
    return [f"{listed(places)}: on the nearest limit, because the default lies outside."]


def _part_overlapping(scenario: Scenario, robot: Robot) -> list[str]:
    """Keep links that overlap at the start from colliding; says which they are."""
    pairs = _overlapping(robot)
    for a, b in pairs:
        name = f"{a} {b}".replace("::", "_").replace(" ", "__")
        group = AddCollisionFilterGroup()
        group.name, group.members, group.ignored_collision_filter_groups = name, [a, b], [name]
        scenario.directives.append(ModelDirective(add_collision_filter_group=group))
    if not pairs:
        return []
    overlaps = [
        f"{a.rpartition('::')[2]} and {b.rpartition('::')[2]} ({max(0.0, 1e3 * depth):.2f} mm)"
        for (a, b), depth in pairs.items()
    ]
    return [f"links that overlap at the start pass through each other: {listed(overlaps)}."]


def _overlapping(robot: Robot) -> dict[tuple[str, str], float]:
    """Pairs of links whose shapes overlap or touch at the start, with the depth [m]."""
    dynamics = Dynamics(robot.model, robot.contacts)
    dynamics.set_state(robot.initial_state)
    gap = dynamics.gaps()[0]
    depths: dict[tuple[str, str], float] = {}
    for pair in robot.contacts.pairs:
        depth = -float(gap[pair.first : pair.first + len(pair)].min())
        if depth > -_NEAR and not pair.on_surface:
            bodies = pair.body_a, pair.body_b
            one, other = sorted(body.scoped_name().get_full() for body in bodies)
            depths[one, other] = max(depth, depths.get((one, other), 0.0))
    return dict(sorted(depths.items()))


def _friction_notes(robot: Robot) -> list[str]:
    """Return a note on the dry friction of joints, or on joints without any damping."""
    dry = robot.contacts.frictions
    if dry:
        efforts = [joint.effort for joint in dry]
        largest = f"{min(efforts):g}" + (f" to {max(efforts):g}" if len(set(efforts)) > 1 else "")
        friction = f"{len(dry)} joints rub with {largest} N m (or N) of dry friction in moreau"
        return [f"{friction}; Drake's engines have none."]
    joints = joints_of(robot.plant)
    loose = [j for j in joints if j.num_velocities() == 1 and j.default_damping_vector()[0] == 0.0]
    if not loose:
        return []
    undamped = f"{len(loose)} joints have neither friction nor damping and may swing for long"
    return [f"{undamped}: --set 'joint_friction.*=0.5' lets them rub."]
