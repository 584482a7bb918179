"""Rows of PASIBOT in closed form: its motion in the plant's coordinates, and what its soles press.

Between rows the impulse of the floor on the supporting foot is the change of the machine's momentum
less that of its weight, which is exact however long they last. Heel and toe share it so that it
acts at the zero-moment point half way between the rows; where that point is beyond the sole, one of
them pulls, and that is told.
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
from footfall.plants.layout import layout_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Event, Trajectory, trajectory_from_arrays
from footfall.trajectory.events import SLIDES

_SLACK = 1e-9  # m: the zero-moment point at an end of the sole


class WalkHistory(NamedTuple):
    """A motion in its rows, (N,) each, of which some stand at the exchanges of support.

    time [s]; th8 [rad] counted on from the first step, rate [rad/s]; x_foot: where foot 1 would be
    without its steps, x [m], speed of the supporting foot [m/s]; torque [N m]; along, up: momentum
    [N s]; work of the motor, heat of friction, kinetic and potential energy [J]. Half way between
    a row and the one before it, of the first one in it: steps made; slides, whether the foot does;
    zmp ahead of its ankle [m].
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
    steps: npt.NDArray[np.int64]
    slides: npt.NDArray[np.bool_]
    zmp: Array


def middles(time: Array) -> Array:
    """Times half way between rows and the ones before them, (N,) [s]."""
    return 0.5 * (time + np.concatenate((time[:1], time[:-1])))


def trajectory(
    context: MachineContext,
    parameters: PasibotParameters,
    motion: WalkHistory,
    engine: str,
    events: Sequence[Event],
    failure: str = "",
) -> Trajectory:
    """The motion as a trajectory; failure: why it ended before its time, if it did."""
    plant = context.model.plant
    columns = (motion.th8, motion.rate, motion.x_foot, motion.speed)
    q, v = np.split(state_of(plant, parameters, *columns), [plant.num_positions()], axis=1)
    all_events = sorted((*events, *_topples(parameters, motion)), key=lambda event: event.time)
    return trajectory_from_arrays(
        layout_of(plant, context.contacts),
        motion.time,
        q=q,
        v=v,
        actuation=motion.torque[:, None],
        kinetic_energy=motion.kinetic,
        potential_energy=motion.potential,
        actuator_work=motion.work,
        contact_work=-motion.heat,
        damping_work=0.0,
        constraint_work=0.0,
        push_work=0.0,
        energy_gain=0.0,
        energy_residual=motion.kinetic
        - motion.kinetic[0]
        + (motion.potential - motion.potential[0])
        - (motion.work - motion.work[0])
        + (motion.heat - motion.heat[0]),
        **_contact_columns(context, parameters, motion),
        events=all_events,
        failure=failure,
        attributes={"engine": engine},
    )


def sole(parameters: PasibotParameters) -> tuple[float, float]:
    """Heel and toe ahead of the ankle [m]."""
    middle, half = parameters.foot_ahead, 0.5 * parameters.foot_length
    return (middle - half) * parameters.l8, (middle + half) * parameters.l8


def _topples(parameters: PasibotParameters, motion: WalkHistory) -> list[Event]:
    """The first time that the zero-moment point is beyond the sole."""
    heel, toe = sole(parameters)
    beyond = (motion.zmp < heel - _SLACK) | (motion.zmp > toe + _SLACK)
    if not beyond.any():
        return []
    k = int(beyond.argmax())
    what = (
        f"the zero-moment point is {1e3 * motion.zmp[k]:.4g} mm ahead of the ankle, beyond the "
        f"sole, {1e3 * heel:.4g} to {1e3 * toe:.4g} mm: the foot would tip over, which this engine "
        "does not let it"
    )
    return [Event(float(motion.time[k]), SLIDES, what)]


def _contact_columns(
    context: MachineContext, parameters: PasibotParameters, motion: WalkHistory
) -> dict[str, Array | npt.NDArray[np.int8]]:
    """Columns of a trajectory for the soles; their normals, all the ground's, are left out."""
    names, rows = context.contacts.names, len(motion.time)
    order = [names.index(name) for name in POINTS]
    position, speed = _soles(parameters, motion)
    part = _parts(parameters, motion)
    pressed = part != 0.0
    shape = (rows, len(names), 3)
    impulse, velocity, point = (np.zeros(shape) for _ in range(3))
    gap, dissipation = np.zeros(shape[:2]), np.zeros(shape[:2])
    mode = np.full(shape[:2], int(Mode.OPEN), dtype=np.int8)
    along, up = _impulses(parameters, motion)
    impulse[:, order, 0], impulse[:, order, 1] = part * up, part * along
    velocity[:, order, 1] = np.where(pressed, speed.real, 0.0)
    gap[:, order] = position.imag
    point[:, order, 0], point[:, order, 2] = position.real, position.imag
    closed = np.where(motion.slides, int(Mode.SLIP), int(Mode.STICK))[:, None]
    mode[:, order] = np.where(pressed, closed, int(Mode.OPEN))
    heat = np.diff(motion.heat, prepend=motion.heat[:1])[:, None]
    dissipation[:, order] = 0.0 + part * heat  # no -0
    return {
        "impulse": impulse,
        "contact_velocity": velocity,
        "gap": gap,
        "contact_point": point,
        "mode": mode,
        "dissipation": dissipation,
    }


def _impulses(parameters: PasibotParameters, motion: WalkHistory) -> tuple[Array, Array]:
    """Impulses along the floor and upwards since the row before, (N, 1) each [N s]."""
    weight = total_mass(parameters) * parameters.g
    along, up, span = (
        np.diff(column, prepend=column[:1])[:, None]
        for column in (motion.along, motion.up, motion.time)
    )
    return along, up + weight * span


def _parts(parameters: PasibotParameters, motion: WalkHistory) -> Array:
    """Share of the floor's force on each of POINTS, (N, 4)."""
    heel, toe = sole(parameters)
    on_toe = (motion.zmp - heel) / (toe - heel)
    rows = len(on_toe)
    parts = np.zeros((rows, 2, 2))
    parts[np.arange(rows), motion.steps % 2] = np.column_stack((1.0 - on_toe, on_toe))
    return parts.reshape(rows, 4)


def _soles(
    parameters: PasibotParameters, motion: WalkHistory
) -> tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]]:
    """Places [m] and velocities [m/s] of POINTS, complex (N, 4)."""
    ends = soles(parameters, motion.th8 - np.pi * motion.steps)
    origin = motion.x_foot + exchange(parameters)["step"] * motion.steps
    position = np.moveaxis(ends.value, -1, 0) + origin[:, None, None]
    velocity = np.moveaxis(ends.first * motion.rate, -1, 0) + motion.speed[:, None, None]
    # the supporting foot comes first there, foot 1 here
    other = (motion.steps % 2 == 1)[:, None, None]
    positions, velocities = (
        np.where(other, both[:, ::-1], both).reshape(-1, 4) for both in (position, velocity)
    )
    return positions, velocities
