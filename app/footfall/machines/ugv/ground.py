"""The track that a model stands on, read back from the boxes that are fixed to its ground.

The ends of their upper edges are on the profile. Between corners it is the cubic spline through
them; where there is no box it is the ground at z = 0. Boxes are seen as they are cut by the plane y
= 0 of the terrain T.
"""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydrake.geometry import Box, Role
from scipy.interpolate import CubicSpline

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment, flat
from footfall.machines.ugv.track_models import GROUND
from footfall.plants.loading.load import Model
from footfall.plants.terrain import FRAME_NAME

_SIGNS = np.array([[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]])


class Outline(NamedTuple):
    """A box: part, the name under which its file was added; corners (4, 2) in T [m].

    The corners go round counter-clockwise.
    """

    part: str
    corners: Array


def outlines_of(model: Model) -> list[Outline]:
    """All of a model, in no order."""
    plant, inspector = model.plant, model.scene_graph.model_inspector()
    context = plant.CreateDefaultContext()
    X_TW = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(context).inverse()
    outlines = []
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        shape = inspector.GetShape(geometry)
        if not inspector.BelongsToSource(geometry, plant.get_source_id()):
            continue
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if isinstance(shape, Box) and plant.IsAnchored(body):
            X_TS = X_TW @ body.EvalPoseInWorld(context) @ inspector.GetPoseInFrame(geometry)
            half = 0.5 * np.array([shape.width(), 0.0, shape.height()])
            corners = np.array([X_TS.multiply(sign * half)[[0, 2]] for sign in _SIGNS])
            away = corners - corners.mean(axis=0)
            corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
            part = plant.GetModelInstanceName(body.model_instance()).split("::")[0]
            outlines.append(Outline(part, corners))
    return outlines


_CORNER = 0.05  # rad: edges that turn by more do not belong to one curve
_SAME = 1e-6  # m: nearer ends are one place
_FEWEST = 5  # vertices of a line that may have been smooth
_FLUSH = 2.0 * GROUND  # m: a line whose second vertex is no higher comes out of the ground smoothly


def track_of(model: Model) -> Track:
    """The profile of all boxes that are fixed to the ground; level ground without any.

    Raises ModelError, one line, for boxes that stick in each other in another way than one below
    the other.
    """
    edges = _upper_edges(model)
    lines = _lines(_uppermost([edge for edge, _ in edges]))
    if not lines:
        return flat()
    segments: list[TrackSegment] = []
    for line in lines:
        segments += _pieces(line)
    label = _label(model, {name for _, name in edges})
    return Track(label, tuple(_with_ground(segments)))


def _label(model: Model, parts: set[str]) -> str:
    """Return what the files are called of which these parts of the model are."""
    added = (directive.add_model for directive in model.spec.directives)
    files = [Path(part.file).name for part in added if part is not None and part.name in parts]
    return ", ".join(files) or "of boxes"


class _Edge(NamedTuple):
    """The upper edge of a box in the plane y = 0 of the terrain [m]."""

    x0: float
    z0: float
    x1: float
    z1: float

    def at(self, x: float) -> float:
        """Its height."""
        return self.z0 + (self.z1 - self.z0) * (x - self.x0) / (self.x1 - self.x0)


def _upper_edges(model: Model) -> list[tuple[_Edge, str]]:
    """Of boxes that rise above the ground, with their parts of the model."""
    edges = [(_upper_edge(outline.corners), outline.part) for outline in outlines_of(model)]
    return sorted((edge, part) for edge, part in edges if max(edge.z0, edge.z1) > _SAME)


def _upper_edge(corners: Array) -> _Edge:
    """The edge of a box that faces up most, from left to right."""
    following = np.roll(corners, -1, axis=0)
    offsets = following - corners
    highest = int(np.argmin(offsets[:, 0] / np.hypot(*offsets.T)))  # the one that leads to the left
    return _Edge(*following[highest].tolist(), *corners[highest].tolist())


