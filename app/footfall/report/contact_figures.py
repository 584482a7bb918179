"""Figures of the contacts: impulses inside their friction band, modes, gaps, energy taken."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.feet.gait import WINDOW, mean_of
from footfall.report.curves import AXIS, Bars, Curve, Level, Line, Part, Plot, Zone, curves
from footfall.report.figure import Figure
from footfall.report.panels import intervals, some_of, usual_top
from footfall.report.run_view import RunView, RunViews
from footfall.report.tables import listed
from footfall.trajectory.contact_table import contact_table

Runs = RunViews[Any]

_MOST = 12
_NOTE = (
    "Friction, impacts, joint stops and dry joints. Less than zero: the contact gave energy, as a "
    "compliant one may when it springs back, and Newton's law of impact with friction."
)


def dissipation_figures(runs: Runs) -> list[Figure]:
    """Energy taken by the contacts that took or gave most; nothing where none did."""
    taken = [_taken(run) for run in runs.runs]
    total: dict[str, float] = {}
    for of_run in taken:
        for contact, energy in of_run.items():
            total[contact] = total.get(contact, 0.0) + abs(energy)
    acting = sorted((c for c in total if total[c] > 0.0), key=lambda c: -total[c])
    largest = acting[:_MOST]
    if not largest:
        return []

    bars = Bars(
        [
            (runs.called(short(contact), run), [([(0.0, of_run.get(contact, 0.0))], run.colour)])
            for contact in largest
            for run, of_run in zip(runs.runs, taken, strict=True)
        ],
        {run.colour: run.name for run in runs.runs},
    )
    return [
        curves(
            runs,
            "Energy taken by contacts",
            [Plot("", [bars], across="energy taken [J]")],
            note=some_of(len(largest), len(acting), "contacts that took or gave most") + _NOTE,
            alt=f"Energy taken by each contact, for {runs.listed}.",
            row_height=bars.height,
        )
    ]


def _taken(run: RunView) -> dict[str, float]:
    """Energy by foot, and by other contacts [J], from the first step to the last."""
    names = run.data["contact"].values.tolist()
    if run.has_feet:
        feet = run.data["foot_of_contact"].values.tolist()
        names = [foot or name for foot, name in zip(feet, names, strict=True)]
    taken = dict.fromkeys(names, 0.0)
    table = contact_table(run.data)
    energies = np.zeros(len(names))
    np.add.at(energies, table.contact, np.nan_to_num(table.columns["dissipation"]))
    for name, energy in zip(names, energies.tolist(), strict=True):
        taken[name] += energy
    return taken


_MOST_CONTACTS = 8  # a robot of many corners has hundreds
_LONGEST = 30  # letters beside a panel
PALE: dict[str, Any] = {"color": "#a9cce3", "linewidth": 0.6}
"""Look of what single steps of time have, behind its mean."""
_MEAN: dict[str, Any] = {"color": "#0072B2", "linewidth": 1.3}
_OTHER: dict[str, Any] = {"color": "#CC79A7", "linewidth": 1.3}
_BAND: dict[str, Any] = {"color": "#E69F00", "alpha": 0.35, "linewidth": 0.0}
_MODES = {Mode.STICK: "#0072B2", Mode.SLIP: "#E69F00"}
_IMPULSE_NOTE = (
    f"Means over {1e3 * WINDOW:g} ms. Landings reach beyond the axes, which are cut where they "
    "would flatten everything else. Where steps without load alternate with steps of twice the "
    "load, the mean is the load."
)


def contact_figures(runs: Runs) -> list[Figure]:
    """Impulses of every run, modes and gaps; nothing for a machine without contact points.

    Contacts of feet are left out, which have figures of their own; then gaps are, too.
    """
    gaps = [] if any(run.has_feet for run in runs.runs) else _gaps(runs)
    touched = touched_contacts(runs.runs)
    if not touched:
        return gaps
    shown = _most_loaded(runs.runs, touched)
    some = some_of(len(shown), len(touched), "contacts that carry most")
    return [*(_impulses(runs, run, shown, some) for run in runs.runs), _modes(runs, shown), *gaps]


def surfaces(run: RunView) -> npt.NDArray[np.bool_]:
    """Contacts of surfaces, (n,): neither joint limits, nor joint friction, nor those of feet."""
    chosen: npt.NDArray[np.bool_] = run.data["contact_units"].to_numpy() == "m"
    return chosen & (run.data["foot_of_contact"].to_numpy() == "") if run.has_feet else chosen


def touched_contacts(runs: Sequence[RunView]) -> list[str]:
    """Contacts of surfaces that are closed at some time in some run."""
    names: dict[str, None] = {}
    for run in runs:
        table = contact_table(run.data)
        closed = np.zeros(run.data.sizes["contact"], dtype=np.bool_)
        closed[table.contact[table.columns["mode"] > Mode.OPEN]] = True
        names |= dict.fromkeys(run.data["contact"].values[closed & surfaces(run)].tolist())
    return list(names)


def _most_loaded(runs: Sequence[RunView], touched: list[str]) -> list[str]:
    """Those of the touched contacts that carry most, in their own order."""
    load = np.zeros(len(touched))
    for run in runs:
        normal = run.data["impulse"].sel(contact=touched, axis="n").to_numpy()
        load += np.nan_to_num(normal).sum(axis=0)
    most = np.sort(np.argsort(-load, kind="stable")[:_MOST_CONTACTS])
    return [touched[index] for index in most]


def short(contact: str) -> str:
    """A contact's name without the names of models."""
    return "|".join(side.rpartition("::")[2] for side in contact.split("|"))


