"""HTML by which a notebook shows what a program holds, and pages that it shows inline."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from pathlib import Path

from footfall.files import write_text

_HEIGHT = 420  # pixels of a page in a notebook
_LEFT = 'style="text-align:left"'


def table_of(
    title: str, text: str, rows: Sequence[Sequence[str]], *, notes: Sequence[str] = ()
) -> str:
    """Return a heading, a line of text, a table and notes below it; everything is escaped."""
    lines = ["".join(f"<td {_LEFT}>{escape(cell)}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    below = "".join(f"<div><small>{escape(note)}</small></div>" for note in notes)
    line = f"<div>{escape(text)}</div>" if text else ""
    return f"<div><b>{escape(title)}</b>{line}<table>{body}</table>{below}</div>"


class Animation(ABC):
    """Animation of one run or several, which a notebook shows inline."""

    @property
    @abstractmethod
    def page(self) -> str:
        """The page, worked out once."""

    def html(self) -> str:
        """Return a page, some megabytes, that plays without a network."""
        return self.page

    def save(self, path: str | Path) -> Path:
        """Write that page and return its path."""
        write_text(Path(path), self.page)
        return Path(path)


def inline_frame(**source: str) -> str:
    """Return a page in a frame of its own, as a notebook takes it; source: its src or srcdoc."""
    ((name, text),) = source.items()
    style = f"width: 100%; height: {_HEIGHT}px; border: none"
    return f'<iframe {name}="{escape(text, quote=True)}" style="{style}"></iframe>'
