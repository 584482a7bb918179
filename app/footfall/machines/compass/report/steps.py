"""The compass step by step: period, length, energy lost; energy over time; torque at the hip."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.compass.report.map import MARKERS, roomy
from footfall.machines.compass.report.runs import CompassRun, CompassRuns
from footfall.report.charts.panel import TIME, Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.tables import MINUS, number
from footfall.trajectory.measures import driving_work

_GUIDE: dict[str, Any] = {"color": "#c4c4c4", "linewidth": 4.0}


def step_figures(walks: CompassRuns) -> list[Figure]:
    """Steps, energy, and the hip's torque where there is one."""
    figures = [_steps(walks)] if any(len(walk.strikes) > 1 for walk in walks.runs) else []
    figures.append(_energy(walks))
    if any(walk.data["actuation"].to_numpy().any() for walk in walks.runs):
        figures.append(_torque(walks))
    return figures


def energy_of(walk: CompassRun) -> Array:
    """Kinetic and potential energy less the work of the hip and of pushes, (N,) [J]."""
    data = walk.data
    energy: Array = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    return energy - driving_work(data)


def _steps(walks: CompassRuns) -> Figure:
    cycle = walks.cycle
    exact = (None,) * 3 if cycle is None else (cycle.period, cycle.length, cycle.lost)
    labels = ("period [s]", "length [m]", "energy lost [J]")

    def plot(axes: npt.NDArray[Any]) -> None:
        for index, (panel, label) in enumerate(zip(axes[0], labels, strict=True)):
            _plot_steps(panel, walks, index, exact[index])
            panel.set(xlabel="step", ylabel=label)
        legend_on_top(axes[0, 0])

    alt = (
        f"Period, length and energy lost of every step, for {walks.listed}, beside the exact "
        "cycle's."
    )
    note = (
        "A step goes from heel strike to heel strike, its length is that between the feet at the "
        "strike that begins it; its loss is what energy less the hip's work falls by, M g L sin θ "
        "once the walk repeats itself."
    )
    return draw("Steps", alt, (1, 3), plot, note=note, row_height=2.6)


def _plot_steps(panel: Panel, walks: CompassRuns, index: int, exact: float | None) -> None:
    seen = [_quantities(walk)[index] for walk in walks.runs]
    if exact is not None:
        panel.axhline(exact, label="exact cycle", **_GUIDE)
    for walk, values in zip(walks.runs, seen, strict=True):
        style = walk.style | {"linewidth": 1.0}
        marks: dict[str, Any] = {"marker": MARKERS[walk.index % len(MARKERS)], "markersize": 4.0}
        panel.plot(1 + np.arange(len(values)), values, label=walk.name, **style, **marks)
    known = np.concatenate([*seen, [] if exact is None else [exact]])
    panel.set_ylim(*roomy(known))


def _quantities(walk: CompassRun) -> tuple[Array, Array, Array]:
    """Period [s], length [m] and energy lost [J] of every step from one strike to the next."""
    energy = energy_of(walk)[[strike.row - 1 for strike in walk.strikes]]
    times = np.array([strike.time for strike in walk.strikes])
    lengths = np.array([strike.length for strike in walk.strikes])
    return np.diff(times), lengths[:-1], -np.diff(energy)


def _energy(walks: CompassRuns) -> Figure:
    """Energy over time over the stairs that the exact cycle goes down."""
    first = walks.first

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        if walks.cycle is not None and first.strikes:
            start, period = first.strikes[0].time, walks.cycle.period
            falls = np.arange(start, first.time[-1] + 1e-9, period)
            time = np.concatenate([[first.time[0]], np.repeat(falls, 2), [first.time[-1]]])
            level = -walks.loss * np.repeat(np.arange(len(falls) + 1), 2)
            label = f"exact cycle: {MINUS}{number(walks.loss, 4)} J a step"
            panel.plot(time, level, label=label, **_GUIDE)
        for walk in walks.runs:
            energy = energy_of(walk)
            line(panel, walk.time, energy - energy[0], label=walk.name, **walk.style)
        panel.set(xlabel=TIME, ylabel="energy less the hip's work,\nsince the start [J]")
        panel.legend()

    p = walks.machine.parameters
    alt = (
        f"Energy less the hip's work over time, for {walks.listed}: constant in steps, falling at "
        "strikes."
    )
    note = "Nothing is lost while a foot stands; a heel strike takes what the slope gave in a step."
    if walks.cycle is not None:
        given = walks.machine.mass * p.g * walks.cycle.length * np.sin(p.theta)
        note += (
            f" M g L sin θ = {number(given, 6)} J in a step of the exact cycle, which loses "
            f"{number(walks.loss, 6)} J at its strike."
        )
    return draw("Energy of the walk", alt, (1, 1), plot, note=note, row_height=2.4)


def _torque(walks: CompassRuns) -> Figure:
    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for walk in walks.runs:
            torque = walk.data["actuation"].to_numpy()[:, 0]
            line(panel, walk.time, torque, label=walk.name, **walk.style)
        panel.set(xlabel=TIME, ylabel="torque on q2 [N m]")
        panel.legend()

    alt = f"Torque at the hip, on the angle between the legs, over time for {walks.listed}."
    note = "On q2, the angle from leg 1 to leg 2 of the model: positive turns leg 2 forwards."
    return draw("Torque at the hip", alt, (1, 1), plot, note=note, row_height=2.2)