def _uppermost(edges: list[_Edge]) -> list[_Edge]:
    """Edges without those that lie below others."""
    uppermost: list[_Edge] = []
    for edge in edges:
        while uppermost and uppermost[-1].x1 > edge.x0 + _SAME:
            last = uppermost[-1]
            middle = 0.5 * (edge.x0 + min(last.x1, edge.x1))
            below, over = (edge, last) if edge.at(middle) <= last.at(middle) else (last, edge)
            if not (over.x0 - _SAME <= below.x0 and below.x1 <= over.x1 + _SAME):
                raise ModelError(
                    f"boxes of the track stick in each other from x = {edge.x0:.4g} to "
                    f"{min(last.x1, edge.x1):.4g} m: let each begin where the one before it ends."
                )
            if below is edge:
                break
            uppermost.pop()
        else:
            uppermost.append(edge)
    return uppermost


def _lines(edges: list[_Edge]) -> list[Array]:
    """Vertices (N, 2) of edges that follow each other without a gap or a step."""
    lines: list[list[tuple[float, float]]] = []
    for edge in edges:
        begin, end = (edge.x0, edge.z0), (edge.x1, edge.z1)
        if lines and np.abs(np.subtract(lines[-1][-1], begin)).max() < _SAME:
            lines[-1].append(end)
        else:
            lines.append([begin, end])
    return [np.array(line) for line in lines]


def _pieces(line: Array) -> list[TrackSegment]:
    """Smooth pieces of a line, with a foot where it comes out of the ground or goes into it."""
    chords = np.diff(line, axis=0)
    turns = np.abs(np.diff(np.arctan2(chords[:, 1], chords[:, 0])))
    ends = [0, *(np.flatnonzero(turns > _CORNER) + 1).tolist(), len(line) - 1]
    segments: list[TrackSegment] = []
    for first, last in pairwise(ends):
        here = slice(first, last + 1)
        begins, stops = first == 0, last == len(line) - 1
        segments += _smooth(line[here], rises=begins, falls=stops)
    return segments


def _smooth(vertices: Array, *, rises: bool, falls: bool) -> list[TrackSegment]:
    """One piece through all vertices, or without those that only lead to the ground."""
    foot = rises and _leads(vertices)
    toe = falls and _leads(vertices[::-1])
    inner = vertices[int(foot) : len(vertices) - int(toe)]
    chords = np.diff(vertices, axis=0)[[0, -1]]
    slopes = (chords[:, 1] / chords[:, 0]).tolist()
    ends = ((1, slopes[0]) if foot else "not-a-knot", (1, slopes[1]) if toe else "not-a-knot")
    spline = CubicSpline(*inner.T, bc_type=ends)
    segment = TrackSegment(float(inner[0, 0]), float(inner[-1, 0]), _profile_of(spline))
    segments = [segment]
    if foot:
        segments.insert(0, _foot(segment.begin, float(inner[0, 1]), slopes[0]))
    if toe:
        segments.append(_foot(segment.end, float(inner[-1, 1]), slopes[1]))
    return segments


def _leads(vertices: Array) -> bool:
    """Return True where the first edge is but the tangent to the begin of a smooth track."""
    return len(vertices) >= _FEWEST and abs(vertices[0, 1]) < _SAME < vertices[1, 1] < _FLUSH


def _foot(x: float, height: float, slope: float) -> TrackSegment:
    """The parabola that touches the ground and ends at x with a height and a slope."""
    foot = x - 2.0 * height / slope
    bend = 0.5 * slope * slope / height

    def profile(at: Array) -> TrackProfile:
        away = at - foot
        return TrackProfile(0.5 * bend * away * away, bend * away, np.full_like(at, bend))

    return TrackSegment(min(foot, x), max(foot, x), profile)


def _profile_of(spline: CubicSpline) -> Any:  # noqa: ANN401 (a function of x)
    return lambda x: TrackProfile(spline(x), spline(x, 1), spline(x, 2))


def _with_ground(segments: list[TrackSegment]) -> list[TrackSegment]:
    """The pieces in a row, the ground before, between and behind them."""
    row: list[TrackSegment] = []
    at = -np.inf
    for segment in segments:
        if segment.begin > at + _SAME:
            row.append(TrackSegment(at, segment.begin, _level))
            at = segment.begin
        row.append(TrackSegment(at, segment.end, segment.profile))
        at = segment.end
    return [*row, TrackSegment(at, np.inf, _level)]


def _level(x: Array) -> TrackProfile:
    return TrackProfile(np.zeros_like(x), np.zeros_like(x), np.zeros_like(x))
