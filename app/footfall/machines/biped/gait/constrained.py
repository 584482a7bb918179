"""Virtual constraints along a step of the biped, in the closed form on one foot, and its returns.

Outputs are the standing knee, the angle between the thighs and the other knee; the phase is the
angle of the line from the standing foot to the hip, which for links of one length is the mean of
shank and thigh. The event-driven walker ends a step where the other foot comes down while its phase
is beyond the middle; one that falls or that the ground would have to hold ends there.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from footfall.arrays import Array
from footfall.hybrid import (
    FALLING,
    Guard,
    HybridMode,
    HybridSystem,
    Options,
    SectionMap,
    State,
    Transition,
)
from footfall.hybrid.return_map import Linearised
from footfall.machines.biped.closed_form.pinned import (
    HIP,
    OTHER_FOOT,
    OTHER_LEG,
    PinnedBiped,
    solve,
)
from footfall.machines.biped.gait.programme import GaitStep

OUTPUTS = np.array([[1.0, -1.0, 0, 0], [0, -1.0, 1.0, 0], [0, 0, -1.0, 1.0]])
PHASE = np.array([0.5, 0.5, 0, 0])
COMPONENTS = tuple(f"{name}{k}" for name in ("a", "w") for k in range(4))
STEP, STRIKE, FALL, LIFT = "step", "strike", "fall", "lift"
_LOWEST = 0.5  # m, of the hip
_MOST_TIME = 5.0  # s
_OPTIONS = Options(relative=1e-9, absolute=1e-10)
_SECTION = [0, 1, 2, 4, 5, 6, 7]  # the other shank follows from both feet on the ground


@dataclass(frozen=True, eq=False)
class ConstrainedWalk:
    """A machine whose outputs are held on those of a step, with gains kp, kd."""

    machine: PinnedBiped
    step: GaitStep
    kp: float = 400.0
    kd: float = 40.0

    @cached_property
    def phases(self) -> Array:
        """Phase of every node [rad], (n,)."""
        return PHASE @ self.step.angles

    @cached_property
    def values(self) -> Array:
        """Outputs at the nodes (3, n) [rad]."""
        return OUTPUTS @ self.step.angles

    @cached_property
    def slopes(self) -> Array:
        """Their derivatives with the phase (3, n), of a smooth spline with the step's ends."""
        ends = ((OUTPUTS @ self.step.rates) / (PHASE @ self.step.rates))[:, [0, -1]]
        smooth = CubicSpline(
            self.phases, self.values, axis=1, bc_type=((1, ends[:, 0]), (1, ends[:, 1]))
        )
        slopes: Array = smooth(self.phases, 1)
        return slopes

    def wanted(self, s: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 (real or complex)
        """Outputs of a phase, with two derivatives, (3, ...) each; cubic between nodes."""
        k = np.clip(np.searchsorted(self.phases, np.real(s)) - 1, 0, len(self.phases) - 2)
        width = self.phases[k + 1] - self.phases[k]
        t = (s - self.phases[k]) / width
        y0, y1 = self.values[:, k], self.values[:, k + 1]
        d0, d1 = self.slopes[:, k] * width, self.slopes[:, k + 1] * width
        square, cubic = 3.0 * (y1 - y0) - 2.0 * d0 - d1, 2.0 * (y0 - y1) + d0 + d1
        return (
            y0 + t * (d0 + t * (square + t * cubic)),
            (d0 + t * (2.0 * square + 3.0 * t * cubic)) / width,
            (2.0 * square + 6.0 * t * cubic) / width**2,
        )

    def torques(self, x: State) -> Any:  # noqa: ANN401
        """Torques (3, ...) [N m] of standing knee, hip and other knee at states (8, ...)."""
        return self._held(x)[0]

    def acceleration(self, x: State) -> Any:  # noqa: ANN401
        """A'' (4, ...) [rad/s^2] under these torques."""
        torques, free, by = self._held(x)
        return free + np.einsum("jk...,k...->j...", by, torques)

    def _held(self, x: State) -> tuple[Any, Any, Any]:
        """Torques that hold the outputs, with what they came from: `PinnedBiped.decoupled`."""
        a, w = x[:4], x[4:]
        s, rate = (np.tensordot(PHASE, one, (0, 0)) for one in (a, w))
        h, slope, bend = self.wanted(s)
        y = np.tensordot(OUTPUTS, a, (1, 0)) - h
        y_rate = np.tensordot(OUTPUTS, w, (1, 0)) - slope * rate
        free, by = self.machine.decoupled(a, w)

        def out(change: Any) -> Any:  # noqa: ANN401
            along = np.tensordot(PHASE, change, (0, 0))
            return np.tensordot(OUTPUTS, change, (1, 0)) - slope * along

        wanted = bend * rate**2 - self.kp * y - self.kd * y_rate - out(free)
        gains = np.stack([out(by[:, torque]) for torque in range(3)], axis=1)
        return solve(gains, wanted), free, by

    def system(self) -> HybridSystem:
        """The event-driven walker; outputs of a strike: impulse, velocity of the foot left."""
        machine, middle = self.machine, 0.5 * (self.phases[0] + self.phases[-1])

        def derivative(_t: Any, x: State) -> State:  # noqa: ANN401
            return np.concatenate((x[4:], self.acceleration(x)))

        def height(_t: Any, x: State) -> Any:  # noqa: ANN401
            beyond = np.tensordot(PHASE, np.real(x[:4]), (0, 0)) > middle
            above = machine.place(OTHER_FOOT, x[:4])[1]
            return np.where(beyond, above, 1.0)

        def strikes(_t: Any, x: State) -> Transition:  # noqa: ANN401
            hit = machine.strike(x[:4], x[4:])
            after = np.concatenate((x[:4][list(OTHER_LEG)], hit.rates[list(OTHER_LEG)]))
            return Transition(STEP, after, {"impulse": hit.impulse, "left": hit.left})

        def normal(_t: Any, x: State) -> Any:  # noqa: ANN401
            return machine.ground_force(x[:4], x[4:], self.acceleration(x))[1]

        guards = (
            Guard(STRIKE, height, FALLING, strikes),
            Guard(FALL, lambda _, x: machine.place(HIP, x[:4])[1] - _LOWEST, FALLING),
            Guard(LIFT, normal, FALLING),
        )
        return HybridSystem({STEP: HybridMode(STEP, derivative, guards)}, COMPONENTS)

    def return_map(self) -> SectionMap:
        """The map from just behind a strike to just behind the next; its parameter is not used."""
        return SectionMap(
            lambda _: self.system(),
            mode=STEP,
            guard=STRIKE,
            embed=self._behind_strike,
            project=lambda x: x[_SECTION],
            most_time=_MOST_TIME,
            options=_OPTIONS,
        )

    def linearised(self) -> Linearised:
        """The return map where the step begins: D has the multipliers; raises NoReturn."""
        return self.return_map().linearised(self.start(), 0.0)

    def start(self) -> Array:
        """Point of the section where the step begins."""
        return np.concatenate((self.step.angles[:, 0], self.step.rates[:, 0]))[_SECTION]

    def _behind_strike(self, y: State) -> State:
        """State (8,) of a point of the section: the other foot is on the ground."""
        thigh, shank = self.machine.parameters.l[:2]
        hip = shank * np.cos(y[0]) + thigh * np.cos(y[1])
        other = np.arccos((hip - thigh * np.cos(y[2])) / shank)
        return np.array([y[0], y[1], y[2], other, *y[3:]])
