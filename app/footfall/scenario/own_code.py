"""Files that a scenario brings along: what they are, where a run keeps them, how code is loaded.

A scenario runs code only for `!Python`, `observables` and the function of a sweep; whoever reads a
saved run, to report or to replay it, runs none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from footfall.control.python_object import PythonObject
from footfall.engines.own import OWN_PARTS
from footfall.engines.own import Python as Function
from footfall.files import DataFile, used_data_file
from footfall.plants import grounds
from footfall.plants.grounds import HeightMap
from footfall.python_files import PythonFile, executed_python
from footfall.scenario.observables import Observable, read_function, read_observables
from footfall.scenario.schema import Scenario
from footfall.trajectory import logs
from footfall_controllers import policy
from footfall_controllers.log import Log
from footfall_controllers.policy import Policy

FOLDER = "code"
"""Folder of a run that keeps the files."""

_DATA: dict[type[HeightMap | Log | Policy], tuple[str, str, tuple[str, ...]]] = {
    HeightMap: ("terrain", "ground", grounds.ENDINGS),
    Log: ("controller", "log", logs.ENDINGS),
    Policy: ("controller", "policy", policy.ENDINGS),
}
"""Parts that name a file of numbers: of which field, where a run keeps it, how it ends."""

CODED = ("controller", "reference", "estimator", *(f"moreau.{name}" for name in OWN_PARTS))
"""Places of a scenario that may hold a `!Python`."""


@dataclass(frozen=True)
class Part:
    """One place in a scenario that names code: the executed file, the name in it, parameters."""

    where: str
    file: PythonFile
    name: str
    parameters: dict[str, Any]


def code_in(scenario: Scenario) -> dict[str, Function]:
    """Return every `!Python` of a scenario by its place."""
    held = {path: attrgetter(path)(scenario) for path in CODED}
    return {path: part for path, part in held.items() if isinstance(part, Function)}


def with_parts(scenario: Scenario, parts: Mapping[str, object]) -> Scenario:
    """Return a scenario with other parts at places that may hold a `!Python`."""
    of_engine: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for path, part in parts.items():
        group, _, name = path.rpartition(".")
        (of_engine if group else others)[name] = part
    moreau = replace(scenario.moreau, **of_engine)
    return replace(scenario, **others, moreau=moreau) if parts else scenario


def with_loaded_code(scenario: Scenario, where: str) -> Scenario:
    """Execute the code of a scenario, and complete parameters with their defaults.

    where: what the scenario is called in messages. Raises ScenarioError, one line.
    """
    done = {path: part.completed(f"{where}: {path}") for path, part in code_in(scenario).items()}
    for function in _functions(scenario):
        function.load()
    return with_parts(scenario, done)


def parts_of(scenario: Scenario) -> Iterator[Part]:
    """Every place of a scenario that names code, with the file as it was executed last."""
    for path, part in code_in(scenario).items():
        yield Part(path, executed_python(part.file, path), part.name, part.parameters)
    for each in _functions(scenario):
        yield Part(each.where, executed_python(each.file, each.where), each.function, {})


def code_of(scenario: Scenario) -> dict[str, Any]:
    """Return what provenance says of the files of a scenario, by their places; empty without any.

    They are those of its code, and those of numbers.
    """
    told: dict[str, Any] = {
        part.where: {
            "file": str(part.file.path),
            "name": part.name,
            "sha256": part.file.sha256,
            "imports": part.file.imports,
            "parameters": part.parameters,
        }
        for part in parts_of(scenario)
    }
    for name, (_, file) in _data_files(scenario).items():
        told[name] = {"file": str(file.path), "sha256": file.sha256}
    if isinstance(scenario.controller, PythonObject):
        given = scenario.controller
        told["controller"] = {
            "object": f"class or function {given.name} in module {given.module}",
            "repeatable": "only by the program that made the object, not from this folder",
        }
    return told


def kept_files(scenario: Scenario) -> dict[str, bytes]:
    """Return the content of every file of a scenario, by its place in the folder of a run."""
    places = _places(scenario)
    data = _data_files(scenario).values()
    return {f"{folder}/{file.path.name}": file.content for folder, file in data} | {
        f"{places[part.file.path.parent]}/{path.relative_to(part.file.path.parent)}": text
        for part in parts_of(scenario)
        for path, text in part.file.sources.items()
    }


def as_kept(scenario: Scenario) -> Scenario:
    """Return a scenario whose files are those which are kept in the folder of its run."""
    kept_data: dict[str, Any] = {
        name: replace(getattr(scenario, name), file=f"{folder}/{file.path.name}")
        for name, (folder, file) in _data_files(scenario).items()
    }
    scenario = replace(scenario, **kept_data)
    places = _places(scenario)

    def kept(file: str) -> str:
        path = Path(file).resolve()
        return f"{places[path.parent]}/{path.name}"

    parts = {path: replace(part, file=kept(part.file)) for path, part in code_in(scenario).items()}
    observables = {
        each.name: replace(each, file=kept(each.file)).text
        for each in read_observables(scenario.observables)
    }
    if not places:
        return scenario
    analysis = scenario.analysis
    if own := _of_sweep(scenario):
        analysis = replace(analysis, function=replace(own, file=kept(own.file)).text)  # type: ignore[type-var]
    return with_parts(replace(scenario, analysis=analysis, observables=observables), parts)


def _functions(scenario: Scenario) -> list[Observable]:
    """Return the functions of files that a scenario names."""
    own = _of_sweep(scenario)
    return [*read_observables(scenario.observables), *([own] if own else [])]


def _of_sweep(scenario: Scenario) -> Observable | None:
    """Return the function of a file that a sweep evaluates, if it does."""
    text = getattr(scenario.analysis, "function", "")
    return read_function("analysis.function", text) if ".py:" in text else None


def _data_files(scenario: Scenario) -> dict[str, tuple[str, DataFile]]:
    """Return the files of numbers that fields of a scenario name, as they were read last.

    By field, with the folder in which a run keeps each.
    """
    return {
        name: (folder, used_data_file(part.file, f"{name}.file", endings))
        for kind, (name, folder, endings) in _DATA.items()
        if isinstance(part := getattr(scenario, name), kind) and part.file
    }


def _places(scenario: Scenario) -> dict[Path, str]:
    """Return where in the folder of a run the files of each folder are kept."""
    folders = dict.fromkeys(part.file.path.parent for part in parts_of(scenario))
    return {path: f"{FOLDER}/{k}" if k else FOLDER for k, path in enumerate(folders)}
