"""One step of the rollout, which ends at the first guard that it loses.

Runge and Kutta's method of order 4. The time of an event is found by taking the step anew up to it,
so that distance and margins of a jump are smooth functions of what drives it, as long as the same
phases follow each other.
"""

import math

from footfall.jit import njit
from footfall.machines.hopper.rollout.equations import (
    FLIGHT,
    SLIP_FORWARD,
    STICK,
    Constants,
    ControlSegment,
    State,
    motion,
)

_EXACT = 1e-13  # of a guard at an event


@njit
def _moved(q: State, h: float, rates: State) -> State:
    return State(
        q.x + h * rates.x,
        q.y + h * rates.y,
        q.theta1 + h * rates.theta1,
        q.theta2 + h * rates.theta2,
        q.dx + h * rates.dx,
        q.dy + h * rates.dy,
        q.dtheta1 + h * rates.dtheta1,
        q.dtheta2 + h * rates.dtheta2,
    )


@njit
def _rates(phase: int, q: State, segment: ControlSegment, s: float, c: Constants) -> State:
    """Rates of a state, each in the place of what it is the rate of."""
    now = motion(phase, q, segment, s, c)
    return State(q.dx, q.dy, q.dtheta1, q.dtheta2, now.ddx, now.ddy, now.ddtheta1, now.ddtheta2)


@njit
def _stepped(
    phase: int, q: State, segment: ControlSegment, s: float, h: float, c: Constants
) -> State:
    """State after a step; what the ground holds stays exactly held."""
    k1 = _rates(phase, q, segment, s, c)
    k2 = _rates(phase, _moved(q, 0.5 * h, k1), segment, s + 0.5 * h, c)
    k3 = _rates(phase, _moved(q, 0.5 * h, k2), segment, s + 0.5 * h, c)
    k4 = _rates(phase, _moved(q, h, k3), segment, s + h, c)
    after = _moved(q, h / 6.0, k1)
    after = _moved(after, h / 3.0, k2)
    after = _moved(after, h / 3.0, k3)
    return _moved(after, h / 6.0, k4)


@njit
def _guards(
    phase: int, q: State, segment: ControlSegment, s: float, c: Constants
) -> tuple[float, float, float, float, float]:
    """Heights of Q and R, then what is lost at the end of a phase, 1 where there is less.

    In flight the height of P; in slip lambda_n and the speed along sigma; in stick lambda_n and the
    distances from both edges of the cone, lost backward and forward.
    """
    Q = q.y + 2.0 * c.l * math.sin(q.theta1)
    R = Q + 2.0 * c.l * math.sin(q.theta1 + q.theta2)
    if phase == FLIGHT:
        return Q, R, q.y, 1.0, 1.0
    now = motion(phase, q, segment, s, c)
    t, n = now.lambda_t, now.lambda_n
    if phase == STICK:
        return Q, R, n, c.mu * n - t, c.mu * n + t
    return Q, R, n, q.dx if phase == SLIP_FORWARD else -q.dx, 1.0


@njit
def first_lost_guard(
    phase: int, q: State, segment: ControlSegment, s: float, h: float, c: Constants
) -> tuple[int, float, State]:
    """The first guard that a step loses: its number, the part of the step, the state there.

    Number -1 where none is lost. By regula falsi after Illinois. A guard that has no value left at
    the beginning is lost there.
    """
    after = _stepped(phase, q, segment, s, h, c)
    ends = _guards(phase, after, segment, s + h, c)
    first, part, there = -1, 1.0, after
    if min(ends) >= 0.0:
        return first, part, there
    starts = _guards(phase, q, segment, s, c)
    for i in range(5):
        if ends[i] >= 0.0:
            continue
        low, high, above, below = 0.0, 1.0, starts[i], ends[i]
        at, state, kept = 0.0, q, 0
        if above > 0.0:
            for _ in range(60):
                at = (low * below - high * above) / (below - above)
                state = _stepped(phase, q, segment, s, at * h, c)
                value = _guards(phase, state, segment, s + at * h, c)[i]
                if abs(value) < _EXACT or high - low < _EXACT:
                    break
                if value < 0.0:
                    high, below = at, value
                    above *= 0.5 if kept == 1 else 1.0
                    kept = 1
                else:
                    low, above = at, value
                    below *= 0.5 if kept == -1 else 1.0
                    kept = -1
        if first < 0 or at < part:
            first, part, there = i, at, state
    return first, part, there


@njit
def held_state(phase: int, q: State) -> State:
    """State with all that the ground holds, exactly."""
    if phase == FLIGHT:
        return q
    dx = 0.0 if phase == STICK else q.dx
    return State(q.x, 0.0, q.theta1, q.theta2, dx, 0.0, q.dtheta1, q.dtheta2)
