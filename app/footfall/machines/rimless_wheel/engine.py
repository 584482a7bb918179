"""The rimless wheel in closed form as an engine: its trajectory in the plant's coordinates.

Between impacts the wheel is an inverted pendulum of (lean, rate), lean being the angle of the
standing spoke from the slope's normal, and at an impact the rate is multiplied by eta.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.hybrid import (
    FALLING,
    RISING,
    Guard,
    HybridMode,
    HybridSystem,
    State,
    Transition,
)
from footfall.machines.rimless_wheel.model import WheelModel, wheel_of
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.walk import (
    LumpedMass,
    Points,
    Stance,
    Walker,
    require_plastic,
    standing_foot,
)
from footfall.textbook.rimless_wheel import RimlessWheel
from footfall.trajectory import Trajectory
from footfall_controllers.controller import Controller

_SAME = 1e-9  # rad: a foot that has just touched down
_ROLLS, _IMPACT, _BACK, _LIFT = "rolls", "impact", "falls back", "lifts"


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
    start = _start(wheel, exact, context)
    roll = _Roll(wheel, exact, start, float(context.initial_state[2]))
    return roll.walk(context, CLOSED_FORM, start, _ROLLS)


def _start(wheel: WheelModel, exact: RimlessWheel, context: MachineContext) -> Stance:
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
    normal = float(exact.ground_force(exact.gamma + np.array(lean), np.array(rate))[1])
    if normal <= 0.0:
        raise ScenarioError(
            f"engine {CLOSED_FORM}: the ground would have to pull at {names[foot]} with "
            f"{-normal:.3g} N at the start, where the wheel lifts off: start more slowly."
        )
    return Stance(foot, float(points[0][foot, 0]), np.array([lean, rate]))


def _system(exact: RimlessWheel) -> HybridSystem:
    """The wheel as an event-driven system."""
    pull = exact.m * exact.g * exact.l / exact.inertia

    def rates(_: Any, s: State) -> State:  # noqa: ANN401 (real or complex)
        return np.array([s[1], pull * np.sin(exact.gamma + s[0])])

    def lands(_: Any, s: State) -> Transition:  # noqa: ANN401
        return Transition(_ROLLS, np.array([s[0] - 2.0 * exact.alpha, exact.eta * s[1]]))

    def normal(_: Any, s: State) -> Any:  # noqa: ANN401
        return exact.ground_force(exact.gamma + s[0], s[1])[1]

    guards = (
        Guard(_IMPACT, lambda _, s: s[0] - exact.alpha, RISING, lands),
        Guard(_BACK, lambda _, s: s[1], FALLING),
        Guard(_LIFT, normal, FALLING),
    )
    return HybridSystem({_ROLLS: HybridMode(_ROLLS, rates, guards)}, ("lean", "rate"))


class _Roll(Walker):
    """The wheel, which has turned by some angle at the start."""

    strike = _IMPACT
    ends: Mapping[str, str] = {
        _BACK: "the wheel does not get over its spoke and falls back, where the closed form ends",
        _LIFT: "the ground would have to pull at the standing foot: the wheel lifts off",
    }

    def __init__(self, wheel: WheelModel, exact: RimlessWheel, start: Stance, turn: float) -> None:
        self._wheel, self._start, self._turn = wheel, start, turn
        self._stride = 2.0 * wheel.l * float(np.sin(wheel.alpha))
        self._lump = LumpedMass(wheel.m, wheel.J, wheel.gamma, wheel.g)
        super().__init__(_system(exact), self._lump.weight, wheel.gamma)

    def points(self, state: Array) -> Points:
        """Ends of all spokes."""
        return self._wheel.foot_points(state)

    def plant_state(self, _foot: int, position: float, s: Array) -> Array:
        """The plant's [q; v]; the turn goes on from foot to foot."""
        steps = round((position - self._start.position) / self._stride)
        turned = s[0] - self._start.s[0] + 2.0 * self._wheel.alpha * steps
        return self._wheel.states(position, self._turn + turned, s[0], s[1])

    def account(self, _position: float, _s: Array, state: Array) -> tuple[Array, Array]:
        """Momentum and energy of the wheel."""
        return self._lump.momentum(state), self._lump.energy(state)

    def following(self, stance: Stance, _before: Array) -> tuple[int, float]:
        """The next spoke."""
        return self._wheel.next_foot(stance.foot), stance.position + self._stride
