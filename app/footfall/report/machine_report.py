"""Part of a report that only a registered machine has."""

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name

from footfall.registry.machine import Machine
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.section import Section
from footfall.report.stick_sequence import stick_figures
from footfall.report.tables import Table


def motion_figures(section: Section) -> list[Figure]:
    """The robot as a stick figure, then its coordinates: what any robot has."""
    return [*stick_figures(section), *coordinate_figures(section)]


@dataclass(frozen=True)
class MachineReport:
    """A machine's own part of a report.

    figures: its figures, coordinates included.
    notes: what a reader should know, one paragraph each. tables: shown below the figures. phases:
    of the first run, each with the time from which on it lasts [s]; an animation names them.
    """

    figures: Callable[[Section], list[Figure]] = motion_figures
    notes: Callable[[Section], list[str]] = lambda _section: []
    tables: Callable[[Section], list[Table]] = lambda _section: []
    phases: Callable[[Section], list[tuple[float, str]]] = lambda _section: []


def report_of(machine: Machine | None) -> MachineReport:
    """The part of a report that a machine has of its own, or of any machine where it has none."""
    if machine is None or not machine.report:
        return MachineReport()
    report: MachineReport = resolve_name(machine.report)
    return report
