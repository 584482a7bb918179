"""A jump that machines a little different all make: the least of their distances is maximised.

The torque is a function of time and feels nothing, so that a jump from a long fall, which grows
every difference, is none for its neighbours. The search is one of its own: torques in ramps, from
a crouch, first for the machine itself and then for ever more different ones.
"""

import math
from dataclasses import replace

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters
from footfall.machines.hopper.rollout.simulator import RolloutSimulator
from footfall.machines.hopper.search.evolution import evolved
from footfall.machines.hopper.search.score import graded, violation
from footfall.machines.hopper.search.tasks import (
    MIDDLE,
    SAFE,
    EvaluationLog,
    Found,
    improved,
    of_machines,
)
from footfall.machines.hopper.search.torques import PLACES, rows_of, search_space_of
from footfall.machines.hopper.search.trust_region import TrustRegionSearch

# parts of the whole difference, and of the evaluations, one after the other
_GROWTH = ((0.0, 0.15), (0.3, 0.15), (1.0, 0.5))
_ASCENT = 0.2  # of the evaluations
_PRICE = 10.0  # m per rad of margins that one of the machines loses
_HOPELESS = -0.05  # m: a score that is not worth going on with
_PUSHES, _FLIGHTS, _LANDINGS = 3, 2, 2
_BOUND = 0.999  # of the largest torque


def corners(parameters: HopperParameters, mu: float, mass: float) -> list[HopperParameters]:
    """The machine itself, and eight with mu, mass or both changed by these parts, either way."""
    parts = [(a, b) for a in (0.0, -1.0, 1.0) for b in (0.0, -1.0, 1.0)]
    return [
        replace(parameters, mu=parameters.mu * (1.0 + a * mu), m=parameters.m * (1.0 + b * mass))
        for a, b in parts
    ]


def robust_search(
    parameters: HopperParameters,
    differences: tuple[float, float],
    seed: int,
    index: int,
    evaluations: int,
) -> Found:
    """Search number `index` for a jump of all corners; differences: parts of mu and mass.

    jump: torques y of time; distance: the least over the corners. Evaluations count jumps of one
    machine each.
    """
    rng = np.random.default_rng([seed, 1, index])
    log, bound = EvaluationLog(), parameters.tau_max * _BOUND
    z, scale = _crouch(rng)
    worth = math.inf
    for part, share in _GROWTH:
        machines = corners(parameters, part * differences[0], part * differences[1])
        machines = machines if part > 0.0 else machines[:1]
        simulators = [RolloutSimulator(Hopper(one), MIDDLE) for one in machines]

        def score(
            z: Array, simulators: list[RolloutSimulator] = simulators, robust: bool = part == 1.0
        ) -> float:
            log.count += len(simulators)
            y, outside = _torques(z, bound)
            angles, rows = (float(y[0]), float(y[1])), rows_of(y)
            jumps = [one.jump(angles, rows) for one in simulators]
            # the least distance alone would hide what the others lose
            missing = sum(violation(one, SAFE) for one in jumps)
            found = max(graded(one) for one in jumps) + _PRICE * missing + outside
            if robust:
                log.count -= 1
                log.tried(found)
            return found

        count = int(share * evaluations / len(machines))
        z, worth = evolved(score, z, scale, rng, evaluations=count, population=16)
        if worth > _HOPELESS:
            break
    y, _ = _torques(z, bound)
    ascent = TrustRegionSearch(
        of_machines(corners(parameters, *differences), log),
        search_space_of(y, Hopper(parameters)),
        y,
        0.05,
    )
    steps = int(_ASCENT * evaluations / (y.size * len(machines)))
    return log.found(*improved(ascent, steps, log))


def _crouch(rng: np.random.Generator) -> tuple[Array, Array]:
    """Angles and ramps (duration, torque at the beginning, at the end) to begin with; scales."""
    theta1 = rng.uniform(1.7, 2.05)
    z = [theta1, -theta1 + rng.uniform(0.02, 0.3)]
    scale = [0.1, 0.1]
    for _ in range(_PUSHES):
        z += [rng.uniform(0.01, 0.03), rng.uniform(0.5, 3.0), rng.uniform(0.5, 3.0)]
        scale += [0.01, 1.0, 1.0]
    for _ in range(_FLIGHTS):
        z += [rng.uniform(0.1, 0.2), 0.3 * rng.normal(), 0.3 * rng.normal()]
        scale += [0.05, 0.2, 0.2]
    for _ in range(_LANDINGS):
        z += [0.05, 0.0, 0.0]
        scale += [0.02, 0.5, 0.5]
    return np.array(z), np.array(scale)


def _torques(z: Array, bound: float) -> tuple[Array, float]:
    """Torques y of time of ramps z, kept within their ranges, and how far z is out of them."""
    ramps = z[2:].reshape(-1, 3)
    inside = np.column_stack(
        [np.clip(ramps[:, 0], 2e-3, 0.4), np.clip(ramps[:, 1:], -bound, bound)]
    )
    torques = inside[:, 1:2] + (inside[:, 2:] - inside[:, 1:2]) * PLACES
    y = np.concatenate([z[:2], np.column_stack([inside[:, 0], torques]).ravel()])
    return y, float(np.abs(ramps - inside).sum())
