"""Readings of a traversal, simulated or in quasi-static balance: metrics and claims.

A simulated traversal is judged from when the drive has reached its speed; the document's has no
inertia. Forces of the ground are means over SPAN: on a track of facets, steps without load may
alternate with steps of twice the load.

Claims are those of the document on its soft bump. Its figures 24 and 25 are lost and print no
number: what is left are statements of structure. They are predicted at best, since the radius of
the wheels, the places of the centres of mass and the meaning of the angles are assumed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array, Flags
from footfall.machines.ugv.closed_form.centres import CentreCurve, CentrePoint
from footfall.machines.ugv.closed_form.forces import (
    Forces,
    clearance,
    forces,
    least_normal,
    required_friction,
)
from footfall.machines.ugv.closed_form.position import (
    Complex,
    UgvParameters,
    VehiclePose,
    base,
    pose,
)
from footfall.machines.ugv.closed_form.tracks import Bump, Track
from footfall.machines.ugv.closed_form.traversal import Traversal, all_places, poses_at
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.model import (
    COORDINATES,
    WheelLegDrive,
    parameters_of,
    rows_of,
    wheel_centres,
    wheel_contacts,
)
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics
from footfall.registry.machine import CLOSED_FORM
from footfall.trajectory import Trajectory
from footfall_controllers.wheel_leg_drive import JOINTS

SPAN = 0.02
"""Time [s] over which forces of the ground are averaged where an engine has time steps."""

_PRESSED = 0.1  # of the weight: a wheel that is less loaded does not tell what friction it needs
_TOUCHES = 0.01  # of the weight
_SETTLES = 1.0  # s: the drive answers at 10 rad/s, after this e^-10 is left
_MARGIN = 0.02  # m: of the curve about where the wheels were


@dataclass(frozen=True, eq=False)
class Observables:
    """A traversal in its rows, (N,), of the rear and the front wheel (2, N).

    track: of the model. time [s]; q, v (7, N) in the order of COORDINATES; torque [N m] of either
    wheel; works (4, N) [J] of rear and front wheel, rear and front leg in the step that ends.
    normal [N]: force of the ground on a wheel. needed [1]: friction that a wheel uses, NaN where it
    is not pressed. slid [m], lifted [s]: (2,) way slid, time without touch. steady (N,): rows at
    the speed of the drive, a second after its ramp; not the first one, which nothing commands.
    """

    parameters: UgvParameters
    track: Track
    time: Array
    q: Array
    torque: Array
    works: Array
    normal: Array
    needed: Array
    slid: Array
    lifted: Array
    steady: Flags

    @property
    def pitch(self) -> Array:
        """Pitch of the body [rad], front up."""
        return self.q[2]

    @property
    def angles(self) -> tuple[Array, Array]:
        """Angles of the rear and the front leg [rad]."""
        return self.q[3], self.q[5]

    @property
    def s_f(self) -> Array:
        """Abscissa of the front wheel's centre [m]."""
        return self.front.real

    @cached_property
    def rear(self) -> Complex:
        """Centre of the rear wheel x + 1j z [m]."""
        return wheel_centres(self.parameters, self.q)[0]

    @cached_property
    def front(self) -> Complex:
        """Centre of the front wheel x + 1j z [m]."""
        return wheel_centres(self.parameters, self.q)[1]

    @cached_property
    def pose(self) -> VehiclePose:
        """Return where it was, in the closed form's words; of contacts nothing is known.

        The way of a wheel is what its rim has rolled since the start.
        """
        unknown = np.full_like(self.time, np.nan)
        pitch, rear, rear_axle, front, front_axle = self.q[2:]
        turned = rear_axle - pitch + rear, front_axle - pitch - front
        rear_point, front_point = (
            CentrePoint(at.real, at.imag, unknown, unknown, self.parameters.r * (turn - turn[0]))
            for at, turn in zip((self.rear, self.front), turned, strict=True)
        )
        wheelbase = np.abs(self.front - self.rear)
        return VehiclePose(front_point, rear_point, rear, front, wheelbase, pitch)

    @cached_property
    def curve(self) -> CentreCurve | None:
        """The curve of the wheels' centres over the run; None where wheels cannot follow it."""
        reach = float(np.abs(base(self.parameters, *self.angles)).max())
        begin, end = float(self.s_f.min()) - reach - _MARGIN, float(self.s_f.max()) + _MARGIN
        try:
            return CentreCurve(self.track, self.parameters.r, begin, end)
        except ValueError:
            return None

    @cached_property
    def standing(self) -> VehiclePose:
        """Return the poses in balance at every row's front wheel and angles; else NaN."""
        if self.curve is None:
            unknown = np.full_like(self.time, np.nan)
            return VehiclePose(
                CentrePoint(*[unknown] * 5), CentrePoint(*[unknown] * 5), *[unknown] * 4
            )
        return pose(self.parameters, self.curve, self.s_f, *self.angles)

    @cached_property
    def quasi_static(self) -> Forces:
        """Return what balance asks for where it would stand."""
        return forces(self.parameters, self.standing)


