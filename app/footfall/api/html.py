"""HTML by which a notebook shows what a program holds."""

from collections.abc import Sequence
from html import escape

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
