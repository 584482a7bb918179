"""Figures, tables and notes on the page of an analysis."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from footfall.report.figure import Figure
from footfall.report.wording import MINUS, NONE

# a number begins like this, or there is none
_NUMBER = re.compile(rf"[-+{MINUS}]?(\d|inf|∞)|{NONE}?$|nan")


@dataclass(frozen=True)
class Table:
    """A table of texts, a row of headings above it, a note below."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    @property
    def aligned(self) -> list[str]:
        """Return the class of each column in the page: "n" for numbers, at the right."""
        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.headings)
        return ["n" if all(map(_NUMBER.match, column)) else "" for column in columns]


@dataclass(frozen=True)
class Contents:
    """Figures, tables, and what a reader should know, a paragraph each."""

    figures: Sequence[Figure] = field(default=())
    tables: Sequence[Table] = field(default=())
    notes: Sequence[str] = field(default=())
