"""PASIBOT as engines: walks on feet that are held, in closed form, and on feet that may slide.

Rows stand at the scenario's time steps and at events, and twice where the torque jumps. On held
feet the document's own 69 equations give torque and forces: (19) at a prescribed th8(t), (28) under
a torque; such a walk goes on where a floor would let the foot go, and an event says so.

Heel and toe share the impulse between rows so that it acts at the zero-moment point half way
between the rows; where that point is beyond the sole, one of them pulls, and that is told.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.errors import ScenarioError
from footfall.hybrid import FlowSegment
from footfall.hybrid.contact import ContactPhase, phase_of
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, exchange, soles
from footfall.machines.pasibot.closed_form.newton_euler import forward, inverse
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile
from footfall.machines.pasibot.control import STILL, WalkSetup, simulated_time, walk_setup
from footfall.machines.pasibot.model import POINTS, state_of
from footfall.machines.pasibot.slip_system import PHASES, STEPS, Prescribed
from footfall.machines.pasibot.slip_walk import Rows, SlipWalk, slip_walk
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.stance.trajectory import Piece, motion_trajectory, sample_times
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


_ROUNDING = 1e-9  # of the friction that there is
_AT_ONCE = 256  # rows whose equations are solved together: 10 MB of matrices


def closed_form(context: MachineContext) -> Trajectory:
    """Walk on feet that are held; raises ScenarioError for what it does not know."""
    setup = walk_setup(context, CLOSED_FORM)
    if abs(setup.speed) > STILL:
        raise ScenarioError(
            f"engine {CLOSED_FORM}: foot 1 slides at {setup.speed:.3g} m/s at the start, which a "
            "foot that is held cannot: let it rest, or choose hybrid, moreau or drake."
        )
    walked = _walked(context, setup, CLOSED_FORM)
    pieces: list[tuple[FlowSegment, Rows]] = []
    halves = []
    for phase in walked.phases:
        rows, half = (_by_equations(setup, one) for one in _rows(context, setup, walked, phase))
        begin = pieces[0][1] if pieces else rows
        # nothing takes away what the motor gives
        pieces.append((phase, rows._replace(zmp=half.zmp, work=rows.energy - begin.energy[0])))
        halves.append(half)
    time, along, up = (
        np.concatenate([getattr(half, name) for half in halves]) for name in ("time", "along", "up")
    )
    events = [Event(e.time, "exchange", "the other foot takes over") for e in walked.exchanges]
    events += _slip_events(setup.parameters, time, along, up)
    return trajectory(context, setup.parameters, pieces, CLOSED_FORM, events, walked.ending)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk on feet that may slide; raises ScenarioError for what it does not know."""
    setup = walk_setup(context, HYBRID)
    walked = _walked(context, setup, HYBRID)
    pieces: list[tuple[FlowSegment, Rows]] = []
    for phase in walked.phases:
        rows, half = _rows(context, setup, walked, phase)
        pieces.append((phase, rows._replace(zmp=half.zmp)))
    events = [
        Event(e.time, e.guard, f"{e.guard}: {_name(e.before)} to {_name(e.after or '')}")
        for e in walked.events
    ]
    return trajectory(context, setup.parameters, pieces, HYBRID, events, walked.ending)


def _name(mode: str) -> str:
    """The phase of a mode by this machine's name for it."""
    return PHASES[phase_of(mode)]


def _walked(context: MachineContext, setup: WalkSetup, engine: str) -> SlipWalk:
    """Walk for the scenario's time; raises ScenarioError for what cannot be walked."""
    th8, rate = setup.start
    try:
        walked = slip_walk(
            SlidingProfile(setup.parameters),
            setup.drive,
            simulated_time(context),
            th8=th8,
            rate=rate,
            speed=setup.speed if abs(setup.speed) > STILL else 0.0,
            held=engine == CLOSED_FORM,
        )
    except ValueError as error:
        raise ScenarioError(f"engine {engine}: {error}.") from error
    if not walked.phases:
        raise ScenarioError(f"engine {engine}: the walk ended at its start: {walked.ending}.")
    return walked


def _rows(
    context: MachineContext, setup: WalkSetup, walked: SlipWalk, phase: FlowSegment
) -> tuple[Rows, Rows]:
    """A phase at its rows, and half way between these and the ones before them."""
    time = sample_times(phase.start, phase.end, context.time_step)
    inside = np.minimum(time, np.nextafter(phase.end, phase.start))  # before the drive jumps
    half = 0.5 * (inside + np.concatenate((inside[:1], inside[:-1])))
    at = walked.rows(phase, inside)
    return at._replace(time=time, slip=at.slip + setup.x_foot), walked.rows(phase, half)


def _by_equations(setup: WalkSetup, rows: Rows) -> Rows:
    """Rows with the torque and the forces of the document's equations."""
    parts = []
    for begin in range(0, len(rows.time), _AT_ONCE):
        some = Rows(*(column[begin : begin + _AT_ONCE] for column in rows))
        if isinstance(setup.drive, Prescribed):
            found = inverse(setup.parameters, some.th8, some.rate, some.acceleration)
        else:
            found = forward(setup.parameters, some.th8, some.rate, some.torque)
        parts.append((found.torque, found.floor.real, found.floor.imag, found.zmp))
    torque, along, up, zmp = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows._replace(torque=torque, along=along, up=up, zmp=zmp)


def _slip_events(
    parameters: PasibotParameters, time: Array, along: Array, up: Array
) -> list[Event]:
    """Events where the foot would first slide, and where the floor would first have to pull."""
    besides = "this engine holds it, hybrid, moreau and drake do not"
    events = []
    pulls = up <= 0.0
    if pulls.any():
        k = int(pulls.argmax())
        what = f"the floor would have to hold the foot down with {-up[k]:.3g} N; {besides}"
        events.append(Event(float(time[k]), SLIDES, what))
    has = parameters.mu_s
    slides = ~pulls & (np.abs(along) > has * (1.0 + _ROUNDING) * up)
    if slides.any():
        k = int(slides.argmax())
        needs = float((np.abs(along[~pulls]) / up[~pulls]).max())
        what = (
            f"the foot would slide: friction of up to {needs:.3g} is needed, it has {has:.3g}; "
            f"{besides}"
        )
        events.append(Event(float(time[k]), SLIDES, what))
    return events
