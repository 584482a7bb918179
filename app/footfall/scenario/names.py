"""The scenarios that ship, found without loading Drake."""

from functools import cache
from pathlib import Path

import yaml

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean

DATA = Path(__file__).parent / "data"


class _AnyTag(yaml.SafeLoader):
    """Reads a scenario file for its names; what tags mean does not matter here."""


_AnyTag.add_multi_constructor(
    "!",
    lambda loader, _suffix, node: (
        loader.construct_mapping(node) if isinstance(node, yaml.MappingNode) else None
    ),
)


def scenario_names() -> list[str]:
    """All shipped scenarios as ``machine/name``, in the order of their files."""
    return list(scenario_descriptions())


def scenario_descriptions() -> dict[str, str]:
    """Each shipped scenario's one line."""
    return dict(_descriptions())


@cache
def _descriptions() -> dict[str, str]:
    """Read once: to parse all files takes a quarter of a second."""
    found: dict[str, str] = {}
    for path in sorted(DATA.glob("*.yaml")):
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_AnyTag)  # noqa: S506 (a SafeLoader)
        for name, scenario in content.items():
            found[f"{path.stem}/{name}"] = str(scenario.get("description", ""))
    return found


def require_known(name: str) -> None:
    """Raise ScenarioError unless a name is a shipped scenario or a path to a YAML file."""
    if not is_path(name) and name not in scenario_names():
        raise ScenarioError(
            f"there is no scenario '{name}'; {did_you_mean(name, scenario_names())}"
        )


def is_path(name: str) -> bool:
    """Say whether a name is a path to a YAML file, as in ``file.yaml`` or ``file.yaml:name``."""
    return name.partition(":")[0].endswith((".yaml", ".yml"))
