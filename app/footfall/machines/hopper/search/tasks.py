"""Tasks of a search for the longest jump: each a function of its numbers, the same anywhere.

A task gives what JSON can hold, so that a checkpoint keeps it and another process may do it.
"""

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TypedDict

import numpy as np

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters
from footfall.machines.hopper.rollout.kernel import BY_TIME
from footfall.machines.hopper.rollout.simulator import Rollout, RolloutSimulator
from footfall.machines.hopper.search.evolution import evolved
from footfall.machines.hopper.search.parametrization import JumpParametrization
from footfall.machines.hopper.search.refine import refined
from footfall.machines.hopper.search.score import Score
from footfall.machines.hopper.search.torques import (
    as_torques,
    rows_of,
    search_space_of,
    y_of_segments,
)
from footfall.machines.hopper.search.trust_region import Evaluate, SearchSpace, TrustRegionSearch
from footfall.machines.hopper.transcription.jump import TranscribedJump

COARSE, MIDDLE, FINE = 4e-3, 2e-3, 1e-3  # s: steps of evolution, ascent and refinement
SAFE = 2e-4  # rad that every margin of the angles keeps
_PER_NEWTON = 0.1  # a newton of force counts as so many radians
# parts of the evaluations that are beginnings drawn at random, of take-offs and of each end
_DRAWN, _ENDS_DRAWN = 0.015, 0.002
_TRIES = 4  # of a beginning, until one promises
_PROMISING = -0.3  # m: scores of take-off that are worth going on with
_ENDS, _ENDS_AHEAD = 4, 2
_LED_ON = 2  # ends
# parts of the evaluations of a search
_FIRST, _SECOND, _END, _ASCENT = 0.1, 0.3, 0.06, 0.06


class Found(TypedDict):
    """Result of a task: y or z of the jump, what it reaches [m], and how it came there.

    history: pairs of evaluations so far and the best distance so far.
    """

    jump: list[float]
    distance: float
    history: list[tuple[int, float]]


@dataclass
class EvaluationLog:
    """Count of the jumps that were tried, and the longest so far; history as in Found."""

    count: int = 0
    best: float = math.nan
    history: list[tuple[int, float]] = field(default_factory=list)

    def tried(self, score: float) -> float:
        """Count a jump with a score."""
        self.count += 1
        if score < 0.0 and not -score <= self.best:
            self.best = -score
            self.history.append((self.count, self.best))
        return score

    def found(self, jump: Array, merit: float) -> Found:
        """The result of a task that came to a jump of this merit [m]."""
        distance = merit if math.isfinite(merit) else math.nan
        return {"jump": jump.tolist(), "distance": distance, "history": self.history}


def search(
    parameters: HopperParameters, plan: JumpParametrization, seed: int, index: int, evaluations: int
) -> Found:
    """Search number `index`: beginnings until one promises, a take-off, ends for it, an ascent.

    jump: numbers of the plan; NaN distance where none was found.
    """
    rng = np.random.default_rng([seed, index])
    machine, log = Hopper(parameters), EvaluationLog()
    score = Score(machine, plan, COARSE)
    z = _take_off(score, plan, rng, evaluations, log)
    ends = _ends(score, plan, z, rng, evaluations, log)
    best, worth = z, -math.inf
    for end in ends[:_LED_ON]:
        steps = int(_ASCENT * evaluations / z.size)
        top, height = _local_optimum(machine, plan, end, steps, log)
        if height > worth:
            best, worth = top, height
    return log.found(best, worth)


def _take_off(
    score: Score,
    plan: JumpParametrization,
    rng: np.random.Generator,
    evaluations: int,
    log: EvaluationLog,
) -> Array:
    """Numbers of a promising take-off."""
    scale, first = plan.ranges[2], slice(0, plan.before_flight)

    def worth_of(part: Array, z: Array) -> float:
        log.count += 1
        return score.take_off(np.concatenate([part, z[plan.before_flight :]]))

    best, least = plan.anywhere(rng), math.inf
    for _ in range(_TRIES):
        drawn = [plan.anywhere(rng) for _ in range(math.ceil(_DRAWN * evaluations))]
        z = min(drawn, key=score.take_off)
        part, worth = evolved(
            partial(worth_of, z=z),
            z[first],
            scale[first],
            rng,
            evaluations=int(_FIRST * evaluations),
            population=16,
        )
        if worth < least:
            best, least = np.concatenate([part, z[plan.before_flight :]]), worth
        if least < _PROMISING:
            break

    part, _ = evolved(
        partial(worth_of, z=best),
        best[first],
        scale[first],
        rng,
        evaluations=int(_SECOND * evaluations),
        population=20,
        spread=0.2,
    )
    return plan.within(np.concatenate([part, best[plan.before_flight :]]))


