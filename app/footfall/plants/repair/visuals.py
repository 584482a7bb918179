"""Visual meshes in formats that Drake draws everywhere: STL becomes OBJ, Collada becomes glTF.

OBJ has no colour, so Drake paints it as the URDF says; glTF keeps the colours of Collada. Meshes
that together are larger than a page holds are made coarser, as far as nobody sees it: corners
within a cell become one.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.files import write_text
from footfall.plants.loading.meshes import load_scene

CONVERTED = (".stl", ".dae")
_BUDGET = 2_800_000  # bytes of all that a robot is drawn with; a page holds it for every run
_CELL, _COARSER, _COARSEST = 1e-4, 2.0, 1.5e-3  # m: the first cell, what it grows by, the last
_BYTES = 45.0  # of a file for each of its triangles, with its share of the corners
_MOST_CELLS = 2.0**62
_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])  # glTF's y is up


@dataclass(frozen=True)
class Source:
    """A mesh file, and the scale along x, y and z at which it is drawn."""

    path: Path
    scale: tuple[float, ...]


@dataclass(frozen=True)
class _Piece:
    """Triangles of one colour; textured ones keep trimesh's mesh, which holds the picture."""

    vertices: Array
    triangles: npt.NDArray[np.int64]
    rgba: tuple[int, ...] | None
    textured: Any = None


class Visuals:
    """The visual meshes of a robot, each read once."""

    def __init__(self, uses: Mapping[Source, int]) -> None:
        """Read meshes of formats that are converted; uses: how often each is drawn.

        Raises ModelError for one that cannot be read.
        """
        self._uses = uses
        read = {path: _pieces(path) for path in {source.path for source in uses}}
        self._meshes = {
            source: [_scaled(piece, np.array(source.scale)) for piece in read[source.path]]
            for source in uses
        }

    def write(self, folder: Path) -> tuple[dict[Source, Path], float]:
        """Write all into a folder; returns the file of each, and the cell [m] that was needed.

        The cell is 0 where nothing was made coarser.
        """
        cell = _CELL
        while cell < _COARSEST and self._size(cell) > _BUDGET:
            cell *= _COARSER
        files: dict[Source, Path] = {}
        for source, pieces in self._meshes.items():
            suffix = ".obj" if source.path.suffix.lower() == ".stl" else ".gltf"
            file = folder / f"{source.path.stem}{suffix}"
            if file in files.values():
                file = folder / f"{source.path.stem}_{len(files)}{suffix}"
            coarse = [_coarser(piece, cell) for piece in pieces]
            write_text(file, _obj(coarse) if suffix == ".obj" else _gltf(coarse))
            files[source] = file
        return files, cell if cell > _CELL else 0.0

    def _size(self, cell: float) -> float:
        """About how many bytes the files have together, each as often as it is drawn."""
        return sum(
            self._uses[source] * _BYTES * len(_coarser(piece, cell).triangles)
            for source, pieces in self._meshes.items()
            for piece in pieces
        )


def _pieces(path: Path) -> list[_Piece]:
    pieces = []
    for mesh in load_scene(path).dump():
        vertices = np.asarray(mesh.vertices, dtype=np.float64)
        triangles = np.asarray(getattr(mesh, "faces", ()), dtype=np.int64).reshape(-1, 3)
        if len(triangles) == 0:
            continue
        material = getattr(mesh.visual, "material", None)
        colour = getattr(material, "main_color", None)
        rgba = None if colour is None else tuple(int(c) for c in colour)
        image = getattr(material, "image", None) or getattr(material, "baseColorTexture", None)
        pieces.append(_Piece(vertices, triangles, rgba, mesh if image is not None else None))
    if not pieces:
        raise ModelError(f"{path}: holds no triangles; replace it.")
    return pieces


