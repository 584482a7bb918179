"""What a report says beyond the common pictures about the machine of a study."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from footfall.report import biped
from footfall.report.picture import Picture
from footfall.report.section import Section


@dataclass(frozen=True)
class Chapter:
    """A machine's own part of a report.

    figures: its pictures, coordinates included. metrics: unit and meaning of its own metrics by name. notes: what a
    reader should know, one paragraph each.
    """

    figures: Callable[[Section], list[Picture]]
    metrics: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    notes: Callable[[Section], list[str]] = field(default=lambda _section: [])


CHAPTERS: dict[str, Chapter] = {
    "biped": Chapter(biped.figures, biped.METRICS, biped.notes),
}
