"""Fields of dataclasses, read off their source: without importing it, and Drake with it."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_BARE = ("Protocol", "ABC", "object")  # bases without fields


def dataclass_fields(file: Path, name: str) -> Mapping[str, str] | None:
    """Return the fields of a dataclass of a file with their annotations, inherited ones first.

    None where it is not there, or inherits from what is not ours.
    """
    found = next((node for node in _classes(file) if node.name == name), None)
    if found is None:
        return None
    fields: dict[str, str] = {}
    for base in found.bases:
        inherited = _inherited(file, ast.unparse(base))
        if inherited is None:
            return None
        fields |= inherited
    own = (node for node in found.body if isinstance(node, ast.AnnAssign))
    told = {ast.unparse(node.target): ast.unparse(node.annotation) for node in own}
    return fields | {key: kind for key, kind in told.items() if not kind.startswith("ClassVar")}


def imported_fields(file: Path, name: str) -> Mapping[str, str] | None:
    """Return the fields of a dataclass that a file has or imports from another one of ours."""
    own = dataclass_fields(file, name)
    if own is not None:
        return own
    for home in _homes(file, name):
        found = imported_fields(home, name)
        if found is not None:
            return found
    return None


@cache
def fields_of_tag(tag: str, machine: str) -> Mapping[str, str] | None:
    """Return the fields of the dataclass that a tag names; machine: in whose package it may lie."""
    folders = (_ROOT / "footfall" / "control", _ROOT / "footfall" / "machines" / machine)
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    named = [path for path in files if f"class {tag}" in path.read_text(encoding="utf-8")]
    found = (dataclass_fields(path, tag) for path in named)
    return next((fields for fields in found if fields is not None), None)


def _inherited(file: Path, base: str) -> Mapping[str, str] | None:
    plain = base.partition("[")[0]
    return {} if plain in _BARE else imported_fields(file, plain)


def _homes(file: Path, name: str) -> Iterator[Path]:
    """Give the files of ours from which a file imports a name."""
    for node in _parsed(file).body:
        if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}:
            module = node.module or ""
            home = _ROOT.joinpath(*module.split("."))
            for path in (home.with_suffix(".py"), home / "__init__.py"):
                if module.startswith("footfall.") and path.is_file():
                    yield path


def _classes(file: Path) -> list[ast.ClassDef]:
    return [node for node in _parsed(file).body if isinstance(node, ast.ClassDef)]


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))
