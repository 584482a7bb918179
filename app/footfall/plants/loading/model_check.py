"""Refuses files of models that cannot be simulated as their author meant, with one line each.

The stage of loading behind `mending`; what a finalized plant is judged by is in `plant_check`.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from footfall.errors import ModelError
from footfall.plants.loading.file_check import XmlModel, check_world_shapes, urdf_world_shapes
from footfall.plants.loading.file_constraints import (
    DeclaredConstraint,
    Scope,
    model_name,
    read_contents,
)
from footfall.plants.loading.file_physics import FilePhysics, read_physics
from footfall.plants.loading.model_files import ModelFile, entering, is_xacro
from footfall.plants.loading.uris import Packages, add_package_of, resolve

_XML = (".urdf", ".sdf")
_LARGEST_JSON = 100_000_000  # bytes that are parsed only to look for a fault


class Checked(NamedTuple):
    """Result of `check_files`: the files that Drake reads, those included too, their constraints.

    physics: what the URDF and SDF files say of friction, springs and the like.
    """

    files: tuple[Path, ...]
    constraints: tuple[DeclaredConstraint, ...]
    physics: FilePhysics


def check_files(files: Sequence[ModelFile], packages: Packages) -> Checked:
    """Judge files of models, and all that those include.

    packages get those that included files lie in. Raises ModelError for a file, mesh or package
    that is not there, broken XML, tags that Drake passes over, unphysical mass or inertia, crossed
    joint limits, negative sizes, a xacro file that is not compiled, more shapes on the world itself
    than Drake bears.
    """
    walk = _Walk(packages)
    for file in files:
        walk.model(file.path, file.folder, partial(_scope_of, file.name))
    return Checked(tuple(walk.files), tuple(walk.constraints), walk.physics)


def _scope_of(name: str, model: XmlModel) -> Scope:
    return Scope(name, model_name(model))


class _Walk:
    """One pass over models and what they include."""

    def __init__(self, packages: Packages) -> None:
        self.files: list[Path] = []
        self.constraints: list[DeclaredConstraint] = []
        self.physics = FilePhysics()
        self._packages = packages
        self._world_shapes = 0
        self._entered: list[Path] = []

    def model(self, path: Path, folder: Path, scope: Callable[[XmlModel], Scope]) -> None:
        if path.name.endswith((".yaml", ".yml")):
            raise ModelError(f"{path} holds directives; name it by add_directives, not add_model.")
        if is_xacro(path.name):
            raise ModelError(
                f"{path} is included by another file; name xacro files by add_model in the "
                "scenario's own directives."
            )
        self.files.append(path)
        if path.suffix.lower() not in _XML:
            return
        with entering(path, self._entered):
            model = XmlModel(path)
            if model.is_urdf:
                self._count_world_shapes(urdf_world_shapes(model.root), path)
            for node, uri in model.meshes():
                where = f"{path}:{node.line}"
                _check_mesh(resolve(uri, self._packages, folder, where), where)
            contents = read_contents(model, scope(model))
            self.constraints += contents.constraints
            self.physics.add(read_physics(model, scope(model)))
            for part in contents.includes:
                where = f"{path}:{part.node.line}"
                included = resolve(part.uri, self._packages, folder, where)
                if included is not None:
                    add_package_of(included, self._packages)
                    self.model(included, included.parent, part.scope)

    def _count_world_shapes(self, count: int, path: Path) -> None:
        self._world_shapes += count
        if count:
            check_world_shapes(self._world_shapes, path)


def _check_mesh(path: Path | None, where: str) -> None:
    """Raise ModelError for a mesh that is empty, or a .gltf that is no JSON.

    Drake's messages about these tell of its own insides. where: begins the message. None: a file
    that only Drake finds.
    """
    if path is None:
        return
    try:
        size = path.stat().st_size
        if size == 0:
            raise ModelError(f"{where}: '{path}' is empty; restore the file.")
        if path.suffix.lower() == ".gltf" and size < _LARGEST_JSON:
            _check_gltf(path.read_bytes(), path, where)
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise ModelError(f"{where}: '{path}': {reason}; make it readable.") from error


def _check_gltf(data: bytes, path: Path, where: str) -> None:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where}: '{path}' is no glTF: {error}; restore the file.") from error
    if not isinstance(content, dict) or "asset" not in content:
        raise ModelError(f"{where}: '{path}' is no glTF: it has no asset; restore the file.")
