"""Calibration of PASIBOT: what its two published numbers fix, and what follows from them.

The length of the crank and the density are lost; two published scalars fit them. Everything else
that the document says is held against the machine that results, as a prediction: of the scenario's
machine, of all four assemblies of the linkage, and of machines with other assumed masses, one
number changed at a time and all of them at random. Each has its own two scales fitted.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import get_args

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult, Task, run_tasks
from footfall.arrays import Array
from footfall.checked import Checked, between
from footfall.errors import ScenarioError
from footfall.machines.pasibot.claims import STATEMENTS, statements_on
from footfall.machines.pasibot.closed_form.linkage import (
    Knee,
    PasibotParameters,
    SlotEnd,
    sources,
)
from footfall.machines.pasibot.closed_form.thresholds import fitted
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.predictions import QUANTITIES, predicted
from footfall.metrics import Metric
from footfall.registry.context import MachineContext

ASSEMBLIES = tuple(itertools.product(get_args(Knee), get_args(SlotEnd)))
_RANGES = {
    "hip_share": [0.05, 0.2],
    "foot_length": [9.0, 16.0],
    "foot_ahead": [0.0, 2.0],
    "ankle_height": [0.5, 2.0],
    "hip_rear": [0.0, 4.0],
    "hip_down": [3.0, 9.0],
    "femur_bar": [1.0, 2.5],
    "tibia_bar": [1.0, 2.5],
}
_FIRM = 0.9  # of the machines, from which on a prediction does not hang on what is assumed
_MOST = 10_000  # machines, at some seconds each


@dataclass
class PasibotCalibration(Checked, at="analysis."):
    """Fit of the two lost scales, and how far the other statements depend on what is assumed."""

    # From where to where each assumed number is varied, by its name: share of the hip's mass [1],
    # lengths in units of the crank; a foot's mass goes by its length.
    ranges: dict[str, list[float]] = field(
        default_factory=lambda: {name: list(ends) for name, ends in _RANGES.items()}
    )
    # Which of them are varied.
    numbers: list[str] = field(default_factory=lambda: list(_RANGES))
    # Machines with all of these drawn at random, of each of the four assemblies.
    samples: int = between(20, 0, _MOST)
    # Processes that work at once.
    workers: int = between(1, 1, 64)

    def __post_init__(self) -> None:
        """Refuse ranges that are none, and more machines than a day is long."""
        super().__post_init__()
        known = [name for name, source in sources().items() if source.origin == "assumed"]
        free = [name for name in _RANGES if name in known]
        for name, ends in self.ranges.items():
            if name not in free:
                raise self.refusal(f"ranges: '{name}' is not assumed: choose of {', '.join(free)}")
            if not (len(ends) == 2 and -math.inf < ends[0] < ends[1] < math.inf):
                raise self.refusal(f"ranges.{name}: give two finite numbers, the smaller one first")
        for name in self.numbers:
            if name not in self.ranges or self.numbers.count(name) > 1:
                raise self.refusal(f"numbers: '{name}' comes twice, or has no range")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        fits = {
            "crank_length": ("m", "fitted, with total_mass: 0.08 of friction at 3 rad/s"),
            "total_mass": ("kg", "fitted: 0.84 N m carry it from rest through a step"),
            "crank_length_range": ("m", "least and greatest of all machines of its assembly"),
            "total_mass_range": ("kg", "least and greatest of all machines of its assembly"),
            "statements_kept": ("1", "share of machines of its assembly, statement by statement"),
            "machines": ("1", "machines of its assembly with other assumed numbers"),
            "no_machines": ("1", "of all drawn, those whose linkage jams or that no floor carries"),
        }
        quantities = {
            n: (unit, f"of the fitted machine: {text}") for n, (unit, text) in QUANTITIES.items()
        }
        return quantities | fits

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Fit and judge all machines; raises ScenarioError for one that cannot be fitted."""
        own = parameters_of(context.model, context.contacts)
        drawn = self._drawn(own, context.seed)
        tasks = [
            Task(repr(one), partial(_fitted_and_predicted, one))
            for one in (own, *_assemblies(own), *self._ends(own), *itertools.chain(*drawn))
        ]
        if len(tasks) > _MOST:
            raise ScenarioError(f"analysis: {len(tasks)} machines; give no more than {_MOST}.")
        # a machine that comes twice is computed once
        unique = list({task.name: task for task in tasks}.values())
        run_tasks(analysis, unique, self.workers, (0.0, 1.0))

        def quantities_of(one: PasibotParameters | None) -> list[float]:
            values: list[float] = analysis.checkpoint.result(
                repr(one), partial(_fitted_and_predicted, one)
            )
            return values

        if math.isnan(quantities_of(own)[0]):
            raise ScenarioError(
                "analysis: the scenario's own machine cannot be fitted to 0.84 N m and 0.08 at "
                "3 rad/s: change its arguments."
            )
        return _findings(self._dataset(own, drawn, quantities_of))

    @property
    def _varied(self) -> dict[str, list[float]]:
        return {name: self.ranges[name] for name in self.numbers}

    def _ends(self, own: PasibotParameters) -> list[PasibotParameters | None]:
        return [_with(own, {name: end}) for name, ends in self._varied.items() for end in ends]

    def _drawn(self, own: PasibotParameters, seed: int) -> list[list[PasibotParameters | None]]:
        """Random machines by assembly; the same numbers for all four."""
        random = np.random.default_rng(seed)
        low, high = np.array(list(self._varied.values()) or np.zeros((0, 2))).reshape(-1, 2).T
        numbers = low + (high - low) * random.random((self.samples, len(self.numbers)))
        return [
            [_with(one, dict(zip(self.numbers, row.tolist(), strict=True))) for row in numbers]
            for one in _assemblies(own)
        ]

    def _dataset(
        self,
        own: PasibotParameters,
        drawn: Sequence[Sequence[PasibotParameters | None]],
        of: Callable[[PasibotParameters | None], list[float]],
    ) -> xr.Dataset:
        names, quantities = self.numbers, list(QUANTITIES)
        assemblies = _assemblies(own)
        ends = np.array([of(one) for one in self._ends(own)]).reshape(len(names), 2, -1)
        samples = np.array([[of(one) for one in row] for row in drawn])
        numbers = [
            [[getattr(one, name) if one else math.nan for name in names] for one in row]
            for row in drawn
        ]
        data = xr.Dataset(
            {
                "own": ("quantity", of(own)),
                "assemblies": (("assembly", "quantity"), np.array([of(one) for one in assemblies])),
                "ends": (("number", "end", "quantity"), ends),
                "samples": (
                    ("assembly", "sample", "quantity"),
                    samples.reshape(len(assemblies), self.samples, len(quantities)),
                ),
                "drawn": (
                    ("assembly", "sample", "number"),
                    np.array(numbers).reshape(len(assemblies), self.samples, len(names)),
                ),
                "range": (("number", "end"), np.array(list(self._varied.values())).reshape(-1, 2)),
                "unit": ("quantity", [QUANTITIES[name][0] for name in quantities]),
            },
            {
                "quantity": quantities,
                "assembly": [f"knee {knee}, slot end {end}" for knee, end in ASSEMBLIES],
                "number": np.array(names, dtype=np.str_),
                "end": ["least", "most"],
            },
            {"own": assemblies.index(replace(own))},
        )
        for name, (unit, text) in _MEANINGS.items():
            data[name].attrs.update(units=unit, long_name=text)
        return data


