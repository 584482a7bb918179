"""A site of scenarios that opens offline: what each looks like, what it shows, and its claims."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from footfall.files import make_folder, replacing, write_text
from footfall.registry.claims import Claim
from footfall.report.loop import still_of
from footfall.report.template import render

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
