"""Pieces of PASIBOT's walk in closed form: in the plant's coordinates, and what its soles press.

Heel and toe share the impulse between rows so that it acts at the zero-moment point half way
between the rows; where that point is beyond the sole, one of them pulls, and that is told.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.motion import exchange, soles
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.coordinates import state_of
from footfall.machines.pasibot.model import POINTS
from footfall.registry.context import MachineContext
from footfall.stance.trajectory import Piece, motion_trajectory
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import SLIDES

_SLACK = 1e-9  # m: the zero-moment point at an end of the sole


class WalkRows(NamedTuple):
    """Rows of a walk between two events, (k,) each, with so many steps made.

    time [s]; th8 [rad] counted on from the first step, rate [rad/s]; x_foot: where foot 1 would be
    without its steps, x [m], speed of the supporting foot [m/s]; torque [N m]; along, up: momentum
    [N s]; work of the motor, heat of friction, kinetic and potential energy [J]; slides: whether
    the foot does. zmp: ahead of its ankle [m], half way between a row and the one before it, of the
    first one in it.
    """

    time: Array
    th8: Array
    rate: Array
    x_foot: Array
    speed: Array
    torque: Array
    along: Array
    up: Array
    work: Array
    heat: Array
    kinetic: Array
    potential: Array
    zmp: Array
    steps: int
    slides: bool


def middles(time: Array) -> Array:
    """Times half way between rows and the ones before them, (N,) [s]."""
    return 0.5 * (time + np.concatenate((time[:1], time[:-1])))


def trajectory(
    context: MachineContext,
    parameters: PasibotParameters,
    rows: Sequence[WalkRows],
    engine: str,
    events: Sequence[Event],
    failure: str = "",
) -> Trajectory:
    """The walk as a trajectory; failure: why it ended before its time, if it did."""
    weight = np.array([0.0, -total_mass(parameters) * parameters.g])
    return motion_trajectory(
        context,
        engine,
        [_piece(context, parameters, part) for part in rows],
        weight,
        POINTS,
        events=(*events, *_topples(parameters, rows)),
        failure=failure,
    )


def sole(parameters: PasibotParameters) -> tuple[float, float]:
    """Heel and toe ahead of the ankle [m]."""
    middle, half = parameters.foot_ahead, 0.5 * parameters.foot_length
    return (middle - half) * parameters.l8, (middle + half) * parameters.l8


def _topples(parameters: PasibotParameters, rows: Sequence[WalkRows]) -> list[Event]:
    """The first time that the zero-moment point is beyond the sole."""
    heel, toe = sole(parameters)
    time, zmp = (np.concatenate([getattr(part, name) for part in rows]) for name in ("time", "zmp"))
    beyond = (zmp < heel - _SLACK) | (zmp > toe + _SLACK)
    if not beyond.any():
        return []
    k = int(beyond.argmax())
    what = (
        f"the zero-moment point is {1e3 * zmp[k]:.4g} mm ahead of the ankle, beyond the "
        f"sole, {1e3 * heel:.4g} to {1e3 * toe:.4g} mm: the foot would tip over, which this engine "
        "does not let it"
    )
    return [Event(float(time[k]), SLIDES, what)]


def _piece(context: MachineContext, parameters: PasibotParameters, part: WalkRows) -> Piece:
    plant = context.model.plant
    positions, velocities = _soles(parameters, part)
    heel, toe = sole(parameters)
    on_toe = (part.zmp - heel) / (toe - heel)
    share = np.zeros((len(on_toe), 2, 2))
    share[:, part.steps % 2] = np.column_stack((1.0 - on_toe, on_toe))
    return Piece(
        part.time,
        state_of(plant, parameters, part.th8, part.rate, part.x_foot, part.speed),
        positions,
        velocities,
        share.reshape(-1, 4),
        Mode.SLIP if part.slides else Mode.STICK,
        np.column_stack((part.along, part.up)),
        np.column_stack((part.kinetic, part.potential)),
        np.column_stack((part.work, -part.heat)),
        part.torque[:, None],
    )


def _soles(parameters: PasibotParameters, part: WalkRows) -> tuple[Array, Array]:
    """Places [m] and velocities [m/s] of POINTS, (x, z), (k, 4, 2) each."""
    ends = soles(parameters, part.th8 - np.pi * part.steps)
    origin = part.x_foot + exchange(parameters)["step"] * part.steps
    position = np.moveaxis(ends.value, -1, 0) + origin[:, None, None]
    velocity = np.moveaxis(ends.first * part.rate, -1, 0) + part.speed[:, None, None]
    # the supporting foot comes first there, foot 1 here
    order = slice(None, None, -1 if part.steps % 2 else 1)
    return _planar(position[:, order]), _planar(velocity[:, order])


def _planar(values: npt.NDArray[np.complex128]) -> Array:
    """Real and imaginary parts of values (k, 2, 2) as x and z, (k, 4, 2)."""
    flat = values.reshape(-1, 4)
    return np.stack((flat.real, flat.imag), axis=-1)
