"""Uneven grounds: a height map from a picture or an array, rough ground out of a seed, stairs.

Frame T: the terrain's, which the slope inclines; heights are along its normal.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import io
import math
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

import numpy as np

from footfall.arrays import Array
from footfall.checked import between, checked, finite, metadata, not_negative, one_of, positive
from footfall.errors import ScenarioError, reason_of, refusing
from footfall.files import read_data_file
from footfall.plants.terrain import MOST_PIECES, Ground, Surface, box_surface, grid_surface

_PICTURES = (".png",)
_MOST_POINTS = 1_000_000  # of a picture: a map bears far fewer
ENDINGS = (*_PICTURES, ".npy", ".csv")
_LENGTH = "give a number of metres above 0"
_SIZE = metadata(
    lambda size: len(size) == 2 and all(0.0 < side < math.inf for side in size),
    "give two lengths in metres above 0",
)
_KINDS = ("boxes", "steps", "waves")
_CHORDS = 12  # of a wave of the shortest length
_LENGTHS = (0.7, 1.0, 1.6)  # of the three waves, over the cell
_STREAM = 0x67726E64  # of a seed's random numbers: those of the ground
_MOST_CELLS = 10_000  # of a map: to look for flat rectangles takes longer than to simulate


def read_heights(file: str) -> Array:
    """Return the numbers of a picture or of an array, (rows, columns).

    A picture has 0 for black, 1 for white, and the mean of its colours for anything else.
    """
    read = read_data_file(file, "terrain.file", ENDINGS)
    suffix, stream = read.path.suffix.lower(), io.BytesIO(read.content)
    kind = {".png": "no PNG picture", ".npy": "no array of numbers"}

    def explained(error: BaseException) -> str:
        reason = kind.get(suffix, reason_of(error))
        return f"terrain.file '{file}' cannot be read: {reason}."

    with refusing(ScenarioError, explained):
        if suffix in _PICTURES:
            from matplotlib.image import imread

            _require_small(read.content, file)
            picture = np.asarray(imread(stream, format="png"), dtype=np.float64)
            values = picture[..., :3].mean(axis=2) if picture.ndim == 3 else picture
        elif suffix == ".npy":
            values = np.load(stream, allow_pickle=False)
        else:
            values = np.loadtxt(stream, delimiter=",", ndmin=2)
    return table_of_numbers(values, f"terrain.file '{file}'")


def _require_small(picture: bytes, file: str) -> None:
    """Raise ScenarioError for a picture of more points than a map may have, by its header alone."""
    width, height = struct.unpack(">2I", picture[16:24])
    if width * height > _MOST_POINTS:
        raise ScenarioError(
            f"terrain.file '{file}' has {width} x {height} points, more than {_MOST_POINTS}: make "
            "the picture smaller."
        )


def table_of_numbers(values: object, what: str) -> Array:
    """Return a table (rows, columns) of finite numbers; raises ScenarioError for anything else."""
    try:
        table = np.asarray(values, dtype=np.float64)
    except (ValueError, TypeError) as error:
        raise ScenarioError(f"{what}: give rows of numbers, all of one length.") from error
    if table.ndim != 2 or min(table.shape) < 2:
        shape = " x ".join(str(count) for count in table.shape) or "one number"
        raise ScenarioError(f"{what} is {shape}: give two rows and two columns at least.")
    if not np.isfinite(table).all():
        raise ScenarioError(f"{what} has heights that are NaN or without end: give numbers.")
    return table


@dataclass
class HeightMap(Ground):
    """Ground through heights on a grid; its lowest points lie in the plane, which goes on around.

    Raises ScenarioError for a file that cannot be read and a map of too many pieces.
    """

    # A grey picture (.png: black is 0, white 1) or an array (.npy, or .csv with a row a line).
    file: str = ""
    # Or the heights themselves, a list of rows. The first row is that of the largest y, as in a
    # picture; the first column that of the least x.
    heights: list[list[float]] = field(default_factory=list)
    # Metres that one unit of the heights stands for: of a picture, from black to white.
    height: float = positive(1.0, _LENGTH)
    # Length along x and width along y [m].
    size: list[float] = checked([4.0, 4.0], _SIZE)
    # Its middle, x and y [m].
    centre: list[float] = finite([0.0, 0.0], "give x and y in metres", size=2)

    def __post_init__(self) -> None:
        """Refuse sizes that are none; the file is read where the ground is made."""
        super().__post_init__()
        if bool(self.file) and bool(self.heights):
            raise ScenarioError("terrain has a file and heights: give one of them.")

    @property
    def title(self) -> str:
        """The file of the map, if it has one."""
        return f"height map {Path(self.file).name}".rstrip()

    def surface(self) -> Surface:
        """Pieces of the map: flat rectangles, and triangles where it is not flat."""
        if not self.file and not self.heights:
            raise ScenarioError("terrain: a !HeightMap needs a file or heights: give one of them.")
        rows = (
            read_heights(self.file)
            if self.file
            else table_of_numbers(self.heights, "terrain.heights")
        )
        cells = (rows.shape[0] - 1) * (rows.shape[1] - 1)
        if cells > _MOST_CELLS:
            raise ScenarioError(
                f"terrain: the map has {cells} cells, more than {_MOST_CELLS}: give a coarser one."
            )
        heights = self.height * (rows[::-1] - rows.min())
        x, y = (
            middle + np.linspace(-0.5 * side, 0.5 * side, count)
            for middle, side, count in zip(self.centre, self.size, heights.shape[::-1], strict=True)
        )
        return grid_surface(x, y, heights)


@dataclass
class RoughGround(Ground):
    """Ground that is rough by chance, on a plane that goes on around it.

    Raises ScenarioError for a kind that there is not and for sizes that are none.
    """

    # boxes: each of a height of its own; steps: the same across the whole width; waves: three sines
    # along x of different lengths and phases, in chords.
    kind: str = one_of("boxes", _KINDS)
    # Seed of its chance; absent: that of the scenario.
    seed: int | None = None
    # Largest height over the plane [m].
    height: float = positive(0.05, _LENGTH)
    # Edge of a box, length of a step or of the middle one of the waves [m].
    cell: float = positive(0.3, _LENGTH)
    # Length along x and width along y [m].
    size: list[float] = checked([4.0, 4.0], _SIZE)
    # Its middle, x and y [m].
    centre: list[float] = finite([0.0, 0.0], "give x and y in metres", size=2)
    # Radius [m] about the origin in which the ground is flat, for a robot to stand on; steps and
    # waves leave a strip of it flat. 0: none.
    flat_radius: float = not_negative(0.0, "give a number of metres from 0")

    def __post_init__(self) -> None:
        """Refuse what is no size."""
        super().__post_init__()
        pieces = math.prod(self._counts())
        if pieces > MOST_PIECES:
            raise ScenarioError(
                f"terrain: {pieces} pieces are more than {MOST_PIECES}: give a larger cell or a "
                "smaller size."
            )

    @property
    def title(self) -> str:
        """Kind and height."""
        return f"{self.kind} up to {self.height:g} m"

    def seeded(self, seed: int) -> Self:
        """Return the ground with the seed of a scenario, unless it has one of its own."""
        return self if self.seed is not None else replace(self, seed=seed)

    def surface(self) -> Surface:
        """Pieces of the ground, the same for the same seed."""
        generator = np.random.default_rng([(self.seed or 0) % 2**64, _STREAM])
        along, across = self._counts()
        x, y = (
            middle + np.linspace(-0.5 * side, 0.5 * side, count + 1)
            for middle, side, count in zip(self.centre, self.size, (along, across), strict=True)
        )
        if self.kind == "waves":
            return self._waves(x, y, generator)
        heights = self.height * generator.random((across, along))
        spots = ((x[j : j + 2], y[i : i + 2], h) for (i, j), h in np.ndenumerate(heights))
        return box_surface(spot for spot in spots if not self._is_flat(spot[0], spot[1]))

    def _counts(self) -> tuple[int, int]:
        """Pieces along x and along y."""
        length, width = self.size
        if self.kind == "waves":
            return math.ceil(_CHORDS * length / (_LENGTHS[0] * self.cell)), 1
        along, across = (max(1, round(side / self.cell)) for side in (length, width))
        return along, across if self.kind == "boxes" else 1

    def _is_flat(self, x: Array, y: Array) -> bool:
        """Return whether a box between two x and two y reaches into what is to be flat."""
        nearest = [max(0.0, ends[0], -ends[1]) for ends in (x, y)]
        away = nearest[0] if self.kind == "steps" else math.hypot(*nearest)
        return away < self.flat_radius

    def _waves(self, x: Array, y: Array, generator: np.random.Generator) -> Surface:
        """Sines of lengths about the cell, brought between 0 and the height."""
        lengths = self.cell * np.array(_LENGTHS)
        phases = generator.uniform(0.0, 2.0 * np.pi, len(lengths))
        waves = np.sin(2.0 * np.pi * x[:, None] / lengths + phases) @ lengths
        waves = self.height * (waves - waves.min()) / np.ptp(waves)
        # ramps of half a cell, so that nothing stumbles over the first wave
        ends = np.minimum(x - x[0], x[-1] - x)
        ramp = np.clip(ends / (0.5 * self.cell), 0.0, 1.0)
        if self.flat_radius > 0.0:
            spot = (np.abs(x) - self.flat_radius) / (0.5 * self.cell)
            ramp = np.minimum(ramp, np.clip(spot, 0.0, 1.0))
        heights = waves * ramp
        return grid_surface(x, y, np.vstack((heights, heights)))


@dataclass
class Stairs(Ground):
    """Stairs up to a landing, along x, and down again on the other side.

    Raises ScenarioError for stairs that are none.
    """

    # Where the first step rises [m].
    begin: float = finite(1.0, "give a place in metres")
    # Height and depth of a step [m].
    rise: float = positive(0.08, _LENGTH)
    depth: float = positive(0.4, _LENGTH)
    # Steps up, the landing among them, and down.
    steps: int = between(3, 1, MOST_PIECES // 2)
    # Length of the landing along x, and width of it all, whose middle is y = 0 [m].
    landing: float = positive(1.0, _LENGTH)
    width: float = positive(2.0, _LENGTH)

    @property
    def title(self) -> str:
        """Count and size of the steps."""
        return f"stairs of {self.steps} steps, {self.rise:g} m high"

    def surface(self) -> Surface:
        """One box a step."""
        up = [*range(1, self.steps), self.steps, *range(self.steps - 1, 0, -1)]
        lengths = [self.landing if k == self.steps else self.depth for k in up]
        ends = self.begin + np.cumsum([0.0, *lengths])
        across = 0.5 * self.width * np.array([-1.0, 1.0])
        return box_surface(
            (ends[k : k + 2], across, self.rise * level) for k, level in enumerate(up)
        )
