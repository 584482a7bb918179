"""Search for a gait of the biped by internal torques alone: optimal step, return map, scenario.

What is found is settings of a scenario as well: controller and start, leg A standing.

Outputs of the virtual constraints are the standing knee, the angle between the thighs and the other
knee; the phase is the angle of the line from the standing foot to the hip, which for links of one
length is the mean of shank and thigh. The event-driven walker ends a step where the other foot
comes down while its phase is beyond the middle; one that falls or that the ground would have to
hold ends there.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr
import yaml
from scipy.interpolate import CubicSpline

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.nonlinear_programme import SOLVERS, Effort
from footfall.arrays import Array
from footfall.checked import Checked, between, one_of, positive
from footfall.errors import RunError, ScenarioError
from footfall.hybrid import (
    FALLING,
    Guard,
    HybridMode,
    HybridSystem,
    NoReturn,
    State,
    Transition,
    batch_step,
)
from footfall.hybrid.batch import IMAGINARY
from footfall.machines.biped.closed_form.pinned import (
    HIP,
    OTHER_FOOT,
    OTHER_LEG,
    PinnedBiped,
    solve,
)
from footfall.machines.biped.engine import parameters_of
from footfall.machines.biped.gait.programme import GaitStep, StepDemands, StepProgramme
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.registry.documents import read_metrics

OUTPUTS = np.array([[1.0, -1.0, 0, 0], [0, -1.0, 1.0, 0], [0, 0, -1.0, 1.0]])
PHASE = np.array([0.5, 0.5, 0, 0])
COMPONENTS = tuple(f"{name}{k}" for name in ("a", "w") for k in range(4))
STEP, STRIKE, FALL, LIFT = "step", "strike", "fall", "lift"
_LOWEST = 0.5  # m, of the hip
_MOST_TIME = 5.0  # s
_STEP = 1.25e-3  # s: the outputs are cubic between nodes, which costs the steps their order
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

    def returned(self, y: State) -> State:
        """Points (7, k) of the section, just behind a strike, a step later; raises NoReturn."""
        x0 = self._behind_strike(y)
        passage = batch_step(self.system(), STEP, x0, STRIKE, _MOST_TIME, _STEP)
        if not passage.arrived.all():
            raise NoReturn(f"no strike within {_MOST_TIME:g} s")
        return passage.x[_SECTION]

    def multipliers(self) -> Array:
        """Multipliers (7,) of the return map where the step begins; raises NoReturn."""
        y = self.start()[:, None] + 1j * IMAGINARY * np.eye(len(_SECTION))
        return np.asarray(np.linalg.eigvals(self.returned(y).imag / IMAGINARY))

    def start(self) -> Array:
        """Point of the section where the step begins."""
        return np.concatenate((self.step.angles[:, 0], self.step.rates[:, 0]))[_SECTION]

    def _behind_strike(self, y: State) -> State:
        """States (8, k) of points of the section: the other foot is on the ground."""
        thigh, shank = self.machine.parameters.l[:2]
        hip = shank * np.cos(y[0]) + thigh * np.cos(y[1])
        other = np.arccos((hip - thigh * np.cos(y[2])) / shank)
        return np.array([y[0], y[1], y[2], other, *y[3:]])


_DIGITS = 7
_LEGS = (("foot_a", "theta1", "theta2"), ("foot_b", "theta3", "theta4"))
_TORQUES = "[{tau2: 1.0}, {tau1: -1.0, tau3: 1.0}, {tau4: 1.0}]"


def settings_of(walk: ConstrainedWalk) -> list[str]:
    """Settings that let the biped walk so: its virtual constraints, and where it starts."""
    law = (
        f"!VirtualConstraints {{feet: [{_foot(0)}, {_foot(1)}], torques: {_TORQUES}, "
        f"phases: {_yaml(walk.phases)}, values: {_yaml(walk.values)}, "
        f"slopes: {_yaml(walk.slopes)}, kp: {walk.kp:g}, kd: {walk.kd:g}}}"
    )
    positions, velocities = starting(walk)
    return [
        f"controller={law}",
        f"initial.positions={_yaml(positions)}",
        f"initial.velocities={_yaml(velocities)}",
        "initial.drop_along=z",
    ]


def starting(walk: ConstrainedWalk) -> tuple[dict[str, float], dict[str, float]]:
    """Positions and velocities by coordinate where a step of leg A begins, its foot at rest."""
    step = walk.step
    a, w = step.angles[:, 0], step.rates[:, 0]
    along, out = (float(v) for v in walk.machine.velocity(HIP, a, w))
    return _joints(a), {"x": along, "z": out} | _joints(w)


def _joints(a: Array) -> dict[str, float]:
    """Angles of the joints, or their rates, from the absolute ones."""
    return {
        "theta1": float(a[1]),
        "theta2": float(a[0] - a[1]),
        "theta3": float(a[2]),
        "theta4": float(a[3] - a[2]),
    }


def _foot(leg: int) -> str:
    """Standing foot with its phase and outputs: its knee, the hip, the other knee."""
    (foot, thigh, knee), (_, other_thigh, other_knee) = _LEGS[leg], _LEGS[1 - leg]
    return (
        f"{{foot: 'biped::{foot}', phase: {{{thigh}: 1.0, {knee}: 0.5}}, outputs: "
        f"[{{{knee}: 1.0}}, {{{thigh}: -1.0, {other_thigh}: 1.0}}, {{{other_knee}: 1.0}}]}}"
    )


def _yaml(values: Array | Mapping[str, float]) -> str:
    """Numbers as YAML has them, in a line."""
    plain: Any = (
        {name: round(value, _DIGITS) for name, value in values.items()}
        if isinstance(values, Mapping)
        else np.round(values, _DIGITS).tolist()
    )
    return yaml.safe_dump(plain, default_flow_style=True, sort_keys=False, width=math.inf).strip()


@dataclass
class InternalGait(Checked, at="analysis."):
    """The step up the slope of the least mean square torque, without a moment from outside."""

    # Mean speed, at least [m/s].
    speed: float = positive(0.5)
    # Friction that stance and strike may need.
    friction: float = positive(0.5)
    # Height of the foot that swings at half time, at least [m].
    clearance: float = positive(0.05)
    # Intervals of a step; starts that are drawn.
    intervals: int = between(24, 4, math.inf, "give 4 intervals or more")
    starts: int = between(4, 1, math.inf, "give a start or more")
    # Gains of the virtual constraints [1/s^2] and [1/s].
    kp: float = positive(400.0)
    kd: float = positive(40.0)
    # snopt or ipopt, and how many iterations at most.
    solver: str = one_of("ipopt", SOLVERS)
    iterations: int = between(1500, 1, math.inf, "give an iteration or more")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return read_metrics(__package__)

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Search and linearise; raises RunError, one line, where no step is found."""
        try:
            machine = PinnedBiped(parameters_of(context))
        except ValueError as error:
            raise ScenarioError(f"analysis InternalGait: {error}.") from error
        demands = StepDemands(self.speed, self.friction, self.clearance)
        programme = StepProgramme(machine, demands, self.intervals)
        effort = Effort(self.solver, self.iterations)
        rng = np.random.default_rng(context.seed)
        steps: list[tuple[float, GaitStep]] = []
        for start in range(self.starts):
            analysis.go_on("steps from drawn starts", 0.6 * start / self.starts)
            step, result = programme.solve(programme.guess(rng), effort)
            if result.solved:
                steps.append((_rms(step), step))
        if not steps:
            raise RunError(
                f"none of {self.starts} starts led to a step of {self.speed:g} m/s with a friction "
                f"of {self.friction:g}: ask for less speed, or give more starts."
            )
        walk = ConstrainedWalk(machine, min(steps, key=lambda one: one[0])[1], self.kp, self.kd)
        analysis.go_on("return map", 0.6)
        try:
            multipliers = walk.multipliers()
        except NoReturn as error:
            raise RunError(f"the step that was found does not come back: {error}.") from error
        data = _data(walk, multipliers)
        metrics = _measured(walk, multipliers) | {
            "starts_solved": float(len(steps)),
            "start_costs": sorted(cost for cost, _ in steps),
        }
        return AnalysisResult(data, metrics, scenarios={"walk": settings_of(walk)})


