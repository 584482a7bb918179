"""Contact states of feet with hysteresis in time, the events between them, and steps.

Of a long run, samples of its rows do; means over a short window smooth what contacts do from step
to step.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr
from scipy.ndimage import uniform_filter1d

from footfall.arrays import Array, Flags, Indices, stretches
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
    first, after = stretches(loaded).T
    last = after - 1
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
    lasts = time[last] - time[np.maximum(first - 1, 0)] >= least
    return first[lasts], last[lasts]


def events(time: Array, states: Flags, names: Sequence[str]) -> list[Event]:
    """Touch-downs and lift-offs in the order of time.

    A touch-down is at the end of the first loaded step, a lift-off at the end of the last one. What
    a foot does before the run starts or after it ends is no event.
    """
    changes = []
    for name, state in zip(names, states.T, strict=True):
        change = np.diff(state.astype(np.int8))
        changes += [Event(float(t), TOUCH_DOWN, name) for t in time[1:][change == 1]]
        changes += [Event(float(t), LIFT_OFF, name) for t in time[:-1][change == -1]]
    return sorted(changes, key=lambda event: event.time)


def touch_downs(events: Iterable[Event], name: str) -> int:
    """Count the touch-downs of a foot."""
    return sum(event.kind == TOUCH_DOWN and event.what == name for event in events)


def sample_rows(count: int, most: int = 10_000) -> npt.NDArray[np.intp]:
    """Rows at which something is computed: all, or evenly so many, the last among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.intp))


def spread(values: Array, rows: npt.NDArray[np.intp], count: int) -> Array:
    """Values (samples, ...) at all rows (count, ...), linear between the samples."""
    if len(rows) == count:
        return values
    flat = values.reshape(len(rows), math.prod(values.shape[1:]))
    every = np.arange(count)
    laid = np.empty((count, flat.shape[1]))  # which may be of no feet
    for column in range(flat.shape[1]):  # unlike scipy's, numpy's keeps a sample beside a NaN
        laid[:, column] = np.interp(every, rows, flat[:, column])
    return laid.reshape(count, *values.shape[1:])


def mean_of(time: Array, values: Array, window: float = WINDOW) -> Array:
    """Running means of values (N, ...) at times (N,) over a window [s]; NaN where nothing is known.

    What is no number does not count.
    """
    steps = np.diff(time)
    rows = max(1, round(window / float(np.median(steps)))) if len(steps) else 1
    known = np.isfinite(values)
    share = uniform_filter1d(known.astype(np.float64), rows, axis=0, mode="nearest")
    total = uniform_filter1d(np.where(known, values, 0.0), rows, axis=0, mode="nearest")
    mean: Array = np.where(share > 0.5 / rows, total / np.maximum(share, 0.5 / rows), np.nan)
    return mean


@dataclass(frozen=True, eq=False)
class Steps:
    """Touch-downs of all feet, in the order of time, with what followed each.

    foot (k,): place among the feet. time (k,): end of the step of time in which the foot met the
    ground [s]. speed (k,): of its lowest point towards the ground just before, exact where every
    step of time is recorded [m/s]. impulse (k,): of the ground along the normals, from the
    touch-down on, over ``WINDOW`` [N s]; force (k,): the largest in it, mean over a row [N]. slip
    (k,): distance slid under load up to the next touch-down of the foot, or to the end of the run
    [m].
    """

    foot: Indices
    time: Array
    speed: Array
    impulse: Array
    force: Array
    slip: Array

    def __len__(self) -> int:
        """Count the touch-downs."""
        return len(self.time)

    def of(self, foot: int) -> "Steps":
        """Touch-downs of one foot."""
        own = self.foot == foot
        return Steps(**{name: getattr(self, name)[own] for name in self.__dataclass_fields__})


def steps_of(data: xr.Dataset) -> Steps:
    """Collect the touch-downs of a run that tells of feet.

    A foot that stands at the start of the run has not touched down. A touch-down in the first rows
    has no speed (NaN).
    """
    time, contact = data["time"].to_numpy(), data["foot_contact"].to_numpy()
    slip, normal = data["foot_slip"].to_numpy(), data["foot_normal_force"].to_numpy()
    clearance = data["foot_clearance"].to_numpy()
    row, foot = np.nonzero(np.diff(contact.astype(np.int8), axis=0) == 1)
    row += 1
    # the rigid engine measures gaps amid a step, up to the impulse that closes the contact
    early = 0 if data.attrs.get("engine") == "moreau" else 1
    table = np.full((len(row), 4), np.nan)
    for k, (here, own) in enumerate(zip(row.tolist(), foot.tolist(), strict=True)):
        last = int(np.searchsorted(time, time[here - 1] + WINDOW * (1.0 + 1e-9), side="right")) - 1
        span = slice(here, max(last, here) + 1)
        force = np.nan_to_num(normal[span, own])
        lengths = np.diff(time[here - 1 : span.stop])
        if here > 2:
            before = slice(here - 1 - early, here + 1 - early)
            (fall,), (length,) = -np.diff(clearance[before, own]), np.diff(time[before])
            table[k, 0] = fall / length if length > 0.0 else np.nan
        table[k, 1:3] = force @ lengths, force.max()
        later = row[(foot == own) & (row > here)]
        end = int(later[0]) - 1 if len(later) else len(time) - 1
        table[k, 3] = slip[end, own] - slip[here - 1, own]
    speed, impulse, force, slid = table.T
    return Steps(foot.astype(np.int64), time[row], speed, impulse, force, slid)


def slip_of_steps(data: xr.Dataset) -> list[Array]:
    """Slip of each foot between touch-downs, before the first and after the last as well [m]."""
    slipped = []
    slips, contacts = data["foot_slip"].to_numpy(), data["foot_contact"].to_numpy()
    for so_far, touches in zip(slips.T, contacts.T, strict=True):
        landed = np.flatnonzero(np.diff(touches.astype(np.int8)) == 1)  # rows before
        slipped.append(np.diff(so_far[[0, *landed, -1]]))
    return slipped
