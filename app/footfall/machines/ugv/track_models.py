"""Tracks as models: a YAML file with a track's parameters, of which its boxes are made at load.

A model of a track is an SDF file of a static link: boxes whose upper faces are chords of the
profile, as long as its bending allows. Where a track is at the height of the ground, z = 0, there
is no chord: the ground itself is there. A wheel feels the boxes `surface#0`, `surface#1` and so on
as one surface; a mesh shows them.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import yaml
from pydrake.common.yaml import yaml_dump, yaml_load_typed

from footfall.arrays import Array
from footfall.checked import Checked, finite, not_negative, positive
from footfall.errors import ModelError, ScenarioError
from footfall.machines.ugv.closed_form.tracks import (
    Bump,
    Track,
    TrackKind,
    TrackPoints,
    TrackSegment,
)
from footfall.overrides import read_yaml
from footfall.yaml_types import check_types

GROUND = 1e-5
"""Height [m] up to which a track is the ground."""

_SAMPLE = 5e-4  # m: distance of the samples by which bending is measured
_SAME = 1e-9  # m: nearer ends are one place
_MOST = 5000


@dataclass
class Surface(Checked):
    """Fineness and friction of the boxes of which a track is made, and the part that is.

    Raises ValueError, one line, for numbers that make none.
    """

    # Most that the slope's angle changes over a box [rad].
    turn: float = positive(1.0e-3)
    # Longest box where the track bends [m].
    longest: float = positive(0.25)
    # Part that is made of a track that goes on for ever [m].
    begin: float = finite(-10.0)
    end: float = finite(20.0)
    # Coefficient of friction.
    friction: float = not_negative(0.8)

    def __post_init__(self) -> None:
        """Refuse numbers that make no boxes."""
        super().__post_init__()
        if not self.begin < self.end:
            raise ValueError(
                f"begin {self.begin} and end {self.end} m: let it end behind its begin"
            )


@dataclass
class TrackModel(Surface):
    """A track that a vehicle drives over, as its file has it."""

    # !Bump, !Steps, !Sine or !TrackPoints; a relative file of points begins at this file's folder.
    track: TrackKind = field(default_factory=Bump)


def runs(track: Track, surface: Surface) -> list[Array]:
    """Lines of vertices (N, 2) x, z [m] above the ground, each without a jump, from behind ahead.

    A line begins and ends on the ground, or with the edge of a wall. Where a track comes out of the
    ground gently, at a height of GROUND, its tangent leads down to z = 0. Raises ValueError, one
    line, for a track that is below the ground or nowhere above it, or that takes too many facets.
    """
    lines: list[Array] = []
    for segment in track.segments:
        begin, end = max(segment.begin, surface.begin), min(segment.end, surface.end)
        if not begin < end:
            continue
        for line in _lines(segment, begin, end, surface):
            if lines and np.abs(lines[-1][-1] - line[0]).max() < _SAME:
                lines[-1] = np.vstack((lines[-1], line[1:]))
            else:
                lines.append(line)
    count = sum(len(line) - 1 for line in lines)
    if count == 0:
        raise ValueError(
            f"the track is nowhere above z = 0 from x = {surface.begin:g} to {surface.end:g} m: "
            "the ground is all that it needs"
        )
    if count > _MOST:
        raise ValueError(
            f"the track takes {count} facets, more than {_MOST}: let them turn by more than "
            f"{surface.turn:g} rad, or smooth it"
        )
    return lines


def _lines(segment: TrackSegment, begin: float, end: float, surface: Surface) -> list[Array]:
    """Lines of one piece."""
    x = np.linspace(begin, end, max(3, math.ceil((end - begin) / _SAMPLE) + 1))
    profile = segment.profile(x)
    lowest = int(np.argmin(profile.height))
    if not profile.height[lowest] >= -GROUND:
        raise ValueError(
            f"the track is at z = {profile.height[lowest]:.3g} m at x = {x[lowest]:.3g} m, below "
            "the ground at z = 0: raise all of it"
        )
    above = np.concatenate(([False], profile.height > GROUND, [False]))
    edges = np.flatnonzero(above[1:] != above[:-1])
    angle = np.arctan(profile.slope)
    lines = []
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        if last == first:
            continue  # a sample alone is a place of no length
        here = slice(first, last + 1)
        places = _vertices(x[here], angle[here], surface)
        line = np.column_stack((places, segment.profile(places).height))
        slopes = profile.slope[first], profile.slope[last]
        lines.append(_down_to_ground(line, slopes, first > 0, last < len(x) - 1))
    return lines


def _vertices(x: Array, angle: Array, surface: Surface) -> Array:
    """Places [m] between which the angle changes by a turn at most."""
    change = np.abs(np.diff(angle))
    if change.sum() < 1e-3 * surface.turn:
        return x[[0, -1]]
    cost = np.concatenate(([0.0], np.cumsum(change / surface.turn + np.diff(x) / surface.longest)))
    count = max(1, math.ceil(cost[-1]))
    return np.interp(np.linspace(0.0, cost[-1], count + 1), cost, x)


def _down_to_ground(line: Array, slopes: tuple[float, float], rises: bool, falls: bool) -> Array:
    """Lead a line that rises out of the ground, or falls into it, there along its tangent."""
    (x0, z0), (x1, z1) = line[0], line[-1]
    before = [[x0 - z0 / slopes[0], 0.0]] if rises and slopes[0] > 0.0 else []
    behind = [[x1 - z1 / slopes[1], 0.0]] if falls and slopes[1] < 0.0 else []
    return np.vstack([np.array(before).reshape(-1, 2), line, np.array(behind).reshape(-1, 2)])


WIDTH = 1.2
"""Of every track, along y [m]."""
SURFACE = "surface"
"""Name of the boxes, before their number."""

_THICK = 0.05  # m: of the boxes beneath their upper faces
_WALL = 0.02  # m: of what closes a wall
_RGB = "0.70 0.64 0.54"
_SHOWN = 5e-3  # m: lower ends would flicker, since pictures do not tell them from the ground


def write_track(path: Path, track: Track, surface: Surface) -> int:
    """Write a track as path, which ends in .sdf, and its mesh beside it; returns how many boxes.

    Raises ValueError, one line, for a track that cannot be written, see `runs`, and for a path that
    does not end in .sdf.
    """
    if path.suffix != ".sdf":
        raise ValueError(f"{path}: a track is written as SDF: let its name end in .sdf")
    lines = runs(track, surface)
    boxes, mesh = boxes_of(lines), path.with_suffix(".obj")
    mesh.write_text(mesh_text(lines, track.label), encoding="utf-8")
    text = sdf_text(path.stem, track.label, boxes, mesh.name, surface.friction)
    path.write_text(text, encoding="utf-8")
    return len(boxes)


Box = tuple[float, float, float, float, float]
"""x, z of the middle [m], pitch [rad], length and height [m]."""


def boxes_of(lines: list[Array]) -> list[Box]:
    """Boxes below the chords of lines (N, 2).

    Level ones reach down to the ground, as does what stands below an edge at the end of others.
    pitch [rad] is SDF's, about y: positive leads down ahead.
    """
    boxes: list[Box] = []
    for line in lines:
        for (x0, z0), (x1, z1) in pairwise(line):
            if z0 == z1:
                boxes.append((0.5 * (x0 + x1), 0.5 * z0, 0.0, x1 - x0, z0))
                continue
            angle = math.atan2(z1 - z0, x1 - x0)
            x = 0.5 * (x0 + x1) + 0.5 * _THICK * math.sin(angle)
            z = 0.5 * (z0 + z1) - 0.5 * _THICK * math.cos(angle)
            boxes.append((x, z, -angle, math.hypot(x1 - x0, z1 - z0), _THICK))
    return boxes + [box for line in lines for end in (line, line[::-1]) for box in _wall(*end[:2])]


def _wall(edge: Array, following: Array) -> list[Box]:
    """Return what closes the wall at an end of a line below a chord that is not level."""
    (x, high), (inwards, fall) = edge, following - edge
    wide = math.copysign(min(_WALL, abs(inwards)), inwards)  # below this chord alone
    top = high + min(0.0, fall * wide / inwards) - _THICK
    return [(x + 0.5 * wide, 0.5 * top, 0.0, abs(wide), top)] if fall and top > 0.0 else []


def sdf_text(
    name: str,
    label: str,
    boxes: list[Box],
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
    half = 0.5 * WIDTH
    rows = [
        f"# Made of the parameters of a track: {label}.",
        *("vn 0 -1 0", "vn 0 1 0", "vn -1 0 0", "vn 1 0 0"),
    ]
    first, normal = 1, 5  # numbers of the next ones
    for line in map(_shown, lines):
        rows += [
            f"v {_number(x)} {_number(y)} {_number(height)}"
            for x, z in line
            for y, height in ((-half, z), (half, z), (-half, 0.0), (half, 0.0))
        ]
        chords = np.diff(line, axis=0)
        along = chords / np.hypot(*chords.T)[:, None]
        rows += [f"vn {_number(-dz)} 0 {_number(dx)}" for dx, dz in along]
        last = first + 4 * len(chords)
        for k, at in enumerate(range(first, last, 4)):
            rows += [
                _face((at, at + 4, at + 5, at + 1), normal + k),
                _face((at + 2, at + 6, at + 4, at), 1),
                _face((at + 1, at + 5, at + 7, at + 3), 2),
            ]
        rows.append(_face((first, first + 1, first + 3, first + 2), 3))
        rows.append(_face((last + 1, last, last + 2, last + 3), 4))
        first, normal = last + 4, normal + len(chords)
    return "\n".join([*rows, ""])


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


def _face(corners: tuple[int, ...], normal: int) -> str:
    return "f " + " ".join(f"{corner}//{normal}" for corner in corners)


def _number(value: float) -> str:
    """Twelve digits: neighbours meet to a rounding far below what a wheel feels."""
    return f"{value + 0.0:.12g}"


ENDING = ".track"
"""Of the files."""


def read_track_model(source: Path) -> TrackModel:
    """Read a file of parameters; raises ModelError, one line."""
    try:
        plain = read_yaml(source.read_text(encoding="utf-8"))
        if not isinstance(plain, dict):
            raise ModelError(f"{source}: give a group of keys: track, turn, friction and so on.")
        check_types(plain, TrackModel, str(source))
        model: TrackModel = yaml_load_typed(
            schema=TrackModel, data=yaml_dump(plain), defaults=TrackModel()
        )
        model.__post_init__()  # Drake's YAML reader fills fields in after they were checked
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RuntimeError) as error:
        raise ModelError(f"{source}: {' '.join(str(error).split())}.") from error
    except (ScenarioError, ValueError) as error:
        raise ModelError(_about(source, error)) from error
    if isinstance(model.track, TrackPoints) and model.track.file:
        model.track.file = str(source.parent / model.track.file)
    return model


def make_track(source: Path, target: Path) -> None:
    """Make the SDF file of a track, and its mesh beside it; raises ModelError, one line."""
    model = read_track_model(source)
    try:
        write_track(target, model.track.track(), model)
    except (ScenarioError, ValueError) as error:
        raise ModelError(_about(source, error)) from error


def _about(source: Path, error: Exception) -> str:
    text = str(error).replace("analysis.track", "track").rstrip(".")
    return f"{text}." if text.startswith(str(source)) else f"{source}: {text}."
