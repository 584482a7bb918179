"""Scenarios as YAML: read by name or from a file, changed by overrides, written back resolved.

Groups that take names which are not there yet are read off the scenario's types. Fields that are
null, and the places of model files, are completed.
"""

import copy
import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from functools import cache, partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import yaml
from pydrake.common.yaml import yaml_dump, yaml_dump_typed, yaml_load_typed

from footfall.control.python_code import Python
from footfall.control.python_object import PythonObject
from footfall.engines.own import Python as Function
from footfall.errors import FootfallError, ScenarioError, reason_of, refusing
from footfall.overrides import YamlValue, apply_overrides, apply_values, read_dumped, read_yaml
from footfall.scenario.cameras import with_default
from footfall.scenario.names import find_scenario, is_path
from footfall.scenario.own_code import CODED, code_in, with_loaded_code, with_parts
from footfall.scenario.randomise import share, with_drawn
from footfall.scenario.schema import Scenario
from footfall.wording import did_you_mean
from footfall.yaml_types import check_types, refuse_nan

_TAGGED = "_tag"

# a type as annotations have it: a class, list[...], a union
_Schema: TypeAlias = Any


def with_nulls(value: Any, schema: _Schema) -> Any:  # noqa: ANN401 (whatever YAML holds)
    """Add the fields that Drake's writer leaves out because they are null, at every depth."""
    origin: Any = typing.get_origin(schema)
    if origin in (typing.Union, types.UnionType):
        return with_nulls(value, _member(value, schema)) if value is not None else None
    if origin is list and isinstance(value, list):  # one of a union may be a number as well
        return [with_nulls(part, typing.get_args(schema)[0]) for part in value]
    if origin is dict and value is not None:
        return {key: with_nulls(part, typing.get_args(schema)[1]) for key, part in value.items()}
    if not (dataclasses.is_dataclass(schema) and isinstance(value, dict)):
        return value
    hints = typing.get_type_hints(schema)
    known = {item.name: hints[item.name] for item in dataclasses.fields(schema)}
    full = {name: with_nulls(value.get(name), kind) for name, kind in known.items()}
    return full | {key: part for key, part in value.items() if key not in known}


def _member(value: object, schema: _Schema) -> _Schema:
    """The member of a union that a value's tag names; the first one where it has none."""
    members = [member for member in typing.get_args(schema) if member is not type(None)]
    tag = str(value.get(_TAGGED, "")).lstrip("!") if isinstance(value, dict) else ""
    named = [member for member in members if getattr(member, "__name__", "") == tag]
    return (named or members)[0]


