"""What a report says about the machine of a study, beyond what it says about every machine."""

from collections.abc import Callable
from dataclasses import dataclass

from footfall.report import biped, compass, goalkeeper, hopper, motor, pasibot, passive, ugv
from footfall.report.biped_motors import motor_tables
from footfall.report.findings_contents import Table
from footfall.report.picture import Picture
from footfall.report.section import Section


def _no_notes(_section: Section) -> list[str]:
    return []


def _no_tables(_section: Section) -> list[Table]:
    return []


@dataclass(frozen=True)
class Chapter:
    """A machine's own part of a report.

    figures: its pictures, coordinates included.
    notes: what a reader should know, one paragraph each. tables: shown below the pictures.
    """

    figures: Callable[[Section], list[Picture]]
    notes: Callable[[Section], list[str]] = _no_notes
    tables: Callable[[Section], list[Table]] = _no_tables


CHAPTERS: dict[str, Chapter] = {
    "biped": Chapter(biped.figures, biped.notes, motor_tables),
    "compass": Chapter(compass.figures, compass.notes),
    "hopper": Chapter(hopper.figures, hopper.notes, hopper.tables),
    "rimless_wheel": Chapter(passive.wheel_figures, passive.wheel_notes),
    "simplest_walker": Chapter(passive.simplest_figures, passive.simplest_notes),
    "motor": Chapter(motor.figures, motor.notes, motor.tables),
    "goalkeeper": Chapter(goalkeeper.figures, goalkeeper.notes, goalkeeper.tables),
    "pasibot": Chapter(pasibot.figures, pasibot.notes, pasibot.tables),
    "ugv": Chapter(ugv.figures, ugv.notes, ugv.tables),
}
"""By the name of the study."""
