"""Names that mean parts of a model: plain, full, ``model::part``, or with wildcards."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import TypeVar

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Frame, Joint, ModelInstanceIndex, RigidBody

from footfall.errors import ModelError, ScenarioError
from footfall.plants.coordinates import full_name, joints_of
from footfall.plants.messages import did_you_mean, listed

_WILD = "*?["
_Element = TypeVar("_Element", Frame, Joint)
_Value = TypeVar("_Value")


def broad_first(names: Iterable[str]) -> list[str]:
    """Names in the order in which what they say is to be carried out.

    A name beats a pattern, a longer pattern a shorter one. Saved scenarios have their keys in
    alphabetical order: which comes first must not matter.
    """
    return sorted(names, key=lambda name: (not _is_pattern(name), len(name), name))


def fitting(
    name: str, known: Mapping[str, str], where: str, kind: str, which: str = ""
) -> list[str]:
    """Full names of the parts that a name or a pattern such as ``*_knee`` means.

    known: plain names by full name, ``model::part``. For messages, where: the scenario's field,
    kind: what a part is called, which: what the known ones have besides. Raises ScenarioError for a
    name or pattern that fits nothing, and for a plain name that fits several.
    """
    fits = fnmatchcase if _is_pattern(name) else str.__eq__
    matching = [full for full, plain in known.items() if fits(full, name) or fits(plain, name)]
    if not matching:
        hint = did_you_mean(name, sorted(set(known.values())))
        raise ScenarioError(f"{where}: there is no {kind} '{name}'{which}; {hint}")
    if len(matching) > 1 and not _is_pattern(name):
        message = f"{where}: several models have a {kind} '{name}': say which, {listed(matching)}."
        raise ScenarioError(message)
    return matching


def by_pattern(
    values: Mapping[str, _Value], known: Mapping[str, str], where: str, kind: str
) -> dict[str, _Value]:
    """Values by full name, out of those by name or pattern; arguments as of `fitting`."""
    return {
        full: values[name]
        for name in broad_first(values)
        for full in fitting(name, known, where, kind)
    }


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in _WILD)


def require_joints(plant: MultibodyPlant, names: Iterable[str]) -> list[Joint]:
    """Joints by plain name or `model::joint`; ModelError suggests the nearest name."""
    known: dict[str, list[Joint]] = defaultdict(list)
    for joint in joints_of(plant):
        for name in _names(plant, joint):
            known[name].append(joint)
    return [_one(name, known, "joint") for name in names]


def require_frames(plant: MultibodyPlant, names: Iterable[str]) -> list[Frame]:
    """Frames (bodies are frames, too) by plain name or `model::frame`; as `require_joints`."""
    known: dict[str, list[Frame]] = defaultdict(list)
    for instance in map(ModelInstanceIndex, range(plant.num_model_instances())):
        for index in plant.GetFrameIndices(instance):
            frame = plant.get_frame(index)
            for name in _names(plant, frame):
                known[name].append(frame)
    return [_one(name, known, "frame") for name in names]


def find_body(plant: MultibodyPlant, full: str) -> RigidBody | None:
    """Body by its full name, ``model::body``, of a plant that need not be finalized."""
    model, _, name = full.rpartition("::")
    if not plant.HasModelInstanceNamed(model):
        return None
    instance = plant.GetModelInstanceByName(model)
    return plant.GetBodyByName(name, instance) if plant.HasBodyNamed(name, instance) else None


def _names(plant: MultibodyPlant, element: Frame | Joint) -> tuple[str, str]:
    """Plain and scoped name."""
    return element.name(), full_name(plant, element)


def _one(name: str, known: Mapping[str, list[_Element]], kind: str) -> _Element:
    matching = known.get(name, [])
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise ModelError(f"the model has no {kind} '{name}'; {did_you_mean(name, known)}")
    scoped = listed(other for other in known if other.endswith(f"::{name}"))
    raise ModelError(f"several models have a {kind} '{name}'; say which: {scoped}")
