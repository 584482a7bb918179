"""Wrong requests that can be told before Drake is loaded: names, syntax, plain values.

The fields of a scenario are read off the source of its dataclasses. What is not known here is
checked when the scenario is loaded.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.overrides import read_setting, read_yaml
from footfall.scenario.names import find_scenario, is_path, require_scenario
from footfall.wording import did_you_mean
from footfall.yaml_types import check_types

_BARE = ("Protocol", "ABC", "object", "Checked")  # bases without fields
_OURS = {
    name: Path(next(iter(spec.submodule_search_locations or ())))
    for name in ("footfall", "footfall_controllers")
    if (spec := find_spec(name)) is not None
}
"""Folders of our packages, which are not imported here."""


def dataclass_fields(file: Path, name: str) -> Mapping[str, str] | None:
    """Return the fields of a dataclass of a file with their annotations, inherited ones first.

    None where it is not there, or inherits from what is not ours.
    """
    definition = next((node for node in _classes(file) if node.name == name), None)
    if definition is None:
        return None
    fields: dict[str, str] = {}
    for base in definition.bases:
        inherited = _inherited(file, ast.unparse(base))
        if inherited is None:
            return None
        fields |= inherited
    own = (node for node in definition.body if isinstance(node, ast.AnnAssign))
    told = {ast.unparse(node.target): ast.unparse(node.annotation) for node in own}
    return fields | {key: kind for key, kind in told.items() if not kind.startswith("ClassVar")}


def imported_fields(file: Path, name: str) -> Mapping[str, str] | None:
    """Return the fields of a dataclass that a file has or imports from another one of ours."""
    own = dataclass_fields(file, name)
    if own is not None:
        return own
    for home in _homes(file, name):
        fields = imported_fields(home, name)
        if fields is not None:
            return fields
    return None


@cache
def fields_of_tag(tag: str, machine: str) -> Mapping[str, str] | None:
    """Return the fields of the dataclass that a tag names; machine: in whose package it may lie."""
    app, controllers = _OURS.values()
    folders = (app / "control", controllers, app / "machines" / machine)
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    named = [path for path in files if f"class {tag}" in path.read_text(encoding="utf-8")]
    candidates = (dataclass_fields(path, tag) for path in named)
    return next((fields for fields in candidates if fields is not None), None)


def _inherited(file: Path, base: str) -> Mapping[str, str] | None:
    plain = base.partition("[")[0]
    return {} if plain in _BARE else imported_fields(file, plain)


def _homes(file: Path, name: str) -> Iterator[Path]:
    """Give the files of ours from which a file imports a name."""
    for node in _parsed(file).body:
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            package, *names = (node.module or "").split(".")
            if package in _OURS and names:
                home = _OURS[package].joinpath(*names)
                places = (home.with_suffix(".py"), home / "__init__.py")
                yield from filter(Path.is_file, places)


def _classes(file: Path) -> list[ast.ClassDef]:
    return [node for node in _parsed(file).body if isinstance(node, ast.ClassDef)]


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


_SCHEMA = Path(__file__).with_name("schema.py")
_FORMER = ("study",)  # keys that are still read
_TAGGED = ("controller", "analysis", "terrain")
_PLAIN: Mapping[str, Any] = {
    "float": float,
    "int": int,
    "bool": bool,
    "str": str,
    "float | None": float | None,
    "str | None": str | None,
}


def check_request(
    name: str, engines: Sequence[str] = (), settings: Sequence[str] | None = None
) -> None:
    """Check a scenario's name, engines and ``--set`` overrides without loading Drake.

    Raises ScenarioError, one line, for the first that cannot be right.
    """
    require_scenario(name)
    file = Path(name.partition(":")[0])
    if is_path(name) and not file.is_file():
        raise ScenarioError(f"cannot read the scenario file {file}: No such file or directory.")
    for engine in engines:
        require_engine(engine)
    tags = _tags(name) if any("." in setting for setting in settings or ()) else {}
    if tags is not None:
        check_settings(settings or (), name, tags)


def check_settings(
    settings: Sequence[str], where: str, tags: Mapping[str, str] | None = None
) -> None:
    """Check ``--set`` overrides as far as the names and types of plain fields go.

    where: what the scenario is called in messages. tags: of its tagged groups. Raises
    ScenarioError, one line.
    """
    read = [read_setting(setting) for setting in settings]
    tags = dict(tags or {})
    for shown, keys, value in read:
        fields = dataclass_fields(_SCHEMA, "Scenario") or {}
        if keys[0] not in (*fields, *_FORMER):
            raise ScenarioError(
                f"{shown}: the scenario has no {keys[0]!r}; {did_you_mean(keys[0], sorted(fields))}"
            )
        kind = fields.get(keys[0], "")
        group = _group(keys[0], kind, tags, where)
        if group and len(keys) > 1:
            if keys[1] not in group:
                raise ScenarioError(
                    f"{shown}: {keys[0]} has no {keys[1]!r}; {did_you_mean(keys[1], sorted(group))}"
                )
            kind = group[keys[1]]
        if len(keys) <= 1 + bool(group) and kind in _PLAIN:
            check_types(value, _PLAIN[kind], f"{where} with --set", ".".join(keys))
        if len(keys) == 1:  # a group is replaced, maybe by one of another tag
            tags.pop(keys[0], None)
            tags |= _tags_of({keys[0]: value})


def _group(key: str, kind: str, tags: Mapping[str, str], where: str) -> Mapping[str, str]:
    """Return the fields of a group of a scenario with their annotations; nothing if unknown."""
    fields: Mapping[str, str] | None = {}
    members = kind.split(" | ")
    if tags.get(key) in members:
        fields = imported_fields(_SCHEMA, tags[key])
    elif key in tags:
        fields = fields_of_tag(tags[key], where.partition("/")[0])
    elif all(member.isidentifier() for member in members):  # without a tag: the first of a union
        fields = imported_fields(_SCHEMA, members[0])
    return fields or {}


def _tags(name: str) -> dict[str, str] | None:
    """Return the tags of the tagged groups of a scenario; None where its file cannot be read."""
    with suppress(Exception):  # which loading it explains
        path, child = _place(name)
        mapping = read_yaml(path.read_text(encoding="utf-8"))
        return _tags_of(mapping[child] if child else mapping)
    return None


def _tags_of(mapping: Mapping[str, Any]) -> dict[str, str]:
    """Return the tags of those groups of a scenario that may have one."""
    groups = {key: mapping[key] for key in _TAGGED if isinstance(mapping.get(key), dict)}
    return {key: group["_tag"].lstrip("!") for key, group in groups.items() if "_tag" in group}


def _place(name: str) -> tuple[Path, str]:
    """Return the file of a scenario, and its name in it; empty where it is all of the file."""
    if is_path(name):
        path, _, child = name.partition(":")
        return Path(path), child
    return find_scenario(name)
