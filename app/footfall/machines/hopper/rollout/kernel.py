"""One jump of the hopper by steps of one size: fast enough to be asked ten thousand times a second.

Made for a search; `footfall.machines.hopper.reference` is what judges. Steps end where a piece of
the torque ends, and at events.

Pieces are rows (kind, duration [s], a0 ... a5). TORQUE: tau = a0 + a1 s + ..., s from its own
start. BEND: theta2'' = a0 + a1 s as far as the motor can. REACH: theta2 and theta2' are to be a0
and a1 at the end of the piece, theta2'' being linear in time. Sets of pieces are either one row of
time, or three: the first until take-off, the second until landing, the third from there on.
"""

import math
from typing import NamedTuple

from footfall.arrays import Array
from footfall.jit import njit
from footfall.machines.hopper.rollout.equations import (
    BEND,
    FLIGHT,
    NO_PHASE,
    SLIP_BACKWARD,
    SLIP_FORWARD,
    STICK,
    Accelerations,
    Constants,
    ControlSegment,
    State,
    angular_momentum,
    motion,
    phase_on_ground,
    post_impact,
)
from footfall.machines.hopper.rollout.step import first_lost_guard, held_state

REACH = 2.0
# how a simulation ends; only JUMP is a jump
JUMP, NO_TAKE_OFF, FELL, LEFT_AGAIN, OUT_OF_TIME, STUCK, TAKEN_OFF = 0, 1, 2, 3, 4, 5, 6
BY_TIME = (-1, -1)  # instead of the numbers of the first piece of flight and of landing

# rows and columns of the margins: stages of the jump, and what is to stay positive in each
STAGES = ("first contact", "flight", "second contact")
MARGINS = (
    *("theta1", "pi - theta1", "theta12", "pi - theta12", "PR_forward", "PR_backward"),
    *("torque", "ground"),
)
ANGLES = 6  # how many of them are of angles
NODE = 14  # columns of what is recorded: t, tau, phase, piece, lambda_t, lambda_n, state (8)

_MOST_EVENTS = 40
_LATE = 0.15  # s after the last piece of its stage: nothing takes off any more
_WILD = 1e4  # rad/s
_NEVER = 1e9
_THIRD, _SIXTH = math.pi / 6.0, 5.0 * math.pi / 6.0


class RolloutOutcome(NamedTuple):
    """End of a simulated jump.

    kind: JUMP or why it is none. time [s]; X_start, X_end [m]; take_off, landing [s];
    angular_momentum in flight [kg m^2/s]; state at the end, or at take-off for TAKEN_OFF; nodes:
    how many are recorded.
    """

    kind: int
    time: float
    X_start: float
    X_end: float
    take_off: float
    landing: float
    angular_momentum: float
    state: State
    nodes: int


@njit
def control_segment(piece: Array, q: State, bound: float) -> ControlSegment:
    """The control segment of a piece that begins in a state."""
    if piece[0] != REACH:
        return ControlSegment(
            piece[0], piece[2], piece[3], piece[4], piece[5], piece[6], piece[7], bound
        )
    T, far, rate = piece[1], piece[2] - q.theta2, piece[3]
    begin = (6.0 * far - T * (4.0 * q.dtheta2 + 2.0 * rate)) / (T * T)
    slope = (-12.0 * far + 6.0 * T * (q.dtheta2 + rate)) / (T * T * T)
    return ControlSegment(BEND, begin, slope, 0.0, 0.0, 0.0, 0.0, bound)


@njit
def _note(margins: Array, stage: int, q: State, now: Accelerations, bound: float) -> None:
    """Keep the least margins of a stage; now: what `motion` says."""
    th12, line = q.theta1 + q.theta2, q.theta1 + 0.5 * q.theta2
    row = margins[stage]
    row[0] = min(row[0], q.theta1)
    row[1] = min(row[1], math.pi - q.theta1)
    row[2] = min(row[2], th12)
    row[3] = min(row[3], math.pi - th12)
    row[4] = min(row[4], line - _THIRD)
    row[5] = min(row[5], _SIXTH - line)
    row[6] = min(row[6], bound - abs(now.torque))
    if stage == 2:
        row[7] = min(row[7], now.lambda_n)


@njit
def _end_of_contact(hit: int, phase: int) -> int:
    """The phase after the loss of a guard of stick or slip; NO_PHASE: to be chosen."""
    if hit == 2:
        return FLIGHT
    if phase == STICK:
        return SLIP_BACKWARD if hit == 3 else SLIP_FORWARD
    return NO_PHASE


