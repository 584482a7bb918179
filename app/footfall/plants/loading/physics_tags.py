"""Tags of model files that carry physics: what they mean, and what becomes of them here.

``TAGS`` is the one table of them (``plants/tags.yaml``), for URDF, for the ``<gazebo>`` blocks
inside it, for SDFormat and for MJCF: what is taken over has a key, and what is not is named before
a run, a line for each kind.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from footfall.errors import ModelError
from footfall.plants.loading.xml_tree import Node, number_of
from footfall.plants.messages import tag_tables
from footfall.wording import listed

_SHOWN = 3  # names in a line before it says how many more there are
_NAMED = ("link", "joint", "drake:joint", "body", "geom", "model")  # kinds that a line names
_TABLES = tag_tables()
GUESSED: str = _TABLES["taken"]["guessed"]


class Tag(NamedTuple):
    """A row: the format, the places of a tag, what it means and what happens.

    places: ends of its path, separated by blanks. key: of what is taken over, else empty. usual:
    values that say nothing.
    """

    form: str
    places: str
    means: str
    does: str
    key: str
    usual: str


def _row(line: str) -> Tag:
    form, places, means, does, usual = [*(" ".join(x.split()) for x in line.split("|")), ""][:5]
    left_out = does in _TABLES["left_out"]
    what = f"left out: {_TABLES['left_out'][does]}" if left_out else _TABLES["taken"][does]
    return Tag(form, places, means, what, "" if left_out else does, usual)


TAGS = tuple(map(_row, _TABLES["physics"]))


class Owner(NamedTuple):
    """An element around a tag; inside of <gazebo> its kind is that of what the block is about."""

    kind: str
    name: str
    element: Node


class Found(NamedTuple):
    """A tag that a file has: its row, its name, its text, and what is around it, from outside."""

    row: Tag
    name: str
    text: str
    owners: tuple[Owner, ...]

    def owner(self, *kinds: str) -> Owner | None:
        """Return the innermost owner of some kinds."""
        return next((each for each in reversed(self.owners) if each.kind in kinds), None)

    def named(self, *kinds: str) -> str:
        """Return its name, else an empty text."""
        owner = self.owner(*kinds)
        return owner.name if owner is not None else ""

    @property
    def line(self) -> int:
        """Line of the file."""
        return self.owners[-1].element.line

    @property
    def is_yes(self) -> bool:
        """Return whether the tag says yes."""
        return self.text.lower() in ("true", "1")

    def number(self, path: Path, least: float = 0.0, most: float = math.inf) -> float:
        """Return the number that it has; raises ModelError for what is none, or out of bounds."""
        value = number_of(self.text)
        if least <= value <= most and math.isfinite(value):
            return value
        within = "" if least == -math.inf else f" from {least:g} on"
        within = f" from {least:g} to {most:g}" if most < math.inf else within
        owner = self.owner(*_NAMED)
        whose = f" of {owner.kind} '{owner.name}'" if owner is not None else ""
        raise ModelError(
            f"{path}:{self.line}: {self.row.means}{whose} is '{self.text}'; "
            f"write a finite number{within}."
        )


def find_tags(
    root: Node, form: str, attributes: Callable[[Node], Mapping[str, str]] | None = None
) -> list[Found]:
    """Return the tags of the table that a file has, but for those with a usual value.

    form: URDF, SDF or MJCF. attributes: of an element, those of its class included.
    """
    return list(_find(root, (), (form,), attributes or (lambda element: element.attributes)))


def _find(
    element: Node,
    owners: tuple[Owner, ...],
    forms: tuple[str, ...],
    attributes: Callable[[Node], Mapping[str, str]],
) -> Iterator[Found]:
    own, kind, name = attributes(element), element.tag, "name"
    if kind == "gazebo" and forms == ("URDF",):
        forms, name = ("Gazebo", "SDF"), "reference"
        known = {
            each.attributes.get("name"): each.tag.removeprefix("drake:")
            for each in owners[0].element.children
            if each.tag in ("link", "joint", "drake:joint")
        }
        kind = known.get(own.get(name), "lost" if own.get(name) else "model")
    owners = (*owners, Owner(kind, own.get(name, ""), element))
    path = "/" + "/".join(owner.kind for owner in owners)
    for row, place, step, part in _PLACES.get(kind, ()):
        if row.form not in forms or not path.endswith(place):
            continue
        if step == "!":
            there = any(child.tag == part for child in element.children)
            text = None if there or forms != ("SDF",) else ""
        else:
            text = own.get(part) if step else element.text or own.get("value", "")
        if text is not None and not _says_nothing(text.strip(), row.usual):
            called = element.tag if part in ("", "value") else part
            yield Found(row, called, text.strip(), owners)
    for child in element.children:
        yield from _find(child, owners, forms, attributes)


def _by_kind() -> dict[str, list[tuple[Tag, str, str, str]]]:
    """Rows with the end of a path and the attribute or child there, by the last tag of the path."""
    rows: dict[str, list[tuple[Tag, str, str, str]]] = {}
    for row in (row for row in TAGS if not row.key.startswith("read")):
        for place in row.places.split():
            step = "@" if "@" in place else "!" if "!" in place else ""
            path, _, part = place.partition(step) if step else (place, "", "")
            rows.setdefault(path.rpartition("/")[2], []).append((row, f"/{path}", step, part))
    return rows


_PLACES = _by_kind()
KNOWN = frozenset(part for row in TAGS for part in re.findall(r"\w+", row.places))
"""Names of the tags and attributes of the table."""


def _says_nothing(text: str, usual: str) -> bool:
    """Say whether all words of a text are usual ones, numbers by their value."""
    known = [_value(word) for word in usual.split()]
    return bool(known) and all(_value(word) in known for word in text.lower().split())


def is_zero(text: str) -> bool:
    """Return whether a text is the number 0."""
    return number_of(text) == 0.0


def _value(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def lines_about(tags: Sequence[Found], place: Callable[[Found], str]) -> list[str]:
    """Return a line for each kind of tags that are not taken over, with whose they are.

    place: where a tag is.
    """
    kinds: dict[tuple[str, str], list[Found]] = {}
    for each in tags:
        if not each.row.key:
            kinds.setdefault((each.row.means, each.row.does), []).append(each)
    return [line_about(place(kind[0]), *words, kind) for words, kind in kinds.items()]


def line_about(where: str, means: str, does: str, tags: Sequence[Found]) -> str:
    """Return the line about tags of one kind; where: of the first of them."""
    names = dict.fromkeys(f"<{each.name}>" for each in tags)
    owners = [name for name in dict.fromkeys(each.named(*_NAMED) for each in tags) if name]
    whose = f" of {listed(owners, _SHOWN)}" if owners else ""
    return f"{where}: {means} ({', '.join(names)}){whose}: {does}"
