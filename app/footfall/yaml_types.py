"""Types of a scenario's YAML, checked before Drake reads it, whose reader does not say where."""

import dataclasses
import math
import types
import typing
from collections.abc import Collection
from typing import Any, TypeAlias

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean

_TAG = "_tag"
_OWN = "Python"  # the tag of what a user's file has

# a type as annotations have it: a class, list[...], a union
_Schema: TypeAlias = Any


def check_types(value: object, schema: _Schema, where: str, path: str = "") -> None:
    """Raise ScenarioError, one line with the path, where a YAML value does not fit a schema."""
    origin: Any = typing.get_origin(schema)
    if origin in (typing.Union, types.UnionType):
        _check_union(value, schema, where, path)
    elif origin is list:
        _expect(isinstance(value, list), value, "a list", where, path)
        for index, part in enumerate(typing.cast("list[object]", value)):
            check_types(part, typing.get_args(schema)[0], where, f"{path}.{index}")
    elif origin is dict:
        _expect(isinstance(value, dict), value, "a group", where, path)
        for key, part in typing.cast("dict[str, object]", value).items():
            _expect(key != _TAG, part, "a group without a tag", where, path)
            check_types(part, typing.get_args(schema)[1], where, f"{path}.{key}")
    elif schema in _SCALARS:
        accepted, wanted = _SCALARS[schema]
        fits = isinstance(value, accepted) and (schema is bool or not isinstance(value, bool))
        _expect(fits, value, wanted, where, path)
    elif dataclasses.is_dataclass(schema):
        hints = typing.get_type_hints(schema)
        fields = dataclasses.fields(schema)
        empty = {f.name for f in fields if f.default is None}  # whatever their annotation says
        _check_group(value, {f.name: hints[f.name] for f in fields}, where, path, empty)
    elif hasattr(schema, "__fields__"):
        _check_group(value, {f.name: f.type for f in schema.__fields__}, where, path)


_SCALARS: dict[Any, tuple[tuple[type, ...], str]] = {
    float: ((int, float), "a number"),
    int: ((int,), "a whole number"),
    bool: ((bool,), "true or false"),
    str: ((str,), "a text"),
}


def _check_group(
    value: object,
    fields: dict[str, Any],
    where: str,
    path: str,
    empty: Collection[str] = (),
) -> None:
    """Check a group against its fields; empty: those that may be null."""
    _expect(isinstance(value, dict), value, "a group", where, path)
    for key, part in typing.cast("dict[str, object]", value).items():
        if key == _TAG:
            continue
        here = f"{path}.{key}".lstrip(".")
        if key not in fields:
            message = f"{where}: unknown key {here}; {did_you_mean(str(key), list(fields))}"
            raise ScenarioError(message)
        if part is not None or key not in empty:
            check_types(part, fields[key], where, here)


def _check_union(value: object, schema: _Schema, where: str, path: str) -> None:
    members = [member for member in typing.get_args(schema) if member is not type(None)]
    if value is None:
        _expect(len(members) < len(typing.get_args(schema)), value, "a value", where, path)
        return
    tag = str(value.get(_TAG, "")).lstrip("!") if isinstance(value, dict) else ""
    if len(members) == 1 and tag in ("", getattr(members[0], "__name__", "")):
        check_types(value, members[0], where, path)
        return
    if all(member in _SCALARS for member in members):
        accepted = tuple(kind for member in members for kind in _SCALARS[member][0])
        kinds = [member for member in members if member is not int]  # which is a number as well
        wanted = " or ".join(_SCALARS[kind][1] for kind in kinds)
        _expect(isinstance(value, accepted), value, wanted, where, path)
        return
    lists = [member for member in members if typing.get_origin(member) is list]
    if lists and all(member in _SCALARS for member in members if member not in lists):
        if isinstance(value, list):
            check_types(value, lists[0], where, path)
            return
        numbers = isinstance(value, (int, float)) and not isinstance(value, bool)
        _expect(numbers, value, "a number, or a list of numbers", where, path)
        return
    names = {member.__name__: member for member in members if isinstance(member, type)}
    if tag and tag not in names:
        own = f" (one of your own: !{_OWN} {{file: my_file.py, name: {tag}}})"
        raise ScenarioError(
            f"{where}: {path.lstrip('.')} has the unknown tag !{tag}; "
            f"{did_you_mean(tag, list(names))}{own if _OWN in names else ''}"
        )
    check_types(value, names.get(tag, members[0]), where, path)


def refuse_nan(value: object, path: str, where: str) -> None:
    """Raise ScenarioError, one line with the path, for a NaN at any depth of a YAML value."""
    if isinstance(value, dict):
        for key, part in value.items():
            refuse_nan(part, f"{path}.{key}" if path else str(key), where)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            refuse_nan(part, f"{path}.{index}", where)
    elif isinstance(value, float) and math.isnan(value):
        raise ScenarioError(f"{where}: {path} is NaN: give a number.")


def _expect(fits: object, value: object, wanted: str, where: str, path: str) -> None:
    if not fits:
        shown = "null" if value is None else repr(value)
        message = f"{where}: {path.lstrip('.') or 'the scenario'} is {shown[:60]}: give {wanted}."
        raise ScenarioError(message)
