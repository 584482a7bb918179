"""Figures of the contacts: impulses inside their friction band, modes, gaps, energy taken."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.report.charts.panel import TIME, Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import finish_time_panels, grid_shape, has_feet, intervals, overlay
from footfall.report.section import RunLike, Section
from footfall.report.tables import listed
from footfall.show.colours import run_colour
from footfall.trajectory.contact_table import contact_table

_MOST = 12
_NOTE = (
    "Friction, impacts, joint stops and dry joints. Less than zero: the contact gave energy, as a "
    "compliant one may when it springs back, and Newton's law of impact with friction."
)


def dissipation_figures(section: Section) -> list[Figure]:
    """Energy taken by the contacts that took or gave most; nothing where none did."""
    taken = {name: _taken(run) for name, run in section.runs.items()}
    total: dict[str, float] = {}
    for of_run in taken.values():
        for contact, energy in of_run.items():
            total[contact] = total.get(contact, 0.0) + abs(energy)
    largest = sorted((c for c in total if total[c] > 0.0), key=lambda c: -total[c])[:_MOST]
    if not largest:
        return []

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        positions = np.arange(len(largest))
        height = 0.8 / len(taken)
        for k, (name, of_run) in enumerate(taken.items()):
            energies = [of_run.get(contact, 0.0) for contact in largest]
            panel.barh(positions + k * height, energies, height, color=run_colour(k), label=name)
        panel.set_yticks(positions + 0.4 - 0.5 * height, [short(contact) for contact in largest])
        panel.invert_yaxis()
        panel.set_xlabel("energy taken [J]")
        panel.legend()

    rest = len(total) - len(largest)
    note = f"The {len(largest)} of {len(total)} that took most. {_NOTE}" if rest else _NOTE
    alt = f"Energy taken by each contact, for {listed(section.runs)}."
    size = 0.6 + 0.14 * len(largest) * (1 + len(taken))
    return [draw("Energy taken by contacts", alt, (1, 1), plot, note=note, row_height=size)]


def _taken(run: RunLike) -> dict[str, float]:
    """Energy by foot, and by other contacts [J], from the first step to the last."""
    data = run.trajectory.data
    names = data["contact"].values.tolist()
    if has_feet(run):
        feet = data["foot_of_contact"].values.tolist()
        names = [foot or name for foot, name in zip(feet, names, strict=True)]
    taken = dict.fromkeys(names, 0.0)
    table = contact_table(data)
    energies = np.zeros(len(names))
    np.add.at(energies, table.contact, np.nan_to_num(table.columns["dissipation"]))
    for name, energy in zip(names, energies.tolist(), strict=True):
        taken[name] += energy
    return taken


_MOST_CONTACTS = 8  # a robot of many corners has hundreds
_LONGEST = 30  # letters beside a panel
_WINDOW = 0.02  # s, over which impulses are averaged
_STEP_COLOUR, _MEAN_COLOUR, _OTHER_COLOUR = "#a9cce3", "#0072B2", "#CC79A7"
_MODE_COLOURS = {Mode.STICK: "#0072B2", Mode.SLIP: "#E69F00"}
_IMPULSE_NOTE = (
    "Landings reach beyond the axes, which are cut where they would flatten everything else. Where "
    "steps without load alternate with steps of twice the load, the mean is the load."
)


def contact_figures(section: Section) -> list[Figure]:
    """Impulses of every run, modes and gaps; nothing for a machine without contact points.

    Contacts of feet are left out, which have figures of their own; then gaps are, too.
    """
    if not surfaces(section.first):
        return []
    touched = _most_loaded(section.runs)
    gaps = [] if any(has_feet(run) for run in section.runs.values()) else [_gaps(section)]
    if not touched:
        return gaps
    impulses = [_impulses(section, name, run, touched) for name, run in section.runs.items()]
    return [*impulses, _modes(section, touched), *gaps]


def surfaces(run: RunLike) -> list[str]:
    """Contacts of surfaces, which are not joint limits or joint friction, nor those of feet."""
    names: list[str] = run.trajectory.data["contact"].values[_of_surfaces(run)].tolist()
    return names


def _of_surfaces(run: RunLike) -> npt.NDArray[np.bool_]:
    """Return which contacts of a run these are, (n,)."""
    data = run.trajectory.data
    chosen: npt.NDArray[np.bool_] = data["contact_units"].to_numpy() == "m"
    return chosen & (data["foot_of_contact"].to_numpy() == "") if has_feet(run) else chosen


def touched_contacts(runs: Mapping[str, RunLike]) -> list[str]:
    """Contacts of surfaces that are closed at some time in some run."""
    names: dict[str, None] = {}
    for run in runs.values():
        data = run.trajectory.data
        table = contact_table(data)
        closed = np.zeros(data.sizes["contact"], dtype=np.bool_)
        closed[table.contact[table.columns["mode"] > Mode.OPEN]] = True
        names |= dict.fromkeys(data["contact"].values[closed & _of_surfaces(run)].tolist())
    return list(names)


def _most_loaded(runs: Mapping[str, RunLike]) -> list[str]:
    """Those of the touched contacts that carry most, in their own order."""
    touched = touched_contacts(runs)
    load = np.zeros(len(touched))
    for run in runs.values():
        normal = run.trajectory.data["impulse"].sel(contact=touched, axis="n").to_numpy()
        load += np.nan_to_num(normal).sum(axis=0)
    most = np.sort(np.argsort(-load, kind="stable")[:_MOST_CONTACTS])
    return [touched[index] for index in most]


def _some_of(shown: int, there_are: int, which: str) -> str:
    """Say that a figure leaves something out, if it does."""
    return f"The {shown} of {there_are} contacts that {which}. " if shown < there_are else ""


def short(contact: str) -> str:
    """A contact's name without the names of models."""
    return "|".join(side.rpartition("::")[2] for side in contact.split("|"))