_MEANINGS = {
    "own": ("see unit", "quantities of the scenario's machine, fitted"),
    "assemblies": ("see unit", "quantities of the four assemblies, fitted"),
    "ends": ("see unit", "quantities with one assumed number at an end of its range, fitted"),
    "samples": ("see unit", "quantities with all assumed numbers at random, fitted"),
    "drawn": ("1 or l8", "assumed numbers of the samples"),
    "range": ("1 or l8", "ends of the ranges"),
    "unit": ("1", "units of the quantities"),
}


def _assemblies(own: PasibotParameters) -> list[PasibotParameters]:
    return [replace(own, knee=knee, slot_end=end) for knee, end in ASSEMBLIES]


def _with(own: PasibotParameters, changed: dict[str, float]) -> PasibotParameters | None:
    """The machine with other numbers; None where it cannot turn round."""
    try:
        return replace(own, **changed)  # type: ignore[arg-type] # none of them is a word
    except ValueError:
        return None


def _fitted_and_predicted(one: PasibotParameters | None) -> list[float]:
    """All QUANTITIES of a machine whose two scales are fitted; NaN where there is none."""
    if one is not None:
        try:
            return list(predicted(fitted(one)).values())
        except ValueError:  # no floor carries it at 5 rad/s, or it comes too close to a dead point
            pass
    return [math.nan] * len(QUANTITIES)


