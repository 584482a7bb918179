"""Ticks of a controller that solves a programme, kept beside the rows of a run's trajectory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.trajectory.events import CONTROL, Event

_TICK, _TASK, _CONSTRAINT = "control_tick", "control_task", "control_constraint"
_UNIT = "control_unit"
_MOST = 4  # names in a line
_KIND = re.compile(" of | along ")  # of constraints, as "torque limit of elbow"
GAVE_WAY = (
    "",
    "hard tasks gave way",
    "joint limits gave way",
    "torque limits gave way, to which torques were cut",
    "a fallback was sent",
    "the robot had fallen, and its joints were braked",
)
"""What was done in a tick, by its outcome; the first one was solved as it was."""
FALLEN = len(GAVE_WAY) - 1


@dataclass(frozen=True, eq=False)
class ControlTicks:
    """N ticks of a controller with K tasks and C constraints.

    units (K,): of errors, empty in runs of before they were kept. time (N,) [s]. outcome (N,):
    place in ``GAVE_WAY``. error, cost (N, K) by task. active (N, C): 1 for a constraint that holds
    a tick. conflict (N, C): from 0 to 1, the share of a constraint in a contradiction of several.
    took (N,): processor time [s].
    """

    tasks: tuple[str, ...]
    units: tuple[str, ...]
    constraints: tuple[str, ...]
    time: Array
    outcome: Array
    error: Array
    cost: Array
    active: Array
    conflict: Array
    took: Array

    def until(self, end: float) -> "ControlTicks":
        """Return the ticks up to a time [s]."""
        rows = self.time <= end
        kept = {
            name: getattr(self, name)[rows]
            for name in ("time", "outcome", "error", "cost", "active", "conflict", "took")
        }
        return replace(self, **kept)

    def events(self, name: str) -> Iterator[Event]:
        """Events for ticks that were not solved as they were, by what was done, each at its first.

        They name what contradicted each other most. name: of the controller.
        """
        for outcome in np.unique(self.outcome[self.outcome > 0.0]).astype(int):
            ticks = np.flatnonzero(self.outcome == outcome)
            first = float(self.time[ticks[0]])
            yield Event(
                first,
                CONTROL,
                f"{name}: in {len(ticks)} of {len(self.time)} ticks, first at t = {first:.4f} s, "
                f"{self._told(ticks)}: {GAVE_WAY[outcome]}",
            )

    def _told(self, ticks: npt.NDArray[np.int64]) -> str:
        """Say what was in conflict in ticks: the first of each kind, then the others, by shares."""
        shares = self.conflict[ticks].sum(axis=0)
        order = [k for k in np.argsort(-shares, kind="stable") if shares[k] > 0.0]
        first: dict[str, str] = {}
        for k in order:
            first.setdefault(_KIND.split(self.constraints[k])[0], self.constraints[k])
        others = [self.constraints[k] for k in order]
        names = [f"'{name}'" for name in dict.fromkeys([*first.values(), *others])]
        if not names:
            return "no solution was found"
        if len(names) == 1:
            return f"{names[0]} could not be kept"
        if len(names) > _MOST:
            names = [*names[:_MOST], f"{len(names) - _MOST} other{'s' * (len(names) > _MOST + 1)}"]
        return f"{', '.join(names[:-1])} and {names[-1]} contradict each other"


def with_control(data: xr.Dataset, ticks: ControlTicks) -> xr.Dataset:
    """A trajectory's data with the ticks of its controller on dimensions of their own."""
    of = {_TASK: ticks.tasks, _CONSTRAINT: ticks.constraints}
    coords = {dim: np.array(names, dtype=np.str_) for dim, names in of.items()}
    flags = (_TICK, _CONSTRAINT)
    variables = {
        "control_time": ((_TICK,), ticks.time, "s", "time of a tick of the controller"),
        "control_outcome": (
            (_TICK,),
            ticks.outcome.astype(np.int8),
            "1",
            "0 solved; gave way: 1 hard tasks, 2 joint, 3 torque limits; 4 fallback, 5 fallen",
        ),
        "control_error": (
            (_TICK, _TASK),
            ticks.error,
            "m, rad, N m s or N m",
            "magnitude of what a task leads to zero",
        ),
        "control_cost": ((_TICK, _TASK), ticks.cost, "1", "part of a task in the cost of a tick"),
        "control_active": (flags, ticks.active.astype(np.int8), "1", "1 where it holds the tick"),
        "control_conflict": (flags, ticks.conflict, "1", "share in a contradiction of several"),
        "control_tick_time": ((_TICK,), ticks.took, "s", "processor time of a tick"),
    }
    more = xr.Dataset(
        {
            name: (dims, values, {"units": unit, "long_name": meaning})
            for name, (dims, values, unit, meaning) in variables.items()
        },
        {
            dim: (dim, names, {"units": "1", "long_name": dim.replace("_", " ")})
            for dim, names in coords.items()
        },
    )
    units = ((_TASK,), np.array(ticks.units, dtype=np.str_), {"long_name": "unit of an error"})
    return data.merge(more.assign_coords({_UNIT: units}))


def control_of(data: xr.Dataset) -> ControlTicks | None:
    """Ticks that a trajectory's data keep, if there are any."""
    if not data.sizes.get(_TICK, 0):
        return None
    tasks = data[_TASK].values.tolist()
    units = data[_UNIT].values.tolist() if _UNIT in data.coords else [""] * len(tasks)
    return ControlTicks(
        tasks=tuple(tasks),
        units=tuple(units),
        constraints=tuple(data[_CONSTRAINT].values.tolist()),
        time=data["control_time"].to_numpy(),
        outcome=data["control_outcome"].to_numpy(),
        error=data["control_error"].to_numpy(),
        cost=data["control_cost"].to_numpy(),
        active=data["control_active"].to_numpy(),
        conflict=data["control_conflict"].to_numpy(),
        took=data["control_tick_time"].to_numpy(),
    )
