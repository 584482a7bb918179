"""The jump in a run of any engine: contact phases of P, take-off, landing, end and distance.

What a jump is (document, items 4 and 5): P starts on the ground, leaves it once, lands first, and
stays there until Q or R lands, which is the end. d = X_end - X_start; X_start: largest x of P
before it leaves; X_end: smallest x of P from its landing to the end, or the x of the point that
lands last where that is smaller.

The event-driven engine tells its phases by events, and of an impact after which P flies on that a
flight begins: a rebound ends the flight before. The others tell in every row what P did in the
step that it ends; there

- P flies where it is open in consecutive rows and meanwhile higher than _LIFT: rigid steps lose a
  resting contact for a row, and a compliant ground lets it tremble;
- it has left the ground in the last loaded row before, and is back in the first loaded row after;
- rows in which it is open and does not fly, and a phase of fewer than _SHORTEST rows, count to the
  phase before;
- the end is the first row in which Q or R is closed or below the ground.

So their times are exact to a step. Source: as `closed_form.model`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.machines.hopper.closed_form.model import CONTACT_POINTS, Hopper, position
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.model import POINTS
from footfall.registry.machine import HYBRID
from footfall.trajectory import Status, Trajectory

_LIFT = (
    1e-3  # m: of links of 0.3 m, and ten times the yielding of Drake's softest near-rigid ground
)
_SHORTEST = 3  # rows
_KINDS = tuple(JumpPhase)
_FLIGHT = _KINDS.index(JumpPhase.FLIGHT)
_PHASES = {str(phase): phase for phase in JumpPhase}
_ENDS = {f"{point.name} lands": point.name for point in CONTACT_POINTS[1:]}


@dataclass(frozen=True)
class PhaseInterval:
    """A phase of P from start to end [s]; rows of the run that are in it, none if it is short."""

    phase: JumpPhase
    start: float
    end: float
    rows: slice


@dataclass(frozen=True)
class JumpObservables:
    """Observables of the jump of a run; NaN or empty where it did not come to that.

    intervals: phases up to the end. separation, impact, end: times at which P leaves the ground,
    lands, and Q or R lands [s]; lands: which of the two. x_start, x_end: X_start and X_end [m].
    reach: their difference [m], also of a jump that does not count; distance: the same of one that
    does, else NaN, and why says what is the matter.
    """

    intervals: tuple[PhaseInterval, ...]
    separation: float
    impact: float
    end: float
    lands: str
    x_start: float
    x_end: float
    why: str

    @property
    def reach(self) -> float:
        """X_end - X_start [m]."""
        return self.x_end - self.x_start

    @property
    def distance(self) -> float:
        """Jump distance d [m]."""
        return math.nan if self.why else self.reach

    @property
    def before(self) -> tuple[PhaseInterval, ...]:
        """The first contact: phases before P leaves the ground."""
        return self.intervals[: self._flight]

    @property
    def flight(self) -> tuple[PhaseInterval, ...]:
        """The flight: one interval, or none."""
        return self.intervals[self._flight : self._flight + 1]

    @property
    def after(self) -> tuple[PhaseInterval, ...]:
        """The second contact: phases after P has landed."""
        return self.intervals[self._flight + 1 :]

    @property
    def _flight(self) -> int:
        flights = [k for k, one in enumerate(self.intervals) if one.phase is JumpPhase.FLIGHT]
        return flights[0] if flights else len(self.intervals)


def states_of(data: xr.Dataset) -> Array:
    """States x of all rows, component first: (8, N)."""
    return np.hstack((data["q"].to_numpy(), data["v"].to_numpy())).T


def jump_of(trajectory: Trajectory, machine: Hopper) -> JumpObservables:
    """Read the jump off a run of any engine."""
    data = trajectory.data
    x = states_of(data)
    if data.attrs.get("engine") == HYBRID:
        intervals, row, lands = _by_events(trajectory)
    else:
        row, lands = _end_of_rows(data, x, machine)
        intervals = tuple(_by_rows(data, x, row))
    jump = judged(intervals, row, lands, data["time"].to_numpy(), x, machine)
    if jump.why and trajectory.status is Status.FAILED:
        return replace(jump, why=trajectory.message.rstrip("."))
    return jump


def judged(
    intervals: tuple[PhaseInterval, ...],
    row: int,
    lands: str,
    time: Array,
    x: Array,
    machine: Hopper,
) -> JumpObservables:
    """The jump of its phases, whose rows are of time (N,) and states x (8, N).

    row: the last one, in which a point may land; lands: which, empty if none has.
    """
    none = JumpObservables(intervals, math.nan, math.nan, math.nan, lands, math.nan, math.nan, "")
    before, flight, after = none.before, none.flight, none.after
    x_start = max((x[0, one.rows].max(initial=-math.inf) for one in before), default=math.nan)
    landed = [
        x[0, one.rows].min(initial=math.inf) for one in after if one.phase is not JumpPhase.FLIGHT
    ]
    if lands and landed:
        point = CONTACT_POINTS[1] if lands == CONTACT_POINTS[1].name else CONTACT_POINTS[2]
        landed.append(float(position(machine, x[:, row], point)[0]))
    return JumpObservables(
        intervals,
        separation=flight[0].start if flight and before else math.nan,
        impact=flight[0].end if after else math.nan,
        end=float(time[row]) if lands else math.nan,
        lands=lands,
        x_start=float(x_start),
        x_end=float(min(landed)) if lands and landed else math.nan,
        why=_invalidity_reason(none),
    )


def _invalidity_reason(jump: JumpObservables) -> str:
    """Reason why this is no valid jump, in words; empty for one that is.

    After P has landed it must not be in the air again, also if it only rebounds.
    """
    lands = jump.lands
    if not jump.before:
        return "P does not start on the ground"
    if not jump.flight:
        return f"{lands} lands before P leaves the ground" if lands else "P never flies"
    if not jump.after:
        return f"{lands} lands before P" if lands else "P does not land in this run"
    for one in jump.after:
        if one.phase is JumpPhase.FLIGHT:
            return f"P leaves the ground again at t = {one.start:.4f} s"
    return "" if lands else "neither Q nor R lands in this run"


# --- phases of the event-driven engine -----------------------------------------------------------


def _by_events(trajectory: Trajectory) -> tuple[tuple[PhaseInterval, ...], int, str]:
    """Phases, last row, and the point that ends the run."""
    time = trajectory.data["time"].to_numpy()
    last = float(time[-1])
    begun = [(e.time, _PHASES[e.kind]) for e in trajectory.events if e.kind in _PHASES]
    ends = [*(start for start, _ in begun[1:]), last][: len(begun)]
    intervals = tuple(
        PhaseInterval(phase, start, end, _rows_between(time, start, end))
        for (start, phase), end in zip(begun, ends, strict=True)
        if end > start or len(begun) == 1
    )
    landed = [_ENDS[event.kind] for event in trajectory.events if event.kind in _ENDS]
    return intervals, len(time) - 1, landed[0] if landed else ""


def _rows_between(time: Array, start: float, end: float) -> slice:
    """Rows from start to end; of two rows at an impact the one on this side of it."""
    first = int(np.searchsorted(time, start, "left"))
    first += int(start > time[0] and time[first : first + 2].tolist() == [start, start])
    behind = int(np.searchsorted(time, end, "right"))
    behind -= int(time[max(behind - 2, 0) : behind].tolist() == [end, end])
    return slice(first, max(first, behind))


# --- phases of engines with time steps -----------------------------------------------------------


def _end_of_rows(data: xr.Dataset, x: Array, machine: Hopper) -> tuple[int, str]:
    """The first row in which Q or R is on or below the ground, and which; the last row and ""."""
    landings = []
    for name, point in zip(POINTS[1:], CONTACT_POINTS[1:], strict=True):
        closed = data["mode"].sel(contact=name).to_numpy() != int(Mode.OPEN)
        down = np.flatnonzero(closed | (position(machine, x, point)[1] < 0.0))
        landings += [(int(down[0]), point.name)] if len(down) > 0 else []
    return min(landings, default=(x.shape[1] - 1, ""))


def _by_rows(data: xr.Dataset, x: Array, last: int) -> Iterator[PhaseInterval]:
    """Phases up to the last row."""
    time = data["time"].to_numpy()[: last + 1]
    phase = _phases_of_rows(data, x, last)
    ends = [*np.flatnonzero(np.diff(phase) != 0).tolist(), len(phase) - 1]
    begins = [0, *(end + 1 for end in ends[:-1])]
    for begin, end in zip(begins, ends, strict=True):
        landing = begin > 0 and phase[begin - 1] == _FLIGHT
        start = begin if landing or begin == 0 else begin - 1
        until = end + 1 if phase[end] == _FLIGHT and end < last else end
        rows = slice(begin, end + 1)
        yield PhaseInterval(_KINDS[phase[begin]], float(time[start]), float(time[until]), rows)


def _phases_of_rows(data: xr.Dataset, x: Array, last: int) -> npt.NDArray[np.intp]:
    """Places in _KINDS of all rows up to the last one, (last + 1,)."""
    mode = data["mode"].sel(contact=POINTS[0]).to_numpy()[: last + 1].astype(np.intp)
    mode[0] = mode[min(1, last)]  # no step ends in the first row
    forward, backward = _KINDS.index(JumpPhase.SLIP_FORWARD), _KINDS.index(JumpPhase.SLIP_BACKWARD)
    phase = np.where(x[4, : last + 1] > 0.0, forward, backward)
    phase[mode != int(Mode.SLIP)] = _KINDS.index(JumpPhase.STICK)
    opened = mode == int(Mode.OPEN)
    bounds = [0, *(np.flatnonzero(np.diff(opened)) + 1).tolist(), last + 1]
    for begin, end in pairwise(bounds):
        if opened[begin]:
            flies = begin == 0 or x[1, begin:end].max() > _LIFT
            phase[begin:end] = _FLIGHT if flies else phase[begin - 1]
    _join_short(phase)
    return phase


def _join_short(phase: npt.NDArray[np.intp]) -> None:
    """Count phases of too few rows to the one before, but flights and what lies beside one."""
    bounds = [0, *(np.flatnonzero(np.diff(phase) != 0) + 1).tolist(), len(phase)]
    for begin, end in pairwise(bounds[1:]):
        beside = phase[begin - 1] == _FLIGHT or phase[begin] == _FLIGHT
        if end - begin < _SHORTEST and not beside:
            phase[begin:end] = phase[begin - 1]