def satisfied_shares(data: xr.Dataset) -> xr.DataArray:
    """Share of the random machines of each assembly that keep each statement; NaN without any."""
    rows = []
    for assembly in data["samples"].transpose("assembly", "sample", "quantity").to_numpy():
        there = assembly[~np.isnan(assembly[:, 0])]
        names = data["quantity"].values.tolist()
        holding = [
            [claim.holds(row[names.index(name)]) for row in there]
            for name, claim in STATEMENTS.items()
        ]
        rows.append([float(np.mean(one)) if one else math.nan for one in holding])
    return xr.DataArray(rows, dims=("assembly", "statement"))


def _findings(data: xr.Dataset) -> AnalysisResult:
    """Metrics and verdicts of the scenario's machine, with how many others agree."""
    names = data["quantity"].values.tolist()
    values = dict(zip(names, data["own"].to_numpy().tolist(), strict=True))
    share, index = satisfied_shares(data), int(data.attrs["own"])
    data["kept"] = share.assign_attrs(units="1", long_name="share of samples that keep a statement")
    data["statement"] = ("statement", [claim.name for claim in STATEMENTS.values()])
    mine = data["samples"].isel(assembly=index)
    there = mine.dropna("sample")
    besides = {
        name: _agreement(data, share[:, number].to_numpy(), index)
        for number, (name, claim) in enumerate(STATEMENTS.items())
        if claim.verdict != "fitted"
    }

    def ends(name: str) -> list[float]:
        all_of = [*there.sel(quantity=name).to_numpy(), values[name]]
        return [float(min(all_of)), float(max(all_of))]

    metrics: dict[str, Metric] = {
        **values,
        "crank_length_range": ends("crank_length"),
        "total_mass_range": ends("total_mass"),
        "statements_kept": share[index].to_numpy().tolist(),
        "machines": float(there.sizes["sample"]),
        "no_machines": float(np.isnan(data["samples"].isel(quantity=0)).sum()),
    }
    return AnalysisResult(data, metrics, statements_on(values, besides))


def _agreement(data: xr.Dataset, share: Array, own: int) -> str:
    """Return how many machines with other assumed numbers keep a statement, in words."""
    count = np.isfinite(data["samples"].isel(quantity=0).to_numpy()).sum(axis=1)
    if not count[own]:
        return ""
    others = [
        f"{name}: {share[k]:.0%} of {count[k]}"
        for k, name in enumerate(data["assembly"].values.tolist())
        if k != own and count[k]
    ]
    kept_by = f"kept by {share[own]:.0%} of {count[own]} machines with other assumed masses"
    if share[own] < _FIRM:
        kept_by += ", so that it hangs on what is assumed"
    return f"{kept_by} ({'; '.join(others)})" if others else kept_by
