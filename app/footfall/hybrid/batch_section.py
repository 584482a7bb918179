"""Return maps by steps of one size, with all points of an orbit and derivatives in one batch."""

from collections.abc import Callable
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.hybrid.batch import IMAGINARY, BatchPassage, Mask, batch_map, batch_step
from footfall.hybrid.batch_simulation import BatchEnding
from footfall.hybrid.model import HybridSystem, State
from footfall.hybrid.return_map import Linearised, NoReturn
from footfall.hybrid.shooting import LinearisedMany


class BatchSectionMap:
    """The map of SectionMap, as exact as its step [s]: for long orbits, basins and diagrams.

    family(p): the system, of real and complex p. embed(y, p): states (n, k) of points (m, k) just
    after the guard, project(x, p): back; both analytic. most_time [s]: a motion that has not come
    back by then does not return. See batch_step for what a step may miss.
    """

    def __init__(
        self,
        family: Callable[[Any], HybridSystem],
        mode: str,
        guard: str,
        embed: Callable[[State, Any], State],
        project: Callable[[State, Any], State],
        most_time: float,
        step: float,
    ) -> None:
        self._family, self._mode, self._guard = family, mode, guard
        self._embed, self._project = embed, project
        self._most_time, self._step = most_time, step

    def many(self, y: Array, p: float) -> tuple[Array, Mask]:
        """Images of points (m, k) and which came back (k,); the others are NaN."""
        return batch_map(
            self._family(p),
            self._mode,
            self._guard,
            lambda points: self._embed(points, p),
            lambda states: self._project(states, p),
            self._most_time,
            self._step,
        )(y)

    def value(self, y: Array, p: float) -> Array:
        """Image of y, (m,); raises NoReturn."""
        passage = self._passage(np.asarray(y)[:, None], p)
        self._check(passage)
        return np.asarray(self._project(passage.x, p)[:, 0])

    def linearised(self, y: Array, p: float) -> Linearised:
        """Image of y and its derivatives; raises NoReturn."""
        many = self.linearised_many(np.asarray(y)[:, None], p)
        return Linearised(many.value[:, 0], many.D[:, :, 0], many.D_p[:, 0])

    def linearised_many(self, y: Array, p: float) -> LinearisedMany:
        """Images of points (m, k) and their derivatives; raises NoReturn if one does not return."""
        m, k = y.shape
        members = y[:, None, :] + 1j * IMAGINARY * np.eye(m)[:, :, None]
        passage = self._passage(members.reshape(m, m * k), p)
        self._check(passage)
        image = self._project(passage.x, p).reshape(m, m, k)
        q = p + 1j * IMAGINARY
        beside = self._passage(y + 0j, q)
        self._check(beside)
        by_p = np.imag(self._project(beside.x, q)) / IMAGINARY
        return LinearisedMany(image[:, 0].real, image.imag / IMAGINARY, by_p)

    def _passage(self, y: State, p: Any) -> BatchPassage:  # noqa: ANN401 (real or complex)
        return batch_step(
            self._family(p),
            self._mode,
            self._embed(y, p),
            self._guard,
            self._most_time,
            self._step,
        )

    def _check(self, passage: BatchPassage) -> None:
        """Refuse members that did not arrive where they began."""
        if not passage.arrived.all():
            member = int(np.argmin(passage.arrived))
            why = BatchEnding(int(passage.ended[member])).name.lower().replace("_", " ")
            raise NoReturn(
                f"no '{self._guard}' after {passage.time[member].real:.6g} s: {why}, "
                f"last guard '{passage.guard[member]}'"
            )
        if (passage.mode != self._mode).any():
            raise NoReturn(f"'{self._guard}' leads to another mode than '{self._mode}'")
