"""Axes of a sweep: along which values of a scenario, or variants of it, runs differ."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import yaml

from footfall.errors import ScenarioError
from footfall.overrides import read_yaml

VARIANT = "variant"
"""Name of the axis of variants."""

_MOST = 100_000  # values
_SYNTAX = "write it as path=begin:end:count, path=begin:end:count:log, or path=a,b,c"

_UNITS = {
    r"duration|time_step|(random_)?pushes\.(\d+\.)?(start|duration|end)": "s",
    r"pushes\.\d+\.force\.\d|random_pushes\.force": "N",
    r"pushes\.\d+\.torque\.\d": "N m",
    r"random_pushes\.impulse": "N s",
    r"gravity": "m/s^2",
    r"terrain\.slope_deg": "deg",
    r"initial\.gap|fallen_below\..+": "m",
}

Value: TypeAlias = float | bool | int | str
"""A number, true or false, or a text."""


@dataclass(frozen=True)
class Change:
    """Difference of a run from its scenario: values by paths, and ``--set`` overrides before."""

    values: Mapping[str, Any] = field(default_factory=dict)
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axis:
    """A dimension of runs: its name, and for each place a label and what is changed there.

    logarithmic: whether its numbers are spread by their logarithms.
    """

    name: str
    labels: tuple[Any, ...]
    changes: tuple[Change, ...]
    logarithmic: bool = False

    def __post_init__(self) -> None:
        """Refuse what has no values, or one twice."""
        if not self.labels:
            raise ScenarioError(f"sweep: {self.name} has no values: give one or more.")
        if len(self.labels) > _MOST:
            raise ScenarioError(f"sweep: {self.name} has more than {_MOST} values: give less.")
        if len(set(map(str, self.labels))) < len(self.labels):
            raise ScenarioError(f"sweep: {self.name} has a value twice: give each once.")

    @property
    def is_numeric(self) -> bool:
        """Return whether its labels are numbers."""
        return all(
            isinstance(label, int | float | np.number) and not isinstance(label, bool)
            for label in self.labels
        )


def unit_of(path: str) -> str:
    """Return the unit of a scenario's value by its path; empty where no path tells it."""
    return next((unit for form, unit in _UNITS.items() if re.fullmatch(form, path)), "")


def axis_of_values(path: str, values: Sequence[Any], *, logarithmic: bool = False) -> Axis:
    """Return the axis along which a value of a scenario, by its path, takes several values."""
    labels = tuple(
        value if isinstance(value, int | float | str) else str(value) for value in values
    )
    return Axis(path, labels, tuple(Change({path: value}) for value in values), logarithmic)


def axis_of_variants(variants: Mapping[str, Sequence[str]]) -> Axis:
    """Return the axis of variants, each of them overrides as ``--set`` takes them."""
    changes = tuple(Change(settings=tuple(settings)) for settings in variants.values())
    return Axis(VARIANT, tuple(variants), changes)


@dataclass
class Values:
    """Values one by one: numbers, texts, true or false."""

    values: list[Value] = field(default_factory=list)

    def axis(self, path: str) -> Axis:
        """Return the axis of a path."""
        return axis_of_values(path, self.values)


@dataclass
class Range:
    """Numbers evenly from one to another."""

    # First and last.
    begin: float = 0.0
    end: float = 1.0
    # How many.
    count: int = 2

    def __post_init__(self) -> None:
        """Refuse ends that are none."""
        _check_ends(self.begin, self.end, self.count)

    def axis(self, path: str) -> Axis:
        """Return the axis of a path."""
        return axis_of_values(path, np.linspace(self.begin, self.end, self.count).tolist())


@dataclass
class LogRange:
    """Numbers from one to another with the same factor between neighbours."""

    # First and last, above 0.
    begin: float = 0.1
    end: float = 1.0
    # How many.
    count: int = 2

    def __post_init__(self) -> None:
        """Refuse ends that have no logarithm."""
        _check_ends(self.begin, self.end, self.count)
        if not min(self.begin, self.end) > 0.0:
            raise ScenarioError(
                f"sweep: {self.begin:g} to {self.end:g} has no logarithms: give numbers above 0."
            )

    def axis(self, path: str) -> Axis:
        """Return the axis of a path."""
        numbers = np.geomspace(self.begin, self.end, self.count)
        numbers[0], numbers[-1] = self.begin, self.end
        return axis_of_values(path, numbers.tolist(), logarithmic=True)


def _check_ends(begin: float, end: float, count: int) -> None:
    if not (math.isfinite(begin) and math.isfinite(end) and begin != end):
        raise ScenarioError(
            f"sweep: {begin:g} to {end:g} is no range: give two different finite numbers."
        )
    if not 2 <= count <= _MOST:
        raise ScenarioError(f"sweep: count is {count}: give 2 to {_MOST}.")


def read_axis(text: str) -> tuple[str, Values | Range | LogRange]:
    """Read an axis of the command line: ``friction=0.1:1.0:10``, ``slope=-5,0``, ``e=1:9:3:log``.

    Returns its path and its values. Raises ScenarioError, one line, for what is none.
    """
    shown = f"--over {' '.join(text.split())}"
    path, equals, given = text.partition("=")
    if not equals or not path.strip() or not given.strip():
        raise ScenarioError(f"{shown}: {_SYNTAX}.")
    try:
        return path.strip(), _read_values(given.strip())
    except (ValueError, yaml.YAMLError) as error:
        raise ScenarioError(f"{shown}: {_SYNTAX}.") from error
    except ScenarioError as error:
        raise ScenarioError(f"{shown}: {str(error).removeprefix('sweep: ')}") from error


def _read_values(given: str) -> Values | Range | LogRange:
    parts = given.split(":")
    if len(parts) == 1:
        values = [read_yaml(part) for part in given.split(",")]
        if not all(isinstance(value, bool | int | float | str) for value in values):
            raise ValueError(given)
        return Values(values)
    logarithmic = len(parts) == 4 and parts[3].strip() == "log"
    if len(parts) != 3 and not logarithmic:
        raise ValueError(given)
    kind = LogRange if logarithmic else Range
    return kind(float(parts[0]), float(parts[1]), int(parts[2]))


def read_variants(texts: Sequence[str]) -> dict[str, list[str]]:
    """Read variants of the command line: ``stiff:controller.kp=80``; one of a name adds to it.

    Raises ScenarioError, one line, for what is none.
    """
    variants: dict[str, list[str]] = {}
    for text in texts:
        name, colon, setting = text.partition(":")
        if not colon or not name.strip() or (setting.strip() and "=" not in setting):
            raise ScenarioError(
                f"--variant {text}: write it as name:key=value, or as name: for the scenario as it "
                "is."
            )
        settings = variants.setdefault(name.strip(), [])
        if setting.strip():
            settings.append(setting)
    return variants
