"""Changing single values of a scenario from the command line: ``--set time_step=5e-4``."""

import copy
import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import yaml

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean
from footfall.yaml_loader import BoundedLoader

YamlValue: TypeAlias = Any
"""A group (dict), a list, or a single value, as YAML gives them."""

_TEXT = "tag:yaml.org,2002:str"
_TAG = "_tag"
"""Key that names the type of a tagged group (``!Posture``), as Drake's YAML reader has it."""


def apply_overrides(
    mapping: Mapping[str, YamlValue],
    settings: Sequence[str],
    *,
    open_groups: Collection[str] = (),
) -> dict[str, YamlValue]:
    """A copy of ``mapping`` with every ``a.b=value`` of ``settings`` carried out in order.

    A path names keys, which may hold dots, and list positions (``pairs.0.friction=0.3``); a value
    is YAML (``0.3``, ``[1, 2]``, ``null``, ``!Posture {kp: 100}``). ``mapping`` has to hold every
    key that may be set, defaults included; only groups whose path is in ``open_groups`` take new
    ones. A group is replaced as a whole by another group or null, never by a single value. Raises
    ScenarioError, one line, for a setting that cannot be read or names what is not there.
    """
    result = copy.deepcopy(dict(mapping))
    for setting in settings:
        shown, keys, value = read_setting(setting)
        _apply(result, shown, keys, value, open_groups)
    return result


def read_setting(setting: str) -> tuple[str, list[str], YamlValue]:
    """Return how a message calls a ``key=value``, the parts of its path, and its value.

    Raises ScenarioError, one line, for a setting that cannot be read.
    """
    path, equals, text = setting.partition("=")
    shown, keys = f"--set {' '.join(setting.split())}", path.strip().split(".")
    if not equals or not all(keys):
        raise ScenarioError(f"{shown}: write it as key=value, such as seed=3")
    return shown, keys, _parse(shown, text)


def apply_values(
    mapping: Mapping[str, YamlValue],
    values: Mapping[str, YamlValue],
    *,
    open_groups: Collection[str] = (),
) -> dict[str, YamlValue]:
    """Return a copy of ``mapping`` with values by their paths, as `apply_overrides` has them."""
    result = copy.deepcopy(dict(mapping))
    for path, value in values.items():
        _apply(result, path, path.split("."), value, open_groups)
    return result


def _apply(
    root: dict[str, YamlValue],
    setting: str,
    keys: Sequence[str],
    value: YamlValue,
    open_groups: Collection[str],
) -> None:
    """Put a value in its place; setting: how a message calls it."""
    group: YamlValue = root
    above: list[str] = []
    while True:
        key, rest = _next_key(group, keys)
        step = _step(setting, group, above, key, open_groups, last=not rest)
        if not rest:
            break
        group, above, keys = group[step], [*above, key], rest
    if isinstance(group, list) or step in group:
        _refuse_flattening(setting, group[step], value)
    group[step] = value


def _next_key(group: YamlValue, keys: Sequence[str]) -> tuple[str, Sequence[str]]:
    """First key of a path within a group, and the rest; a key of the group may hold dots itself."""
    known = {str(key) for key in group} if isinstance(group, dict) else set[str]()
    for count in range(len(keys), 0, -1):
        if (key := ".".join(keys[:count])) in known:
            return key, keys[count:]
    return keys[0], keys[1:]


def _step(
    setting: str,
    group: YamlValue,
    above: Sequence[str],
    key: str,
    open_groups: Collection[str],
    *,
    last: bool,
) -> YamlValue:
    """The key or position that ``key`` means in ``group``; ``above`` is the path to the group."""
    where = ".".join(above) or "the scenario"
    if isinstance(group, list):
        return _position(setting, group, where, key)
    if not isinstance(group, dict):
        raise ScenarioError(f"{setting}: {where} is {_show(group)} and has no parts")
    keys = {str(known): known for known in group if known != _TAG}
    if key in keys:
        return keys[key]
    if last and ".".join(above) in open_groups:
        return key
    raise ScenarioError(f"{setting}: {where} has no {key!r}; {did_you_mean(key, sorted(keys))}")


def _position(setting: str, group: list[YamlValue], where: str, key: str) -> int:
    """A list position written as text."""
    if not key.isascii() or not key.isdigit():
        raise ScenarioError(f"{setting}: {where} is a list; write a position, not {key!r}")
    if int(key) >= len(group):
        held = f"has positions 0 to {len(group) - 1}" if group else "is empty"
        raise ScenarioError(f"{setting}: {where} {held}, there is no {key}")
    return int(key)


def _refuse_flattening(setting: str, old: YamlValue, value: YamlValue) -> None:
    """Raise ScenarioError when a group or list would be overwritten by a single value."""
    if value is None or isinstance(value, (dict, list)):
        return
    if isinstance(old, dict):
        known = ", ".join(sorted(str(key) for key in old if key != _TAG))
        keys = f"set one of its keys: {known}" if known else "write it as {name: value}"
        raise ScenarioError(f"{setting}: that is a group; {keys}")
    if isinstance(old, list):
        item = " or set one item" if old else ""
        raise ScenarioError(f"{setting}: that is a list; write it as [a, b]{item}")


def _show(value: YamlValue) -> str:
    """A single value as the scenario file writes it."""
    return "null" if value is None else repr(value)


def _parse(setting: str, text: str) -> YamlValue:
    """The value of a setting, read as YAML."""
    if not text.strip():
        raise ScenarioError(f"{setting}: the value is missing; write null or '' for none")
    try:
        return read_yaml(text)
    except (yaml.YAMLError, ValueError) as error:
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise ScenarioError(f"{setting}: the value is not YAML ({reason})") from error


def read_yaml(text: str) -> YamlValue:
    """Read YAML with tagged groups as Drake has them and with 1e-3 as a number (YAML 1.2).

    Raises yaml.YAMLError, also for a key that occurs twice, of which YAML would take the last.
    """
    return yaml.load(text, Loader=_ValueLoader)  # noqa: S506 (a SafeLoader)


def read_dumped(text: str) -> YamlValue:
    """Read YAML that Drake has written, with tagged groups as Drake has them."""
    return yaml.load(text, Loader=_GroupLoader)  # noqa: S506 (a SafeLoader)


class _GroupLoader(BoundedLoader):
    """Loader of ``read_dumped``."""


class _ValueLoader(_GroupLoader):
    """Loader of ``read_yaml``."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, YamlValue]:
        """Make a group of a node, whose keys must differ and are texts, as they are written."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key '{key.value}' occurs twice", key.start_mark
                    )
                seen.add(key.value)
        self.flatten_mapping(node)
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                key.tag = _TEXT
        return super().construct_mapping(node, deep=deep)


def _tagged_group(loader: _GroupLoader, tag: str, node: yaml.Node) -> dict[str, YamlValue]:
    """A tagged group as a mapping with the tag under ``_tag``; a bare tag is an empty group."""
    if isinstance(node, yaml.ScalarNode) and not node.value:
        return {_TAG: f"!{tag}"}
    if not isinstance(node, yaml.MappingNode):
        raise yaml.constructor.ConstructorError(
            None, None, f"the tag !{tag} belongs to a group in braces", node.start_mark
        )
    group = loader.construct_mapping(node, deep=True)
    return {_TAG: f"!{tag}"} | {str(key): value for key, value in group.items()}


_GroupLoader.add_multi_constructor("!", _tagged_group)
_GroupLoader.add_constructor("tag:yaml.org,2002:value", _GroupLoader.construct_yaml_str)  # a bare =
_ValueLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+$"),
    list("-+0123456789"),
)