@njit
def rollout(  # noqa: C901, PLR0912, PLR0915 (a kernel is one nest of loops, compiled whole)
    th1: float,
    th2: float,
    pieces: Array,
    stages: tuple[int, int],
    c: Constants,
    bound: float,
    step: float,
    most: float,
    to_take_off: bool,
    margins: Array,
    nodes: Array,
) -> RolloutOutcome:
    """Jump from rest at theta1, theta2; step, most [s]: of the method, and of the whole.

    stages: numbers of the first piece of flight and of landing, or BY_TIME, when the last piece
    goes on for ever and the bound of the torque is noted only. to_take_off: end there. margins
    (3, 8): filled with the least ones, of stages by MARGINS [rad, N m]; ground: lambda_n after
    landing [N], and at a start in stick how far mu is above |lambda_t|/lambda_n there; theta1 and
    pi - theta1 count the end of the jump, too. nodes (n, NODE): filled with the steps as far as
    they have room.
    """
    q = State(0.0, 0.0, th1, th2, 0.0, 0.0, 0.0, 0.0)
    margins[:] = _NEVER
    by_time, last = stages[0] < 0, pieces.shape[0]
    limit = last if by_time else stages[0]
    t, begun, k, stage, events, count = 0.0, 0.0, 0, 0, 0, 0
    ends = pieces[0, 1]
    segment = control_segment(pieces[0], q, bound)
    X_start, X_end, take_off, landing, turning = 0.0, 0.0, 0.0, 0.0, 0.0
    phase, kind = phase_on_ground(q, segment, 0.0, c), -1
    if phase in (FLIGHT, NO_PHASE):
        kind = NO_TAKE_OFF
    elif phase == STICK:
        first = motion(phase, q, segment, 0.0, c)
        margins[0, 7] = c.mu - abs(first.lambda_t) / first.lambda_n
    while kind < 0:
        s = t - begun
        now = motion(phase, q, segment, s, c)
        _note(margins, stage, q, now, bound)
        if stage == 0:
            X_start = max(X_start, q.x)
        elif stage == 2:
            X_end = min(X_end, q.x)
        if count < nodes.shape[0]:
            row = nodes[count]
            row[0], row[1], row[2], row[3] = t, now.torque, phase, k
            row[4], row[5] = now.lambda_t, now.lambda_n
            row[6], row[7], row[8], row[9] = q.x, q.y, q.theta1, q.theta2
            row[10], row[11], row[12], row[13] = q.dx, q.dy, q.dtheta1, q.dtheta2
            count += 1
        was, hit = phase, -1
        left = ends - t if k + 1 < limit else _NEVER
        if left <= 1e-12:
            k, t, begun = k + 1, ends, ends
            ends = begun + pieces[k, 1]
            segment = control_segment(pieces[k], q, bound)
            if phase == FLIGHT:
                continue
            phase = phase_on_ground(q, segment, 0.0, c)
        else:
            if t > most or (stage == 0 and not by_time and t > ends + _LATE):
                kind = NO_TAKE_OFF if stage == 0 else OUT_OF_TIME
                break
            h = left / math.ceil(left / step - 1e-9) if left < _NEVER else step
            hit, part, q = first_lost_guard(phase, q, segment, s, h, c)
            q = held_state(phase, q)
            if hit < 0:
                t = ends if h == left else t + h
                if not (abs(q.dtheta1) < _WILD and abs(q.dtheta2) < _WILD):
                    kind = STUCK
                continue
            t += part * h
            events += 1
            _note(margins, stage, q, now, bound)
            if hit <= 1:
                kind = NO_TAKE_OFF if stage == 0 else (FELL if stage == 1 else JUMP)
                reached = q.x + 2.0 * c.l * math.cos(q.theta1)
                if hit == 1:
                    reached += 2.0 * c.l * math.cos(q.theta1 + q.theta2)
                X_end = min(X_end, q.x, reached)
                break
            if phase == FLIGHT:
                stage, landing, X_end = 2, t, q.x
                q = post_impact(q, c)
                if not by_time:
                    k, limit, begun, ends = stages[1], last, t, t + pieces[stages[1], 1]
                    segment = control_segment(pieces[k], q, bound)
                phase = phase_on_ground(q, segment, t - begun, c)
            else:
                phase = _end_of_contact(hit, phase)
                if phase == NO_PHASE:
                    q = held_state(STICK, q)
                    phase = phase_on_ground(q, segment, t - begun, c)
        if phase == NO_PHASE or events > _MOST_EVENTS:
            kind = STUCK
        elif phase == FLIGHT and stage == 2:
            kind = LEFT_AGAIN
        elif phase == FLIGHT:
            stage, take_off, turning = 1, t, angular_momentum(q, c)
            X_start = max(X_start, q.x)
            if to_take_off:
                kind = TAKEN_OFF
            elif not by_time:
                k, limit, begun, ends = stages[0], stages[1], t, t + pieces[stages[0], 1]
                segment = control_segment(pieces[k], q, bound)
        elif was != phase or hit >= 0:
            q = held_state(phase, q)
    return RolloutOutcome(kind, t, X_start, X_end, take_off, landing, turning, q, count)
