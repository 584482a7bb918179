"""From which starts the compass finds its gait: basins by cell mapping, with and without its hip.

A start is a state y = (q1, q1', q2') just after a heel strike. Cell mapping (C. S. Hsu:
Cell-to-Cell Mapping, Springer 1987) sends every cell of a box to the one that its centre walks to,
and reads basins off that finite map; the picture is a slice through the gait, each point of it
walked until it is near the gait or does not come back. The walker fails where it falls, where the
ground would have to pull, and where the foot behind does not leave the ground, as it would after a
strike of one foot.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analytic.compass import Compass, CompassParameters
from footfall.errors import ScenarioError
from footfall.hybrid import SINK, Grid, batch_map, settle, unravel
from footfall.metrics import Metric
from footfall.studies.analysis import Desk, Findings
from footfall.studies.compass.cycle import Cycle, find_cycle
from footfall.studies.compass.machine import parameters_of
from footfall.studies.compass.walker import (
    BEHIND,
    STRIKE,
    after_strike,
    ground_force,
    old_foot_leaves,
    walking_system,
)
from footfall.studies.passive.rows import require_plastic
from footfall.studies.study import Setting
from footfall_controllers.energy_shaping import EnergyShapingParameters

Array = npt.NDArray[np.float64]

_STEP = 0.02  # s: with Dormand and Prince's method of order 8, an error of 1e-13 a step
_MOST_TIME = 3.0  # s for a step
_PIECE = 20_000  # starts that are walked between two looks at Ctrl-C
_SECTION = ["q1", "dq1", "dq2"]
_FAR = 1e3  # rad, rad/s: no walker is there


@dataclass
class Basin:
    """Basin of attraction of the compass' gait, for several gains of its hip (0: passive)."""

    # Gains of the energy shaping at the hip [s], one after another; 0 is the passive walker.
    gains: list[float] = field(default_factory=lambda: [0.0, 0.2])
    # Bound of its torque [N m], approached smoothly; absent: none.
    most_torque: float | None = None
    # Box of starts: lower and upper corner in q1 [rad], q1' and q2' [rad/s].
    lower: list[float] = field(default_factory=lambda: [0.10, -2.2, -2.0])
    upper: list[float] = field(default_factory=lambda: [0.45, -0.4, 4.0])
    # Cells along each of these.
    cells: list[int] = field(default_factory=lambda: [28, 48, 60])
    # Points along q1' and q2' of the slice through the gait.
    points: list[int] = field(default_factory=lambda: [161, 161])
    # Steps after which a start that neither fell nor came near the gait is left undecided.
    most_steps: int = 100
    # Near: distance from the gait in every component [rad, rad/s].
    near: float = 0.02

    def __post_init__(self) -> None:
        """Refuse boxes without cells."""
        sizes = (len(self.lower), len(self.upper), len(self.cells))
        ordered = all(-_FAR < a < b < _FAR for a, b in zip(self.lower, self.upper, strict=False))
        if sizes != (3, 3, 3) or not ordered or min(self.cells) < 1:
            message = (
                f"analysis: the box {self.lower} to {self.upper} in {self.cells} cells holds "
                f"nothing: give three numbers each, below {_FAR:g}, the lower ones smaller, and "
                "cells."
            )
            raise ScenarioError(message)
        if len(self.points) != 2 or min(self.points) < 2 or self.most_steps < 1:
            message = (
                f"analysis: points are {self.points}, most_steps {self.most_steps}: give two "
                "counts above 1, and at least one step."
            )
            raise ScenarioError(message)
        if not self.gains or not 0.0 < self.near < math.inf:
            message = (
                f"analysis: gains are {self.gains}, near is {self.near}: give at least one gain, "
                "and a positive distance."
            )
            raise ScenarioError(message)
        for gain in self.gains:
            self._law(0.0, gain)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "gains": ("s", "gains of the hip's energy shaping, 0 the passive walker"),
            "basin_shares": ("1", "share of the box' cells that lead to the gait, by gain"),
            "slice_shares": ("1", "share of the slice from which the gait is reached, by gain"),
            "undecided_shares": ("1", "share of the slice that is undecided, by gain"),
            "widening": ("1", "largest share of the slice over that of the first gain"),
            "median_steps": ("1", "median steps to the gait in the slice, by gain"),
        }

    def run(self, setting: Setting, desk: Desk) -> Findings:
        """Basins for all gains; raises RunError for a walker without a gait.

        Raises ScenarioError for a box that the gait is not in, and feet that rebound.
        """
        require_plastic(setting, "hybrid")
        parameters = parameters_of(setting.model, setting.contacts)
        gait = find_cycle(parameters)
        self._require_inside(gait)
        labels, steps, groups, shares = [], [], [], []
        for number, gain in enumerate(self.gains):
            law = self._law(gait.energy, gain)
            walk = _Walk(parameters, law, desk, f"gain {gain:g} s", number, len(self.gains))
            group, share = self._cells(walk, gait)
            label, taken = self._slice(walk, gait)
            groups.append(group)
            shares.append(share)
            labels.append(label)
            steps.append(taken)
        data = self._dataset(gait, np.array(labels), np.array(steps), np.array(groups))
        return Findings(data, _metrics(self.gains, shares, data))

    def _law(self, energy: float, gain: float) -> EnergyShapingParameters | None:
        """The hip's law, None for a passive one; raises ScenarioError for numbers of no law."""
        try:
            law = EnergyShapingParameters(energy, gain, self.most_torque)
        except ValueError as error:
            raise ScenarioError(f"analysis: {error}.") from error
        return law if gain > 0.0 else None

    def _require_inside(self, gait: Cycle) -> None:
        """Raise ScenarioError where no cell of the box holds the gait."""
        y = gait.fixed_point.orbit[0]
        grid = self._grid()
        if grid.cell(y[:, None])[0] == grid.size:
            message = (
                f"analysis: the gait, {np.round(y, 3).tolist()}, is not in the box {self.lower} to "
                f"{self.upper}: make it larger."
            )
            raise ScenarioError(message)

    def _grid(self) -> Grid:
        return Grid(tuple(self.lower), tuple(self.upper), tuple(self.cells))

    def _slice_axes(self) -> tuple[Array, Array]:
        return (
            np.linspace(self.lower[1], self.upper[1], self.points[0]),
            np.linspace(self.lower[2], self.upper[2], self.points[1]),
        )

    def _cells(self, walk: "_Walk", gait: Cycle) -> tuple[Array, float]:
        """Which cells lead to the group nearest to the gait, and their share."""
        grid = self._grid()
        goes = grid.cell(walk.images(grid.centres()))
        found = unravel(goes)
        own = found.group[grid.cell(gait.fixed_point.orbit[0][:, None])[0]]
        leads = (found.group == own) & (own != SINK)
        return leads.reshape(grid.counts), float(leads.mean())

    def _slice(self, walk: "_Walk", gait: Cycle) -> tuple[Array, Array]:
        """Label and steps of every point of the slice."""
        y = gait.fixed_point.orbit[0]
        rates, swings = np.meshgrid(*self._slice_axes(), indexing="ij")
        start = np.array([np.full(rates.size, y[0]), rates.ravel(), swings.ravel()])
        label, taken = walk.settled(start, gait, self.most_steps, self.near)
        return label.reshape(rates.shape), taken.reshape(rates.shape)

    def _dataset(self, gait: Cycle, label: Array, steps: Array, leads: Array) -> xr.Dataset:
        axes = dict(zip(_SECTION, self._grid().axes, strict=True))
        rates, swings = self._slice_axes()
        picture = ("gain", "rate", "swing")
        return xr.Dataset(
            {
                "label": (picture, label, {"units": "1", "long_name": "0 falls, 1 gait, -1 open"}),
                "steps": (picture, steps, {"units": "1", "long_name": "steps until then"}),
                "leads": (
                    ("gain", *_SECTION),
                    leads.astype(np.int8),
                    {"units": "1", "long_name": "cell leads to the gait"},
                ),
                "gait": ("component", gait.fixed_point.orbit[0], {"units": "rad, rad/s"}),
            },
            {
                "gain": ("gain", np.array(self.gains), {"units": "s"}),
                "rate": ("rate", rates, {"units": "rad/s", "long_name": "q1' after heel strike"}),
                "swing": (
                    "swing",
                    swings,
                    {"units": "rad/s", "long_name": "q2' after heel strike"},
                ),
                "component": _SECTION,
                **{name: (name, axis, {"units": "rad, rad/s"}) for name, axis in axes.items()},
            },
        )


