"""Suggestions for a name that does not exist: what was meant, or what there is."""

import difflib
from collections.abc import Collection

_MAX_LISTED = 12  # names in a message before it says how many more there are


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return the clause that mends a misspelt name: the nearest known one, else all there are."""
    near = nearest(word, known)
    if near:
        return f"did you mean '{near}'?"
    return f"known: {listed(known)}" if known else "there is none"


def nearest(word: str, known: Collection[str]) -> str:
    """Return the known name that a misspelt one resembles most; empty where none does."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return near[0] if near else ""


def listed(names: Collection[str], most: int = _MAX_LISTED) -> str:
    """Join names in their own order, shortened when there are more than so many."""
    shown = ", ".join(list(names)[:most])
    more = len(names) - most
    return f"{shown} and {more} more" if more > 0 else shown
