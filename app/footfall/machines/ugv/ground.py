"""The track that a model stands on, by its boxes, and the vehicle at rest on it.

Of boxes that are fixed to the ground what faces up is the profile, the highest of them everywhere;
where there is no box it is the ground at z = 0. Boxes are seen as they are cut by the plane y = 0
of the terrain T. Those of a file with a track's parameters are chords of that track.

Frames: W world, T terrain. Letters as in `closed_form`; nothing here uses its balance.
"""

import math
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydrake.geometry import Box, Role

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.position import UgvParameters, pose
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment
from footfall.machines.ugv.model import WHEELS, WheelLegDrive, parameters_of, rows_of, wheel_centres
from footfall.machines.ugv.track_models import ENDING, read_track_model
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.loading.uris import known_packages, resolve
from footfall.plants.terrain import FRAME_NAME
from footfall_controllers.controller import Controller
from footfall_controllers.wheel_leg_drive import JOINTS

_SIGNS = np.array([[-1.0, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]])
_SAME = 1e-9  # m: nearer ends are one place


class _Edge(NamedTuple):
    """A side of a box that faces up: ends x0 < x1, and the line z = height + slope x [m].

    part: the name under which its file was added.
    """

    x0: float
    x1: float
    height: float
    slope: float
    part: str = ""

    def at(self, x: float) -> float:
        """Its height."""
        return self.height + self.slope * x

    def segment(self, begin: float, end: float) -> TrackSegment:
        """A part of it."""

        def profile(x: Array) -> TrackProfile:
            z = self.height + self.slope * x
            return TrackProfile(z, np.full_like(z, self.slope), np.zeros_like(z))

        return TrackSegment(begin, end, profile)

    def meets(self, other: "_Edge") -> float:
        """Return the x at which their lines cross; NaN where they do not."""
        apart = self.slope - other.slope
        return (other.height - self.height) / apart if apart else math.nan


_GROUND = _Edge(-math.inf, math.inf, 0.0, 0.0)


def _edges_of(model: Model) -> list[_Edge]:
    """Sides of boxes that are fixed to the ground and reach above it, from behind ahead."""
    plant, inspector = model.plant, model.scene_graph.model_inspector()
    context = plant.CreateDefaultContext()
    X_TW = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(context).inverse()
    edges = []
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
            # counter-clockwise: a side that leads to the left faces up
            corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
            part = plant.GetModelInstanceName(body.model_instance()).split("::")[0]
            for (x1, z1), (x0, z0) in pairwise([*corners.tolist(), corners[0].tolist()]):
                if x1 - x0 > _SAME and max(z0, z1) > _SAME:
                    slope = (z1 - z0) / (x1 - x0)
                    edges.append(_Edge(x0, x1, z0 - slope * x0, slope, part))
    return sorted(edges)


def track_of(model: Model) -> Track:
    """The track under a vehicle: that of its file if it is made of one, else of its boxes.

    Level ground without any.
    """
    parts = {edge.part for edge in _edges_of(model)}
    added = (directive.add_model for directive in model.spec.directives)
    files = [one.file for one in added if one is not None and one.name in parts]
    label = ", ".join(Path(file).name for file in files) or "of boxes"
    if len(parts) == len(files) == 1 and files[0].endswith(ENDING):
        return _made_of(model, files[0], label)
    return profile_of(model, label if parts else "level ground")


def _made_of(model: Model, file: str, label: str) -> Track:
    """The track of a file of parameters, as far as it is made, on the ground."""
    path = resolve(file, known_packages(model.spec.packages), Path(), file) or Path(file)
    made = read_track_model(path)
    segments = [
        (max(one.begin, made.begin), min(one.end, made.end), one)
        for one in made.track.track().segments
    ]
    inner = tuple(
        TrackSegment(begin, end, one.profile, one.grain)
        for begin, end, one in segments
        if begin < end
    )
    ahead = _GROUND.segment(inner[-1].end, math.inf)
    return Track(label, (_GROUND.segment(-math.inf, inner[0].begin), *inner, ahead))


def profile_of(model: Model, label: str = "") -> Track:
    """The highest of all boxes everywhere, and of the ground."""
    edges = _edges_of(model)
    places = [x for edge in edges for x in (edge.x0, edge.x1, edge.meets(_GROUND))]
    for k, edge in enumerate(edges):
        for other in edges[k + 1 :]:
            if other.x0 >= edge.x1:
                break
            places.append(edge.meets(other))
    within = np.unique([x for x in places if math.isfinite(x)])
    within = within[np.diff(within, prepend=-math.inf) > _SAME]
    x0, x1 = np.array([edge[:2] for edge in edges]).reshape(-1, 2).T
    highest: list[tuple[float, _Edge]] = [(-math.inf, _GROUND)]
    for begin, end in pairwise([*within.tolist(), math.inf]):
        middle = 0.5 * (begin + end)
        there = np.flatnonzero((x0 < middle) & (middle < x1))
        top = max((edges[k] for k in there), key=lambda e: e.at(middle), default=_GROUND)
        if top.at(middle) <= 0.0:
            top = _GROUND
        if top is not highest[-1][1]:
            highest.append((begin, top))
    ends = [*(x for x, _ in highest[1:]), math.inf]
    segments = [edge.segment(x, end) for (x, edge), end in zip(highest, ends, strict=True)]
    return Track(label, tuple(segments))


_TOUCH = 1e-12  # m: that the wheels are in the ground, or rounding decides whether they touch
_SETTLED = 1e-12  # rad: of the legs
_ROUNDS = 50
_MARGIN = 0.01  # m: of the ground beyond the wheels


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
    longest = parameters.L + 2.0 * parameters.l
    try:
        curve = CentreCurve(profile_of(model), parameters.r, s - longest - _MARGIN, s + _MARGIN)
    except ValueError as error:
        raise ModelError(f"where it is to start, {error}.") from error
    dynamics, rows = Dynamics(model, contacts), rows_of(model)
    deflection = np.zeros(3)  # rear leg, front leg, wheels [rad]
    for _ in range(_ROUNDS):
        q = _stand(parameters, curve, s, wanted - deflection[:2])
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


def _stand(parameters: UgvParameters, curve: CentreCurve, s: float, angles: Array) -> Array:
    """Coordinates with the wheels on the ground and turned as their legs are."""
    rear, front = angles
    own = wheel_centres(parameters, np.array([0.0, 0.0, 0.0, rear, 0.0, front, 0.0]))
    at = pose(parameters, curve, s, rear, front)
    pitch = float(at.psi)
    if math.isnan(pitch):
        raise ModelError(
            f"the wheels, {abs(complex(own[1] - own[0])):.3g} m apart, would be in each other, or "
            "the rear one has no place behind the front one: give the first station wider angles, "
            "or start elsewhere."
        )
    middle = complex(s, float(at.front.z)) - complex(own[1]) * np.exp(1j * pitch)
    return np.array(
        [middle.real, middle.imag - _TOUCH, pitch, rear, pitch - rear, front, pitch + front]
    )


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
