"""The track that a model stands on, read back from its boxes, and the vehicle at rest on it.

The ends of the upper edges of boxes that are fixed to the ground are on the profile. Between
corners it is the cubic spline through them; where there is no box it is the ground at z = 0. Boxes
are seen as they are cut by the plane y = 0 of the terrain T.

Frames: W world, T terrain. Letters as in `closed_form`; nothing here uses its balance.
"""

import math
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydrake.geometry import Box, Role
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.position import UgvParameters
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment, flat
from footfall.machines.ugv.model import WHEELS, WheelLegDrive, parameters_of, rows_of, wheel_centres
from footfall.machines.ugv.track_models import GROUND
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.terrain import FRAME_NAME
from footfall_controllers.controller import Controller
from footfall_controllers.wheel_leg_drive import JOINTS

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
    edges = [(_upper_edge(outline.corners), outline.part) for outline in outlines_of(model)]
    edges = sorted((edge, part) for edge, part in edges if max(edge.z0, edge.z1) > _SAME)
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

    def profile(x: Array) -> TrackProfile:
        return TrackProfile(spline(x), spline(x, 1), spline(x, 2))

    segment = TrackSegment(float(inner[0, 0]), float(inner[-1, 0]), profile)
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


_TOUCH = 1e-12  # m: that the wheels are in the ground, or rounding decides whether they touch
_SETTLED = 1e-12  # rad: of the legs
_ROUNDS = 50
_SAMPLES = 400  # places behind the front wheel at which the rear one is looked for


