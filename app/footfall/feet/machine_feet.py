"""Feet of a machine, read off a run of any engine: landings, support, friction demand, impulses.

For machines that name their feet: one contact each as of points, several as of boxes and wheels, or
none where a constraint holds them. Impulses of a row are those of the step that ends there.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr

from footfall.arrays import Array, Flags, Indices

IMPACT_TIME = 0.02
"""s: a compliant ground takes so long for an impact; by rigid laws it is over in one row."""

_SHORT = 0.1  # of the longest step in time: rows at events, whose impulses are rounding


class SupportChange(NamedTuple):
    """Change of the supporting foot: its row, the foot that stood, the one that stands."""

    row: int
    stood: int
    stands: int


class MachineFeet:
    """Feet of a machine over the N rows of a trajectory.

    time (N,) [s]; impulse (N, feet, 3): of the ground on each foot, the sum over its contacts, in
    [n, t, s] of these [N s]; NaN in a run counts as none.
    """

    def __init__(self, data: xr.Dataset, feet: Iterable[str | Sequence[str]]) -> None:
        """Take a trajectory and the contacts of every foot; those that it has not are left out."""
        known = {name: k for k, name in enumerate(data["contact"].to_numpy().tolist())}
        groups = [[foot] if isinstance(foot, str) else foot for foot in feet]
        columns = [[known[name] for name in group if name in known] for group in groups]
        every = np.nan_to_num(data["impulse"].to_numpy())
        self.time: Array = data["time"].to_numpy()
        self.impulse: Array = np.zeros((len(self.time), len(groups), 3))
        for foot, own in enumerate(columns):
            self.impulse[:, foot] = every[:, own].sum(axis=1)
        self._compliant = str(data.attrs.get("engine", "")).startswith("drake")

    @property
    def loaded(self) -> Flags:
        """Return True where a foot was pressed, (N, feet)."""
        loaded: Flags = self.impulse[:, :, 0] > 0.0
        return loaded

    @property
    def force(self) -> Array:
        """Mean forces over the steps (N, feet, 3) [N]; NaN where hardly any time has passed."""
        span = np.diff(self.time, prepend=np.nan)
        span[span < _SHORT * np.nanmax(span, initial=0.0)] = np.nan
        return self.impulse / span[:, None, None]

    @property
    def supporting(self) -> Indices:
        """The most loaded foot, (N,); -1 where none is loaded."""
        normal = self.impulse[:, :, 0]
        foot: Indices = normal.argmax(axis=1)
        foot[~(normal.max(axis=1) > 0.0)] = -1
        return foot

    @property
    def standing(self) -> Indices:
        """The foot that carries or that did last, (N,); before any does, the first; -1 for none."""
        foot = self.supporting
        loaded = np.flatnonzero(foot >= 0)
        if len(loaded) == 0:
            return foot
        last = np.searchsorted(loaded, np.arange(len(foot)), side="right") - 1
        standing: Indices = foot[loaded[np.maximum(last, 0)]]
        return standing

    def support_changes(self) -> list[SupportChange]:
        """Rows in which the load goes from one foot to another, as at a heel strike."""
        foot = self.supporting
        rows = np.flatnonzero(foot >= 0)
        places = np.flatnonzero(np.diff(foot[rows]) != 0)
        pairs = zip(rows[places].tolist(), rows[places + 1].tolist(), strict=True)
        return [SupportChange(row, int(foot[last]), int(foot[row])) for last, row in pairs]

    def landings(self) -> list[tuple[int, int]]:
        """Rows and feet of all touch-downs, in the order of time; none before the first step."""
        loaded = self.loaded
        rows, feet = np.nonzero(loaded[1:] & ~loaded[:-1])
        return list(zip((rows + 1).tolist(), feet.tolist(), strict=True))

    def end_of_impact(self, row: int) -> int:
        """Return the row behind the last one of an impact that begins in a row."""
        if not self._compliant:
            return row + 1
        return int(np.searchsorted(self.time, self.time[row] + IMPACT_TIME))

    def impact(self, row: int, foot: int) -> Array:
        """Impulse (3,) [N s] of an impact that begins in a row, on its foot.

        A compliant ground carries the machine meanwhile: what it carries in as many rows afterwards
        is taken off.
        """
        end, own = self.end_of_impact(row), self.impulse[:, foot]
        total, after = own[row:end].sum(axis=0), own[end : 2 * end - row]
        if end > row + 1 and len(after) > 0:
            total -= (end - row) * after.mean(axis=0)
        return np.asarray(total)

    def stance_friction(self, impacts: Iterable[int]) -> Array:
        """Friction demand of the supporting foot, (N,); NaN in flight and in impacts.

        impacts: the rows in which they begin.
        """
        foot = self.supporting
        one = self.impulse[np.arange(len(foot)), np.maximum(foot, 0)]
        demand = friction_demand(one)
        for row in impacts:
            demand[row : self.end_of_impact(row)] = np.nan
        return demand


def friction_demand(load: Array) -> Array:
    """Tangential over normal part of forces or impulses (..., 3) in [n, t, s]: what mu must be.

    NaN where nothing presses.
    """
    normal = load[..., 0]
    pressed: Flags = normal > 0.0
    demand = np.full(normal.shape, np.nan)
    demand[pressed] = np.hypot(load[..., 1], load[..., 2])[pressed] / normal[pressed]
    return demand
