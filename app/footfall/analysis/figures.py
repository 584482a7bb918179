"""Figures that a sweep may ask for on its page."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from footfall.analysis.axes import Value
from footfall.checked import Checked, between, one_of

_MOST_FIELDS = 20


@dataclass(kw_only=True)
class _Drawn(Checked):
    # Its name in a document, such as Figure 11, which the title begins with.
    figure: str = ""


@dataclass
class Lines(_Drawn, at="!Lines: "):
    """A measure over an axis, a line for each place on the others."""

    measure: str = ""
    # The axis, or what a curve is over; empty: the first axis.
    over: str = ""
    # Places on other axes, the nearest; on those that are not named, all.
    at: dict[str, Value] = field(default_factory=dict)
    # Engine that the others are held against: a line without dots, in grey. Empty: none.
    reference: str = ""
    # linear, or log for logarithms on both axes.
    scale: str = one_of("linear", ("linear", "log"))


@dataclass
class Map(_Drawn):
    """A measure over two axes, in colours; in words where its meaning lists its values.

    As one does that means "0: goal, 1: saved".
    """

    measure: str = ""
    # The axes, or what a curve is over; empty: the first two axes of numbers.
    x: str = ""
    y: str = ""
    # Places on other axes, the nearest; on those that are not named, all.
    at: dict[str, Value] = field(default_factory=dict)


@dataclass
class SuccessRate(_Drawn):
    """Share of runs that succeed over an axis, with its 95 % interval (Wilson's)."""

    # The axis; empty: the first one.
    over: str = ""


@dataclass
class Spread(_Drawn):
    """A measure of every run as a dot over an axis, with their medians."""

    measure: str = ""
    # The axis, or a value that was drawn; empty: the first one.
    over: str = ""


@dataclass
class Overlay(_Drawn):
    """A time series of all runs, over each other."""

    series: str = ""
    # The axis that colours the lines; empty: the first one.
    over: str = ""


@dataclass
class SuccessMap(_Drawn, at="!SuccessMap: "):
    """Runs over two values that samples drew, with counts of those that succeed in fields."""

    # The values that were drawn; empty: the first two.
    x: str = ""
    y: str = ""
    # Labels of the axes, in place of the paths.
    x_label: str = ""
    y_label: str = ""
    # Fields along each.
    fields: int = between(4, 1, _MOST_FIELDS)


FigureOption: TypeAlias = Lines | Map | SuccessRate | Spread | Overlay | SuccessMap
KINDS: dict[str, type[Any]] = {
    kind.__name__: kind for kind in (Lines, Map, SuccessRate, Spread, Overlay, SuccessMap)
}


def dumped(figures: Sequence[FigureOption]) -> str:
    """Return figures as text, for the attributes of a dataset."""
    return json.dumps([{"kind": type(one).__name__, **asdict(one)} for one in figures])


def read(text: str) -> list[FigureOption]:
    """Return the figures of a text that `dumped` has made."""
    return [KINDS[entry.pop("kind")](**entry) for entry in json.loads(text)]
