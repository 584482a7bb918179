"""Observables of one's own, as scenarios name them: functions in Python files."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from footfall.errors import ScenarioError
from footfall.python_files import load_python

_FORM = re.compile(r"(?P<file>.+\.py):(?P<function>\w+)(?:\s*\[(?P<unit>[^\[\]]*)\])?")

Function = Callable[..., Any]


@dataclass(frozen=True)
class Observable:
    """A function of a plant and its context, ``function(plant, context)``, in a file; its unit."""

    name: str
    file: str
    function: str
    unit: str
    group: str = "observables"

    @property
    def where(self) -> str:
        """Its place in the scenario."""
        return f"{self.group}.{self.name}"

    @property
    def text(self) -> str:
        """The observable as a scenario has it."""
        unit = f" [{self.unit}]" if self.unit else ""
        return f"{self.file}:{self.function}{unit}"

    def load(self) -> Function:
        """Return the function; raises ScenarioError, one line, for a file or name that is not."""
        file = load_python(self.file, self.where)
        found = file.get(self.function, self.where)
        if not callable(found):
            raise ScenarioError(
                f"{self.where}: '{self.function}' in {file.path} is no function: write "
                f"{'def f(plant, context)' if self.group == 'observables' else 'def f(case)'}."
            )
        return found


def read_observable(name: str, text: str) -> Observable:
    """Read ``file.py:function`` or ``file.py:function [unit]``; raises ScenarioError, one line."""
    if not name.isidentifier():
        raise ScenarioError(
            f"observables.{name}: metrics are named after it, so use letters, digits and _ only."
        )
    match = _FORM.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ScenarioError(
            f"observables.{name} is {text!r}: write file.py:function, or file.py:function [unit]."
        )
    return Observable(name, match["file"], match["function"], (match["unit"] or "").strip())


def read_function(where: str, text: str) -> Observable:
    """Read ``file.py:function`` at a place of a scenario; raises ScenarioError, one line."""
    match = _FORM.fullmatch(text.strip())
    if match is None or match["unit"]:
        raise ScenarioError(f"{where} is {text!r}: write file.py:function.")
    group, _, name = where.rpartition(".")
    return Observable(name, match["file"], match["function"], "", group)


def read_observables(observables: dict[str, str]) -> list[Observable]:
    """Return the observables of a scenario; raises ScenarioError as `read_observable`."""
    return [read_observable(name, text) for name, text in observables.items()]
