"""Figures that every machine has: coordinates, efforts, feet, energy, work of the solver."""

from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.report.charts.panel import TIME
from footfall.report.contact_figures import contact_figures, dissipation_figures
from footfall.report.control_figures import control_figures
from footfall.report.figure import Figure, draw
from footfall.report.load_figures import foot_figures
from footfall.report.panels import MOST_PANELS, calm, finish_time_panels, grid_shape, overlay
from footfall.report.push_table import pushes_in
from footfall.report.reaction_figures import joint_figures, reaction_figures
from footfall.report.section import Section
from footfall.report.tables import listed
from footfall.show.colours import run_colour
from footfall.solvers import SolverStage
from footfall.trajectory.measures import energy_less_work
from footfall.trajectory.observables import observables_of


def observable_figures(section: Section) -> list[Figure]:
    """A panel for every component of every observable, all runs; nothing without observables."""
    components = _components(section)
    if not components:
        return []
    shown = components[:MOST_PANELS]

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (name, component, label) in zip(axes.ravel(), shown, strict=False):
            overlay(panel, section, lambda data: _values(data, name, component))  # noqa: B023 (used at once)
            panel.set_ylabel(label)
        finish_time_panels(axes, len(shown))

    names = dict.fromkeys(name for name, _, _ in shown)
    alt = f"{listed(names)} over time, for {listed(section.runs)}."
    note = f"The first {len(shown)} of {len(components)}." if len(shown) < len(components) else ""
    return [draw("Observables", alt, grid_shape(len(shown)), plot, note=note)]


def _components(section: Section) -> list[tuple[str, int, str]]:
    """Observable, component and label of every panel, in the order of the first run that has it."""
    labels: dict[tuple[str, int], str] = {}
    for run in section.runs.values():
        for name, variable in observables_of(run.trajectory.data).items():
            count = variable.shape[1] if variable.ndim > 1 else 1
            unit = f" [{variable.attrs['units']}]" if variable.attrs["units"] else ""
            for k in range(count):
                which = f" {k}" if variable.ndim > 1 else ""
                labels.setdefault((name, k), f"{name}{which}{unit}")
    return [(name, k, label) for (name, k), label in labels.items()]


def _values(data: xr.Dataset, name: str, component: int) -> Array:
    """Values of a component (N,); NaN in a run that has none."""
    variable = observables_of(data).get(name)
    if variable is None or (variable.ndim > 1 and variable.shape[1] <= component):
        return np.full(data.sizes["time"], np.nan)
    values: Array = variable.to_numpy()
    return values if values.ndim == 1 else values[:, component]


_DEGREES = {"rad": "deg", "rad/s": "deg/s"}
_ENERGY_NOTE = (
    "Energy less the work of actuators, contacts, dampers, constraints and pushes would stay at "
    "zero in exact integration. What it drifts by is the error of the time stepping, and in "
    "Drake's engine what its compliant contact stores and loses."
)


def coordinate_figures(section: Section) -> list[Figure]:
    """Positions and velocities of every coordinate, all runs."""
    return [
        _panels(section, "q", "position", "Generalized positions"),
        _panels(section, "v", "velocity", "Generalized velocities"),
    ]


def common_figures(section: Section) -> list[Figure]:
    """Efforts, contacts, joints, energy and solver; what a machine lacks or rests is left out."""
    figures = observable_figures(section)
    if any(run.trajectory.data["actuation"].to_numpy().any() for run in section.runs.values()):
        figures.append(_panels(section, "actuation", "actuator", "Actuation"))
    figures += control_figures(section)
    figures += foot_figures(section)
    figures += contact_figures(section)
    figures += dissipation_figures(section)
    figures += reaction_figures(section)
    figures += joint_figures(section)
    figures.append(_energy(section))
    if any((run.trajectory.data["iterations"] > 0).any() for run in section.runs.values()):
        figures.append(_solver(section))
    return figures


