"""Wrong requests that can be told before Drake is loaded: names, syntax, plain values.

The fields of a scenario are read off the source of its dataclasses. What is not known here is
checked when the scenario is loaded.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from footfall.engine_names import require_engine
from footfall.errors import ScenarioError
from footfall.overrides import read_setting
from footfall.scenario.names import canonical, is_path
from footfall.wording import did_you_mean
from footfall.yaml_types import check_types

_ROOT = Path(__file__).parents[2]
_SCHEMA = Path(__file__).with_name("schema.py")
_FORMER = ("study",)  # keys that are still read
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
    canonical(name)
    file = Path(name.partition(":")[0])
    if is_path(name) and not file.is_file():
        raise ScenarioError(f"cannot read the scenario file {file}: No such file or directory.")
    for engine in engines:
        require_engine(engine)
    check_settings(settings or (), name)


def check_settings(settings: Sequence[str], where: str) -> None:
    """Check ``--set`` overrides as far as the names and types of plain fields go.

    where: what the scenario is called in messages. Raises ScenarioError, one line.
    """
    for setting in settings:
        shown, keys, value = read_setting(setting)
        fields = _fields(_SCHEMA, "Scenario")
        if keys[0] not in (*fields, *_FORMER):
            raise ScenarioError(
                f"{shown}: the scenario has no {keys[0]!r}; {did_you_mean(keys[0], sorted(fields))}"
            )
        kind = fields.get(keys[0], "")
        group = _group(_SCHEMA, kind)
        if group and len(keys) > 1:
            if keys[1] not in group:
                raise ScenarioError(
                    f"{shown}: {keys[0]} has no {keys[1]!r}; {did_you_mean(keys[1], sorted(group))}"
                )
            kind = group[keys[1]]
        if len(keys) <= 1 + bool(group) and kind in _PLAIN:
            check_types(value, _PLAIN[kind], f"{where} with --set", ".".join(keys))


@cache
def _group(file: Path, kind: str) -> Mapping[str, str]:
    """Return the fields of a dataclass of ours that a module has or imports; else nothing."""
    tree = _parsed(file)
    if any(isinstance(node, ast.ClassDef) and node.name == kind for node in tree.body):
        return _fields(file, kind)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and kind in {alias.name for alias in node.names}:
            home = _ROOT.joinpath(*(node.module or "").split("."))
            for path in (home.with_suffix(".py"), home / "__init__.py"):
                if (node.module or "").startswith("footfall.") and path.is_file():
                    return _group(path, kind)
    return {}


@cache
def _fields(file: Path, name: str) -> Mapping[str, str]:
    """Return the fields of a dataclass with their annotations, from its source."""
    (found,) = (n for n in _parsed(file).body if isinstance(n, ast.ClassDef) and n.name == name)
    return {
        node.target.id: ast.unparse(node.annotation)
        for node in found.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))
