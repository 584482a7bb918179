"""Contact states of feet with hysteresis in time, and touch-downs and lift-offs between them."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.trajectory import Event

WINDOW = 0.02
"""s: a stance or a swing that is shorter is a bounce; forces are averaged over it, too."""

TOUCH_DOWN = "touch-down"
LIFT_OFF = "lift-off"


def contact_states(time: Array, loaded: Flags) -> Flags:
    """Contact states (N, feet) of loads (N, feet): a row tells of the step that ends at its time.

    Interruptions of the load that are shorter than ``WINDOW`` (or two steps, if that is longer) are
    closed first, also at the start and at the end; then stances that are shorter are left out. So a
    foot that rattles or bounces as it lands makes one touch-down, and a foot that grazes the ground
    for a step none.
    """
    steps = np.diff(time)
    least = max(WINDOW, 2.0 * float(np.median(steps))) if len(steps) else WINDOW
    states = np.zeros_like(loaded)
    for foot, column in enumerate(loaded.T):
        first, last = _stances(time, column, least)
        for a, b in zip(first.tolist(), last.tolist(), strict=True):
            states[a : b + 1, foot] = True
    if len(states) > 1:
        states[0] = states[1]  # no step ends at the first row
    return states


def _stances(
    time: Array, loaded: Flags, least: float
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """First and last rows of the stances of a foot."""
    edges = np.diff(np.concatenate(([False], loaded, [False])).astype(np.int8))
    first, last = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    if len(first) == 0:
        return first, last
    least -= 1e-9 * max(1.0, abs(float(time[-1])))  # times are rounded
    begin = time[np.maximum(first - 1, 0)]
    parts = begin[1:] - time[last[:-1]] >= least
    first, last = first[np.append(True, parts)], last[np.append(parts, True)]
    if time[max(first[0] - 1, 0)] - time[0] < least:
        first[0] = 0
    if time[-1] - time[last[-1]] < least:
        last[-1] = len(time) - 1
    kept = time[last] - time[np.maximum(first - 1, 0)] >= least
    return first[kept], last[kept]


def events(time: Array, states: Flags, names: Sequence[str]) -> list[Event]:
    """Touch-downs and lift-offs in the order of time.

    A touch-down is at the end of the first loaded step, a lift-off at the end of the last one. What
    a foot does before the run starts or after it ends is no event.
    """
    found = []
    for name, state in zip(names, states.T, strict=True):
        change = np.diff(state.astype(np.int8))
        found += [Event(float(t), TOUCH_DOWN, name) for t in time[1:][change == 1]]
        found += [Event(float(t), LIFT_OFF, name) for t in time[:-1][change == -1]]
    return sorted(found, key=lambda event: event.time)


def touch_downs(events: Iterable[Event], name: str) -> int:
    """Count the touch-downs of a foot."""
    return sum(event.kind == TOUCH_DOWN and event.what == name for event in events)
