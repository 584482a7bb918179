"""Names in a scenario that mean parts of a model: plain, full or with wildcards."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean, listed

_WILD = "*?["


def broad_first(names: Iterable[str]) -> list[str]:
    """Names in the order in which what they say is to be carried out.

    A name beats a pattern, a longer pattern a shorter one. Saved scenarios have their keys in
    alphabetical order: which comes first must not matter.
    """
    return sorted(names, key=lambda name: (not _is_pattern(name), len(name), name))


def fitting(
    name: str, known: Mapping[str, str], where: str, kind: str, which: str = ""
) -> list[str]:
    """Full names of the parts that a name or a pattern such as ``*_knee`` means.

    known: plain names by full name, ``model::part``. For messages, where: the scenario's field,
    kind: what a part is called, which: what the known ones have besides. Raises ScenarioError for a
    name or pattern that fits nothing, and for a plain name that fits several.
    """
    fits = fnmatchcase if _is_pattern(name) else str.__eq__
    found = [full for full, plain in known.items() if fits(full, name) or fits(plain, name)]
    if not found:
        hint = did_you_mean(name, sorted(set(known.values())))
        raise ScenarioError(f"{where}: there is no {kind} '{name}'{which}; {hint}")
    if len(found) > 1 and not _is_pattern(name):
        message = f"{where}: several models have a {kind} '{name}': say which, {listed(found)}."
        raise ScenarioError(message)
    return found


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in _WILD)
