"""The simplest walker as an engine: its trajectory in the compass' coordinates and in SI.

It is the limit itself, feet of no mass: of the model's masses only the hip's counts.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from footfall.analytic.compass import Compass
from footfall.analytic.simplest_walker import to_compass
from footfall.errors import ModelError, ScenarioError
from footfall.hybrid import Ending, HybridEvent, HybridRun, simulate
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.studies.compass.machine import FEET, foot_points, parameters_of, stance_of, state_of
from footfall.studies.compass.simplest import simplest_system
from footfall.studies.compass.walker import AHEAD, BEHIND, FALL, LIFT, STRIKE
from footfall.studies.control import Controller
from footfall.studies.passive.simplest_gait import from_compass, limit_gait, units
from footfall.studies.standing import (
    Lump,
    StandingRows,
    require_plastic,
    row_times,
    standing_foot,
)
from footfall.studies.study import Setting
from footfall.trajectory import Event, Trajectory

Array = npt.NDArray[np.float64]

_ENGINE = "hybrid"
_ENDS = {
    FALL: "the walker falls",
    LIFT: "the ground would have to pull at the standing foot, where this model ends",
}


def gait(model: Model, contacts: ContactSet, _: Controller | None) -> Array:
    """[q; v] just after a heel strike of the limit's gait, foot 1 at the origin of the slope.

    Raises RunError on a slope without such a gait.
    """
    parameters = parameters_of(model, contacts)
    x = to_compass(limit_gait(parameters.theta).after) * units(parameters)
    return state_of(Compass(parameters), 0, 0.0, x)


def hybrid(setting: Setting) -> Trajectory:
    """Walk by events from one foot that stands.

    Raises ScenarioError for another start, a controller, or feet that rebound; ModelError for a
    walker without a hip's mass.
    """
    if setting.controller is not None:
        raise ScenarioError(
            "engine hybrid: the simplest walker has no torque at its hip, which a foot of no mass "
            "could not bear: remove the controller, or choose the study compass."
        )
    require_plastic(setting, _ENGINE)
    return _Walk(setting).trajectory()


@dataclass(frozen=True)
class _Stance:
    """On one foot at a place [m] from a time to another, both in sqrt(l / g); strike: its end."""

    foot: int
    place: float
    start: float
    end: float
    y_start: Array
    strike: HybridEvent | None


class _Walk:
    """Walks without dimension, and tells it in the plant's coordinates."""

    def __init__(self, setting: Setting) -> None:
        parameters = parameters_of(setting.model, setting.contacts)
        if parameters.m_hip <= 0.0:
            raise ModelError("the simplest walker has its mass at the hip: give m_hip above 0.")
        self._machine, self._units = Compass(parameters), units(parameters)
        self._unit = math.sqrt(parameters.l / parameters.g)  # of time [s]
        self._step = setting.time_step
        points = partial(foot_points, self._machine)
        self._foot = standing_foot(points(setting.initial_state), FEET, _ENGINE)
        self._begin = stance_of(self._machine, setting.initial_state, self._foot)
        self._end = round(setting.duration / self._step) * self._step
        lump = Lump(parameters.m_hip, 0.0, parameters.theta, parameters.g)
        self._rows = StandingRows(setting, lump, points)

    def trajectory(self) -> Trajectory:
        """The walk to its end."""
        y = from_compass(self._begin.x / self._units)
        system = simplest_system(self._machine.parameters.theta)
        mode = AHEAD if y[1] < 0.0 else BEHIND
        run = simulate(system, mode, y, (0.0, self._end / self._unit))
        for stance in self._stances(run, y):
            self._stand(run, stance)
        events = [
            Event(self._unit * event.time, event.guard, f"{event.guard}: {event.before} to {to}")
            for event in run.events
            if (to := event.after) is not None
        ]
        failure = ""
        if run.ending is not Ending.END_OF_TIME:
            failure = _ENDS.get(run.events[-1].guard, run.message) if run.events else run.message
        return self._rows.finish(_ENGINE, events, failure)

    def _stances(self, run: HybridRun, y: Array) -> Iterator[_Stance]:
        """The stances of a run, one after another."""
        foot, place, begin = self._foot, self._begin.place, 0.0
        for event in run.events:
            if event.guard != STRIKE:
                continue
            yield _Stance(foot, place, begin, event.time, y, event)
            place += float(self._machine.swing_advance(to_compass(event.x_before)))
            foot, begin, y = 1 - foot, event.time, event.x_after
        yield _Stance(foot, place, begin, run.time, y, None)

    def _stand(self, run: HybridRun, stance: _Stance) -> None:
        """Rows of a stance, and the one after the heel strike that ends it."""
        last = stance.strike is None and run.ending is Ending.END_OF_TIME
        end = self._end if last else self._unit * stance.end
        times = row_times(self._unit * stance.start, end, self._step)
        y = run.at(np.clip(times / self._unit, stance.start, stance.end))
        y[:, 0] = stance.y_start
        if stance.strike is not None:
            y[:, -1] = stance.strike.x_before
        self._rows.stand(stance.foot, times, self._states(stance.foot, stance.place, y))
        if stance.strike is not None:
            before = to_compass(stance.strike.x_before)
            place = stance.place + float(self._machine.swing_advance(before))
            after = self._states(1 - stance.foot, place, stance.strike.x_after[:, None])
            self._rows.strike(1 - stance.foot, after[:, 0])

    def _states(self, foot: int, place: float, y: Array) -> Array:
        """The plant's [q; v], (8, k), of states (4, k)."""
        return state_of(self._machine, foot, place, to_compass(y) * self._units[:, None])