def _label(contact: str) -> str:
    """A contact's name for an axis: two lines where one would be longer than the panel."""
    name = short(contact)
    return name if len(name) <= _LONGEST else name.replace("|", "|\n")


def _impulses(section: Section, name: str, run: RunLike, touched: list[str]) -> Figure:
    """Normal and tangential impulse of every step, the tangential one inside its friction band."""
    data = run.trajectory.data
    contacts = section.robot.contacts
    mu = np.zeros(len(contacts.names))  # where the points of a contact differ, the largest
    np.maximum.at(mu, contacts.reported_as, contacts.mu)
    band = dict(zip(contacts.names, mu, strict=True))
    every = section.scenario.record_every
    time_step = every * section.scenario.time_step
    steps = max(1, round(_WINDOW / time_step))

    def plot(axes: npt.NDArray[Any]) -> None:
        for panels, contact in zip(axes, touched, strict=True):
            rows = np.nan_to_num(data["impulse"].sel(contact=contact).to_numpy())
            time, impulse = of_steps(data["time"].to_numpy(), rows, time_step)
            mean = uniform_filter1d(impulse, steps, axis=0, mode="nearest")
            _plot_impulses(panels[0], panels[1], time, impulse, mean, float(band[contact]))
            panels[0].set_ylabel(f"{_label(contact)}\nnormal [N s]")
            panels[1].set_ylabel(f"{_label(contact)}\ntangential [N s]")
        finish_time_panels(axes, 2 * len(touched), legend=axes[0, 1])

    alt = (
        "Normal and tangential impulse of the time steps and their mean over "
        f"{steps} steps at {listed(short(c) for c in touched)} in {name}; the tangential impulse "
        "stays between plus and minus mu times the normal one."
    )
    some = _some_of(len(touched), len(touched_contacts(section.runs)), "carry most")
    note = f"{some}Pale: each step of {time_step:g} s. {_IMPULSE_NOTE}"
    title = f"Contact impulses of a step: {name}"
    if every > 1:
        note = f"{some}Pale: each row of {every} steps, {time_step:g} s. {_IMPULSE_NOTE}"
        title = f"Contact impulses of {every} steps: {name}"
    return draw(title, alt, (len(touched), 2), plot, note=note)


def of_steps(time: Array, impulse: Array, time_step: float) -> tuple[Array, Array]:
    """Ends (k,) [s] of the steps of a run, and impulses (k, 3) [N s] on a contact in each.

    time (N,), impulse (N, 3): of the rows, of which a run by events has more, in between.
    """
    of_row = np.ceil(np.round(time / time_step, 6)).astype(int)
    step, index = np.unique(of_row, return_inverse=True)
    total = np.zeros((len(step), impulse.shape[1]))
    np.add.at(total, index, impulse)
    return step * time_step, total


