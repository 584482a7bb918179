"""Part of a page that only a registered machine has: a list of figures, tables and sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from footfall.registry.machine import Machine
from footfall.report.bands import Phase
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.run_view import RunViews, views_of
from footfall.report.section import Section
from footfall.report.stick_sequence import stick_figures
from footfall.report.tables import Table

Runs = RunViews[Any]


def motion_figures(runs: Runs) -> list[Figure]:
    """The robot as a stick figure, then its coordinates: what any robot has."""
    return [*stick_figures(runs), *coordinate_figures(runs)]


@dataclass(frozen=True)
class MachineReport:
    """A machine's own part of a page.

    read: its view of the runs of a section, which all others get. figures: in the order of the
    page, coordinates included; None is left out. notes: what a reader should know, one paragraph
    each; empty ones are left out. tables: shown below the figures. phases: of the first run, which
    the animation names and the figures over time mark.
    """

    figures: Callable[[Any], Sequence[Figure | None]] = motion_figures
    notes: Callable[[Any], Sequence[str]] = lambda _runs: ()
    tables: Callable[[Any], Sequence[Table | None]] = lambda _runs: ()
    phases: Callable[[Any], Sequence[Phase]] = lambda _runs: ()
    read: Callable[[Section], Runs] = views_of


def report_of(machine: Machine | None) -> MachineReport:
    """The part of a page that a machine has of its own, or of any machine where it has none."""
    if machine is None or not machine.report:
        return MachineReport()
    report: MachineReport = resolve_name(machine.report)
    return report
