"""Pictures that every machine has: coordinates, efforts, contacts, energy, and the work of the solver."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from scipy.ndimage import uniform_filter1d

from footfall.contact import Mode
from footfall.report.picture import (
    Picture,
    draw,
    grid_shape,
    hide_unused,
    legend_above,
    legend_on_top,
    run_style,
    thin,
)
from footfall.report.section import RunLike, Section
from footfall.report.wording import listed
from footfall.solvers import Rung

Array = npt.NDArray[np.float64]

MOST_PANELS = 18
TIME = "time [s]"
_DEGREES = {"rad": "deg", "rad/s": "deg/s"}
_WINDOW = 0.02  # s, over which impulses are averaged
_STEP_COLOUR = "#a9cce3"
MODE_COLOURS = {Mode.STICK: "#0072B2", Mode.SLIP: "#E69F00"}


def coordinate_figures(section: Section) -> list[Picture]:
    """Positions and velocities of every coordinate, all runs."""
    return [
        _panels(section, "q", "position", "Generalized positions"),
        _panels(section, "v", "velocity", "Generalized velocities"),
    ]


def common_figures(section: Section) -> list[Picture]:
    """Efforts, contact impulses, modes, gaps, energy and solver; what a machine lacks is left out."""
    pictures = []
    if section.first.trajectory.data.sizes["actuator"]:
        pictures.append(_panels(section, "actuation", "actuator", "Actuation"))
    touched = touched_contacts(section.runs)
    if touched:
        pictures += [_impulses(section, name, run, touched) for name, run in section.runs.items()]
        pictures.append(_modes(section, touched))
    if section.first.trajectory.data.sizes["contact"]:
        pictures.append(_gaps(section))
    pictures.append(_energy(section))
    if any((run.trajectory.data["iterations"] > 0).any() for run in section.runs.values()):
        pictures.append(_solver(section))
    return pictures


def touched_contacts(runs: Mapping[str, RunLike]) -> list[str]:
    """Contacts that are closed at some time in some run."""
    names: list[str] = []
    for run in runs.values():
        data = run.trajectory.data
        closed = (data["mode"].to_numpy() > Mode.OPEN).any(axis=0)
        names += [str(name) for name in data["contact"].values[closed] if str(name) not in names]
    return names


def short(contact: str) -> str:
    """A contact's name without its model's."""
    return contact.rpartition("::")[2]


def _panels(section: Section, variable: str, dim: str, title: str) -> Picture:
    """A panel for every coordinate of a variable, the runs in it; angles in degrees."""
    first = section.first.trajectory.data
    names = [str(name) for name in first[dim].values][:MOST_PANELS]
    rows, columns = grid_shape(len(names))

    def paint(axes: npt.NDArray[Any]) -> None:
        flat = axes.ravel()
        for panel, name in zip(flat, names, strict=False):
            for index, (run_name, run) in enumerate(section.runs.items()):
                data = run.trajectory.data
                unit = str(data[f"{dim}_units"].sel({dim: name}).values)
                y = data[variable].sel({dim: name}).to_numpy()
                y, unit = (np.rad2deg(y), _DEGREES[unit]) if unit in _DEGREES else (y, unit)
                few = thin(y)
                panel.plot(data["time"].to_numpy()[few], y[few], label=run_name, **run_style(index))
                panel.set_ylabel(f"{name} [{unit}]")
        hide_unused(flat[len(names) :])
        finish_time_panels(axes, len(names))

    shown = f"; the first {len(names)}" if first.sizes[dim] > len(names) else ""
    return draw(
        title,
        f"{title} over time: {listed(names)}, for {listed(section.runs)}{shown}.",
        rows,
        columns,
        paint,
    )


def finish_time_panels(axes: npt.NDArray[Any], count: int, legend: Axes | None = None) -> None:
    """Label the time axes of the lowest panels and put one panel's legend (the first's) on top."""
    rows, columns = axes.shape
    for k in range(count):
        if k + columns >= count:
            axes[k // columns, k % columns].set_xlabel(TIME)
            axes[k // columns, k % columns].tick_params(labelbottom=True)
    legend_on_top(axes[0, 0] if legend is None else legend)


def _impulses(section: Section, name: str, run: RunLike, touched: list[str]) -> Picture:
    """Normal and tangential impulse of every step, the tangential one inside its friction band."""
    data = run.trajectory.data
    time = data["time"].to_numpy()
    mu = dict(zip(section.machine.contacts.names, section.machine.contacts.mu, strict=True))
    steps = max(1, round(_WINDOW / section.scenario.time_step))

    def paint(axes: npt.NDArray[Any]) -> None:
        for (upper, lower), contact in zip(axes, touched, strict=True):
            impulse = np.nan_to_num(data["impulse"].sel(contact=contact).to_numpy())
            mean = uniform_filter1d(impulse, steps, axis=0, mode="nearest")
            band = mu.get(contact, 0.0) * mean[:, 0]
            upper.plot(time, impulse[:, 0], color=_STEP_COLOUR, linewidth=0.6, label="each step")
            upper.plot(
                time, mean[:, 0], color="#0072B2", linewidth=1.3, label=f"mean of {steps} steps"
            )
            lower.plot(time, impulse[:, 1], color=_STEP_COLOUR, linewidth=0.6, label="each step")
            lower.fill_between(
                time,
                -band,
                band,
                color="#E69F00",
                alpha=0.35,
                linewidth=0.0,
                label="±µ times normal",
            )
            for axis, colour in ((1, "#0072B2"), (2, "#CC79A7")):
                if axis == 1 or np.abs(impulse[:, axis]).max() > 0.0:
                    lower.plot(
                        time,
                        mean[:, axis],
                        color=colour,
                        linewidth=1.3,
                        label=f"mean along {'nts'[axis]}",
                    )
            upper.set_ylabel(f"{short(contact)}\nnormal [N s]")
            lower.set_ylabel(f"{short(contact)}\ntangential [N s]")
            top = _ordinary(impulse[:, 0], mean[:, 0])
            upper.set_ylim(-0.05 * top, top)
            side = top * max(mu.get(contact, 0.0), 0.1)
            lower.set_ylim(-side, side)
        finish_time_panels(axes, 2 * len(touched), legend=axes[0, 1])

    return draw(
        f"Contact impulses of each step: {name}",
        f"Normal and tangential impulse of the time steps at {listed(short(c) for c in touched)} in {name}; "
        "the tangential impulse stays between plus and minus mu times the normal one.",
        len(touched),
        2,
        paint,
        note="Landings reach beyond the axes, which are cut where they would flatten everything else. Where steps without "
        "load alternate with steps of twice the load, the mean is the load.",
    )


def _ordinary(steps: Array, mean: Array) -> float:
    """What ordinary steps of normal impulse need of an axis, so that landings do not flatten them."""
    loaded = steps[steps > 0.0]
    if len(loaded) == 0:
        return 1.0
    top = min(1.05 * float(loaded.max()), 1.6 * float(np.quantile(loaded, 0.95)))
    return max(top, 1.2 * float(np.quantile(mean, 0.97)))


def _modes(section: Section, touched: list[str]) -> Picture:
    """A bar for every contact and run, coloured by mode."""
    rows = [(contact, name) for contact in touched for name in section.runs]

    def paint(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for level, (contact, name) in enumerate(rows):
            data = section.runs[name].trajectory.data
            mode = data["mode"].sel(contact=contact).to_numpy()
            time = data["time"].to_numpy()
            for kind, colour in MODE_COLOURS.items():
                panel.broken_barh(
                    _intervals(time, mode == kind),
                    (level - 0.38, 0.76),
                    facecolors=colour,
                    linewidth=0.0,
                )
        panel.set_yticks(range(len(rows)), [f"{short(contact)}, {name}" for contact, name in rows])
        panel.set_ylim(len(rows) - 0.5, -0.5)
        panel.grid(visible=False, axis="y")
        for kind, colour in MODE_COLOURS.items():
            panel.plot([], [], color=colour, linewidth=6.0, label=kind.name.lower())
        panel.plot([], [], color="white", linewidth=6.0, label="(blank: open)")
        panel.set_xlabel(TIME)
        legend_above(panel)

    return draw(
        "Contact modes",
        f"Bars over time that say when {listed(short(c) for c in touched)} stick, slip or are open, "
        f"in {listed(section.runs)}.",
        1,
        1,
        paint,
        height=0.9 + 0.28 * len(rows),
    )


def _intervals(time: Array, on: npt.NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Start and length of the stretches of time where ``on`` holds; a mode belongs to the step before its time."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], on, [False])).astype(np.int8)))
    before = np.concatenate((time[:1], time))
    return [
        (float(before[a]), float(before[b] - before[a]))
        for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]


def _gaps(section: Section) -> Picture:
    """Height of every contact point above the ground."""
    names = [str(name) for name in section.first.trajectory.data["contact"].values][:MOST_PANELS]
    rows, columns = grid_shape(len(names))

    def paint(axes: npt.NDArray[Any]) -> None:
        for panel, contact in zip(axes.ravel(), names, strict=False):
            for index, (name, run) in enumerate(section.runs.items()):
                data = run.trajectory.data
                gap = data["gap"].sel(contact=contact).to_numpy()[1:]
                few = thin(gap)
                panel.plot(
                    data["time"].to_numpy()[1:][few], gap[few], label=name, **run_style(index)
                )
            panel.axhline(0.0, color="black", linewidth=0.8)
            panel.set_ylabel(f"{short(contact)} [m]")
        hide_unused(axes.ravel()[len(names) :])
        finish_time_panels(axes, len(names))

    alt = f"Gap between ground and {listed(short(n) for n in names)} over time, for {listed(section.runs)}."
    return draw("Gaps", alt, rows, columns, paint, height=1.9)


def _energy(section: Section) -> Picture:
    """Energies, works, and what is left when they are added up."""

    def paint(axes: npt.NDArray[Any]) -> None:
        for index, (name, run) in enumerate(section.runs.items()):
            data = run.trajectory.data
            few = thin(data["time"].to_numpy())
            time = data["time"].to_numpy()[few]
            kinetic, potential, actuators, contacts = (
                data[variable].to_numpy()[few]
                for variable in (
                    "kinetic_energy",
                    "potential_energy",
                    "actuator_work",
                    "contact_work",
                )
            )
            balance = kinetic + potential - actuators - contacts
            style = run_style(index)
            parts = (
                kinetic,
                potential - potential[:1],
                actuators,
                contacts,
                kinetic + potential,
                balance,
            )
            for panel, values in zip(axes.ravel(), parts, strict=True):
                panel.plot(
                    time, values - (values[:1] if panel in axes[2] else 0.0), label=name, **style
                )
        labels = (
            "kinetic energy [J]",
            "potential energy\nsince the start [J]",
            "work of actuators [J]",
            "work of contacts [J]",
            "change of energy [J]",
            "energy less\nall work [J]",
        )
        for panel, label in zip(axes.ravel(), labels, strict=True):
            panel.set_ylabel(label)
        finish_time_panels(axes, len(labels))

    return draw(
        "Energy",
        f"Kinetic and potential energy, work of actuators and contacts, and the balance between them over time, "
        f"for {listed(section.runs)}.",
        3,
        2,
        paint,
        height=1.9,
        note="The balance (energy less the work of actuators and contacts) would stay at zero in exact integration; what "
        "it drifts by is the error of the time stepping, and in Drake's engine what its compliant contact stores and loses.",
    )


def _solver(section: Section) -> Picture:
    """Residual and iterations of every contact problem."""
    shares = []

    def paint(axes: npt.NDArray[Any]) -> None:
        for index, (name, run) in enumerate(section.runs.items()):
            data = run.trajectory.data
            iterations = data["iterations"].to_numpy()
            if not (iterations > 0).any():
                continue
            time, residual = data["time"].to_numpy(), data["residual"].to_numpy()
            dots: dict[str, Any] = {
                "color": run_style(index)["color"],
                "marker": ".",
                "linestyle": "",
                "markersize": 2.0,
            }
            if (residual > 0.0).any():
                axes[0, 0].plot(
                    time, np.where(residual > 0.0, residual, np.nan), label=name, **dots
                )
            axes[1, 0].plot(time, np.where(iterations > 0, iterations, np.nan), label=name, **dots)
            shares.append(f"{name}: {_rungs(data['rung'].to_numpy())}")
        axes[0, 0].set_ylabel("natural-map residual [1]")
        axes[1, 0].set_ylabel("iterations [1]")
        axes[1, 0].set_xlabel(TIME)
        for panel in axes[:, 0]:
            if panel.lines:
                panel.set_yscale("log")
                panel.legend(
                    loc="lower left",
                    bbox_to_anchor=(0.0, 1.0),
                    ncols=4,
                    markerscale=5.0,
                    borderaxespad=0.1,
                )

    picture = draw(
        "Contact solver",
        "Residual and iterations of the contact problem of every time step, on logarithmic axes.",
        2,
        1,
        paint,
        height=2.0,
    )
    solved = f"Problems solved by each method: {'; '.join(shares)}. " if any(shares) else ""
    note = f"{solved}A residual of exactly zero has no place on the axis; Drake reports neither residual nor iterations."
    return Picture(picture.title, picture.alt, picture.source, note)


def _rungs(rung: npt.NDArray[np.int8]) -> str:
    counts = [
        (kind.name.lower().replace("_", "-"), int((rung == kind).sum()))
        for kind in Rung
        if kind != Rung.NONE
    ]
    return ", ".join(f"{name} {count}" for name, count in counts if count) or "not recorded"
