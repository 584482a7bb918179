"""Mesh files, STL, OBJ and Collada, and collision meshes that are not convex.

Contact takes the convex hulls of meshes, in every engine. A hull fills what is hollow; what it adds
is told before a run.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydrake.geometry import Mesh, Role, SceneGraphInspector
from scipy.spatial import ConvexHull, QhullError

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.wording import listed

FORMATS = (".stl", ".obj", ".dae")
_DEEP, _SHARE = 0.01, 0.05  # of the size, and of the volume, that are added without a word
_MOST = 2000  # vertices that are measured
_PLANES = 200  # of a hull, the largest ones, that are held against its mesh
_SAME = 1e-5  # of the size: a vertex that lies in a plane
_SHOWN = 3  # meshes in a line before it says how many more there are


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


class _Added(NamedTuple):
    """Addition of a hull: depth of what it fills [m], and a share of the volume."""

    depth: float
    share: float


def line_about_hulls(inspector: SceneGraphInspector) -> str:
    """Return the line about the collision meshes of a model that are not convex, or nothing."""
    fillings: dict[str, _Added] = {}
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        shape = inspector.GetShape(geometry)
        if not isinstance(shape, Mesh) or not shape.source().is_path():
            continue
        path = Path(shape.source().path())
        added = _added(path, path.stat().st_mtime_ns)
        if added is not None:
            scale = float(np.abs(shape.scale3()).max())
            link = inspector.GetName(inspector.GetFrameId(geometry))
            fillings.setdefault(f"{path.name} of {link}", added._replace(depth=scale * added.depth))
    worst = sorted(fillings, key=lambda name: -fillings[name].depth)
    parts = [_in_words(name, fillings[name]) for name in worst]
    if not parts:
        return ""
    return f"collision meshes that are not convex count as their hulls: {listed(parts, _SHOWN)}"


def _in_words(name: str, added: _Added) -> str:
    deep = f", up to {added.depth:.2g} m deep" if added.depth > 0.0 else ""
    return f"{name} ({100.0 * added.share:.0f} % more volume{deep})"


@cache
def _added(path: Path, changed: int) -> _Added | None:
    """Measure a mesh file in its own unit; None where its hull adds next to nothing.

    changed: time of its last change.
    """
    del changed
    try:
        mesh = load_scene(path).to_mesh()
        hull = ConvexHull(mesh.vertices)
    except (ModelError, QhullError, ValueError):  # what Drake makes of it, it says itself
        return None
    share = hull.volume / _volume(mesh, hull.points[hull.vertices].mean(axis=0)) - 1.0
    inner = hull.points[np.setdiff1d(np.arange(len(hull.points)), hull.vertices)]
    inner = inner[:: 1 + len(inner) // _MOST]
    size = float(np.ptp(hull.points, axis=0).max())
    depth = 0.0
    if len(inner) and (share > _SHARE or _depth(inner, hull.equations) > _DEEP * size):
        depth = _depth(inner, _open_planes(mesh, hull, _SAME * size))
    return _Added(depth, share) if depth > _DEEP * size or share > _SHARE else None


def _volume(mesh: Any, middle: Array) -> float:  # noqa: ANN401 (of trimesh)
    """Volume of a mesh; one that is open is closed towards the middle."""
    if mesh.is_volume:
        return float(mesh.volume)
    a, b, c = np.moveaxis(mesh.triangles - middle, 1, 0)
    return float(np.abs(np.einsum("ij,ij->i", a, np.cross(b, c))).sum()) / 6.0


def _depth(points: Array, planes: Array) -> float:
    """Depth of the deepest point below the nearest one of some planes."""
    below = -points @ planes[:, :3].T - planes[:, 3]
    return float(below.min(axis=1).max()) if len(planes) else 0.0


def _open_planes(mesh: Any, hull: ConvexHull, near: float) -> Array:  # noqa: ANN401 (of trimesh)
    """Planes of a hull (k, 4) that the faces of its mesh do not cover."""
    planes, group = np.unique(np.round(hull.equations, 6), axis=0, return_inverse=True)
    corners = hull.points[hull.simplices]
    sides = corners[:, 1:] - corners[:, :1]
    areas = 0.5 * np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    wanted = np.bincount(group.ravel(), areas)
    largest = np.argsort(-wanted)[:_PLANES]
    planes, wanted = planes[largest], wanted[largest]
    covered = [
        mesh.area_faces[on[mesh.faces].all(axis=1)].sum()
        for on in (np.abs(hull.points @ plane[:3] + plane[3]) < near for plane in planes)
    ]
    left: Array = planes[np.array(covered) < (1.0 - _SHARE) * wanted]
    return left
