"""Controllers and references out of a user's Python file, as scenarios describe them.

Plain values of the scenario become the parameters of the user's class, a dataclass, and back.
"""

import dataclasses
import inspect
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import System

from footfall.arrays import Array
from footfall.control.own_system import OwnSystem, check_estimator, check_reference
from footfall.engines.own import Python as Function
from footfall.errors import ScenarioError
from footfall.python_files import PythonFile, explained, load_python
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


_PARAMETERS = "Parameters"


@dataclass
class Python(Function, OwnSystem):
    """A Drake LeafSystem in a Python file of your own, whose code is run.

    A controller has inputs `state` ([q; v]) and, where it tracks one, `reference`, and an output
    `actuation`; a reference has an output `reference`; an estimator has an input `state` and an
    output `state`. It is made as ``Name(plant)``, or as
    ``Name(plant, parameters)`` where it has a dataclass `Parameters`.
    """

    @property
    def title(self) -> str:
        """Name of the class and of its file."""
        return f"{self.name} of {Path(self.file).name}"

    def make(self, plant: MultibodyPlant) -> System:
        """Return a new system for a plant; raises ScenarioError, one line, with the line at fault.

        It is a controller; `source` makes references.
        """
        return self._made(plant, "controller")

    def source(self, plant: MultibodyPlant) -> "PythonReference":
        """Return the reference that a file has; raises ScenarioError as `make`."""
        return PythonReference(self, plant)

    def estimator(self, plant: MultibodyPlant, *, has_imu: bool) -> System:
        """Return a new system that estimates the state of a plant; raises ScenarioError as `make`.

        has_imu: whether there is one that it may ask for.
        """
        system = self._made(plant, "estimator")
        check_estimator(system, plant, has_imu=has_imu)
        return system

    def completed(self, where: str) -> "Python":
        """Return the same with every parameter that the class has, defaults included.

        Executes the file. where: in the scenario, for messages. Raises ScenarioError, one line, for
        a file, a class or parameters that are not as they must be.
        """
        file = load_python(self.file, where)
        schema = _schema_of(file, self._kind(file, where), where)
        if schema is None:
            self._refuse_parameters(where)
            return self
        return dataclasses.replace(self, parameters=plain(self._parameters(schema, where)))

    def _kind(self, file: PythonFile, where: str) -> type:
        if not self.name:
            raise ScenarioError(f"{where}.name: name the LeafSystem class in {self.file}.")
        kind = file.get(self.name, where)
        if not (isinstance(kind, type) and issubclass(kind, System)):
            raise ScenarioError(
                f"{where}: '{self.name}' in {file.path} is not a LeafSystem class: name a class "
                "that derives from pydrake.systems.framework.LeafSystem."
            )
        return kind

    def _parameters(self, schema: type, where: str) -> Any:  # noqa: ANN401 (of the user's class)
        check_parameters(schema, self.parameters, f"{where}.parameters")
        try:
            return build(schema, self.parameters)
        except (Exception, SystemExit) as error:
            raise ScenarioError(f"{where}.parameters: {explained(error)}.") from error

    def _refuse_parameters(self, where: str) -> None:
        if self.parameters:
            raise ScenarioError(
                f"{where}.parameters: {self.name} takes none; give it, or its file, a dataclass "
                f"{_PARAMETERS} and make it as {self.name}(plant, parameters)."
            )

    def _made(self, plant: MultibodyPlant, where: str) -> System:
        file = load_python(self.file, where)
        kind = self._kind(file, where)
        schema = _schema_of(file, kind, where)
        arguments = [plant]
        if schema is None:
            self._refuse_parameters(where)
        else:
            arguments.append(self._parameters(schema, where))
        try:
            made: System = kind(*arguments)
        except (Exception, SystemExit) as error:
            call = f"{self.name}({'plant, parameters' if len(arguments) > 1 else 'plant'})"
            message = f"{where}: {call} of {file.path.name} fails: {explained(error)}."
            raise ScenarioError(message) from error
        return made


def _schema_of(file: PythonFile, kind: type, where: str) -> type | None:
    """Return the dataclass of a class' parameters; None for a class that takes none."""
    own = getattr(kind, _PARAMETERS, None)
    schema = own or getattr(file.module, _PARAMETERS, None)
    if schema is None or (own is None and not _takes_two(kind)):
        return None
    if not (isinstance(schema, type) and dataclasses.is_dataclass(schema)):
        raise ScenarioError(f"{where}: {_PARAMETERS} in {file.path} is no dataclass: make it one.")
    return schema


def _takes_two(kind: type) -> bool:
    """Return whether a class is made of a plant and parameters."""
    made: Any = kind
    try:
        inspect.signature(made).bind("plant", "parameters")
    except (TypeError, ValueError):  # ValueError: no constructor of its own
        return False
    return True


class PythonReference:
    """A reference out of a user's file, which can also be asked directly."""

    def __init__(self, description: Python, plant: MultibodyPlant) -> None:
        """Make the system once, to be asked; what is connected is another one."""
        self._description, self._plant = description, plant
        self._system = self.copy()
        check_reference(self._system)
        self._context = self._system.CreateDefaultContext()

    def sample(self, time: float) -> Array:
        """Rows q_d, v_d, a_d of the actuated joints at a time [s], shape (3, n)."""
        port = self._system.GetOutputPort("reference")
        count = self._plant.num_actuators()
        if port.size() != 3 * count:
            raise ScenarioError(
                f"reference: {self._description.name} sends {port.size()} numbers, but must send "
                f"q_d, v_d and a_d of {count} actuated joints, {3 * count} numbers."
            )
        self._context.SetTime(time)
        try:
            rows: Array = port.Eval(self._context).reshape(3, -1)
        except Exception as error:
            raise ScenarioError(f"reference: {explained(error)}.") from error
        return rows

    def copy(self) -> System:
        """Another source of the same reference: a system belongs to one diagram only."""
        return self._description._made(self._plant, "reference")  # noqa: SLF001 (of this module)
