"""Values that a program gives a scenario, as YAML would give them."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from footfall.control.python_code import Python
from footfall.scenario.io import with_values
from footfall.scenario.schema import Scenario


def changed(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """Return a scenario with values by their paths; the given one stays as it is.

    values: as ``--set`` names them, such as ``friction``, ``controller.kp``, ``pairs.0.friction``;
    numbers, texts, lists, groups, dataclasses of a scenario, arrays. ``controller`` may be a Drake
    system, its class or a function of the plant, ``reference`` a `Python`. Raises ScenarioError,
    one line.
    """
    objects = {name: given for name, given in values.items() if _is_object(name, given)}
    plain = {name: _plain(given) for name, given in values.items() if name not in objects}
    found = with_values(scenario, plain, scenario.name or "the scenario")
    return dataclasses.replace(found, **objects) if objects else found


def _is_object(name: str, given: object) -> bool:
    """Return whether a value is an object that no YAML tells."""
    if name == "controller":
        return given is not None and not isinstance(given, Mapping | str | int | float)
    return name in {"reference", "estimator"} and isinstance(given, Python)


def _plain(given: Any) -> Any:  # noqa: ANN401 (whatever a program gives)
    """Return numbers, texts, lists and groups."""
    if isinstance(given, Mapping):
        return {str(name): _plain(part) for name, part in given.items()}
    if isinstance(given, np.ndarray | np.generic):
        return given.tolist()
    if isinstance(given, list | tuple):
        return [_plain(part) for part in given]
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        return _plain(dataclasses.asdict(given))
    return str(given) if isinstance(given, Path) else given
