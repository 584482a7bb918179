"""Search for the two feet of the swing-foot filter among the shapes that meet the ground."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import numpy as np

from footfall.errors import ScenarioError
from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.swing_foot_filter import Foot, SwingFeet, SwingFootFilter
from footfall.plants.load import Model
from footfall.plants.terrain import FRAME_NAME
from footfall.wording import did_you_mean


def swing_foot_filter_of(
    rule: SwingFeet, model: Model, ground: Sequence[GroundShape], names: Sequence[str]
) -> SwingFootFilter:
    """Find a rule's feet among the shapes on the ground.

    names: of the points of these shapes, in their order. Raises ScenarioError for a rule that does
    not name two feet, for a name that fits no shape, and for a shape in both feet.
    """
    rule.__post_init__()  # Drake's YAML reader fills fields in after they were checked
    if len(rule.feet) != 2:
        message = f"alternating_feet.feet has {len(rule.feet)} name(s): give those of two feet."
        raise ScenarioError(message)
    called = {_name_of(shape, names): shape for shape in ground}
    first, second = (_fitting(name, list(called)) for name in rule.feet)
    shared = [name for name in first if name in second]
    if shared:
        message = f"alternating_feet.feet: '{shared[0]}' is in both feet: name two different ones."
        raise ScenarioError(message)
    plant = model.plant
    X_WT = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(plant.CreateDefaultContext())
    ahead_T = np.array([*rule.ahead, 0.0])
    ahead_W = X_WT.rotation().multiply(ahead_T / np.linalg.norm(ahead_T))
    feet = [_foot([called[name] for name in found]) for found in (first, second)]
    return SwingFootFilter((feet[0], feet[1]), ahead_W, rule.landed)


def _name_of(shape: GroundShape, names: Sequence[str]) -> str:
    """Name of a shape: that of its only point, or of all of them without their numbers."""
    name = names[shape.first]
    return name if len(shape.points) == 1 else name.rpartition("#")[0]


def _fitting(name: str, known: list[str]) -> list[str]:
    found = [shape for shape in known if fnmatchcase(shape, name)]
    if not found:
        raise ScenarioError(
            f"alternating_feet.feet: no shape that meets the ground is called '{name}'; "
            f"{did_you_mean(name, known)}"
        )
    return found


def _foot(shapes: Sequence[GroundShape]) -> Foot:
    points = [np.arange(shape.first, shape.first + len(shape.points)) for shape in shapes]
    return Foot(np.concatenate(points), tuple(shape.geometry for shape in shapes))
