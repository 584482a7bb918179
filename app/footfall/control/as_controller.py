"""Controllers as programs give them: descriptions, systems, or what makes systems."""

from typing import Any

from pydrake.systems.framework import System

from footfall.control.python_object import PythonObject
from footfall.errors import ScenarioError
from footfall_controllers.controller import Controller


def as_controller(given: Any) -> Controller | None:  # noqa: ANN401 (whatever a program gives)
    """Return the controller that a program gives a scenario: a description as it is.

    A LeafSystem, a class of LeafSystems or a function plant -> LeafSystem is described as an
    object. Raises ScenarioError for anything else.
    """
    if given is None or (hasattr(given, "connect") and not isinstance(given, type)):
        return given
    if isinstance(given, System) or callable(given):
        return PythonObject.of(given)
    raise ScenarioError(
        f"controller is a {type(given).__name__}: give a LeafSystem, its class, a function of the "
        "plant that makes one, or a controller of footfall.control."
    )
