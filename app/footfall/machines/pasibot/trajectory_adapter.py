"""Pieces of PASIBOT's walk in closed form: in the plant's coordinates, and what its soles press.

Heel and toe share the impulse between rows so that it acts at the zero-moment point half way
between the rows; where that point is beyond the sole, one of them pulls, and that is told.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.hybrid import FlowSegment
from footfall.hybrid.contact import ContactPhase, phase_of
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, exchange, soles
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.coordinates import state_of
from footfall.machines.pasibot.model import POINTS
from footfall.machines.pasibot.slip_system import STEPS
from footfall.machines.pasibot.slip_walk import Rows
from footfall.registry.context import MachineContext
from footfall.stance.trajectory import Piece, motion_trajectory
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import SLIDES

_SLACK = 1e-9  # m: the zero-moment point at an end of the sole


def trajectory(
    context: MachineContext,
    parameters: PasibotParameters,
    pieces: Sequence[tuple[FlowSegment, Rows]],
    engine: str,
    events: Sequence[Event],
    failure: str = "",
) -> Trajectory:
    """The walk as a trajectory, phase by phase.

    Rows have foot 1 without its steps as slip, and zero-moment points half way between a row and
    the one before it, of the first one in it. failure: why it ended before its time, if it did.
    """
    weight = np.array([0.0, -total_mass(parameters) * parameters.g])
    return motion_trajectory(
        context,
        engine,
        [_piece(context, parameters, *piece) for piece in pieces],
        weight,
        POINTS,
        events=(*events, *_topples(parameters, [rows for _, rows in pieces])),
        failure=failure,
    )


def sole(parameters: PasibotParameters) -> tuple[float, float]:
    """Heel and toe ahead of the ankle [m]."""
    middle, half = parameters.foot_ahead, 0.5 * parameters.foot_length
    return (middle - half) * parameters.l8, (middle + half) * parameters.l8


def _topples(parameters: PasibotParameters, rows: Sequence[Rows]) -> list[Event]:
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


def _piece(
    context: MachineContext, parameters: PasibotParameters, phase: FlowSegment, rows: Rows
) -> Piece:
    steps = round(float(phase.x_start[STEPS]))
    th8 = STEP_BEGINS + np.pi * rows.phase
    positions, velocities = _soles(parameters, rows, steps)
    heel, toe = sole(parameters)
    on_toe = (rows.zmp - heel) / (toe - heel)
    share = np.zeros((len(on_toe), 2, 2))
    share[:, steps % 2] = np.column_stack((1.0 - on_toe, on_toe))
    return Piece(
        rows.time,
        state_of(context.model.plant, parameters, th8, rows.rate, rows.slip, rows.speed),
        positions,
        velocities,
        share.reshape(-1, 4),
        Mode.STICK if phase_of(phase.mode) is ContactPhase.STICK else Mode.SLIP,
        np.column_stack((rows.momentum, rows.rise)),
        np.column_stack((rows.energy - rows.potential, rows.potential)),
        np.column_stack((rows.work, -rows.heat)),
        rows.torque[:, None],
    )


def _soles(parameters: PasibotParameters, rows: Rows, steps: int) -> tuple[Array, Array]:
    """Places [m] and velocities [m/s] of POINTS, (x, z), (k, 4, 2) each."""
    ends = soles(parameters, rows.th8)
    origin = rows.slip + exchange(parameters)["step"] * steps
    position = np.moveaxis(ends.value, -1, 0) + origin[:, None, None]
    velocity = np.moveaxis(ends.first * rows.rate, -1, 0) + rows.speed[:, None, None]
    # the supporting foot comes first there, foot 1 here
    order = slice(None, None, -1 if steps % 2 else 1)
    return _planar(position[:, order]), _planar(velocity[:, order])


def _planar(values: npt.NDArray[np.complex128]) -> Array:
    """Real and imaginary parts of values (k, 2, 2) as x and z, (k, 4, 2)."""
    flat = values.reshape(-1, 4)
    return np.stack((flat.real, flat.imag), axis=-1)