def observables_of(trajectory: Trajectory, context: MachineContext) -> Observables:
    """Read a trajectory of any engine."""
    parameters = parameters_of(context.model, context.contacts)
    data = trajectory.data
    time = data["time"].to_numpy()
    q = data["q"].sel(position=list(COORDINATES)).to_numpy().T
    names = [JOINTS[k] for k in (1, 3, 0, 2)]  # rear and front wheel, rear and front leg
    efforts = data["actuation"].sel(actuator=names).to_numpy().T
    exact = data.attrs.get("engine") == CLOSED_FORM
    held = 0.5 * (efforts + _before(efforts)) if exact else _before(efforts)
    turned = np.diff(q[[4, 6, 3, 5]], axis=1, prepend=q[[4, 6, 3, 5], :1])
    works = held * turned
    torque = efforts[:2].mean(axis=0)
    if not exact:
        torque[:1], works[:, :1] = np.nan, 0.0
    normal, needed = _loads(trajectory, context, parameters, smooth=not exact)
    rows = np.diff(time, prepend=time[:1])
    contacts = wheel_contacts(context.contacts)
    speed = np.array([_sliding(trajectory, mine) for mine in contacts])
    touches = normal > _TOUCHES * parameters.weight
    behind = np.arange(len(time)) > 0
    drive = context.controller
    settled = drive.ramp + _SETTLES if isinstance(drive, WheelLegDrive) else 0.0
    return Observables(
        parameters=parameters,
        track=track_of(context.model),
        time=time,
        q=q,
        torque=torque,
        works=works,
        normal=normal,
        needed=needed,
        slid=(speed * np.where(np.isfinite(needed), rows, 0.0)).sum(axis=1),
        lifted=(np.where(touches, 0.0, rows) * behind).sum(axis=1),
        steady=behind & (time >= settled),
    )


def _before(values: Array) -> Array:
    """Return what was held in the step that ends at a row: the value of the row before."""
    return np.concatenate((values[:, :1], values[:, :-1]), axis=1)


def _loads(
    trajectory: Trajectory, context: MachineContext, parameters: UgvParameters, *, smooth: bool
) -> tuple[Array, Array]:
    """Normal forces [N] on both wheels and the friction that each uses [1], (2, N)."""
    data = trajectory.data
    rows = np.diff(data["time"].to_numpy(), prepend=np.nan)
    span = np.where(rows > 0.0, rows, np.nan)
    normals, needed = [], []
    for mine in wheel_contacts(context.contacts):
        impulse = np.nan_to_num(data["impulse"].sel(contact=list(mine)).to_numpy())
        force = impulse[:, :, :2] / span[:, None, None]
        if smooth:
            force = _mean(force, float(np.nanmedian(span)))
        total = force[:, :, 0].sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.abs(force[:, :, 1]) / force[:, :, 0]
        pressed = force[:, :, 0] > _PRESSED * parameters.weight
        most = np.where(pressed, ratio, -np.inf).max(axis=1)
        normals.append(total)
        needed.append(np.where(pressed.any(axis=1), most, np.nan))
    return np.array(normals), np.array(needed)


