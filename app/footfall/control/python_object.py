"""A controller that a program hands over as an object, which no file can hold."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import System

from footfall.control.own_system import OwnSystem
from footfall.errors import ScenarioError
from footfall.python_files import explained, note_program
from footfall_controllers.stand_in import StandIn, has_state

Maker = Callable[[MultibodyPlant], System]


@dataclass
class PythonObject(OwnSystem):
    """An object of a program that drove a run; runs write it, nobody by hand.

    It is gone with its program: the run is repeated by running the program again.
    """

    # Module and name of its class, or of the function that makes it.
    module: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        """Begin without the object itself, which no field holds."""
        self._given: System | Maker | None = getattr(self, "_given", None)
        self._used = False

    @property
    def title(self) -> str:
        """Name of the object's class or function, and of its module."""
        return f"an object, {self.module}.{self.name}"

    @classmethod
    def of(cls, given: System | Maker) -> "PythonObject":
        """Return the description of a LeafSystem, of its class, or of a function plant -> system.

        A LeafSystem that has state belongs to the one run that it drives first; a class or a
        function is called for every run.
        """
        named: Any = given if callable(given) else type(given)
        described = cls(
            module=getattr(named, "__module__", ""),
            name=getattr(named, "__qualname__", type(named).__qualname__),
        )
        described._given = given
        _note(named)
        return described

    def make(self, plant: MultibodyPlant) -> System:
        """Return the object for one diagram; raises ScenarioError where it is not there (again)."""
        given = self._given
        if given is None:
            raise ScenarioError(
                f"controller: it was an object of {self.name} in the module {self.module}, which "
                "is not in the folder of the run: run that program again, or give "
                "controller: !Python {file: ..., name: ...}."
            )
        if not isinstance(given, System):
            return self._called(given, plant)
        if self._used:
            raise ScenarioError(
                f"controller: the object of {self.name} has state and has driven a run already: "
                "give its class, or a function of the plant, which is called for every run."
            )
        return given

    def part(self, system: System) -> System:
        """Return the system itself; for an object that several runs may use, what stands for it."""
        if system is not self._given:
            return system
        if not has_state(system):
            return StandIn(system)
        self._used = True
        return system

    def _called(self, given: Maker, plant: MultibodyPlant) -> System:
        try:
            made = given(plant)
        except (Exception, SystemExit) as error:
            message = f"controller: {self.name}(plant) fails: {explained(error)}."
            raise ScenarioError(message) from error
        if not isinstance(made, System):
            raise ScenarioError(
                f"controller: {self.name}(plant) gives a {type(made).__name__}, not a LeafSystem."
            )
        _note(type(made))
        return made


def _note(named: object) -> None:
    """Let the lines of a program be named where it goes wrong."""
    try:
        file = inspect.getsourcefile(named)  # type: ignore[arg-type]  # refuses what has none
    except (TypeError, OSError):  # such as a class that was typed in
        return
    if file is not None:
        note_program(file)