def _label(contact: str) -> str:
    """A contact's name for an axis: two lines where one would be longer than the panel."""
    name = short(contact)
    return name if len(name) <= _LONGEST else name.replace("|", "|\n")


def _impulses(runs: Runs, run: RunView, touched: list[str], some: str) -> Figure:
    """Normal and tangential impulse of every step, the tangential one inside its friction band."""
    contacts = runs.section.robot.contacts
    largest = np.zeros(len(contacts.names))  # where the points of a contact differ
    np.maximum.at(largest, contacts.reported_as, contacts.mu)
    friction = dict(zip(contacts.names, largest.tolist(), strict=True))
    one = len({friction[contact] for contact in touched}) == 1
    every = runs.section.scenario.record_every
    time_step = every * runs.section.scenario.time_step
    plots = []
    for contact in touched:
        rows = np.nan_to_num(run.data["impulse"].sel(contact=contact).to_numpy())
        time, impulse = of_steps(run.time, rows, time_step)
        mean, mu = mean_of(time, impulse), friction[contact]
        top = usual_top(impulse[:, 0], mean[:, 0])
        side, edge = top * max(mu, 0.1), mu * mean[:, 0]
        band = f"±µ times normal{f', µ = {mu:g}' if one else ''}"
        normal = [Line(time, impulse[:, 0], "each step", PALE), Line(time, mean[:, 0], "", _MEAN)]
        tangential: list[Part] = [
            Line(time, impulse[:, 1], "each step", PALE),
            Zone(-edge, edge, band, time, _BAND),
            Line(time, mean[:, 1], "mean (tangential: along t)", _MEAN),
        ]
        if impulse[:, 2].any():
            tangential.append(Line(time, mean[:, 2], "mean along s", _OTHER))
        name = _label(contact)
        plots.append(Plot(f"{name}\nnormal [N s]", normal, low=-0.05 * top, high=top))
        plots.append(Plot(f"{name}\ntangential [N s]", tangential, low=-side, high=side))
    of = f"{every} steps" if every > 1 else "a step"
    pale = f"row of {every} steps, {time_step:g} s" if every > 1 else f"step of {time_step:g} s"
    return curves(
        runs,
        f"Contact impulses of {of}: {run.name}",
        plots,
        note=f"{some}Pale: each {pale}. {_IMPULSE_NOTE}",
        alt=f"Normal and tangential impulse of the time steps and their mean at "
        f"{listed(short(c) for c in touched)} in {run.name}; the tangential impulse stays between "
        "plus and minus mu times the normal one.",
        columns=2,
        paired=True,
    )


def of_steps(time: Array, impulse: Array, time_step: float) -> tuple[Array, Array]:
    """Ends (k,) [s] of the steps of a run, and impulses (k, 3) [N s] on a contact in each.

    time (N,), impulse (N, 3): of the rows, of which a run by events has more, in between.
    """
    of_row = np.ceil(np.round(time / time_step, 6)).astype(int)
    step, index = np.unique(of_row, return_inverse=True)
    total = np.zeros((len(step), impulse.shape[1]))
    np.add.at(total, index, impulse)
    return step * time_step, total


def _modes(runs: Runs, touched: list[str]) -> Figure:
    """A bar for every contact and run, coloured by mode."""
    rows = []
    for contact in touched:
        for run in runs.runs:
            mode = run.data["mode"].sel(contact=contact).to_numpy()
            bars = [(intervals(run.time, mode == kind), colour) for kind, colour in _MODES.items()]
            rows.append((runs.called(short(contact), run), bars))
    diagram = Bars(rows, {colour: kind.name.lower() for kind, colour in _MODES.items()})
    return curves(
        runs,
        "Contact modes",
        [Plot("", [diagram])],
        note="Blank: open. Stripes are single steps in which a resting point is open.",
        alt=f"Bars over time that tell when {listed(short(c) for c in touched)} stick, slip or are "
        f"open, in {runs.listed}.",
        row_height=diagram.height,
    )


def _gaps(runs: Runs) -> list[Figure]:
    """Height of the contact points that come nearest to what they could touch."""
    names: list[str] = runs.first.data["contact"].values[surfaces(runs.first)].tolist()
    least = _least_gaps(runs.runs, names)
    near = np.argsort(least, kind="stable")[: min(_MOST_CONTACTS, int(np.isfinite(least).sum()))]
    plots = [
        Plot(f"{short(names[k])} [m]", [Curve(partial(_gap, names[k])), Level(0.0, look=AXIS)])
        for k in np.sort(near).tolist()
    ]
    far = int((~np.isfinite(least)).sum())
    note = some_of(len(plots), len(names), "contacts that come nearest to what they could touch")
    note += f"Far apart all the time, and without a number: {far}." if far else ""
    return [curves(runs, "Gaps", plots, note=note.strip(), columns=2)] if plots else []


def _least_gaps(runs: Sequence[RunView], names: list[str]) -> Array:
    """The least gap of contacts in any run, (n,) [m]; infinite where none is known."""
    least = np.full(len(names), np.inf)
    for run in runs:
        table, near = contact_table(run.data), np.full(run.data.sizes["contact"], np.inf)
        gap = table.columns["gap"]
        known = np.isfinite(gap) & (table.row > 0)
        np.minimum.at(near, table.contact[known], gap[known])
        least = np.minimum(least, near[run.data.get_index("contact").get_indexer(names)])
    return least


def _gap(contact: str, run: RunView) -> Array:
    """Gap of a contact; the first row comes before any step and has none."""
    gap: Array = run.data["gap"].sel(contact=contact).to_numpy().copy()
    gap[:1] = np.nan
    return gap
