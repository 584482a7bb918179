"""A controller that a program hands over as an object, which no file can hold.

One that several diagrams use, which a system cannot be part of, is asked by a stand-in.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem, PortDataType, System

from footfall.control.own_system import OwnSystem
from footfall.errors import ScenarioError
from footfall.python_files import explained, note_program


def has_state(system: System) -> bool:
    """Return whether a system has state, or updates something at times of its own."""
    context = system.CreateDefaultContext()
    return (
        context.num_continuous_states() > 0
        or context.num_discrete_state_groups() > 0
        or context.num_abstract_states() > 0
    )


class StandIn(LeafSystem):
    """Sends what another system sends, which has no state, at the same time and inputs.

    Inputs, all of them vectors, and outputs that are vectors are those of the system, by name. The
    system is asked in a context of its own and stays outside of the diagram.
    """

    def __init__(self, system: System) -> None:
        """Take the ports of a system without state."""
        super().__init__()
        self._system = system
        self._asked = system.CreateDefaultContext()
        self._inputs = []
        for k in range(system.num_input_ports()):
            port = system.get_input_port(k)
            own = self.DeclareVectorInputPort(port.get_name(), port.size())
            self._inputs.append((own, port))
        for k in range(system.num_output_ports()):
            self._declare_output(k)

    def _declare_output(self, index: int) -> None:
        port = self._system.get_output_port(index)
        if port.get_data_type() != PortDataType.kVectorValued:
            return

        def calc(context: Context, output: BasicVector) -> None:
            self._asked.SetTime(context.get_time())
            for own, its in self._inputs:
                its.FixValue(self._asked, own.Eval(context))
            output.SetFromVector(port.Eval(self._asked))

        self.DeclareVectorOutputPort(port.get_name(), port.size(), calc)


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
