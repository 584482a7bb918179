"""Drake's warnings about a model, in words that say what follows from them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from footfall.plants.loading.physics_tags import KNOWN
from footfall.plants.messages import tag_tables

_PLACE = re.compile(r"(?P<file>/.+?\.\w+(?::\d+)?): (?:warning: )?(?P<what>.*)", re.IGNORECASE)
_SHORT = 200  # characters of a warning that nobody here knows


@dataclass(frozen=True)
class ModelWarnings:
    """Warnings of Drake about a model, and notes on what is left out of its files.

    known: one line for each kind, with the first place and the number of others. unknown:
    Drake's own words where nobody here knows the kind. raw: all of Drake's words, for a log.
    """

    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """Return what a user is told: the known kinds, and how much there is besides."""
        if not self.unknown:
            return self.known
        many = f"{len(self.unknown)} more warnings" if len(self.unknown) > 1 else "1 more warning"
        return (*self.known, f"Drake has {many} about the model, which --verbose shows")


NO_WARNINGS = ModelWarnings()


def warnings_of(warnings: Iterable[str], notes: Sequence[str] = ()) -> ModelWarnings:
    """Sort what Drake said of a model, which may say the same several times.

    notes: what else is to be told, before it, of places whose folders are not.
    """
    notes = [re.sub(r"^/.*?([^/:]+:\d+: )", r"\1", note) for note in notes]
    raw = tuple(dict.fromkeys(warnings))
    places: dict[str, list[str]] = {}
    unknown = []
    for warning in raw:
        match = _PLACE.match(warning)
        where = Path(match["file"]).name if match else ""
        what = _in_words(match["what"] if match else warning)
        if what is None:
            unknown.append(warning if len(warning) <= _SHORT else warning[:_SHORT] + " ...")
        elif what:
            places.setdefault(what, []).append(where)
    known = [_folded(what, at) for what, at in places.items()]
    return ModelWarnings((*notes, *known), tuple(unknown), raw)


def _folded(what: str, places: list[str]) -> str:
    """One line for a warning that was given in some places."""
    first, others = places[0], len(places) - 1
    more = f" (and {others} more of the kind)" if others else ""
    return f"{first}: {what}{more}" if first else f"{what}{more}"


def _in_words(warning: str) -> str | None:
    """Say what follows from a warning; empty if nothing does, None if nobody here knows it."""
    for pattern, words in _KINDS:
        match = re.search(pattern, warning)
        if match:
            return match.expand(words) if words else ""
    return None


_TABLES = tag_tables()
_NAMES = {
    "{told}": "|".join(sorted(KNOWN)),  # by physics_tags, or taken over
    "{drawn}": _TABLES["drawn"].replace(" ", "|"),
    "{solver}": _TABLES["solver"].replace(" ", "|"),
}
# by a pattern of the warning, first come first served; empty words: nothing follows from it
_KINDS = tuple(
    (re.sub(r"\{\w+\}", lambda name: _NAMES[name[0]], kind["pattern"]), kind.get("words", ""))
    for kind in _TABLES["warnings"]
)
