"""A figure of where the energy went: what each contact took, run by run."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.report.contact_figures import short
from footfall.report.figure import Figure, draw
from footfall.report.foot_panels import has_feet
from footfall.report.panels import legend_above
from footfall.report.section import RunLike, Section
from footfall.report.wording import listed
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
        legend_above(panel)

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
