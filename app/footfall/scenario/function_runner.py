"""Evaluation of a function of a scenario with values changed, for sweeps: in any process."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any, TypeAlias

from footfall.analysis.context import Interrupted
from footfall.analysis.functions import PARAMETERS, Case, CaseFunction, outcome_of
from footfall.analysis.runs import FAILED, REFUSED, Outcome, Point
from footfall.errors import FootfallError, ScenarioError
from footfall.interrupt import heard
from footfall.overrides import read_setting
from footfall.python_files import located
from footfall.registry.machines import get_machine
from footfall.scenario.assemble import build_robot, require_machine_of
from footfall.scenario.context import ScenarioFactory, context_of
from footfall.scenario.io import changed, dump_scenario, parse_scenario, with_settings
from footfall.scenario.observables import read_function
from footfall.scenario.own_code import with_loaded_code
from footfall.scenario.schema import Scenario
from footfall.trust import trust, trusted
from footfall.wording import did_you_mean

_WHERE = "analysis.function"
_Change: TypeAlias = tuple[tuple[str, ...], tuple[tuple[str, Any], ...]]  # settings, and values


@dataclass(frozen=True)
class FunctionRunner:
    """Evaluates a function at points of a scenario that it holds as the text of its file.

    function: as a sweep names it, or itself. parameters: what it is called with where no point says
    otherwise. trusted: model files that may run code.
    """

    text: str
    name: str
    function: str | CaseFunction
    parameters: Mapping[str, Any] = field(default_factory=dict)
    trusted: Sequence[str] = ()

    def __call__(self, point: Point) -> dict[str, Any]:
        """Return the outcome of a point; a failed one as well.

        Raises Interrupted where Ctrl-C may have cut it off.
        """
        trust(self.trusted)
        found = self._outcome(point)
        if heard():
            raise Interrupted
        return found.to_dict()

    def _outcome(self, point: Point) -> Outcome:
        try:
            given, change = self._split(point)
            case = _case(self.text, self.name, point.engine, change)
            return outcome_of(self._function()(case, **given))
        except (Exception, SystemExit) as error:  # noqa: BLE001 (of this point alone)
            return failed(error)

    def check(self, point: Point) -> None:
        """Raise ScenarioError, one line, for a point that no scenario is, or a wrong parameter."""
        given, change = self._split(point)
        _at(self.text, self.name, change)
        known = list(inspect.signature(self._function()).parameters.values())[1:]
        if any(one.kind is one.VAR_KEYWORD for one in known):
            return
        names = [one.name for one in known]
        called = getattr(self.function, "__name__", self.function)
        for name in given:
            if name not in names:
                raise ScenarioError(
                    f"{_WHERE}: {called} has no parameter {name!r}; {did_you_mean(name, names)}"
                )
        missing = [one.name for one in known if one.default is one.empty and one.name not in given]
        if missing:
            raise ScenarioError(f"{_WHERE}: {called} needs parameters.{missing[0]}: give it.")

    def _split(self, point: Point) -> tuple[dict[str, Any], _Change]:
        """Return the function's parameters at a point, and what is changed of the scenario."""
        given, settings, values = dict(self.parameters), [], []
        for text in point.change.settings:
            if text.strip().startswith(PARAMETERS):
                _, keys, value = read_setting(text)
                given[".".join(keys[1:])] = value
            else:
                settings.append(text)
        for path, value in point.change.values.items():
            if path.startswith(PARAMETERS):
                given[path.removeprefix(PARAMETERS)] = value
            else:
                values.append((path, value))
        return given, (tuple(settings), tuple(values))

    def _function(self) -> CaseFunction:
        """Return the function; raises ScenarioError, one line, for one that there is not."""
        if not isinstance(self.function, str):
            return self.function
        if ".py:" in self.function:
            return read_function(_WHERE, self.function).load()
        machine = get_machine(parsed(self.text, self.name).machine)
        known = machine.functions if machine is not None else {}
        if self.function not in known:
            raise ScenarioError(
                f"{_WHERE} is {self.function!r}: write file.py:function"
                + (f", or {did_you_mean(self.function, sorted(known))}" if known else ".")
            )
        return resolve_name(known[self.function])


def function_runner_of(
    scenario: Scenario, function: str | CaseFunction, parameters: Mapping[str, Any]
) -> FunctionRunner:
    """Return what evaluates a function at points of a scenario, which has no analysis."""
    text, name = dump_scenario(scenario), scenario.name or "scenario"
    return FunctionRunner(text, name, function, dict(parameters), tuple(trusted()))


def failed(error: BaseException) -> Outcome:
    """Return the outcome of a point at which something was raised: refused, or failed."""
    if isinstance(error, FootfallError):
        return Outcome(REFUSED, str(error))
    reason = located(error) or f"{type(error).__name__}: {' '.join(str(error).split())}"
    return Outcome(FAILED, reason)


@lru_cache(maxsize=4)
def parsed(text: str, name: str) -> Scenario:
    """Return the scenario of a text, its code loaded: once for all points of a process."""
    return with_loaded_code(parse_scenario(text, name), name)


def _at(text: str, name: str, change: _Change) -> Scenario:
    settings, values = change
    return changed(with_settings(parsed(text, name), settings, name), dict(values))


@lru_cache(maxsize=4)  # points that differ in parameters alone share it
def _case(text: str, name: str, engine: str, change: _Change) -> Case:
    scenario = _at(text, name, change)
    robot, machine = build_robot(scenario), get_machine(scenario.machine)
    if machine is not None:
        require_machine_of(machine, robot.model, robot.contacts)
    return Case(context_of(scenario, robot), engine, ScenarioFactory(dump_scenario(scenario)))
