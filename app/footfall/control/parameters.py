"""Parameters of a user's class: plain values of a scenario become its dataclass, and back."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from footfall.errors import ScenarioError
from footfall.yaml_types import check_types, refuse_nan

# a type as annotations have it: a class, list[...], a union
_Schema: TypeAlias = Any


def check_parameters(schema: type, values: Mapping[str, Any], where: str) -> None:
    """Raise ScenarioError, one line, where values do not fit the fields of a dataclass.

    where: path of the values in the scenario. Refused are unknown and missing names, values of the
    wrong type, and NaN.
    """
    place, _, path = where.rpartition(": ")
    try:
        check_types(dict(values), schema, place or "scenario", path)
    except NameError as error:  # an annotation that names what the file does not import
        raise ScenarioError(f"{where}: the types of {schema.__name__}: {error}.") from error
    refuse_nan(dict(values), path, place or "scenario")
    missing = [
        item.name
        for item in dataclasses.fields(schema)
        if item.init
        and item.name not in values
        and item.default is dataclasses.MISSING
        and item.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise ScenarioError(f"{where} has no {', '.join(missing)}: give a value.")


def build(schema: _Schema, value: Any) -> Any:  # noqa: ANN401 (whatever YAML holds)
    """Make what an annotation asks for out of plain values that were checked against it."""
    origin: Any = typing.get_origin(schema)
    parts = typing.get_args(schema)
    if value is None:
        return None
    if origin in (typing.Union, types.UnionType):
        kinds = [part for part in parts if part is not type(None)]
        return build(kinds[0], value) if len(kinds) == 1 else value
    if origin in (list, tuple):
        inner = parts[0] if parts else Any
        return origin(build(inner, part) for part in value)
    if origin is dict:
        return {key: build(parts[1], part) for key, part in value.items()}
    if schema is np.ndarray or origin is np.ndarray:
        return np.asarray(value, dtype=np.float64)
    return _made(schema, value)


def _made(schema: _Schema, value: Any) -> Any:  # noqa: ANN401 (as above)
    """Make a dataclass or a number; leave anything else as it is."""
    if dataclasses.is_dataclass(schema):
        hints = typing.get_type_hints(schema)
        kind: Any = schema
        return kind(**{name: build(hints[name], part) for name, part in value.items()})
    return float(value) if schema is float else value


def plain(value: Any) -> Any:  # noqa: ANN401 (as above)
    """Return what `build` made as plain values that YAML can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            item.name: plain(getattr(value, item.name))
            for item in dataclasses.fields(value)
            if item.init
        }
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value
