"""Refuses a model that cannot be simulated as its author meant, with one line each.

`check_files` judges the files before Drake reads them, `check_plant` the finalized plant;
`require_frames` and `require_joints` look names up that a scenario or a controller asks for.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from pydrake.multibody.parsing import LoadModelDirectives, ModelDirective

from footfall.errors import ModelError, refusing
from footfall.plants.file_physics import FilePhysics, read_physics
from footfall.plants.mesh_check import check_mesh
from footfall.plants.plant_check import (
    check_mass_matrix,
    check_plant,
    require_frames,
    require_joints,
)
from footfall.plants.uris import Packages, add_package_of, known_packages, resolve
from footfall.plants.wording import explain, listed
from footfall.plants.world_shapes import check_world_shapes, urdf_world_shapes
from footfall.plants.xacro_files import is_xacro
from footfall.plants.xml_check import XmlModel
from footfall.plants.xml_constraints import (
    DeclaredConstraint,
    Scope,
    model_name,
    read_contents,
)

__all__ = [
    "Checked",
    "check_files",
    "check_mass_matrix",
    "check_plant",
    "require_frames",
    "require_joints",
]

_PARTS = (
    "add_model",
    "add_model_instance",
    "add_frame",
    "add_weld",
    "add_collision_filter_group",
    "add_directives",
)
_XML = (".urdf", ".sdf")


class Checked(NamedTuple):
    """Result of `check_files`: the model files, their constraints, the packages of their URIs.

    physics: what the URDF and SDF files say of friction, springs and the like.
    """

    files: tuple[Path, ...]
    packages: Packages
    constraints: tuple[DeclaredConstraint, ...]
    physics: FilePhysics


def check_files(directives: Sequence[ModelDirective], packages: Packages | None = None) -> Checked:
    """Judge the files that directives name, and all that those include.

    packages: those that are known, else our own and those of ROS_PACKAGE_PATH. Paths without a
    scheme are relative to the working directory. Raises ModelError for a file, mesh or package that
    is not there, broken XML, tags that Drake passes over, unphysical mass or inertia, crossed joint
    limits, negative sizes, two models of one name, a xacro file that is not compiled, more shapes
    on the world itself than Drake bears.
    """
    walk = _Walk(packages if packages is not None else known_packages({}))
    walk.directives(directives, "", Path.cwd(), "directives")
    constraints = tuple(walk.constraints)
    return Checked(tuple(walk.files), walk.packages, constraints, walk.physics)


class _Walk:
    """One pass over directives, models and what they include."""

    def __init__(self, packages: Packages) -> None:
        self.packages = packages
        self.files: list[Path] = []
        self.constraints: list[DeclaredConstraint] = []
        self.physics = FilePhysics()
        self._names: set[str] = set()
        self._world_shapes = 0
        self._open: list[Path] = []  # files that are being read: one of them again is a cycle

    def directives(
        self, directives: Sequence[ModelDirective], namespace: str, folder: Path, where: str
    ) -> None:
        for number, directive in enumerate(directives, start=1):
            self._directive(directive, namespace, folder, f"{where}[{number}]")

    def _directive(
        self, directive: ModelDirective, namespace: str, folder: Path, where: str
    ) -> None:
        given = [part for part in _PARTS if getattr(directive, part) is not None]
        if len(given) != 1:
            raise ModelError(
                f"{where} holds {' and '.join(given) or 'nothing'}; "
                f"give one of {', '.join(_PARTS)}."
            )
        model, nested = directive.add_model, directive.add_directives
        where = f"{where} {given[0]}"
        if model is not None:
            name = namespace + model.name
            self._name(name, where)
            path = resolve(model.file, self.packages, folder, where)
            self._model(path, lambda file: Scope(name, model_name(file)))
        elif directive.add_model_instance is not None:
            self._name(namespace + directive.add_model_instance.name, where)
        elif nested is not None:
            path = resolve(nested.file, self.packages, folder, where)
            if path is not None:
                inner = f"{nested.model_namespace}::" if nested.model_namespace else ""
                self._nested(path, namespace + inner)

    def _name(self, name: str, where: str) -> None:
        if not name or name.endswith("::"):
            raise ModelError(f"{where} has no name; add `name:`.")
        if name in self._names:
            raise ModelError(
                f"{where}: there are two models named '{name}'; give each a name of its own."
            )
        self._names.add(name)

    def _nested(self, path: Path, namespace: str) -> None:
        with self._entering(path):
            with refusing(ModelError, lambda error: explain(error, (), [str(path)])):
                directives = LoadModelDirectives(str(path)).directives
            self.directives(directives, namespace, path.parent, str(path))

    def _model(self, path: Path | None, scope: Callable[[XmlModel], Scope]) -> None:
        if path is None:
            return
        if path.name.endswith((".yaml", ".yml")):
            raise ModelError(f"{path} holds directives; name it by add_directives, not add_model.")
        if is_xacro(path.name):
            raise ModelError(
                f"{path} is included by another file; name xacro files by add_model in the "
                "scenario's own directives."
            )
        self.files.append(path)
        add_package_of(path, self.packages)
        if path.suffix.lower() not in _XML:
            return
        with self._entering(path):
            model = XmlModel(path)
            if model.is_urdf:
                self._count_world_shapes(urdf_world_shapes(model.root), path)
            for node, uri in model.meshes():
                where = f"{path}:{node.line}"
                check_mesh(resolve(uri, self.packages, path.parent, where), where)
            contents = read_contents(model, scope(model))
            self.constraints += contents.constraints
            self.physics.add(read_physics(model, scope(model)))
            for part in contents.includes:
                where = f"{path}:{part.node.line}"
                self._model(resolve(part.uri, self.packages, path.parent, where), part.scope)

    def _count_world_shapes(self, count: int, path: Path) -> None:
        self._world_shapes += count
        if count:
            check_world_shapes(self._world_shapes, path)

    @contextmanager
    def _entering(self, path: Path) -> Iterator[None]:
        if path in self._open:
            ring = listed(str(file) for file in self._open)
            raise ModelError(f"{path} includes itself (by way of {ring}); break the ring.")
        self._open.append(path)
        yield
        self._open.pop()
