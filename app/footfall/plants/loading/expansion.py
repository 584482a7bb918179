"""Files that make models, as what everything else reads: the stage of loading behind `model_files`.

A xacro file becomes URDF, and a file of parameters, of which a machine has registered a maker, SDF.
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

from footfall.errors import ModelError, ScenarioError
from footfall.plants.loading.model_files import (
    XACRO,
    Argument,
    Copy,
    ModelFile,
    derived,
    is_xacro,
    stem_of,
)
from footfall.plants.loading.uris import Packages
from footfall.plants.loading.xacro_faults import Refused
from footfall.plants.loading.xacro_program import Urdf, expand
from footfall.plants.messages import did_you_mean
from footfall.resources import PACKAGE, share_root
from footfall.trust import is_trusted

_MAKERS: dict[str, str] = {}
_MOST_DIGITS = 1e15  # whole numbers up to here have no rounding
_PLAIN = re.compile(r"[\w.+-]*")  # an argument that is no expression
_PROGRAM = "footfall.plants.loading.xacro_program"
_SECONDS = 5.0  # of computing: a robot of a thousand links needs less than one
_PATIENCE = 120.0  # s, on whatever clock


def register_makers(makers: Mapping[str, str]) -> None:
    """Take makers of SDF by the ending of their files, each as ``package.module:name``."""
    _MAKERS.update(makers)


def expand_files(
    files: Sequence[ModelFile],
    arguments: Mapping[str, Mapping[str, Argument]],
    packages: Packages,
    folder: Path,
) -> tuple[list[ModelFile], list[Copy]]:
    """Return files that are models, those that were made in a folder, and of what.

    arguments: of xacro files, by name of the model. packages are asked for package:// and $(find).
    Raises ModelError for what xacro or a maker refuses, ScenarioError for arguments of no model.
    """
    _require_owners(files, arguments)
    expanded, copies = [], []
    for file in files:
        maker = _MAKERS.get(file.path.suffix.lower())
        if file.place is not None and maker is not None:
            path = derived(resolve_name(maker), file.path, ".sdf")
            copies.append(Copy(path, file.source))
            expanded.append(replace(file, path=path, folder=path.parent))
        elif file.place is not None and is_xacro(file.address):
            urdf = _expanded(file, arguments.get(file.name, {}), packages)
            path = folder / f"{file.place}" / f"{stem_of(file.path.name)}.urdf"
            path.parent.mkdir(parents=True)
            path.write_text(urdf.text, encoding="utf-8")
            copies.append(Copy(path, file.source, urdf.lines, urdf.places))
            expanded.append(replace(file, path=path))
        else:
            expanded.append(file)
    return expanded, copies


def _require_owners(
    files: Sequence[ModelFile], arguments: Mapping[str, Mapping[str, Argument]]
) -> None:
    """Raise ScenarioError for arguments of a model that is not there, or takes none."""
    addresses = {file.name: file.address for file in files if file.place is not None}
    for name, values in arguments.items():
        if name not in addresses:
            raise ScenarioError(
                f"arguments.{name}: the directives have no model '{name}'; "
                f"{did_you_mean(name, addresses)}"
            )
        if values and not is_xacro(addresses[name]):
            raise ScenarioError(
                f"{addresses[name]} is no {XACRO} file and takes no arguments; leave "
                f"{', '.join(values)} of '{name}' out."
            )


def _expanded(file: ModelFile, values: Mapping[str, Argument], packages: Packages) -> Urdf:
    given = {name: text_of(value) for name, value in values.items()}
    path = file.path
    if path.is_relative_to(share_root()):
        return _expanded_own(path, path.stat().st_mtime_ns, tuple(given.items()))
    if is_trusted(file.address):
        return expand(path, given, packages, trusted=True)
    return _expanded_apart(path, given, packages)


def text_of(value: Argument) -> str:
    """An argument as xacro has them all, as text; 10.0 as 10, which also counts things."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < _MOST_DIGITS:
        return str(int(value))
    return str(value)


@lru_cache(maxsize=32)
def _expanded_own(path: Path, _changed: int, given: tuple[tuple[str, str], ...]) -> Urdf:
    """Expand a file that ships, which reads no other one: machines are built again and again."""
    packages = {PACKAGE: str(share_root())}
    if all(_PLAIN.fullmatch(value) for _, value in given):
        return expand(path, dict(given), packages, trusted=True)
    return _expanded_apart(path, dict(given), packages)


def _expanded_apart(path: Path, given: Mapping[str, str], packages: Packages) -> Urdf:
    """Expand a file that is not trusted, in a process whose time and memory are bounded."""
    modules = [spec for name in ("footfall", "xacro", "yaml") if (spec := find_spec(name))]
    folders = sorted({str(Path(str(spec.origin)).parents[1]) for spec in modules})
    code = f"import sys; sys.path += {folders}; import {_PROGRAM} as program; program.main()"
    asked = {"path": str(path), "arguments": given, "packages": packages, "seconds": _SECONDS}
    try:
        done = subprocess.run(
            [sys.executable, "-ISBc", code],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=True,
        )
    except subprocess.SubprocessError as error:
        limit = f"takes more than {_SECONDS:g} s of computing, or more memory than any robot needs"
        raise ModelError(f"{path}: {Refused(f'its expansion {limit}')}") from error
    answer = json.loads(done.stdout)
    if isinstance(answer, str):
        raise ModelError(answer)
    return Urdf(*answer)
