"""Figures that every machine has: coordinates, efforts, feet, energy, work of the solver."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.report.charts.looks import CYCLE
from footfall.report.contact_figures import contact_figures, dissipation_figures
from footfall.report.control_figures import control_figures
from footfall.report.curves import (
    DOTS,
    OVER_TIME,
    Curve,
    Level,
    Over,
    Part,
    Plot,
    Uprights,
    curves,
    shown_series,
)
from footfall.report.figure import Figure
from footfall.report.foot_figures import foot_figures
from footfall.report.load_figures import load_figures
from footfall.report.push_table import pushes_in
from footfall.report.reaction_figures import joint_figures, reaction_figures
from footfall.report.run_view import RunView, RunViews
from footfall.report.tables import listed
from footfall.scenario.page_panel import PagePanel
from footfall.solvers import SolverStage
from footfall.trajectory.measures import energy_less_work
from footfall.trajectory.observables import observables_of
from footfall.trajectory.series import find_series, variables_over_time
from footfall.wording import did_you_mean

Runs = RunViews[Any]

_OBSERVABLE = "observable_"
_LEAST_TURN = 1e-3  # degrees, or degrees per second: less is not shown larger
_ENERGY_NOTE = (
    "Energy less the work of actuators, contacts, dampers, constraints and pushes would stay at "
    "zero in exact integration. What it drifts by is the error of the time stepping, and in "
    "Drake's engine what its compliant contact stores and loses."
)


def coordinate_figures(runs: Runs) -> list[Figure]:
    """Positions and velocities of every coordinate, all runs."""
    return [
        series_figure(runs, "Generalized positions", "q"),
        series_figure(runs, "Generalized velocities", "v"),
    ]


def common_figures(runs: Runs) -> list[Figure]:
    """Efforts, contacts, joints, energy and solver; what a machine lacks or rests is left out."""
    names = dict.fromkeys(name for run in runs.runs for name in observables_of(run.data))
    figures = [series_figure(runs, "Observables", *names)] if names else []
    if any(run.data["actuation"].to_numpy().any() for run in runs.runs):
        figures.append(series_figure(runs, "Actuation", "actuation"))
    if any(run.data.sizes.get("sensor") for run in runs.runs):
        figures.append(series_figure(runs, "Readings that the controller saw", "reading"))
    return [
        *figures,
        *control_figures(runs),
        *foot_figures(runs),
        *load_figures(runs),
        *contact_figures(runs),
        *dissipation_figures(runs),
        *reaction_figures(runs),
        *joint_figures(runs),
        _energy(runs),
        *_solver(runs),
    ]


def series_figure(runs: Runs, title: str, *variables: str) -> Figure:
    """A panel for every series of some variables that any run has."""
    names: dict[str, str] = {}
    for run in runs.runs:
        for variable in variables:
            if variable in (*variables_over_time(run.data), *observables_of(run.data)):
                for name in (one.name for one in find_series(run.data, variable)):
                    label = axis_label(run, name)
                    names[name] = label.removeprefix("v.") if variable == "v" else label
    plots = [
        Plot(label, [Curve(name)], least=_LEAST_TURN if "[deg" in label else 0.0)
        for name, label in names.items()
    ]
    return curves(runs, title, plots, columns=2)


def axis_label(run: RunView, *names: str) -> str:
    """Return the name and unit at an axis of series of one unit: the one, or their variable."""
    unit = shown_series(run, names[0])[1]
    if not unit and not names[0].startswith(_OBSERVABLE):  # whose unit nobody may have said
        unit = "1"
    variables = {name.partition(".")[0] for name in names}
    together = short_name(names[0]) if len(names) == 1 else ""
    label = together or (variables.pop() if len(variables) == 1 else "")
    return f"{label} [{unit}]".strip() if unit else label


def short_name(name: str) -> str:
    """Name of a series in a legend: the coordinate alone where that says it."""
    variable, _, label = name.partition(".")
    return label if variable in ("q", "actuation") else name.removeprefix(_OBSERVABLE)


def series_plots(runs: Sequence[RunView], names: Sequence[str]) -> list[Plot]:
    """Panels of series by name as `find_series` takes them, those of one unit in one.

    A colour for each run, or for each series of a single one. Raises RunError for a name that the
    first run has not.
    """
    by_unit: dict[str, list[str]] = {}
    for name in names:
        for series in find_series(runs[0].data, name):
            by_unit.setdefault(series.unit, []).append(series.name)
    plots = []
    for series_of_unit in by_unit.values():
        one_unit = list(dict.fromkeys(series_of_unit))
        variables = {name.partition(".")[0] for name in one_unit}
        common = f"{variables.pop()}." if len(variables) == 1 and len(one_unit) > 1 else ""
        parts = [
            Curve(name, short_name(name).removeprefix(common), CYCLE[k % len(CYCLE)])
            if len(one_unit) > 1
            else Curve(name, short_name(name) if len(runs) == 1 else "")
            for k, name in enumerate(one_unit)
        ]
        plots.append(Plot(axis_label(runs[0], *one_unit), parts))
    return plots


def scenario_figures(runs: Runs, panels: Sequence[PagePanel]) -> tuple[list[Figure], list[str]]:
    """Figures that the scenario asks for, and a line for each that its runs cannot give."""
    figures, refused = [], []
    for k, panel in enumerate(panels):
        try:
            figures.append(_own_figure(runs, panel))
        except RunError as error:
            refused.append(f"panels.{k}: {error}")
    return figures, refused


def _own_figure(runs: Runs, panel: PagePanel) -> Figure:
    over = OVER_TIME
    if panel.over:
        label = axis_label(runs.first, runs.first.series(panel.over).name)
        over = Over(label, lambda run: shown_series(run, panel.over)[0])
    plots = series_plots(runs.runs, panel.series)
    marks: list[Part] = [Level(value, name) for name, value in panel.levels.items()]
    marks += [_event_marks(runs.first, kind, over) for kind in panel.events]
    whole = [Plot(one.label, [*one.parts, *marks], log=panel.log) for one in plots]
    title = panel.title or listed(panel.series)
    return curves(runs, title, whole, over=over, note=panel.note)


def _event_marks(run: RunView, kind: str, over: Over) -> Uprights:
    """Upright lines at the events of a kind; raises RunError where the run has none."""
    events = run.trajectory.events
    times = [event.time for event in events if event.kind == kind]
    if not times:
        known = sorted({event.kind for event in events})
        mend = did_you_mean(kind, known) if known else "it has no events"
        raise RunError(f"{run.name} has no event '{kind}': {mend}.")
    return Uprights(np.interp(times, run.time, over.of(run)).tolist(), kind)


def _energy(runs: Runs) -> Figure:
    """Energies, works, and what is left when they are added up."""

    def since_start(*names: str) -> Callable[[RunView], Array]:
        def of(run: RunView) -> Array:
            total: Array = np.sum([run.data[name].to_numpy() for name in names], axis=0)
            return total - total[0]

        return of

    def less_work(run: RunView) -> Array:
        left: Array = energy_less_work(run.data)
        return left - left[0]

    parts: dict[str, str | Callable[[RunView], Array]] = {
        "kinetic energy [J]": "kinetic_energy",
        "potential energy\nsince the start [J]": since_start("potential_energy"),
        "work of actuators [J]": "actuator_work",
        "work of contacts [J]": "contact_work",
        "energy\nsince the start [J]": since_start("kinetic_energy", "potential_energy"),
        "energy less\nall work [J]": less_work,
    }
    if pushes_in(runs.section):
        parts["work of pushes [J]"] = lambda run: np.nan_to_num(run.data["push_work"].to_numpy())
    plots = [Plot(label, [Curve(of)]) for label, of in parts.items()]
    return curves(runs, "Energy", plots, columns=2, note=_ENERGY_NOTE)


def _solver(runs: Runs) -> list[Figure]:
    """Residual and iterations of every contact problem; nothing where no run tells them."""
    solved = [run for run in runs.runs if (run.data["iterations"] > 0).any()]
    if not solved:
        return []

    def of(variable: str) -> Callable[[RunView], Array]:
        def values(run: RunView) -> Array:
            value = run.data[variable].to_numpy().astype(np.float64)
            return np.where(value > 0.0, value, np.nan)

        return values

    labels = {"residual": "natural-map residual [1]", "iterations": "iterations [1]"}
    plots = [
        Plot(label, [Curve(of(variable), runs=solved, look=DOTS)], log=_positive(solved, variable))
        for variable, label in labels.items()
    ]
    methods = "; ".join(f"{run.name}: {_stages(run.data['stage'])}" for run in solved)
    note = (
        f"Problems solved by each method: {methods}. A residual of exactly zero has no place on a "
        "logarithmic axis; Drake's engine tells neither residual nor iterations."
    )
    return [curves(runs, "Contact solver", plots, note=note)]


def _positive(runs: Sequence[RunView], variable: str) -> bool:
    return any((run.data[variable].to_numpy() > 0.0).any() for run in runs)


def _stages(stage: xr.DataArray) -> str:
    """Return the number of problems that each stage of the fallback chain solved, as text."""
    stages: npt.NDArray[np.int8] = stage.to_numpy()
    counts = {
        kind.name.lower().replace("_", "-"): int((stages == kind).sum()) for kind in SolverStage
    }
    del counts["none"]
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "not recorded"
