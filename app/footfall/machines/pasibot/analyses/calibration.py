"""Calibration of PASIBOT: what its two published numbers fix, and what follows from them.

The length of the crank and the density are lost; two published scalars fit them. Everything else
that the document says is held against the machine that results, as a prediction. A sweep of
`calibrated` over assemblies of the linkage and random numbers of what is assumed, each machine with
its own two scales, tells how far the predictions hang on that.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.axes import VARIANT
from footfall.analysis.distributions import SAMPLE
from footfall.analysis.functions import Case, labelled
from footfall.errors import ScenarioError
from footfall.machines.pasibot.claims import STATEMENTS, figure_claims, statements_on
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters, sources
from footfall.machines.pasibot.closed_form.thresholds import fitted
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.predictions import QUANTITIES, predicted
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.wording import did_you_mean

_FIRM = 0.9  # of the machines, from which on a prediction does not hang on what is assumed
_SCALES = ("crank_length", "total_mass")


def calibrated(case: Case, **assumed: float | str) -> xr.Dataset:
    """All QUANTITIES of the scenario's machine with other assumed numbers, its two scales fitted.

    assumed: by the names of `PasibotParameters`. Raises ScenarioError for numbers that are not
    assumed, a linkage that jams and a machine that cannot be fitted.
    """
    own = parameters_of(case.context.model, case.context.contacts)
    known = [name for name, source in sources().items() if source.origin == "assumed"]
    for name in assumed:
        if name not in known:
            raise ScenarioError(f"parameters: '{name}' is not assumed; {did_you_mean(name, known)}")
    changed: dict[str, Any] = dict(assumed)
    try:
        one = replace(own, **changed)
        values = predicted(fitted(one))
    except ValueError as error:  # also where no floor carries it at 5 rad/s
        raise ScenarioError(
            f"no such machine can be fitted to 0.84 N m and 0.08: {error}."
        ) from error
    of_own = float((one.knee, one.slot_end) == (own.knee, own.slot_end))
    return labelled(
        {name: (value, *QUANTITIES[name]) for name, value in values.items()}
        | {"own_assembly": (of_own, "1", "1 where the linkage is assembled as the scenario's")}
    )


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Numbers and claims of a sweep: of its figure, or of a calibration of random machines."""
    if data.attrs["function"] != calibrated.__name__:
        return figure_claims(data, context)
    if set(data["success"].dims) != {"engine", VARIANT, SAMPLE}:
        return xr.Dataset(), ()
    return calibration(data.isel(engine=0), parameters_of(context.model, context.contacts))


def calibration(data: xr.Dataset, own: PasibotParameters) -> tuple[xr.Dataset, Sequence[Claim]]:
    """The two scales of a machine with their ranges, and verdicts with how many others agree.

    data: of `calibrated`, over variants, which are assemblies, and samples.
    """
    values = predicted(fitted(own))
    fits = {variant: one.dropna(SAMPLE, subset=["own_assembly"]) for variant, one in _each(data)}
    mine = next((v for v, one in fits.items() if one["own_assembly"].any()), "")
    besides = {
        name: _agreement(
            {v: [claim.holds(x) for x in one[name].values.tolist()] for v, one in fits.items()},
            mine,
        )
        for name, claim in STATEMENTS.items()
        if claim.verdict != "fitted"
    }
    numbers: dict[str, tuple[float, str, str]] = {}
    for name in _SCALES:
        unit, meaning = QUANTITIES[name]
        all_of = [values[name], *(fits[mine][name].values.tolist() if mine else ())]
        numbers[f"fitted_{name}"] = values[name], unit, f"fitted: {meaning}"
        for words, value in (("least", min(all_of)), ("largest", max(all_of))):
            numbers[f"{words}_{name}"] = value, unit, f"{words} of all machines of its assembly"
    numbers["machines"] = (
        float(fits[mine].sizes[SAMPLE] if mine else 0),
        "1",
        "machines of its assembly with other assumed numbers",
    )
    return labelled(numbers), statements_on(values, besides)


def _each(data: xr.Dataset) -> list[tuple[str, xr.Dataset]]:
    return [(str(name), data.sel({VARIANT: name})) for name in data[VARIANT].values]


def _agreement(holding: dict[str, list[bool]], mine: str) -> str:
    """Return how many machines with other assumed numbers keep a statement, in words."""
    if not holding.get(mine):
        return ""
    share = {name: float(np.mean(one)) if one else math.nan for name, one in holding.items()}
    others = [
        f"{name}: {share[name]:.0%} of {len(one)}"
        for name, one in holding.items()
        if name != mine and one
    ]
    kept_by = (
        f"kept by {share[mine]:.0%} of {len(holding[mine])} machines with other assumed masses"
    )
    if share[mine] < _FIRM:
        kept_by += ", so that it hangs on what is assumed"
    return f"{kept_by} ({'; '.join(others)})" if others else kept_by
