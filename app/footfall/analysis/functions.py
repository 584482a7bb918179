"""Functions that a sweep evaluates at every place of it, instead of simulating."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import xarray as xr

from footfall.analysis.factory import SimulationFactory
from footfall.analysis.runs import DONE, Outcome
from footfall.errors import RunError
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext

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