def _mean(force: Array, step: float) -> Array:
    """Means over SPAN; the first row, of no step, stays none."""
    window = max(1, round(SPAN / step))
    means = uniform_filter1d(np.nan_to_num(force), window, axis=0, mode="nearest")
    means[:1] = np.nan
    return np.asarray(means)


def _sliding(trajectory: Trajectory, contacts: tuple[str, ...]) -> Array:
    """Return how fast a wheel slides [m/s], (N,): at that of its contacts which carries most."""
    data = trajectory.data.sel(contact=list(contacts))
    normal = np.nan_to_num(data["impulse"].sel(axis="n").to_numpy())
    speed = np.abs(np.nan_to_num(data["contact_velocity"].sel(axis="t").to_numpy()))
    return np.asarray(np.take_along_axis(speed, normal.argmax(axis=1)[:, None], axis=1)[:, 0])


TRAVERSAL_METRICS = read_metrics(__package__, "traversal_metrics.md")
"""Unit and meaning of what every traversal has; those of analyses are these and RESIDUAL."""

RESIDUAL: dict[str, tuple[str, str]] = {
    "energy_residual": ("J", "by how much works and change of energy differ, quadrature alone")
}

METRICS = TRAVERSAL_METRICS | read_metrics(__package__)


def measures(trajectory: Trajectory, context: MachineContext) -> dict[str, Metric]:
    """The vehicle's own metrics, in SI; METRICS says what they are.

    Those of what a run does not come to, or has not, are left out.
    """
    read = observables_of(trajectory, context)
    metrics: dict[str, float] = {
        "pitch_max": float(np.abs(read.pitch).max()),
        "front_way": float(read.s_f[-1] - read.s_f[0]),
        "clearance_min": _least(clearance(read.parameters, read.track, read.pose)),
        "wheel_slip": float(read.slid.max()),
        "lift_time": float(read.lifted.max()),
        "torque_error": torque_error(read),
        **_of_torque(read),
        **_of_forces(read),
    }
    return {name: value for name, value in metrics.items() if math.isfinite(value)}


def traversal_metrics(
    parameters: UgvParameters, track: Track, traversal: Traversal
) -> dict[str, float]:
    """The metrics of TRAVERSAL_METRICS and RESIDUAL of a traversal in quasi-static balance.

    Extremes are those of all places, those between its stations as well.
    """
    at = poses_at(parameters, traversal, all_places(traversal))
    of, works = forces(parameters, at), traversal.works
    mean_square = float(works.square[-1] / (traversal.s[-1] - traversal.s[0]))
    return {
        **_ends(of.torque),
        "torque_rms": math.sqrt(mean_square),
        "required_friction": float(np.nanmax(required_friction(of))),
        "min_normal_force": float(np.nanmin(least_normal(of))),
        "clearance_min": float(np.nanmin(clearance(parameters, track, at))),
        "wheel_work": float(works.wheels[-1]),
        "leg_work": float(works.leg_r[-1] + works.leg_f[-1]),
        "supplied_energy": float(works.supplied[-1]),
        "energy_residual": traversal.energy_residual,
    }


def torque_error(read: Observables) -> float:
    """Largest distance from the quasi-static torque over its peak; NaN without any."""
    torque, balance = read.torque[read.steady], read.quasi_static.torque[read.steady]
    known = np.isfinite(torque) & np.isfinite(balance)
    if not known.any() or not np.abs(balance[known]).max() > 0.0:
        return math.nan
    return float(np.abs(torque - balance)[known].max() / np.abs(balance[known]).max())


