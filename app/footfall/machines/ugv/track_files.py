"""Tracks as SDF: a static link of boxes whose upper faces are chords of the profile.

A wheel feels the boxes `surface#0`, `surface#1` and so on as one surface; a mesh shows them.
"""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np

from footfall.arrays import Array
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.facets import Faceting, runs, walls

WIDTH = 1.2
"""Of every track, along y [m]."""
SURFACE = "surface"
"""What the boxes are called before their number."""

_THICK = 0.05  # m: of the boxes beneath their upper faces
_WALL = 0.02  # m: of what closes a wall
_RGB = "0.70 0.64 0.54"
_SHOWN = 5e-3  # m: lower ends would flicker, since pictures do not tell them from the ground


def write_track(
    path: Path, track: Track, faceting: Faceting | None = None, friction: float = 0.8
) -> int:
    """Write a track as path, which ends in .sdf, and its mesh beside it; returns how many boxes.

    friction: coefficient of its surface. Raises ValueError, one line, for a track that cannot be
    written, see `runs`, for friction that is no coefficient, and for a path that does not end in
    .sdf.
    """
    if path.suffix != ".sdf":
        raise ValueError(f"{path}: a track is written as SDF: let its name end in .sdf")
    if not (math.isfinite(friction) and friction >= 0.0):
        raise ValueError(f"friction is {friction}: give a finite number from 0 on")
    lines = runs(track, faceting or Faceting())
    mesh = path.with_suffix(".obj")
    mesh.write_text(mesh_text(lines, track.label), encoding="utf-8")
    boxes = boxes_of(lines)
    path.write_text(sdf_text(path.stem, track.label, boxes, mesh.name, friction), encoding="utf-8")
    return len(boxes)


def boxes_of(lines: list[Array]) -> list[tuple[float, float, float, float, float]]:
    """Boxes below the chords of lines (N, 2): x, z of the middle, pitch, length and height.

    Level ones reach down to the ground, as does what stands below the edge of a wall. pitch [rad]
    is SDF's, about y: positive leads down ahead.
    """
    boxes = []
    for line in lines:
        for (x0, z0), (x1, z1) in pairwise(line):
            if z0 == z1:
                boxes.append((0.5 * (x0 + x1), 0.5 * z0, 0.0, x1 - x0, z0))
                continue
            angle = math.atan2(z1 - z0, x1 - x0)
            x = 0.5 * (x0 + x1) + 0.5 * _THICK * math.sin(angle)
            z = 0.5 * (z0 + z1) - 0.5 * _THICK * math.cos(angle)
            boxes.append((x, z, -angle, math.hypot(x1 - x0, z1 - z0), _THICK))
    return boxes + [box for wall in walls(lines) if (box := _behind_wall(lines, *wall))]


def _behind_wall(
    lines: list[Array], x: float, before: float, behind: float
) -> tuple[float, float, float, float, float] | None:
    """Return what closes a wall below the boxes of chords that are not level."""
    high, inwards = max(before, behind), 1.0 if behind > before else -1.0
    for line in lines:
        end, following = (line[0], line[1]) if inwards > 0.0 else (line[-1], line[-2])
        if tuple(end) == (x, high) and following[1] != high:
            length = abs(float(following[0]) - x)
            wide = min(_WALL, length)  # below this chord alone
            top = high + min(0.0, float(following[1]) - high) * wide / length - _THICK
            return (x + 0.5 * inwards * wide, 0.5 * top, 0.0, wide, top) if top > 0.0 else None
    return None


def sdf_text(
    name: str,
    label: str,
    boxes: list[tuple[float, float, float, float, float]],
    mesh: str,
    friction: float,
) -> str:
    """The file of a track called name, of boxes as `boxes_of` gives them, shown by a mesh."""
    rough = (
        "<drake:proximity_properties>"
        f"<drake:mu_dynamic>{friction:.9g}</drake:mu_dynamic></drake:proximity_properties>"
    )
    shapes = "".join(
        f"""      <collision name="{SURFACE}#{k}">
        <pose>{_number(x)} 0 {_number(z)} 0 {_number(pitch)} 0</pose>
        <geometry><box><size>{_number(length)} {WIDTH} {_number(height)}</size></box></geometry>
        {rough}
      </collision>
"""
        for k, (x, z, pitch, length, height) in enumerate(boxes)
    )
    return f"""<?xml version="1.0"?>
<!-- Made of the parameters of a track: {label}. -->
<sdf version="1.9" xmlns:drake="drake.mit.edu">
  <model name="{name}">
    <static>true</static>
    <link name="track">
      <visual name="{SURFACE}">
        <geometry><mesh><uri>{mesh}</uri></mesh></geometry>
        <material><diffuse>{_RGB} 1</diffuse></material>
      </visual>
{shapes}    </link>
  </model>
</sdf>
"""


def mesh_text(lines: list[Array], label: str) -> str:
    """Lines (N, 2) above the ground, filled down to it and WIDTH broad, as an OBJ mesh.

    Ends that are hardly above the ground are left out.
    """
    rows = [f"# Made of the parameters of a track: {label}."]
    vertices: list[str] = []
    normals: list[str] = []
    faces: list[str] = []
    for line in lines:
        _add_solid(_shown(line), vertices, normals, faces)
    return "\n".join([*rows, *vertices, *normals, *faces, ""])


def _shown(line: Array) -> Array:
    """A line from where it is first as high as is shown to where it is so last."""
    high = np.flatnonzero(line[:, 1] > _SHOWN)
    if high.size == 0:
        return line
    first, last = int(high[0]), int(high[-1])
    begin = [_crossing(line[first - 1], line[first])] if first > 0 else []
    end = [_crossing(line[last + 1], line[last])] if last < len(line) - 1 else []
    return np.vstack([*begin, line[first : last + 1], *end])


def _crossing(low: Array, high: Array) -> Array:
    """Return where the straight line between two vertices is as high as is shown."""
    return np.asarray(low + (high - low) * (_SHOWN - low[1]) / (high[1] - low[1]))


def _add_solid(line: Array, vertices: list[str], normals: list[str], faces: list[str]) -> None:
    """One line's upper face, sides and ends."""
    half, count = 0.5 * WIDTH, len(line)
    first = len(vertices) + 1
    for x, z in line:
        vertices += [
            f"v {_number(x)} {_number(y)} {_number(height)}"
            for y, height in ((-half, z), (half, z), (-half, 0.0), (half, 0.0))
        ]
    chords = np.diff(line, axis=0)
    flat = len(normals) + 1  # of the sides, then of the ends
    normals += ["vn 0 -1 0", "vn 0 1 0", "vn -1 0 0", "vn 1 0 0"]
    for k in range(count - 1):
        dx, dz = chords[k] / np.hypot(*chords[k])
        normals.append(f"vn {_number(-dz)} 0 {_number(dx)}")
        at, following = first + 4 * k, first + 4 * (k + 1)
        faces += [
            _face((at, following, following + 1, at + 1), len(normals)),
            _face((at + 2, following + 2, following, at), flat),
            _face((at + 1, following + 1, following + 3, at + 3), flat + 1),
        ]
    last = first + 4 * (count - 1)
    faces += [
        _face((first, first + 1, first + 3, first + 2), flat + 2),
        _face((last + 1, last, last + 2, last + 3), flat + 3),
    ]


def _face(corners: tuple[int, ...], normal: int) -> str:
    return "f " + " ".join(f"{corner}//{normal}" for corner in corners)


def _number(value: float) -> str:
    """Twelve digits: neighbours meet to a rounding far below what a wheel feels."""
    return f"{value + 0.0:.12g}"