def _panels(section: Section, variable: str, dim: str, title: str) -> Figure:
    """A panel for every coordinate of a variable, the runs in it; angles in degrees."""
    data = section.first.trajectory.data
    units = dict(zip(data[dim].values.tolist(), data[f"{dim}_units"].values.tolist(), strict=True))
    names = list(units)[:MOST_PANELS]

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, name in zip(axes.ravel(), names, strict=False):
            turns = units[name] in _DEGREES
            factor = np.rad2deg(1.0) if turns else 1.0
            overlay(panel, section, lambda data: factor * _named(data, variable, dim, name))  # noqa: B023 (used at once)
            panel.set_ylabel(f"{name} [{_DEGREES.get(units[name], units[name])}]")
            calm(panel)
        finish_time_panels(axes, len(names))

    note = f"The first {len(names)} of {len(units)}." if len(units) > len(names) else ""
    alt = f"{title} over time: {listed(names)}, for {listed(section.runs)}."
    return draw(title, alt, grid_shape(len(names)), plot, note=note)


def _named(data: xr.Dataset, variable: str, dim: str, name: str) -> Array:
    values: Array = data[variable].sel({dim: name}).to_numpy()
    return values


def _energy(section: Section) -> Figure:
    """Energies, works, and what is left when they are added up."""

    def since_start(*signs: tuple[str, float]) -> Any:  # noqa: ANN401 (a function of a dataset)
        def of(data: xr.Dataset) -> Array:
            total: Array = np.sum([sign * data[name].to_numpy() for name, sign in signs], axis=0)
            return total - total[0]

        return of

    kinetic, potential = ("kinetic_energy", 1.0), ("potential_energy", 1.0)
    parts = {
        "kinetic energy [J]": lambda data: data["kinetic_energy"].to_numpy(),
        "potential energy\nsince the start [J]": since_start(potential),
        "work of actuators [J]": lambda data: data["actuator_work"].to_numpy(),
        "work of contacts [J]": lambda data: data["contact_work"].to_numpy(),
        "energy\nsince the start [J]": since_start(kinetic, potential),
        "energy less\nall work [J]": lambda data: (
            energy_less_work(data) - energy_less_work(data)[0]
        ),
    }

    if pushes_in(section):
        parts["work of pushes [J]"] = lambda data: np.nan_to_num(data["push_work"].to_numpy())

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, values) in zip(axes.ravel(), parts.items(), strict=False):
            overlay(panel, section, values)
            panel.set_ylabel(label)
        finish_time_panels(axes, len(parts))

    alt = (
        "Kinetic and potential energy, work of actuators and contacts, and the balance between "
        f"them over time, for {listed(section.runs)}."
    )
    return draw("Energy", alt, grid_shape(len(parts)), plot, note=_ENERGY_NOTE, row_height=1.9)


def _solver(section: Section) -> Figure:
    """Residual and iterations of every contact problem."""
    solved = {
        name: run.trajectory.data
        for name, run in section.runs.items()
        if (run.trajectory.data["iterations"] > 0).any()
    }
    order = list(section.runs)

    def plot(axes: npt.NDArray[Any]) -> None:
        for name, data in solved.items():
            dots = {"color": run_colour(order.index(name)), "label": name}
            for panel, variable in zip(axes[:, 0], ("residual", "iterations"), strict=True):
                values = data[variable].to_numpy().astype(np.float64)
                if (values > 0.0).any():
                    shown = np.where(values > 0.0, values, np.nan)
                    panel.plot(data["time"].to_numpy(), shown, ".", markersize=2.0, **dots)
        axes[0, 0].set_ylabel("natural-map residual [1]")
        axes[1, 0].set(ylabel="iterations [1]", xlabel=TIME)
        for panel in axes[:, 0]:
            if panel.marks:
                panel.set_yscale("log")
                panel.legend()

    methods = "; ".join(
        f"{name}: {_stages(data['stage'].to_numpy())}" for name, data in solved.items()
    )
    note = (
        f"Problems solved by each method: {methods}. A residual of exactly zero has no place on a "
        "logarithmic axis; Drake's engine tells neither residual nor iterations."
    )
    alt = "Residual and iterations of the contact problem of every time step, on logarithmic axes."
    return draw("Contact solver", alt, (2, 1), plot, note=note, row_height=2.0)


def _stages(stage: npt.NDArray[np.int8]) -> str:
    """Return the number of problems that each stage of the fallback chain solved, as text."""
    counts = {
        kind.name.lower().replace("_", "-"): int((stage == kind).sum()) for kind in SolverStage
    }
    del counts["none"]
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count) or "not recorded"
