"""Groups of a scenario that take names which are not there yet, read off its types."""

import dataclasses
import typing
from collections.abc import Iterator
from functools import cache
from typing import Any

from footfall.scenario.schema import Scenario


@cache
def open_groups() -> frozenset[str]:
    """Paths of all groups of names, as ``initial.positions``, in whatever member of a union."""
    return frozenset(_groups(Scenario, ""))


def _groups(schema: Any, path: str) -> Iterator[str]:  # noqa: ANN401 (types as annotations have them)
    if dataclasses.is_dataclass(schema):
        hints = typing.get_type_hints(schema)
        for item in dataclasses.fields(schema):
            yield from _groups(hints[item.name], f"{path}.{item.name}".lstrip("."))
    elif typing.get_origin(schema) is dict:
        yield path
    elif typing.get_origin(schema) is not list:
        for member in typing.get_args(schema):
            yield from _groups(member, path)