def _rms(step: GaitStep) -> float:
    return float(np.sqrt((step.torques**2).sum(axis=0).mean()))


def _measured(walk: ConstrainedWalk, multipliers: Array) -> dict[str, Metric]:
    step, machine = walk.step, walk.machine
    a, w, u = step.angles, step.rates, step.torques
    along, normal = machine.ground_force(a, w, machine.acceleration(a, w, u))
    hit = machine.strike(a[:, -1], w[:, -1])
    needed = max(float(np.abs(along / normal).max()), float(abs(hit.impulse[0] / hit.impulse[1])))
    power = np.maximum(u * (OUTPUTS @ w), 0.0).sum(axis=0)
    work = float(np.trapezoid(power, dx=step.period / (power.size - 1)))
    weight = machine.mass * machine.parameters.g
    return {
        "period": step.period,
        "step_length": step.length,
        "speed": step.length / step.period,
        "torque_rms": _rms(step),
        "joint_torque": float(np.abs(u).max()),
        "cost_of_transport": work / (weight * step.length),
        "required_friction": needed,
        "swing_clearance": float(machine.place(OTHER_FOOT, a)[1].max()),
        "multipliers": sorted(np.abs(multipliers).tolist(), reverse=True),
    }


def _data(walk: ConstrainedWalk, multipliers: Array) -> xr.Dataset:
    """Nodes of the step."""
    step, machine = walk.step, walk.machine
    a, w, u = step.angles, step.rates, step.torques
    force = machine.ground_force(a, w, machine.acceleration(a, w, u))
    over = ("node",)
    named: dict[str, tuple[tuple[str, ...], Any, str, str]] = {
        "time": (over, np.linspace(0.0, step.period, a.shape[1]), "s", "since the step began"),
        "phase": (over, walk.phases, "rad", "angle of the line from foot to hip"),
        "angles": (("link", "node"), a, "rad", "of links from the slope's normal"),
        "torques": (("joint", "node"), u, "N m", "internal torques"),
        "outputs": (("joint", "node"), walk.values, "rad", "angles between links"),
        "ground_force": (("axis", "node"), force, "N", "along the slope and out of it"),
        "hip_height": (over, machine.place(HIP, a)[1], "m", "of the hip above the slope"),
        "foot_height": (over, machine.place(OTHER_FOOT, a)[1], "m", "of the foot that swings"),
        "multiplier": (("direction",), np.abs(multipliers), "1", "modulus of a multiplier"),
    }
    data = xr.Dataset({name: (dims, values) for name, (dims, values, _, _) in named.items()})
    for name, (_, _, unit, meaning) in named.items():
        data[name].attrs = {"units": unit, "long_name": meaning}
    return data.assign_coords(
        link=["standing shank", "standing thigh", "other thigh", "other shank"],
        joint=["standing knee", "hip", "other knee"],
        axis=["along", "normal"],
    )
