"""Figures, tables and notes on the page of an analysis."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from footfall.report.figure import Figure


@dataclass(frozen=True)
class Table:
    """A table of texts, a row of headings above it, a note below."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Contents:
    """Figures, tables, and what a reader should know, a paragraph each."""

    figures: Sequence[Figure] = field(default=())
    tables: Sequence[Table] = field(default=())
    notes: Sequence[str] = field(default=())
