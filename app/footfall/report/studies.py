"""What a report says about the machine of a study, beyond what it says about every machine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from footfall.report import biped
from footfall.report.picture import Picture
from footfall.report.section import Section


def _no_notes(_section: Section) -> list[str]:
    return []


@dataclass(frozen=True)
class Chapter:
    """A machine's own part of a report.

    figures: its pictures, coordinates included. metrics: unit and meaning of its own metrics, by
    name. notes: what a reader should know, one paragraph each.
    """

    figures: Callable[[Section], list[Picture]]
    metrics: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    notes: Callable[[Section], list[str]] = _no_notes


CHAPTERS: dict[str, Chapter] = {
    "biped": Chapter(biped.figures, biped.METRICS, biped.notes),
}
"""By the name of the study."""
