"""Functions that a sweep evaluates at every place of it, and simulations for those that simulate.

A factory builds the scenario once, and resets it for each of many starts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

import xarray as xr
from pydrake.systems.analysis import Simulator

from footfall.analysis.runs import DONE, Outcome
from footfall.arrays import Array
from footfall.engines import ContactReport, Engine
from footfall.engines.ports import CONTACT_REPORT, STATE
from footfall.errors import RunError
from footfall.python_files import located
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext


class SimulationFactory(Protocol):
    """Builder of simulations of a scenario; it can be compared and sent to another process."""

    def __hash__(self) -> int:
        """Return the same for factories of one scenario."""

    def simulation(self, engine: str, values: Mapping[str, object] = ...) -> "CaseSimulation":
        """The scenario's machine in an engine with ports, driven and limited as in a run.

        values: of the scenario's fields, by the paths that ``--set`` takes. Raises ScenarioError
        and ModelError as a run does.
        """


@dataclass(frozen=True, eq=False)
class Row:
    """A step's end: time [s], state [q; v].

    contacts: asked for before the next row, tells what happened at the contacts in the step, which
    takes an engine longer than the state does.
    """

    time: float
    state: Array
    contacts: Callable[[], ContactReport]


@contextmanager
def _naming_own_code(time: float) -> Iterator[None]:
    """Raise RunError with the line of the user's code that fails in the step up to a time [s]."""
    try:
        yield
    except Exception as error:
        if line := located(error):
            message = f"the code of the scenario fails before t = {time:.4f} s: {line}."
            raise RunError(message) from error
        raise


@dataclass(frozen=True, eq=False)
class CaseSimulation:
    """A machine in an engine, with what drives it, ready for starts one after another.

    context: the scenario as its machine sees it. system: the engine of that name in the simulator's
    diagram.
    """

    context: MachineContext
    engine: str
    system: Engine
    simulator: Simulator

    def __post_init__(self) -> None:
        """Let the engine watch, once for all starts."""
        self.system.watch(self.simulator)

    def rows(self, start: Array) -> Iterator[Row]:
        """Rows from a start [q; v] on, for the scenario's duration, as of a run that begins there.

        Whoever has seen enough need not ask for more. Raises RunError and ContactNotSolved as the
        engines do.
        """
        simulator, system = self.simulator, self.system
        simulator.reset_context(simulator.get_system().CreateDefaultContext())
        context = system.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        system.set_state(context, start)
        simulator.Initialize()
        state, report = system.GetOutputPort(STATE), system.GetOutputPort(CONTACT_REPORT)
        step = self.context.time_step
        for k in range(round(self.context.duration / step) + 1):
            if k > 0:  # to advance to the start would take the first step
                with _naming_own_code(k * step):
                    simulator.AdvanceTo(k * step)
            yield Row(k * step, state.Eval(context).copy(), partial(report.Eval, context))


PARAMETERS = "parameters."
"""Beginning of the paths of a function's own parameters, beside those of a scenario's values."""


@dataclass(frozen=True, eq=False)
class Case:
    """A scenario at one place of a sweep.

    context: the scenario as the code of its machine sees it: model, contacts, start and so on.
    engine: by its name. factory: builds simulations of the scenario.
    """

    context: MachineContext
    engine: str
    factory: SimulationFactory


Answer: TypeAlias = Mapping[str, float] | xr.Dataset
"""Numbers by name; or labelled arrays with ``units``, curves among them."""

CaseFunction: TypeAlias = Callable[..., Answer]
"""Called as function(case, **parameters)."""

Summary: TypeAlias = Callable[[xr.Dataset, MachineContext], tuple[xr.Dataset, Sequence[Claim]]]
"""Numbers (0-dimensional, with ``units`` and ``long_name``) and claims that follow from a sweep."""


def labelled(values: Mapping[str, tuple[Any, str, str]], dims: Sequence[str] = ()) -> xr.Dataset:
    """Return arrays over dimensions, or numbers, from (value, unit, meaning) by name."""
    return xr.Dataset(
        {
            name: (tuple(dims), value, {"units": unit, "long_name": meaning})
            for name, (value, unit, meaning) in values.items()
        }
    )


def outcome_of(answer: Answer) -> Outcome:
    """Return what a sweep keeps of an answer; raises RunError for what is none."""
    if not isinstance(answer, xr.Dataset):
        answer = _dataset(answer)
    numbers = {str(name): one for name, one in answer.data_vars.items() if one.ndim == 0}
    curves = answer.drop_vars(list(numbers))
    return Outcome(
        DONE,
        metrics={name: float(one) for name, one in numbers.items()},
        meanings={
            name: (str(one.attrs.get("units", "")), str(one.attrs.get("long_name", "")))
            for name, one in numbers.items()
        },
        curves=curves.to_dict(data="list") if curves.data_vars else {},
    )


def _dataset(answer: Any) -> xr.Dataset:  # noqa: ANN401 (whatever a user's function returns)
    try:
        return xr.Dataset({str(name): float(value) for name, value in answer.items()})
    except (AttributeError, TypeError, ValueError) as error:
        raise RunError(
            f"the function of the sweep returns a {type(answer).__name__}: return numbers by name, "
            "as in {'height': 0.5}, or an xarray.Dataset."
        ) from error
