"""Mesh files: STL, OBJ and Collada, read by trimesh."""

from pathlib import Path
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.errors import ModelError

FORMATS = (".stl", ".obj", ".dae")


def read_vertices(path: Path) -> Array:
    """Return the vertices of a mesh file, (n, 3) in its unit (Collada: in metres).

    Collada's up direction is not applied, as ROS does. Raises ModelError, one line, for a format
    that is not read and for a file without vertices.
    """
    mesh = _load(path, force="mesh", process=False, skip_materials=True)
    vertices = np.asarray(getattr(mesh, "vertices", ()), dtype=np.float64).reshape(-1, 3)
    if len(vertices) == 0 or not np.isfinite(vertices).all():
        raise ModelError(f"{path}: holds no vertices, or some that are no numbers; replace it.")
    return vertices


def load_scene(path: Path) -> Any:  # noqa: ANN401 (trimesh's Scene, which has no types)
    """Return the trimesh.Scene of a mesh file, with its materials, in the unit of read_vertices."""
    return _load(path, force="scene")


def _load(path: Path, **how: Any) -> Any:  # noqa: ANN401 (as load_scene)
    import trimesh

    if path.suffix.lower() not in FORMATS:
        raise ModelError(
            f"{path}: the format {path.suffix or 'of this mesh'} is not read; convert it to one of "
            f"{', '.join(FORMATS)}."
        )
    try:
        mesh: Any = trimesh.load(path, **how)
        if getattr(mesh, "units", None) is not None:  # only Collada says
            mesh = mesh.convert_units("meters")  # a mesh is changed, a scene is copied
    except Exception as error:  # whatever the reader of this format raises
        reason = " ".join(str(error).split())
        raise ModelError(f"{path}: cannot be read as a mesh ({reason}); replace it.") from error
    return mesh