def standing_state(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] at rest, the front wheel's centre at the first station of the drive.

    The legs have given way by what they bear, the wheels by what holds the vehicle on a slope: the
    drive's torques at time 0 are in balance with the weight. Without a drive it stands at x = 0 on
    legs that stand down. Raises ModelError, one line, where it cannot stand.
    """
    parameters = parameters_of(model, contacts)
    law = controller if isinstance(controller, WheelLegDrive) else WheelLegDrive()
    plan = law.plan
    s = float(plan.s[0])
    wanted, _ = plan.at(s)
    ground = CentreLine(model, parameters.r)
    dynamics, rows = Dynamics(model, contacts), rows_of(model)
    deflection = np.zeros(3)  # rear leg, front leg, wheels [rad]
    for _ in range(_ROUNDS):
        q = _stand(parameters, ground, s, wanted - deflection[:2])
        q[[4, 6]] -= deflection[2]
        state = np.zeros(model.plant.num_multibody_states())
        state[rows] = q
        held = _hold(dynamics, contacts, state)
        if not isinstance(controller, WheelLegDrive):
            return state
        before = deflection
        with np.errstate(divide="ignore", invalid="ignore"):
            deflection = held / np.array([law.leg_kp, law.leg_kp, law.ki])
        if np.abs(deflection - before).max() < _SETTLED:
            return state
        if not np.isfinite(deflection).all():
            break
    raise ModelError("the legs give way under the vehicle: give controller.leg_kp above 0.")


class CentreLine:
    """Height of a wheel's centre over the ground and the boxes that are fixed to it."""

    def __init__(self, model: Model, radius: float) -> None:
        """Take the boxes' outlines in the plane y = 0 of the terrain."""
        self._r = radius
        corners = [outline.corners for outline in outlines_of(model)]
        self._corners: Array = np.array(corners).reshape(-1, 4, 2)
        begin, end = self._corners, np.roll(self._corners, -1, axis=1)
        self._edge = end - begin
        with np.errstate(divide="ignore", invalid="ignore"):
            # outwards to the right of an edge, since the corners go round counter-clockwise
            out = np.stack((self._edge[..., 1], -self._edge[..., 0]), axis=-1)
            out *= radius / np.hypot(*np.moveaxis(out, -1, 0))[..., None]
        self._out: Array = out

    def __call__(self, x: float) -> float:
        """Height [m] of the centre of a wheel that touches, its centre at x [m]."""
        return float(self.heights(np.array([x]))[0])

    def heights(self, x: Array) -> Array:
        """Heights [m] of such centres at places x (k,) [m]."""
        x = x[:, None, None]
        begin, out = self._corners, self._out
        over = self._r**2 - (x - begin[..., 0]) ** 2
        at_corners = begin[..., 1] + np.sqrt(np.maximum(over, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (x - begin[..., 0] - out[..., 0]) / self._edge[..., 0]
            on_line = begin[..., 1] + out[..., 1] + share * self._edge[..., 1]
        on_edges = (out[..., 1] > 0.0) & (share >= 0.0) & (share <= 1.0)
        heights = np.maximum(
            np.where(over >= 0.0, at_corners, self._r), np.where(on_edges, on_line, self._r)
        )
        return np.asarray(heights.max(axis=(1, 2), initial=self._r))


def _stand(parameters: UgvParameters, ground: CentreLine, s: float, angles: Array) -> Array:
    """Coordinates with the wheels on the ground and turned as their legs are."""
    rear, front = angles
    own = wheel_centres(parameters, np.array([0.0, 0.0, 0.0, rear, 0.0, front, 0.0]))
    base = complex(own[1] - own[0])
    if abs(base) <= 2.0 * parameters.r:
        raise ModelError(
            f"the wheels would be in each other, {abs(base):.3g} m apart: give the first station "
            "wider angles."
        )
    ahead = s + 1j * ground(s)
    behind = _behind(ground, ahead, abs(base))
    pitch = float(np.angle((ahead - behind) / base))
    middle = ahead - complex(own[1]) * np.exp(1j * pitch)
    return np.array(
        [middle.real, middle.imag - _TOUCH, pitch, rear, pitch - rear, front, pitch + front]
    )


def _behind(ground: CentreLine, ahead: complex, base: float) -> complex:
    """Centre of the rear wheel: the nearest place behind that is the wheelbase away."""

    def over(x: float) -> float:
        return abs(x + 1j * ground(x) - ahead) - base

    places = np.linspace(ahead.real, ahead.real - base, _SAMPLES)
    centres = (places + 1j * ground.heights(places)).tolist()
    far = next((k for k, z in enumerate(centres) if abs(z - ahead) - base >= 0.0), _SAMPLES - 1)
    if far == 0:
        raise ModelError("the rear wheel has no place behind the front one: start elsewhere.")
    if over(places[far]) < 0.0:  # rounding of level ground
        return complex(places[far], ground(places[far]))
    x = brentq(over, places[far], places[far - 1], xtol=1e-15, rtol=1e-15)
    return complex(x, ground(x))


def _hold(dynamics: Dynamics, contacts: ContactSet, state: Array) -> Array:
    """Torques (3,) [N m] that hold it at rest: of rear and front leg, and the same of both wheels.

    Raises ModelError where nothing holds it.
    """
    dynamics.set_state(state)
    gap, _ = dynamics.gaps()
    names = [contacts.names[k].split("|") for k in contacts.reported_as]
    of_wheels = [[wheel in name for name in names] for wheel in WHEELS]
    others = np.array([not (rear or front) for rear, front in zip(*of_wheels, strict=True)])
    if gap[others].min(initial=math.inf) < 0.0:
        raise ModelError("the body is in the ground where it is to start: start elsewhere.")
    columns = []
    for mine in of_wheels:
        touching = np.zeros(len(gap), dtype=np.bool_)
        touching[int(np.where(mine, gap, np.inf).argmin())] = True
        columns += list(dynamics.contact_jacobian(touching)[0, :2])
    driven = [actuator.joint().name() for actuator in actuators_of(dynamics.plant)]
    rear, rear_wheel, front, front_wheel = (
        dynamics.actuation_matrix[:, driven.index(name)] for name in JOINTS
    )
    columns += [rear, front, rear_wheel + front_wheel]
    forces = np.linalg.solve(np.array(columns).T, -dynamics.h())
    if min(forces[0], forces[2]) < 0.0:
        wheel = "rear" if forces[0] < 0.0 else "front"
        raise ModelError(f"the {wheel} wheel would lift off where it is to start: start elsewhere.")
    return np.asarray(forces[4:])
