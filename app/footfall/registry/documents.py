"""Tables beside the modules of a machine, and the documents that machines come from."""

import re
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

_CELLS = re.compile(r"(?<!\\)\|")  # a bar within a formula is written \|


class Misprint(NamedTuple):
    """Statement of a source that is not right: where it is, as printed, as right, what of it."""

    where: str
    printed: str
    correct: str
    consequence: str


def read_misprints(package: str) -> tuple[Misprint, ...]:
    """Read the misprints of a machine's source, the rows of the Markdown table misprints.md.

    package: the machine's package, in which the file lies. Its columns are those of `Misprint`.
    Raises ValueError, one line, for a row that has others.
    """
    return tuple(Misprint(*row) for row in rows_of_table(package, "misprints.md", 4))


def read_metrics(package: str, name: str = "metrics.md") -> dict[str, tuple[str, str]]:
    """Read unit and meaning of metrics by name, the rows of a Markdown table of these three.

    package: that in which the file lies. Raises ValueError, one line, for a row that has others.
    """
    return {row[0]: (row[1], row[2]) for row in rows_of_table(package, name, 3)}


def rows_of_table(package: str, name: str, columns: int) -> list[list[str]]:
    """Rows of the Markdown table in a file beside the modules of a package, without its headings.

    Raises ValueError, one line, for a row that has another number of cells, or an empty one.
    """
    table = (files(package) / name).read_text(encoding="utf-8")
    lines = [line for line in table.splitlines() if line.startswith("|")]
    rows = [[cell.strip().replace("\\|", "|") for cell in _CELLS.split(x)[1:-1]] for x in lines[2:]]
    for row in rows:
        if len(row) != columns or not all(row):
            raise ValueError(f"{name} of {package}: give {columns} filled cells, not {row}")
    return rows


def read_notes(package: str) -> dict[str, str]:
    """Read what pages of a machine tell, sections of the Markdown file notes.md, by their headings.

    package: that in which the file lies. Lines of a section are joined to one paragraph.
    """
    _, *sections = (files(package) / "notes.md").read_text(encoding="utf-8").split("\n## ")
    parts = (section.partition("\n") for section in sections)
    return {name: text.strip().replace("\n", " ") for name, _, text in parts}


def read_bibtex(package: str, name: str = "source.bib") -> str:
    """Read the BibTeX entries of what a machine comes from, a file beside its modules."""
    return (files(package) / name).read_text(encoding="utf-8").rstrip()


@dataclass(frozen=True)
class Document:
    """Document: its citation as a whole, and its BibTeX entry."""

    whole: str
    bibtex: str

    def part(self, which: str) -> str:
        """Return how a part of it is cited."""
        return f"{self.whole}, {which}."


TULIP = Document(
    "J. Kanehara, report of the Open Space Project in project TUlip (Dutch Robotics, Teen-Size "
    "Humanoid League), TU Eindhoven, 2009",
    read_bibtex(__package__, "tulip.bib"),
)
MECHANISMS = Document(
    "E. Corral, J. Meneses, J. C. Garcia-Prada, Forward and inverse dynamics and quasi-static "
    "analysis of mechanizes with MATLAB, InTech 2016, doi 10.5772/63372",
    read_bibtex(__package__, "mechanisms.bib"),
)