def _metrics(gains: list[float], shares: list[float], data: xr.Dataset) -> dict[str, Metric]:
    label, steps = data["label"].to_numpy(), data["steps"].to_numpy()
    walks = (label == 1).mean(axis=(1, 2))
    medians = [
        float(np.median(taken[here == 1])) if (here == 1).any() else float("nan")
        for here, taken in zip(label, steps, strict=True)
    ]
    return {
        "gains": gains,
        "basin_shares": shares,
        "slice_shares": walks.tolist(),
        "undecided_shares": (label == -1).mean(axis=(1, 2)).tolist(),
        "widening": float(walks.max() / walks[0]) if walks[0] > 0.0 else float("nan"),
        "median_steps": medians,
    }


class _Walk:
    """Walks many starts of one walker, in pieces that the ledger keeps."""

    def __init__(
        self,
        parameters: CompassParameters,
        law: EnergyShapingParameters | None,
        desk: Desk,
        name: str,
        place: int,
        of: int,
    ) -> None:
        self._desk, self._name, self._place, self._of = desk, name, place, of
        self._machine, self._law = Compass(parameters), law
        self._returns = batch_map(
            walking_system(self._machine, law),
            BEHIND,
            STRIKE,
            after_strike,
            lambda x: x[[0, 2, 3]],
            _MOST_TIME,
            _STEP,
        )

    def _map(self, y: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """The return map; a start at which no walker stands on one foot does not return."""
        x = after_strike(y)
        stands = (ground_force(self._machine, self._law, x)[1] > 0.0) & old_foot_leaves(x)
        after, arrived = self._returns(y)
        arrived = arrived & stands
        return np.where(arrived, after, np.nan), arrived

    def images(self, y: Array) -> Array:
        """Where starts (3, k) are after one step, (3, k); NaN for those that do not come back."""

        def walked(part: Array) -> list[list[float]]:
            after, arrived = self._map(part)
            found: list[list[float]] = np.where(arrived, after, np.nan).tolist()
            return found

        return np.hstack([np.array(p) for p in self._pieces("cells", y, walked)])

    def settled(self, y: Array, gait: Cycle, most: int, near: float) -> tuple[Array, Array]:
        """Label and steps of starts (3, k)."""
        orbit = gait.fixed_point.orbit

        def walked(part: Array) -> list[list[int]]:
            found = settle(self._map, part, [orbit], most=most, tolerance=near)
            return [found.label.tolist(), found.steps.tolist()]

        label, steps = np.hstack([np.array(p) for p in self._pieces("slice", y, walked)])
        return label, steps

    def _pieces(
        self, what: str, y: Array, walked: Callable[[Array], list[list[Any]]]
    ) -> list[list[list[Any]]]:
        """Results of the starts, piece by piece."""
        cuts = range(0, y.shape[1], _PIECE)
        found = []
        for number, first in enumerate(cuts):
            done = 0.5 * (number / len(cuts) + (what == "slice"))
            self._desk.go_on(f"{self._name}, {what}", (self._place + done) / self._of)
            work = partial(walked, y[:, first : first + _PIECE])
            found.append(self._desk.ledger.result(f"{self._name} {what} {first}", work))
        return found
