"""Constraints that model files declare, held against a plant, of which Drake tells only how many.

Frames and joints are named "model::name", as everywhere.
"""

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.errors import ModelError
from footfall.plants.constraints import Ball, Constraint, Coupler
from footfall.plants.model_check import Checked
from footfall.plants.wording import listed


def constraints_of_files(
    plant: MultibodyPlant, checked: Checked, of_others: int
) -> tuple[list[Constraint], str]:
    """Constraints of the files that a plant holds, and a line about those that it holds besides.

    The line refuses an engine that does not know these; it is empty where there are none.
    of_others: how many constraints the plant has that are of no file. Raises ModelError where Drake
    dropped one.
    """
    taken: list[Constraint] = []
    strange = []
    for constraint, where, tag in checked.constraints:
        if constraint is None:
            strange.append(f"{where}: <{tag}> is")
        elif is_taken(plant, constraint):
            taken.append(constraint)
    held = plant.num_constraints() - of_others
    files = listed({str(path) for path in checked.files})
    if held < len(taken):
        raise ModelError(
            f"{files}: Drake takes {held} of the {len(taken)} constraints declared here; it drops "
            "those of an SDF file that is included with merge: include it without, or move them "
            "into the scenario's constraints."
        )
    if held == len(taken):
        return taken, ""
    strange.append(f"{files}: {held - len(taken)} of {held} constraints declared here are")
    return taken, (
        f"{strange[0]} of a kind that only Drake's engine knows: take what you can out of the file "
        "and into the scenario's constraints (!Ball, !Weld, !Distance, !Coupler), or choose engine "
        "drake."
    )


def is_taken(plant: MultibodyPlant, constraint: Ball | Coupler) -> bool:
    """Return whether Drake takes a constraint; gears only of joints with one coordinate."""
    if isinstance(constraint, Coupler):
        joints = [_joint(plant, name) for name in (constraint.joint0, constraint.joint1)]
        return all(joint is not None and joint.num_velocities() == 1 for joint in joints)
    return all(_has_body(plant, name) for name in (constraint.a, constraint.b))


def _joint(plant: MultibodyPlant, scoped: str) -> Joint | None:
    model, _, name = scoped.rpartition("::")
    if not plant.HasModelInstanceNamed(model):
        return None
    instance = plant.GetModelInstanceByName(model)
    return plant.GetJointByName(name, instance) if plant.HasJointNamed(name, instance) else None


def _has_body(plant: MultibodyPlant, scoped: str) -> bool:
    model, _, name = scoped.rpartition("::")
    if not plant.HasModelInstanceNamed(model):
        return False
    return bool(plant.HasBodyNamed(name, plant.GetModelInstanceByName(model)))
