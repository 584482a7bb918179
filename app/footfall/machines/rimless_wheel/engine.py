"""The rimless wheel in closed form as an engine: its trajectory in the plant's coordinates."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.rimless_wheel.model import WheelModel, wheel_of
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.phases import require_plastic, standing_foot
from footfall.stance.sampling import sample_times
from footfall.stance.trajectory import LumpedMass, StanceWalk
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Event, Trajectory
from footfall_controllers.controller import Controller

_SAME = 1e-9  # rad: a foot that has just touched down
_FALLS_BACK = "the wheel does not get over its spoke and falls back, where the closed form ends"
_LIFTS = "the ground would have to pull at the standing foot: the wheel lifts off"


def gait_state(model: Model, contacts: ContactSet, _: Controller | None) -> Array:
    """[q; v] just after an impact of the steady roll, the first foot at the origin of the slope.

    Raises RunError for a wheel that does not roll on.
    """
    wheel = wheel_of(model, contacts)
    rate = wheel.closed_form().eta * wheel.steady_rate()
    turn = np.array([wheel.angles[0] - wheel.alpha])
    return wheel.states(0.0, turn, np.array([-wheel.alpha]), np.array([rate]))[:, 0]


def closed_form(context: MachineContext) -> Trajectory:
    """Roll from one foot that stands; raises ScenarioError for another start or other impacts.

    Raises RunError on a slope that does not fall towards +x.
    """
    require_plastic(context, CLOSED_FORM)
    wheel = wheel_of(context.model, context.contacts)
    exact = wheel.closed_form()
    roll = _Roll(wheel, exact, _start(wheel, context), context)
    while roll.roll():
        roll.impact()
    return roll.finish()


@dataclass(frozen=True)
class _Stance:
    """Start of a stance: foot, its place [m], time [s], turn and lean [rad], rate [rad/s]."""

    foot: int
    position: float
    time: float
    turn: float
    lean: float
    rate: float


def _start(wheel: WheelModel, context: MachineContext) -> _Stance:
    """The foot that stands, and the wheel on it."""
    points = wheel.foot_points(context.initial_state)
    names = context.contacts.names
    foot = standing_foot(points, names, CLOSED_FORM)
    turn, rate = context.initial_state[[2, 5]].tolist()
    lean = wheel.lean(foot, turn)
    if abs(lean) > wheel.alpha + _SAME:
        raise ScenarioError(
            f"engine {CLOSED_FORM}: {names[foot]} stands, but another foot is in the ground: set "
            "initial.on_gait, or choose another initial.positions.turn."
        )
    return _Stance(foot, float(points[0][foot, 0]), 0.0, turn, lean, rate)


class _Roll:
    """Rolls from stance to stance and collects the rows."""

    def __init__(
        self, wheel: WheelModel, exact: RimlessWheel, start: _Stance, context: MachineContext
    ) -> None:
        self._wheel, self._exact, self._stance = wheel, exact, start
        self._names, self._step = context.contacts.names, context.time_step
        self._end = round(context.duration / context.time_step) * context.time_step
        self._lump = LumpedMass(wheel.m, wheel.J, wheel.gamma, wheel.g)
        self._walk = StanceWalk(context, wheel.foot_points, self._lump.weight, wheel.gamma)
        self._add(np.zeros(1), [start.lean], [start.rate])
        self._events: list[Event] = []
        self._before = start.rate  # before the impact that is next
        self._failure = ""

    def roll(self) -> bool:
        """Roll through the stance; return whether an impact ends it."""
        one, exact = self._stance, self._exact
        theta = exact.gamma + one.lean
        try:
            span, self._before = exact.landing(theta, one.rate)
        except ValueError:
            self._failure = _FALLS_BACK
            return False
        lands = one.time + span < self._end
        times = sample_times(one.time, one.time + span if lands else self._end, self._step)
        path, rate = exact.pendulum(theta, one.rate, times[-1] - one.time)(times - one.time)
        if lands:
            path[-1], rate[-1] = exact.gamma + exact.alpha, self._before
        if not (exact.ground_force(path, rate)[1] > 0.0).all():
            self._failure = _LIFTS
            return False
        self._add(times, path - exact.gamma, rate)
        return lands

    def impact(self) -> None:
        """The impact that ends the stance."""
        old, wheel = self._stance, self._wheel
        turn = old.turn + wheel.alpha - old.lean
        self._stance = new = _Stance(
            foot=wheel.next_foot(old.foot),
            position=old.position + 2.0 * wheel.l * np.sin(wheel.alpha),
            time=self._walk.time,
            turn=turn,
            lean=-wheel.alpha,
            rate=self._exact.eta * self._before,
        )
        self._add(np.array([new.time]), [new.lean], [new.rate])
        what = f"impact: {self._names[old.foot]} to {self._names[new.foot]}"
        self._events.append(Event(new.time, "impact", what))

    def finish(self) -> Trajectory:
        """The trajectory, and how it ended."""
        return self._walk.trajectory(CLOSED_FORM, self._events, self._failure)

    def _add(self, times: Array, lean: npt.ArrayLike, rate: npt.ArrayLike) -> None:
        """Add rows of the stance."""
        one, lean = self._stance, np.asarray(lean, dtype=np.float64)
        turn = one.turn + lean - one.lean
        states = self._wheel.states(one.position, turn, lean, np.asarray(rate, dtype=np.float64))
        self._walk.add(
            one.foot, times, states, self._lump.momentum(states), self._lump.energy(states)
        )
