"""The periodic gait of the compass: found without a guess, and what a step of it does."""

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.hybrid import (
    FixedPoint,
    FlowSegment,
    HybridEvent,
    NotFound,
    batch_derivative,
    batch_step,
    find_fixed_point,
    simulate,
)
from footfall.machines.compass.closed_form.model import Compass, CompassParameters
from footfall.machines.compass.system import (
    BEHIND,
    SECTION,
    STRIKE,
    after_strike,
    ground_force,
    return_map,
    walking_system,
)
from footfall_controllers.energy_shaping import EnergyShapingParameters

# Where gaits are looked for: angle of the front leg [rad], rates of both joints over sqrt(g / l).
# Those of the published walkers are well inside.
_ANGLES = np.linspace(0.06, 0.40, 10)
_RATES = np.linspace(-0.80, -0.15, 11)
_SWINGS = np.linspace(-0.60, 0.60, 11)
_STEP = 0.05  # over sqrt(l / g): an error of 1e-7, which the last iterations take away
_MOST_TIME = 4.0  # over sqrt(l / g)
_TRIES = 48  # of the grid's best states that are improved together
_ITERATIONS = 8
# how x just after a strike changes with y
_ALONG = np.array([[1.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
_POINTS = 201  # of the step of a cycle
_NEAR = 1e-3  # two states that differ by less are one gait
# rad: on level ground standing is a gait, with steps of no length. Steps go with the cube root of
# the slope, so that this is one of less than a millionth of a degree
_SHORTEST = 1e-3


@dataclass(frozen=True)
class ExactCycle:
    """The periodic gait of a walker and a step of it, from just after a strike to the next.

    multipliers: of its return map. impulse: of the strike (tangential, normal) [N s]. time (k,)
    [s], x (4, k) states, force (2, k) of the ground (tangential, normal) [N]. period [s], length
    [m], lost: energy that the strike takes [J]; friction_stance, friction_impact: coefficients of
    friction that the step and the strike need.
    """

    multipliers: npt.NDArray[np.complex128]
    impulse: Array
    time: Array
    x: Array
    force: Array
    period: float
    length: float
    lost: float
    friction_stance: float
    friction_impact: float

    @property
    def before(self) -> Array:
        """State (4,) at the strike that ends the step."""
        return np.asarray(self.x[:, -1])

    @property
    def after(self) -> Array:
        """State (4,) just after a strike, with which the step begins."""
        return np.asarray(self.x[:, 0])

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before a heel strike, as the lab sheet gives its cycles."""
        return self.before[SECTION]


@dataclass(frozen=True)
class Cycle(ExactCycle):
    """The same as it was found.

    fixed_point: of the return map in y = (q1, q1', q2') just after a heel strike. energy: about the
    standing foot just after a strike [J].
    """

    fixed_point: FixedPoint
    energy: float


def find_cycle(parameters: CompassParameters, law: EnergyShapingParameters | None = None) -> Cycle:
    """The walker's gait of period one; of several, the one with the smallest largest multiplier.

    There are two as a rule, of short and of long steps; only the long one can be stable. Raises
    RunError where none is found.
    """
    cycle = _search(parameters, law)
    if cycle is None:
        raise RunError(
            "the compass has no periodic gait with these parameters: a slope that falls towards +x "
            "by some degrees (terrain.slope_deg below 0) and legs that swing are needed."
        )
    return cycle


@lru_cache(maxsize=16)  # also that there is none, which takes longest to find
def _search(parameters: CompassParameters, law: EnergyShapingParameters | None) -> Cycle | None:
    walk = return_map(parameters, law=law)
    gaits: list[FixedPoint] = []
    for guess in _improved(parameters, law):
        with suppress(NotFound):
            gaits.append(find_fixed_point(walk, guess, parameters.theta))
    gaits = [gait for gait in gaits if gait.orbit[0][0] > _SHORTEST]
    if not gaits:
        return None
    best = min(gaits, key=lambda gait: float(np.abs(gait.multipliers).max()))
    return cycle_at(parameters, best, law)


def _improved(parameters: CompassParameters, law: EnergyShapingParameters | None) -> list[Array]:
    """States y of a grid that come back near themselves, brought nearer by Newton's method.

    All of them together, and each gait once.
    """
    rate = 1.0 / parameters.unit
    scale = np.array([1.0, rate, rate])[:, None]
    angles = np.meshgrid(_ANGLES, _RATES, _SWINGS, indexing="ij")
    y = np.array([each.ravel() for each in angles]) * scale
    system = walking_system(Compass(parameters), law)
    spent = {"most_time": _MOST_TIME / rate, "step": _STEP / rate}
    passage = batch_step(system, BEHIND, after_strike(y), STRIKE, **spent)
    away = np.linalg.norm((passage.x[SECTION] - y) / scale, axis=0)
    away[~passage.arrived] = np.inf
    y = y[:, np.argsort(away, kind="stable")[:_TRIES]]
    for _ in range(_ITERATIONS):
        passage, D = batch_derivative(
            system, BEHIND, after_strike(y), STRIKE, **spent, directions=_ALONG
        )
        came = passage.arrived
        y, away_by = y[:, came], (passage.x[SECTION] - y)[:, came]
        D = np.moveaxis(D[SECTION][:, :, came], -1, 0) - np.eye(3)
        solvable = np.abs(np.linalg.det(D)) > 0.0
        y, away_by, D = y[:, solvable], away_by[:, solvable], D[solvable]
        y = y - np.linalg.solve(D, away_by.T[:, :, None])[:, :, 0].T
    closed = (np.abs(away_by / scale).max(axis=0, initial=0.0) < _NEAR) & (y[0] > _SHORTEST)
    gaits: list[Array] = []
    for one in y[:, closed].T:
        if all(np.abs((one - other) / scale[:, 0]).max() > _NEAR for other in gaits):
            gaits.append(one)
    return gaits


def cycle_at(
    parameters: CompassParameters,
    fixed_point: FixedPoint,
    law: EnergyShapingParameters | None = None,
) -> Cycle:
    """Return the first step of a periodic gait."""
    machine = Compass(parameters)
    after = after_strike(fixed_point.orbit[0])
    run = simulate(walking_system(machine, law), BEHIND, after, (0.0, np.inf), until=STRIKE)
    strike: HybridEvent = run.events[-1]
    tangential, normal = np.real(strike.outputs["impulse"])
    time = np.linspace(0.0, strike.time, _POINTS)
    x = run.at(np.minimum(time, run.time))
    x[:, 0], x[:, -1] = after, strike.x_before
    return Cycle(
        multipliers=fixed_point.multipliers,
        impulse=np.array([tangential, normal]),
        time=time,
        x=x,
        force=np.asarray(ground_force(machine, law, x)),
        period=strike.time,
        length=float(machine.swing_advance(strike.x_before)),
        lost=float(np.real(strike.outputs["lost"])),
        friction_stance=max(_friction(machine, law, segment) for segment in run.segments),
        friction_impact=float(abs(tangential) / normal),
        fixed_point=fixed_point,
        energy=float(machine.energy(after)),
    )


def _friction(machine: Compass, law: EnergyShapingParameters | None, segment: FlowSegment) -> float:
    """Largest |tangential| / normal of the ground's force in a phase, to the path's accuracy."""

    def needed(time: float) -> float:
        tangential, normal = ground_force(machine, law, segment.path(time))
        return float(abs(tangential) / normal)

    times = np.linspace(segment.start, segment.end, 65)
    values = np.array([needed(time) for time in times])
    top = int(values.argmax())
    low, high = times[max(top - 1, 0)], times[min(top + 1, len(times) - 1)]
    refined = minimize_scalar(lambda t: -needed(t), bounds=(low, high), method="bounded")
    return float(max(values[top], -refined.fun))
