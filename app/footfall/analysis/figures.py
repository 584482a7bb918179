"""Figures that a sweep may ask for on its page."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias


@dataclass
class Lines:
    """A measure over an axis, a line for each place on the others."""

    measure: str = ""
    # The axis; empty: the first one.
    over: str = ""
    # Engine that the others are held against: a line without dots, in grey. Empty: none.
    reference: str = ""


@dataclass
class Map:
    """A measure over two axes, in colours."""

    measure: str = ""
    # The axes; empty: the first two of numbers.
    x: str = ""
    y: str = ""


@dataclass
class SuccessRate:
    """Share of runs that succeed over an axis, with its 95 % interval (Wilson's)."""

    # The axis; empty: the first one.
    over: str = ""


@dataclass
class Spread:
    """A measure of every run as a dot over an axis, with their medians."""

    measure: str = ""
    # The axis, or a value that was drawn; empty: the first one.
    over: str = ""


@dataclass
class Overlay:
    """A time series of all runs, over each other."""

    series: str = ""
    # The axis that colours the lines; empty: the first one.
    over: str = ""


FigureOption: TypeAlias = Lines | Map | SuccessRate | Spread | Overlay
KINDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Lines, Map, SuccessRate, Spread, Overlay)
}


def dumped(figures: Sequence[FigureOption]) -> str:
    """Return figures as text, for the attributes of a dataset."""
    return json.dumps([{"kind": type(one).__name__, **asdict(one)} for one in figures])


def read(text: str) -> list[FigureOption]:
    """Return the figures of a text that `dumped` has made."""
    return [KINDS[entry.pop("kind")](**entry) for entry in json.loads(text)]