def _ends(
    score: Score,
    plan: JumpParametrization,
    z: Array,
    rng: np.random.Generator,
    evaluations: int,
    log: EvaluationLog,
) -> list[Array]:
    """Numbers with flights and landings for a take-off, the best first."""
    first, last = z[: plan.before_flight], slice(plan.before_flight, None)
    found = []
    for number in range(_ENDS):
        ahead = number < _ENDS_AHEAD

        def of_end(part: Array, ahead: bool = ahead) -> float:
            return log.tried(score.jump(np.concatenate([first, part]), ahead=ahead))

        drawn = [plan.any_end(rng) for _ in range(math.ceil(_ENDS_DRAWN * evaluations))]
        end, worth = evolved(
            of_end,
            min(drawn, key=of_end),
            plan.ranges[2][last],
            rng,
            evaluations=int(_END * evaluations),
            population=16,
            spread=0.4,
        )
        found.append((worth, number, plan.within(np.concatenate([first, end]))))
    return [numbers for _, _, numbers in sorted(found, key=lambda one: one[:2])]


def _local_optimum(
    machine: Hopper, plan: JumpParametrization, z: Array, steps: int, log: EvaluationLog
) -> tuple[Array, float]:
    """The local optimum near numbers of a plan, and its merit; -inf where they are no jump."""
    score = Score(machine, plan, MIDDLE)

    def evaluate(z: Array) -> tuple[Array, Array] | None:
        log.count += 1
        found = score.rollout(z)
        return (np.array([found.distance]), slacks(found)) if found.jumps else None

    low, high, scale = plan.ranges
    ascent = TrustRegionSearch(evaluate, SearchSpace(scale, low, high, difference=1e-5), z, 0.2)
    return improved(ascent, steps, log)


def slacks(found: Rollout) -> Array:
    """Slacks that a search keeps positive: margins of angles [rad], and that P stays where it is.

    At the start, which would end in slip without a beginning, and on the ground once it has landed.
    """
    stays = [found.friction_margin - SAFE, _PER_NEWTON * found.least_force]
    return np.concatenate([found.angle_margins - SAFE, stays])


def improved(ascent: TrustRegionSearch, steps: int, log: EvaluationLog) -> tuple[Array, float]:
    """Point to which so many steps lead, and its merit."""
    for _ in range(steps):
        if not ascent.step():
            break
        log.tried(-ascent.merit)
    return ascent.y, ascent.merit


# --- in torques ----------------------------------------------------------------------------------


def refine_torques(
    parameters: HopperParameters,
    plan: JumpParametrization | None,
    jump: list[float],
    segments: int,
    steps: int,
) -> Found:
    """A jump, of a plan or as torques already, driven by torques of time, at its local optimum."""
    machine, log = Hopper(parameters), EvaluationLog()
    given = np.array(jump)
    y = given if plan is None else as_torques(machine, plan, given, segments)
    ascent = TrustRegionSearch(of_machines([parameters], log), search_space_of(y, machine), y, 0.05)
    return log.found(*improved(ascent, steps, log))


def of_machines(machines: list[HopperParameters], log: EvaluationLog) -> Evaluate:
    """Distances and margins of a jump y by several machines; None where it fails with one."""
    simulators = [RolloutSimulator(Hopper(one), FINE) for one in machines]

    def evaluate(y: Array) -> tuple[Array, Array] | None:
        log.count += 1
        rows, values, limits = rows_of(y), [], []
        for simulator in simulators:
            found = simulator.jump((y[0], y[1]), rows)
            if not found.jumps:
                return None
            values.append(found.distance)
            limits.append(slacks(found))
        return np.array(values), np.concatenate(limits)

    return evaluate


def refine_by_programme(
    parameters: HopperParameters,
    plan: JumpParametrization | None,
    jump: list[float],
    iterations: int,
) -> Found:
    """The best jump with the phases of a given one, as torques y; NaN where none is found."""
    given = np.array(jump)
    try:
        if plan is None:
            design = refined(parameters, (given[0], given[1]), rows_of(given), BY_TIME, iterations)
        else:
            design = refined(parameters, *plan.rows(given), plan.stages, iterations)
    except (RunError, ValueError):  # sequences of phases that no plan has
        return {"jump": jump, "distance": math.nan, "history": []}
    return found_of(design)


def found_of(design: TranscribedJump) -> Found:
    """A jump of a programme, as torques y."""
    start = design.start
    y = y_of_segments((float(start[2]), float(start[3])), design.profile.segments)
    return {"jump": y.tolist(), "distance": design.distance, "history": [(0, design.distance)]}
