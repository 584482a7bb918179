"""The periodic gait of the compass: found without a guess, and what a step of it does."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
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
_NEAR = 1e-3  # two states that differ by less are one gait
# rad: on level ground standing is a gait, with steps of no length. Steps go with the cube root of
# the slope, so that this is one of less than a millionth of a degree
_SHORTEST = 1e-3


@dataclass(frozen=True)
class Cycle:
    """One period of a gait.

    fixed_point: of the return map in y = (q1, q1', q2') just after a heel strike. before, after:
    states x (4,) at the strike that ends the step and at its beginning. period [s], length [m];
    impulse of the strike (tangential, normal) [N s]; lost: energy it takes [J]; energy: about the
    standing foot just after a strike [J]. friction_stance, friction_impact: what coefficient of
    friction the step and the strike need.
    """

    parameters: CompassParameters
    fixed_point: FixedPoint
    before: Array
    after: Array
    period: float
    length: float
    impulse: Array
    lost: float
    energy: float
    friction_stance: float
    friction_impact: float

    @property
    def published(self) -> Array:
        """(q1, q1', q2') before a heel strike, as the lab sheet gives its cycles."""
        return self.before[SECTION]


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
    found: list[FixedPoint] = []
    for guess in _improved(parameters, law):
        try:
            found.append(find_fixed_point(walk, guess, parameters.theta))
        except NotFound:
            continue
    found = [gait for gait in found if gait.orbit[0][0] > _SHORTEST]
    if not found:
        return None
    best = min(found, key=lambda gait: float(np.abs(gait.multipliers).max()))
    return cycle_at(parameters, best, law)


def _improved(parameters: CompassParameters, law: EnergyShapingParameters | None) -> list[Array]:
    """States y of a grid that come back near themselves, brought nearer by Newton's method.

    All of them together, and each gait once.
    """
    rate = float(np.sqrt(parameters.g / parameters.l))
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
    return Cycle(
        parameters=parameters,
        fixed_point=fixed_point,
        before=strike.x_before,
        after=after,
        period=strike.time,
        length=float(machine.swing_advance(strike.x_before)),
        impulse=np.array([tangential, normal]),
        lost=float(np.real(strike.outputs["lost"])),
        energy=float(machine.energy(after)),
        friction_stance=max(_friction(machine, law, segment) for segment in run.segments),
        friction_impact=float(abs(tangential) / normal),
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