def _scaled(piece: _Piece, scale: Array) -> _Piece:
    """A piece at its scale; a mirrored one is turned inside out again."""
    if (scale == 1.0).all():
        return piece
    triangles = piece.triangles[:, ::-1] if scale.prod() < 0.0 else piece.triangles
    textured = piece.textured
    if textured is not None:
        textured = textured.copy()
        textured.apply_transform(np.diag([*scale, 1.0]))
    return _Piece(piece.vertices * scale, triangles, piece.rgba, textured)


def _obj(pieces: list[_Piece]) -> str:
    """Flat triangles with their normals, which Drake's renderers ask for."""
    lines: list[str] = []
    first = normal = 1
    for piece in pieces:
        vertices, triangles = piece.vertices, piece.triangles
        normals, which = np.unique(_normals(vertices, triangles), axis=0, return_inverse=True)
        lines += [f"v {x:.4g} {y:.4g} {z:.4g}" for x, y, z in vertices]
        lines += [f"vn {x:g} {y:g} {z:g}" for x, y, z in normals]
        corners = np.column_stack((triangles + first, which.reshape(-1) + normal))
        lines += [f"f {i}//{n} {j}//{n} {k}//{n}" for i, j, k, n in corners]
        first, normal = first + len(vertices), normal + len(normals)
    return "\n".join(lines) + "\n"


def _normals(vertices: Array, triangles: npt.NDArray[np.int64]) -> Array:
    """Normals of triangles, (m, 3), to two digits, so that many have the same one."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(np.round(normals / np.where(length > 0.0, length, 1.0), 2) + 0.0)


def _gltf(pieces: list[_Piece]) -> str:
    """One file with everything in it, as Drake wants it where files are moved."""
    import trimesh

    scene: Any = trimesh.Scene()  # untyped, as most of trimesh
    visual: Any = trimesh.visual
    for piece in pieces:
        mesh = piece.textured
        if mesh is None:
            mesh = trimesh.Trimesh(piece.vertices, piece.triangles, process=False)
            material = visual.material.PBRMaterial(
                baseColorFactor=piece.rgba or (200, 200, 200, 255),
                metallicFactor=0.1,
                roughnessFactor=0.7,
            )
            mesh.visual = visual.TextureVisuals(material=material)
        scene.add_geometry(mesh)
    scene.apply_transform(_UP)
    files = scene.export(file_type="gltf", merge_buffers=True)
    tree = json.loads(files.pop("model.gltf"))
    for part in (*tree.get("buffers", ()), *tree.get("images", ())):
        if part.get("uri") in files:
            coded = base64.b64encode(files[part["uri"]]).decode("ascii")
            part["uri"] = f"data:application/octet-stream;base64,{coded}"
    return json.dumps(tree)


def _coarser(piece: _Piece, cell: float) -> _Piece:
    """A piece whose vertices in one cell [m] became one, with the triangles that are left."""
    cells = np.round(piece.vertices / cell).astype(np.int64)
    cells -= cells.min(axis=0)
    sizes = cells.max(axis=0) + 1
    if np.prod(sizes, dtype=np.float64) > _MOST_CELLS:  # of a kilometre: nothing to make coarser
        return piece
    _, place, count = np.unique(
        np.ravel_multi_index(tuple(cells.T), tuple(sizes)), return_inverse=True, return_counts=True
    )
    sums = [np.bincount(place, column) for column in piece.vertices.T]
    vertices = np.column_stack(sums).astype(np.float64) / count[:, None]
    triangles = place[piece.triangles]
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    if len(triangles) == 0:  # all of it lies in one cell
        return piece
    # of those with the same corners in the same order one is enough
    turns = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])[triangles.argmin(axis=1)]
    ordered = np.take_along_axis(triangles, turns, axis=1)
    a, b, c = ordered.T
    _, first = np.unique((a * len(vertices) + b) * len(vertices) + c, return_index=True)
    used, renumbered = np.unique(ordered[first], return_inverse=True)
    return _Piece(vertices[used], renumbered.reshape(-1, 3), piece.rgba, piece.textured)