def _of_torque(read: Observables) -> dict[str, float]:
    """Those of the torque and its work, at the drive's speed."""
    rows = read.steady & np.isfinite(read.torque)
    if rows.sum() < 2:
        return {}
    torque, lengths = read.torque[rows], np.abs(np.diff(read.s_f[rows]))
    square = 0.5 * (torque[1:] ** 2 + torque[:-1] ** 2)  # both halves of a step count alike
    way = lengths.sum()
    works = read.works[:, rows][:, 1:]  # of the steps between these rows
    given = works.sum(axis=1)
    return {
        **_ends(torque),
        "torque_rms": math.sqrt(float((square * lengths).sum() / way)) if way > 0.0 else math.nan,
        "wheel_work": float(given[0] + given[1]),
        "leg_work": float(given[2] + given[3]),
        "supplied_energy": float(np.maximum(works, 0.0).sum()),
    }


def _ends(torque: Array) -> dict[str, float]:
    """Largest and smallest torque, and how far they are apart."""
    most, least = float(np.nanmax(torque)), float(np.nanmin(torque))
    return {"torque_max": most, "torque_min": least, "torque_range": most - least}


def _of_forces(read: Observables) -> dict[str, float]:
    """Those of the ground's forces at both wheels, at the drive's speed."""
    return {
        "required_friction": -_least(-read.needed[:, read.steady]),
        "min_normal_force": _least(read.normal[:, read.steady]),
    }


def _least(values: Array) -> float:
    """The least that is a number; NaN where there is none."""
    known = values[np.isfinite(values)]
    return float(known.min()) if known.size else math.nan


STATEMENTS = read_statements(__package__)

_TOP = 4.0  # m: of the soft bump
_SAME = 1e-9
_SAME_TRACK = 1e-4  # m: boxes end where a bump is lower than a hundredth of a millimetre
_SLID = 0.01  # of the way: a pressed wheel that creeps so little does not slip
_SLOW = 0.25  # m/s: ours, kinetic energy is then less than 4 % of what the bump takes
_ITSELF = 1e-9  # of the peak: the engine that is the quasi-static balance


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The document's statements that a run with static angles over the soft bump can tell of."""
    parameters = parameters_of(context.model, context.contacts)
    drive = context.controller
    if not isinstance(drive, WheelLegDrive):
        return []
    angles = {(at.rear, at.front) for at in drive.stations}
    if len(angles) != 1 or not is_documents(parameters, track_of(context.model)):
        return []
    named = "{:g} and {:g} degrees".format(*angles.pop())
    q = context.initial_state[: context.model.plant.num_positions()][rows_of(context.model)]
    rear, front = (float(wheel.real) for wheel in wheel_centres(parameters, q))
    made = []
    # at its full speed the rear wheel would come over the top in time
    if rear + abs(drive.speed) * context.duration > _TOP:
        made.append(STATEMENTS["passes"].of(_passes(rear, front, metrics), angles=named))
    error = scalar(metrics, "torque_error")
    # the quasi-static balance itself is not judged by itself
    if abs(drive.speed) <= _SLOW and error > _ITSELF:
        made.append(STATEMENTS["torque_error"].of(error))
    return made


def is_published(parameters: UgvParameters) -> bool:
    """Return True where lengths and masses are the document's, and the rest is as assumed."""
    own = UgvParameters()
    return all(
        math.isclose(getattr(parameters, each.name), getattr(own, each.name), rel_tol=_SAME)
        for each in fields(own)
    )


def is_documents(parameters: UgvParameters, track: Track) -> bool:
    """Return whether vehicle and track are the document's, as near as boxes tell them."""
    x = np.linspace(_TOP - 3.0, _TOP + 3.0, 601)
    off = np.abs(track.profile(x).height - Bump().track().profile(x).height)
    return is_published(parameters) and bool(off.max() < _SAME_TRACK)


def _passes(rear: float, front: float, metrics: Mapping[str, Metric]) -> bool:
    """Return whether both wheels, at these places at the start [m], come over the top.

    Without a slide or a lift.
    """
    distance = scalar(metrics, "front_way")
    over = front < _TOP < rear + distance
    slid = scalar(metrics, "wheel_slip") <= _SLID * abs(distance)
    return over and slid and scalar(metrics, "lift_time") == 0.0