def _plot_impulses(
    upper: Panel, lower: Panel, time: Array, impulse: Array, mean: Array, mu: float
) -> None:
    """Fill the panels of one contact: impulse and its mean, (N, 3) each in [n, t, s]."""
    thin: dict[str, Any] = {"color": _STEP_COLOUR, "linewidth": 0.6}
    broad: dict[str, Any] = {"linewidth": 1.3}
    upper.plot(time, impulse[:, 0], **thin)
    upper.plot(time, mean[:, 0], color=_MEAN_COLOUR, **broad)
    lower.plot(time, impulse[:, 1], label="each step", **thin)
    band = mu * mean[:, 0]
    style: dict[str, Any] = {"color": "#E69F00", "alpha": 0.35, "linewidth": 0.0}
    lower.fill_between(time, -band, band, label=f"±µ times normal, µ = {mu:g}", **style)
    lower.plot(time, mean[:, 1], color=_MEAN_COLOUR, label="mean (tangential: along t)", **broad)
    if np.abs(impulse[:, 2]).max() > 0.0:
        lower.plot(time, mean[:, 2], color=_OTHER_COLOUR, label="mean along s", **broad)
    top = _ordinary(impulse[:, 0], mean[:, 0])
    side = top * max(mu, 0.1)
    upper.set_ylim(-0.05 * top, top)
    lower.set_ylim(-side, side)


def _ordinary(steps: Array, mean: Array) -> float:
    """Height of an axis that ordinary normal impulses need, landings left aside."""
    loaded = steps[steps > 0.0]
    if len(loaded) == 0:
        return 1.0
    top = min(1.05 * float(loaded.max()), 1.6 * float(np.quantile(loaded, 0.95)))
    return max(top, 1.2 * float(np.quantile(mean, 0.97)))


def _modes(section: Section, touched: list[str]) -> Figure:
    """A bar for every contact and run, coloured by mode."""
    rows = [(contact, name) for contact in touched for name in section.runs]

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for level, (contact, name) in enumerate(rows):
            data = section.runs[name].trajectory.data
            mode = data["mode"].sel(contact=contact).to_numpy()
            for kind, colour in _MODE_COLOURS.items():
                bars = intervals(data["time"].to_numpy(), mode == kind)
                panel.broken_barh(bars, (level - 0.38, 0.76), facecolor=colour, linewidth=0.0)
        labels = [f"{short(contact)}, {name}" for contact, name in rows]
        panel.set_yticks(range(len(rows)), labels)
        panel.set_ylim(len(rows) - 0.5, -0.5)
        panel.grid(visible=False, axis="y")
        for kind, colour in _MODE_COLOURS.items():
            panel.plot([], [], color=colour, linewidth=6.0, label=kind.name.lower())
        panel.plot([], [], color="white", linewidth=6.0, label="(blank: open)")
        panel.set_xlabel(TIME)
        panel.legend()

    alt = (
        f"Bars over time that tell when {listed(short(c) for c in touched)} stick, slip or are "
        f"open, in {listed(section.runs)}."
    )
    note = "Stripes are single steps in which a resting point is open."
    return draw(
        "Contact modes",
        alt,
        (1, 1),
        plot,
        note=note,
        row_height=0.9 + 0.28 * len(rows),
    )


def _gaps(section: Section) -> Figure:
    """Height of every contact point above the ground."""
    every = surfaces(section.first)
    names = _nearest(section, every)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, contact in zip(axes.ravel(), names, strict=False):
            overlay(panel, section, lambda data: _gap(data, contact))  # noqa: B023 (used at once)
            panel.axhline(0.0, color="black", linewidth=0.8)
            panel.set_ylabel(f"{short(contact)} [m]")
        finish_time_panels(axes, len(names))

    points = listed(short(name) for name in names)
    alt = f"Gap between the ground and {points} over time, for {listed(section.runs)}."
    note = _some_of(len(names), len(every), "come nearest to what they could touch")
    return draw("Gaps", alt, grid_shape(len(names)), plot, note=note, row_height=1.9)


def _nearest(section: Section, names: list[str]) -> list[str]:
    """Those of the contacts that come nearest to touching in any run, in their own order."""
    least = np.full(len(names), np.inf)
    for run in section.runs.values():
        data = run.trajectory.data
        table, near = contact_table(data), np.full(data.sizes["contact"], np.inf)
        gap = table.columns["gap"]
        known = np.isfinite(gap) & (table.row > 0)
        np.minimum.at(near, table.contact[known], gap[known])
        least = np.minimum(least, near[data.get_index("contact").get_indexer(names)])
    most = np.sort(np.argsort(least, kind="stable")[:_MOST_CONTACTS])
    return [names[index] for index in most]


def _gap(data: xr.Dataset, contact: str) -> Array:
    """Gap of a contact; the first row comes before any step and has none."""
    gap: Array = data["gap"].sel(contact=contact).to_numpy().copy()
    gap[:1] = np.nan
    return gap
