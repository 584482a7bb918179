"""Heights of a ground from a user's file: a grey picture or an array of numbers."""

import hashlib
import io
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError, reason_of, refusing

_PICTURES = (".png",)
_MOST_POINTS = 1_000_000  # of a picture: a map bears far fewer
_ENDINGS = (*_PICTURES, ".npy", ".csv")


@dataclass(frozen=True)
class HeightFile:
    """A file of heights as it was read: where it is, and what was in it."""

    path: Path
    content: bytes

    @property
    def sha256(self) -> str:
        """Hash of the content, in hexadecimal digits."""
        return hashlib.sha256(self.content).hexdigest()


_READ: dict[Path, HeightFile] = {}


def height_file(file: str) -> HeightFile:
    """Read a file of heights; raises ScenarioError, one line, where that cannot be done."""
    path = Path(file).resolve()
    if path.suffix.lower() not in _ENDINGS:
        raise ScenarioError(f"terrain.file is '{file}': give a .png, .npy or .csv file.")
    try:
        _READ[path] = HeightFile(path, path.read_bytes())
    except OSError as error:
        raise ScenarioError(
            f"terrain.file '{file}' cannot be read: {error.strerror or error}."
        ) from error
    return _READ[path]


def used_height_file(file: str) -> HeightFile:
    """Return a file of heights as it was read last, whatever has become of it since."""
    return _READ.get(Path(file).resolve()) or height_file(file)


def read_heights(file: str) -> Array:
    """Return the numbers of a picture or of an array, (rows, columns).

    A picture has 0 for black, 1 for white, and the mean of its colours for anything else.
    """
    read = height_file(file)
    suffix, stream = read.path.suffix.lower(), io.BytesIO(read.content)
    kind = {".png": "no PNG picture", ".npy": "no array of numbers"}

    def explained(error: BaseException) -> str:
        said = kind.get(suffix, reason_of(error))
        return f"terrain.file '{file}' cannot be read: {said}."

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
