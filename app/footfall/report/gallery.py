"""A site of scenarios that opens offline: what each looks like, what it shows, and its claims.

Its loops of runs are animated WebP of few bytes, rendered without a display.
"""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from footfall.files import make_folder, replacing, write_text
from footfall.plants.loading.load import Model
from footfall.registry.claims import Claim
from footfall.report.film import camera_at, frames_of
from footfall.report.rendered import Renderer
from footfall.report.template import render
from footfall.scenario.cameras import Camera
from footfall.show.camera import path_camera
from footfall.trajectory import Trajectory

SIZE = (384, 240)
"""Width and height of a loop [pixels]."""
_RATE = 10.0  # frames a second of a run
_MOST, _FEWEST = 40, 12  # frames
_SHORTEST, _LONGEST = 60, 160  # ms that a frame is shown
_QUALITY = 55  # of 100, of WebP


def loop_of(model: Model, trajectory: Trajectory, camera: Camera | None = None) -> bytes:
    """Return a run as an animated WebP that goes on for ever.

    camera: as of ``write_film``. Raises RunError for a run without a finite row, and where VTK does
    not work.
    """
    span = _span(trajectory)
    frames = int(np.clip(_RATE * span, _FEWEST, _MOST))
    pictures = pictures_of(model, trajectory, frames, SIZE, camera)
    return save_loop(pictures, float(np.clip(1e3 * span / frames, _SHORTEST, _LONGEST)))


def pictures_of(
    model: Model,
    trajectory: Trajectory,
    frames: int,
    size: tuple[int, int],
    camera: Camera | None = None,
) -> list[Image.Image]:
    """Return pictures of a run, evenly over its time; their number, and one of its start.

    size: width and height [pixels]. Camera and errors as of ``loop_of``.
    """
    _, q = frames_of(model, trajectory, frames / _span(trajectory), 1.0)
    seen, shifts = path_camera(model, q[:, None], size[0] / size[1])
    if camera is not None:
        seen, shifts = camera, np.zeros_like(shifts)
    renderer = Renderer(model)
    return [
        Image.fromarray(renderer.picture(row, camera_at(seen, shift), size))
        for row, shift in zip(q, shifts, strict=True)
    ]


def still_of(loop: bytes) -> bytes:
    """Return the picture in the middle of an animated WebP as one that does not move."""
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(loop)) as pictures:
        pictures.seek(getattr(pictures, "n_frames", 1) // 2)
        pictures.save(buffer, "webp", quality=_QUALITY)
    return buffer.getvalue()


def _span(trajectory: Trajectory) -> float:
    """Return the time from the first row to the last [s]."""
    time = trajectory.data["time"].to_numpy()
    return max(float(time[-1] - time[0]), 1e-9) if len(time) else 1.0


def save_loop(pictures: Sequence[Image.Image], shown: float) -> bytes:
    """Return pictures as an animated WebP; shown: time of each [ms]."""
    first, *others = pictures
    buffer = io.BytesIO()
    options = {"quality": _QUALITY, "method": 2, "loop": 0, "duration": round(shown)}
    first.save(buffer, "webp", save_all=True, append_images=others, **options)
    return buffer.getvalue()


INDEX = "index.html"
_PICTURES = "pictures"


@dataclass(frozen=True)
class Exhibit:
    """A scenario in the gallery.

    command: what shows it. loop: an animated WebP, empty of what does not move; readers who want
    less motion see a still of it. told: what is to be
    said besides, as how a run ended that did not go through. page: of its report, from the
    gallery's folder, or empty. failed: there is nothing to show, though there should be.
    """

    name: str
    description: str
    command: str
    loop: bytes = b""
    claims: Sequence[Claim] = ()
    told: str = ""
    page: str = ""
    failed: bool = False

    @property
    def picture(self) -> str:
        """Path of its loop, from the folder of the gallery; empty without one."""
        return f"{_PICTURES}/{self.name.replace('/', '_')}.webp" if self.loop else ""

    @property
    def still(self) -> str:
        """Path of a picture of its loop that does not move, likewise."""
        return self.picture.removesuffix(".webp") + "_still.webp" if self.loop else ""

    @property
    def verdicts(self) -> list[tuple[str, int]]:
        """Verdicts of its claims, and how many of each there are."""
        return list(Counter(claim.verdict for claim in self.claims).items())


@dataclass(frozen=True)
class Room:
    """Exhibits of one machine, or of one group of scenarios, with its title."""

    name: str
    title: str
    citation: str = ""
    exhibits: Sequence[Exhibit] = field(default=())


def write_gallery(folder: Path, rooms: Sequence[Room], note: str) -> Path:
    """Write the site into a folder and return its first page; note: how it was made.

    Raises RunError where it cannot be written.
    """
    make_folder(folder / _PICTURES)
    for room in rooms:
        for exhibit in room.exhibits:
            if exhibit.loop:
                _write(folder / exhibit.picture, exhibit.loop)
                _write(folder / exhibit.still, still_of(exhibit.loop))
    shown = [exhibit for room in rooms for exhibit in room.exhibits]
    verdicts = Counter(claim.verdict for exhibit in shown for claim in exhibit.claims)
    page = render(
        "gallery.html.j2",
        pictures_beside=True,
        title="footfall: gallery",
        rooms=rooms,
        note=note,
        count=len(shown),
        verdicts=list(verdicts.items()),
    )
    write_text(folder / INDEX, page)
    return folder / INDEX


def _write(file: Path, content: bytes) -> None:
    with replacing(file) as path:
        path.write_bytes(content)
