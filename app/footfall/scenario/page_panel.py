"""Panels that a scenario wants on its page."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Sequence
from dataclasses import dataclass, field

from footfall.checked import Checked, finite
from footfall.errors import ScenarioError


@dataclass
class PagePanel(Checked, at="panels: the panel '{self.title}': "):
    """A figure of the page that shows series of all runs, those of one unit in one panel."""

    # What stands above it; empty: its series.
    title: str = ""
    # Series by name, as plot takes them: knee, q.knee, foot_force.left.z, an observable. Angles are
    # shown in degrees.
    series: list[str] = field(default_factory=list)
    # Series that it is over; empty: time.
    over: str = ""
    # Lines across by the name that the legend gives them, at values in the unit of the panel.
    levels: dict[str, float] = finite({})
    # Kinds of events of the first run that upright lines mark, as touch-down.
    events: list[str] = field(default_factory=list)
    # Logarithmic upright axis.
    log: bool = False
    # A sentence below it.
    note: str = ""


def check_panels(panels: Sequence[PagePanel]) -> None:
    """Raise ScenarioError for a panel of nothing."""
    for k, panel in enumerate(panels):
        if not panel.series:
            raise ScenarioError(f"panels.{k} has no series: name at least one, as q.knee.")