def anchored(mapping: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make relative paths of files absolute: beside the scenario, else where we are.

    Files are those of models, of the ground, of code, and of the groups of an analysis, such as its
    track.
    """
    groups: list[object] = [mapping.get(name) for name in ("controller", "reference", "terrain")]
    directives, analysis = mapping.get("directives"), mapping.get("analysis")
    for parent in (analysis, mapping.get("moreau")):
        groups += parent.values() if isinstance(parent, dict) else ()
    for directive in directives if isinstance(directives, list) else ():
        groups += directive.values() if isinstance(directive, dict) else ()
    for part in groups:
        if isinstance(part, dict) and isinstance(part.get("file"), str):
            part["file"] = _absolute(part["file"], folder)
    if isinstance(observables := mapping.get("observables"), dict):
        mapping["observables"] = {
            name: _anchored_function(text, folder) for name, text in observables.items()
        }
    if isinstance(analysis, dict) and "function" in analysis:
        analysis["function"] = _anchored_function(analysis["function"], folder)
    return mapping


def with_kept_files(mapping: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make files of numbers that the folder of a run keeps absolute: of ground and controller."""
    for group in (mapping.get("terrain"), mapping.get("controller")):
        if isinstance(group, dict) and isinstance(group.get("file"), str):
            group["file"] = _absolute(group["file"], folder)
    return mapping


def _anchored_function(text: object, folder: Path) -> object:
    """Make the file of ``file.py:function`` absolute; leave anything else as it is."""
    if not isinstance(text, str) or ":" not in text:
        return text
    file, _, function = text.rpartition(":")
    return f"{_absolute(file, folder)}:{function}"


def _absolute(file: str, folder: Path) -> str:
    if "://" in file or not file or Path(file).is_absolute():
        return file
    for parent in (folder, Path.cwd()):
        if (parent / file).is_file():
            return str((parent / file).resolve())
    return file


@cache
def open_groups() -> frozenset[str]:
    """Paths of all groups of names, as ``initial.positions``, in whatever member of a union."""
    return frozenset(_groups(Scenario, ""))


def _groups(schema: Any, path: str) -> Iterator[str]:  # noqa: ANN401 (types as annotations have them)
    if dataclasses.is_dataclass(schema):
        hints = typing.get_type_hints(schema)
        for item in dataclasses.fields(schema):
            yield from _groups(hints[item.name], f"{path}.{item.name}".lstrip("."))
    elif typing.get_origin(schema) is dict:
        yield path
    elif typing.get_origin(schema) is not list:
        for member in typing.get_args(schema):
            yield from _groups(member, path)


_TAG = "_tag"
_FORMER = {"study": "machine"}
"""Keys that saved scenarios and ``--set`` may still hold, with what they are called now."""


def load_scenario(name: str, settings: Sequence[str] = ()) -> Scenario:
    """Load ``machine/name`` or a path to a YAML file, with ``--set`` overrides carried out.

    A file holds one scenario, or several under their names: then ``path.yaml:name`` says which.
    Relative paths of model files are looked for beside the file first.
    Raises ScenarioError, one line, for what is missing, unknown or of the wrong type.
    """
    text, child, folder = _find(name)
    with _refusing(name):
        scenario = _typed(anchored(_read_mapping(text, child, name), folder), name)
    if any(".parameters." in setting for setting in settings):  # of which code knows the names
        scenario = with_loaded_code(scenario, name)
    scenario = with_loaded_code(with_settings(scenario, settings, name), name)
    scenario.name = scenario.name or name
    return drawn(scenario, name)


def drawn(scenario: Scenario, where: str) -> Scenario:
    """Return a scenario with the numbers that its seed draws (`randomise`), the same every time.

    Loading and changing a scenario draws them; who makes one in Python calls this, or runs it.
    where: what the scenario is called in a message. Raises ScenarioError, one line, for what cannot
    be drawn.
    """
    if not scenario.randomise:
        return scenario
    if any(".parameters." in path for path in scenario.randomise):  # of which code knows the names
        scenario = with_loaded_code(scenario, where)
    return _drawn(scenario, where)


def _drawn(scenario: Scenario, where: str) -> Scenario:
    """Return a scenario with what its seed draws; runs no code."""
    if not scenario.randomise:
        return scenario
    where = f"{where} with seed {scenario.seed}"
    values = {path: one.at(share(scenario.seed, path)) for path, one in scenario.randomise.items()}
    if all(isinstance(getattr(scenario, path, None), float) for path in values):
        with _refusing(where):  # a mapping, which checks everything, takes a hundred times as long
            own: dict[str, Any] = values
            return dataclasses.replace(scenario, **own)
    return _redone(scenario, partial(with_drawn, randomise=scenario.randomise), where)


def with_settings(scenario: Scenario, settings: Sequence[str], where: str) -> Scenario:
    """Carry out ``--set`` overrides on a scenario; raises ScenarioError, one line, as loading does.

    where: what the scenario is called in a message.
    """
    if not settings:
        return scenario
    present = [_present(setting) for setting in settings]
    paths = [setting.partition("=")[0].strip() for setting in present]
    changing = partial(apply_overrides, settings=present)
    return _changed(scenario, changing, paths, f"{where} with --set")


def with_values(scenario: Scenario, values: Mapping[str, Any], where: str) -> Scenario:
    """Return a scenario with values by their paths, as ``--set`` names them.

    values: numbers, texts, lists and groups as YAML would give them. Raises ScenarioError as
    `with_settings`.
    """
    if not values:
        return scenario
    return _changed(scenario, partial(apply_values, values=values), list(values), where)


def _changed(
    scenario: Scenario,
    change: Callable[..., dict[str, Any]],
    paths: Sequence[str],
    where: str,
) -> Scenario:
    """Return the scenario whose mapping is changed at some paths, with what its seed draws."""
    changed = _redone(scenario, change, where)
    for path in paths:
        if path in changed.randomise:
            raise ScenarioError(
                f"{where}: {path} is drawn from the seed: take it out of randomise to set it."
            )
    return drawn(with_loaded_code(changed, where), where)


def _redone(scenario: Scenario, change: Callable[..., dict[str, Any]], where: str) -> Scenario:
    """Return the scenario whose mapping is changed; runs no code."""
    with _refusing(where):
        mapping = _complete(scenario)
        groups = _with_arguments(mapping, scenario)
        mapping = change(mapping, open_groups=(*open_groups(), *groups))
        if isinstance(mapping["arguments"], dict):
            given = mapping["arguments"].items()
            mapping["arguments"] = {name: group for name, group in given if group != {}}
        changed = _typed(anchored(mapping, Path()), where)
    if isinstance(scenario.controller, PythonObject) and changed.controller == scenario.controller:
        changed.controller = scenario.controller  # an object of a program, which no mapping holds
    return changed


def _present(setting: str) -> str:
    """Return a setting with its key as it is called now."""
    key, equals, value = setting.partition("=")
    return f"{_FORMER.get(key.strip(), key)}{equals}{value}"


def _with_arguments(mapping: dict[str, Any], scenario: Scenario) -> list[str]:
    """Give every model a group for its arguments; returns the paths of these groups."""
    models = [directive.add_model for directive in scenario.directives]
    names = [model.name for model in models if model is not None]
    for name in names:
        mapping["arguments"].setdefault(name, {})
    return [f"arguments.{name}" for name in names]


def parse_scenario(text: str, where: str = "scenario", folder: Path | None = None) -> Scenario:
    """Read one scenario from YAML text, such as the resolved scenario of a run; runs no code.

    folder: of the run, which keeps its files of numbers.
    """
    with _refusing(where):
        mapping = _read_mapping(text, None, where)
        if folder is not None:
            mapping = with_kept_files(mapping, folder)
        scenario = _typed(mapping, where)
    return _drawn(scenario, where)


def dump_scenario(scenario: Scenario) -> str:
    """Write a scenario out with every field resolved; ``parse_scenario`` reads it back."""
    return yaml_dump(_complete(scenario))


def _complete(scenario: Scenario) -> dict[str, Any]:
    """Every field as YAML has it, those that are null included."""
    code, default = code_in(scenario), Scenario()
    codeless = with_parts(scenario, {path: attrgetter(path)(default) for path in code})
    mapping: dict[str, Any] = read_dumped(yaml_dump_typed(codeless, schema=Scenario))
    for path, part in code.items():
        group, _, name = path.rpartition(".")
        (mapping.setdefault(group, {}) if group else mapping)[name] = plain(part)
    for name in ("controller", "analysis"):  # Drake leaves the tag of a union's first member out
        if mapping.get(name) is not None:
            mapping[name] = {_TAG: f"!{type(getattr(scenario, name)).__name__}"} | mapping[name]
    return with_nulls(mapping, Scenario)


def _find(name: str) -> tuple[str, str | None, Path]:
    """Return the YAML text, the name within it (None: the whole text) and its folder."""
    if is_path(name):
        path, _, child = name.partition(":")
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ScenarioError(
                f"cannot read the scenario file {path}: "
                f"{getattr(error, 'strerror', None) or error}."
            ) from error
        return text, child or None, Path(path).parent
    file, inside = find_scenario(name)
    return file.read_text(encoding="utf-8"), inside, file.parent


def _read_mapping(text: str, child: str | None, where: str) -> dict[str, Any]:
    try:
        mapping = _parsed(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f"line {mark.line + 1}: " if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", "cannot be read")
        raise ScenarioError(f"{where}: {line}not YAML ({problem}).") from error
    if child is not None:
        if not isinstance(mapping, dict) or child not in mapping:
            names = list(mapping) if isinstance(mapping, dict) else []
            raise ScenarioError(
                f"{where}: there is no scenario '{child}' in the file; {did_you_mean(child, names)}"
            )
        mapping = mapping[child]
    if not isinstance(mapping, dict):
        raise ScenarioError(
            f"{where}: a scenario is a group of keys; a file with several needs its name, "
            "as in file.yaml:name."
        )
    return {_FORMER.get(str(key), str(key)): copy.deepcopy(mapping[key]) for key in mapping}


@functools.lru_cache(maxsize=16)  # of a file with many scenarios, of which several are loaded
def _parsed(text: str) -> YamlValue:
    """Return what YAML text says; must not be changed."""
    return read_yaml(text)


def _refusing(where: str) -> AbstractContextManager[None]:
    """Turn whatever reading a scenario raises into one line."""
    return refusing(ScenarioError, lambda error: f"{where}: {_reason(error)}.")


def _typed(mapping: dict[str, Any], where: str) -> Scenario:
    check_types(mapping, Scenario, where)
    mapping = with_default(mapping)
    places = {path: _group_of(mapping, path).get(path.rpartition(".")[2]) for path in CODED}
    free: dict[str, Any] = {
        path: group for path, group in places.items() if _is_python(path, group)
    }
    bare = copy.deepcopy(mapping)
    for path in free:
        del _group_of(bare, path)[path.rpartition(".")[2]]
    # what Drake's reader need not read again, a third of the time of a change
    same = _defaults()
    text = yaml_dump({name: of for name, of in bare.items() if repr(of) != same.get(name)})
    try:
        scenario: Scenario = yaml_load_typed(schema=Scenario, data=text, defaults=Scenario())
        for path, group in free.items():
            of_engine, _, name = path.rpartition(".")
            given = {key: value for key, value in group.items() if key != _TAG}
            kind, holder = (Function, scenario.moreau) if of_engine else (Python, scenario)
            setattr(holder, name, kind(**given))
        _validate(scenario)
    except FootfallError as error:
        raise ScenarioError(f"{where}: {error}") from error
    refuse_nan(free, "", where)
    if "nan" in text.lower():  # to go through all of it takes longer
        refuse_nan(_complete(scenario), "", where)
    return scenario


@cache
def _defaults() -> dict[str, str]:
    """Return all fields of a scenario that says nothing, as they are written."""
    return {name: repr(of) for name, of in _complete(Scenario()).items()}


def _reason(error: BaseException) -> str:
    """Return what Drake's reader says, without what it says of itself."""
    reason = reason_of(error).partition("; only one of (<class")[0]
    if "incompatible function arguments" in reason:  # as Drake 1.51 and 1.58 write it
        owner = re.search(r"\(self: [\w.]*?(\w+),|Invoked with types: [\w.]*?(\w+),", reason)
        what = (owner[1] or owner[2]) if owner else "a group"
        return f"a value of {what} has the wrong type, or a list the wrong length"
    return reason


def _group_of(mapping: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the group that holds a place, an empty one where there is none."""
    group, _, _ = path.rpartition(".")
    inner = mapping.get(group, {}) if group else mapping
    return inner if isinstance(inner, dict) else {}


def _is_python(name: str, group: object) -> bool:
    """Return whether a group is a `!Python`, whose parameters Drake's reader knows no types of."""
    if not isinstance(group, dict):
        return False
    return name in {"reference", "estimator"} or group.get(_TAG) == f"!{Python.__name__}"


def _validate(part: object) -> None:
    """Run the checks of every dataclass again: Drake's reader sets fields after they have run."""
    if dataclasses.is_dataclass(part) and not isinstance(part, type):
        for item in dataclasses.fields(part):
            value = getattr(part, item.name)
            for inner in _parts_of(value):
                _validate(inner)
        check = getattr(part, "__post_init__", None)
        if check is not None:
            check()


def _parts_of(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else [value]


def changed(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """Return a scenario with values by their paths; the given one stays as it is.

    values: as ``--set`` names them, such as ``friction``, ``controller.kp``, ``pairs.0.friction``;
    numbers, texts, lists, groups, dataclasses of a scenario, arrays. ``controller`` may be a Drake
    system, its class or a function of the plant, ``reference`` a `Python`. Raises ScenarioError,
    one line.
    """
    objects = {name: given for name, given in values.items() if _is_object(name, given)}
    others = {name: plain(given) for name, given in values.items() if name not in objects}
    found = with_values(scenario, others, scenario.name or "the scenario")
    return dataclasses.replace(found, **objects) if objects else found


def _is_object(name: str, given: object) -> bool:
    """Return whether a value is an object that no YAML tells."""
    known = given is None or isinstance(given, Mapping | str | int | float | Python)
    return name == "controller" and not known


def plain(given: Any) -> Any:  # noqa: ANN401 (whatever a program gives)
    """Return what a program gives as YAML has it: numbers, texts, lists and groups."""
    if isinstance(given, Mapping):
        return {str(name): plain(part) for name, part in given.items()}
    if isinstance(given, np.ndarray | np.generic):
        return given.tolist()
    if isinstance(given, list | tuple):
        return [plain(part) for part in given]
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        tag = {_TAG: "!Python"} if isinstance(given, Function) else {}
        return tag | plain(asdict(given))
    return str(given) if isinstance(given, Path) else given
