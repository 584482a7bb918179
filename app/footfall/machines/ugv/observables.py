"""A trajectory of the vehicle read as a traversal: where its wheels are, what they need and get."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array, Flags
from footfall.machines.ugv.closed_form.centres import CentreCurve, CentrePoint
from footfall.machines.ugv.closed_form.forces import Forces, forces
from footfall.machines.ugv.closed_form.position import (
    Complex,
    UgvParameters,
    VehiclePose,
    base,
    pose,
)
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.control import WheelLegDrive
from footfall.machines.ugv.ground import track_of
from footfall.machines.ugv.model import (
    COORDINATES,
    parameters_of,
    wheel_centres,
    wheel_contacts,
)
from footfall.registry.context import MachineContext
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
        steady=behind & (time >= _settled(context)),
    )


def _settled(context: MachineContext) -> float:
    """Return when the drive has had its speed for a while [s]."""
    drive = context.controller
    return drive.ramp + _SETTLES if isinstance(drive, WheelLegDrive) else 0.0


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
