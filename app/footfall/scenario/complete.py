"""Completion of a scenario's YAML: fields that are null, and the places of its model files."""

import dataclasses
import types
import typing
from pathlib import Path
from typing import Any, TypeAlias

_TAG = "_tag"

# a type as annotations have it: a class, list[...], a union
_Schema: TypeAlias = Any


def with_nulls(value: Any, schema: _Schema) -> Any:  # noqa: ANN401 (whatever YAML holds)
    """Add the fields that Drake's writer leaves out because they are null, at every depth."""
    origin: Any = typing.get_origin(schema)
    if origin in (typing.Union, types.UnionType):
        return with_nulls(value, _member(value, schema)) if value is not None else None
    if origin is list and isinstance(value, list):  # one of a union may be a number as well
        return [with_nulls(part, typing.get_args(schema)[0]) for part in value]
    if origin is dict and value is not None:
        return {key: with_nulls(part, typing.get_args(schema)[1]) for key, part in value.items()}
    if not (dataclasses.is_dataclass(schema) and isinstance(value, dict)):
        return value
    hints = typing.get_type_hints(schema)
    known = {item.name: hints[item.name] for item in dataclasses.fields(schema)}
    full = {name: with_nulls(value.get(name), kind) for name, kind in known.items()}
    return full | {key: part for key, part in value.items() if key not in known}


def _member(value: object, schema: _Schema) -> _Schema:
    """The member of a union that a value's tag names; the first one where it has none."""
    members = [member for member in typing.get_args(schema) if member is not type(None)]
    tag = str(value.get(_TAG, "")).lstrip("!") if isinstance(value, dict) else ""
    named = [member for member in members if getattr(member, "__name__", "") == tag]
    return (named or members)[0]


def anchored(mapping: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make relative paths of files absolute: beside the scenario, else where we are.

    Files are those of models, of the ground, of code, and of the groups of an analysis, such as its
    track.
    """
    groups: list[object] = [mapping.get(name) for name in ("controller", "reference", "terrain")]
    directives, analysis = mapping.get("directives"), mapping.get("analysis")
    groups += analysis.values() if isinstance(analysis, dict) else ()
    for directive in directives if isinstance(directives, list) else ():
        groups += directive.values() if isinstance(directive, dict) else ()
    for part in groups:
        if isinstance(part, dict) and isinstance(part.get("file"), str):
            part["file"] = _absolute(part["file"], folder)
    if isinstance(observables := mapping.get("observables"), dict):
        mapping["observables"] = {
            name: _anchored_function(text, folder) for name, text in observables.items()
        }
    if isinstance(analysis, dict) and "function" in analysis:
        analysis["function"] = _anchored_function(analysis["function"], folder)
    return mapping


def with_kept_ground(mapping: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make the file of a ground that the folder of a run keeps absolute."""
    ground = mapping.get("terrain")
    if isinstance(ground, dict) and isinstance(ground.get("file"), str):
        ground["file"] = _absolute(ground["file"], folder)
    return mapping


def _anchored_function(text: object, folder: Path) -> object:
    """Make the file of ``file.py:function`` absolute; leave anything else as it is."""
    if not isinstance(text, str) or ":" not in text:
        return text
    file, _, function = text.rpartition(":")
    return f"{_absolute(file, folder)}:{function}"


def _absolute(file: str, folder: Path) -> str:
    if "://" in file or not file or Path(file).is_absolute():
        return file
    for parent in (folder, Path.cwd()):
        if (parent / file).is_file():
            return str((parent / file).resolve())
    return file
