"""The scenarios that ship, found without loading Drake."""

from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from footfall.errors import ScenarioError
from footfall.registry.entry_points import scenario_files
from footfall.wording import did_you_mean
from footfall.yaml_loader import FastLoader

DATA = Path(__file__).parent / "data"
"""Folder of the scenarios that belong to no machine."""


class _AnyTag(FastLoader):
    """Reads a scenario file for its names; what tags mean does not matter here."""


_AnyTag.add_multi_constructor(
    "!",
    lambda loader, _suffix, node: (
        loader.construct_mapping(node) if isinstance(node, yaml.MappingNode) else None
    ),
)


def scenario_names() -> list[str]:
    """All scenarios as ``machine/name``, in the order of their files."""
    return list(scenario_descriptions())


def scenario_descriptions() -> dict[str, str]:
    """Each scenario's one line."""
    return {
        f"{stem}/{name}": str(scenario.get("description", ""))
        for stem, content in _contents().items()
        for name, scenario in content.items()
    }


def find_scenario(name: str) -> tuple[Path, str]:
    """Return the file of a ``machine/name`` and the name in it; raises as `require_scenario`."""
    require_scenario(name)
    stem, _, child = name.partition("/")
    return _files()[stem], child


def require_scenario(name: str) -> None:
    """Raise ScenarioError for what is neither a scenario nor a path to a YAML file."""
    if not is_path(name) and name not in (known := scenario_names()):
        raise ScenarioError(f"there is no scenario '{name}'; {did_you_mean(name, known)}")


def is_path(name: str) -> bool:
    """Say whether a name is a path to a YAML file, as in ``file.yaml`` or ``file.yaml:name``."""
    return name.partition(":")[0].endswith((".yaml", ".yml"))


@cache
def _files() -> dict[str, Path]:
    """Files of scenarios by what stands before the slash, in the order of these names."""
    own = {path.stem: path for path in DATA.glob("*.yaml")}
    return dict(sorted((scenario_files() | own).items()))


@cache
def _contents() -> dict[str, dict[str, Any]]:
    """Read once: to parse all files takes a quarter of a second."""
    return {stem: _read(path) for stem, path in _files().items()}


def _read(path: Path) -> dict[str, Any]:
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_AnyTag)  # noqa: S506 (a SafeLoader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ScenarioError(f"cannot read {path}: {' '.join(str(error).split())}") from error
    whole = isinstance(content, dict) and all(isinstance(part, dict) for part in content.values())
    if not whole:
        raise ScenarioError(f"{path} holds no scenarios: give each a name and a group of keys.")
    return cast("dict[str, Any]", content)
