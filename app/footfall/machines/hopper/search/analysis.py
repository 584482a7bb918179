"""The longest jump: a search for it, what it bears, and one that other machines make as well.

Searches are independent of each other: goals of the bend and torques are evolved until take-off is
good, then flight and landing, then all of it is led to a local optimum. The best are turned into
torques that are functions of time alone and led on; and a nonlinear programme finds the best jump
with the same phases (`refine`). The jump of the scenario's own torque, if it is one, is led on too.
Beside all that stand jumps with run-ups by slides, which a programme finds from drawn postures
(`footfall.machines.hopper.transcription`). What is found is judged event by event (`summarize`).
"""

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.tasks import Task, run_tasks
from footfall.arrays import Array
from footfall.control.torque_profile import TorqueProfile
from footfall.errors import RunError, ScenarioError
from footfall.machines.hopper.closed_form.model import HopperParameters
from footfall.machines.hopper.model import ACTUATOR, exact_parameters
from footfall.machines.hopper.search.parametrization import JumpParametrization
from footfall.machines.hopper.search.robust import robust_search
from footfall.machines.hopper.search.summary import METRICS, summarize
from footfall.machines.hopper.search.tasks import (
    Found,
    found_of,
    refine_by_programme,
    refine_torques,
    search,
)
from footfall.machines.hopper.search.torques import y_of_segments
from footfall.machines.hopper.transcription.analysis import JumpTranscription, limits_of
from footfall.machines.hopper.transcription.jump import ConfirmedJump
from footfall.registry.context import MachineContext

_MOST = 100_000  # searches
_FEWEST = 200  # evaluations: less does not fill a generation of each part
# shares of the whole work after each part
_SEARCHED, _REFINED, _DRAWN, _ROBUST = 0.2, 0.6, 0.85, 0.98
_ROBUST_EVALUATIONS = 1.5  # of those of a search, for each robust one
_PLAN = JumpParametrization(run_up=4, push=3, flight=2, landing=3)


@dataclass
class JumpSearch:
    """Search for the longest jump of the hopper, by the scenario's seed."""

    # Independent searches, each from beginnings of its own.
    searches: int = 12
    # Jumps that each tries, about.
    evaluations: int = 40_000
    # How many of the best are led on as torques of time, and by how many steps at most.
    polished: int = 2
    steps: int = 60
    # How many of the best a nonlinear programme leads on, and by how many iterations a solve.
    refined: int = 2
    iterations: int = 300
    # Segments that a torque may have before that, or a few more.
    segments: int = 30
    # Slides of the longest run-up that a programme is to find from drawn postures; 0: none.
    slides: int = 2
    # Searches for a jump that machines with other mu and mass make as well; 0 leaves it out.
    robust: int = 6
    # By what part mu and mass of those differ, either way.
    mu_part: float = 0.10
    mass_part: float = 0.05
    # Processes that share the work; what is found does not depend on them.
    workers: int = 2

    def __post_init__(self) -> None:
        """Refuse searches that are none."""
        least = {
            "searches": 0,
            "evaluations": _FEWEST,
            "polished": 1,
            "refined": 0,
            "iterations": 1,
            "steps": 0,
            "segments": 1,
            "slides": 0,
            "robust": 0,
            "workers": 1,
        }
        for name, lowest in least.items():
            value = getattr(self, name)
            if not lowest <= value <= (_MOST if name != "evaluations" else 10**9):
                raise ScenarioError(f"analysis: {name} is {value}: give {lowest} or more.")
        for name in ("mu_part", "mass_part"):
            value = getattr(self, name)
            if not 0.0 <= value < 1.0:
                raise ScenarioError(f"analysis: {name} is {value}: give a part from 0 to below 1.")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return METRICS

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Search, refine, search for the robust jump, judge.

        Raises ScenarioError for restitution, which nothing here knows, and as `exact_parameters`;
        RunError where no search finds a jump.
        """
        parameters = exact_parameters(context.model, context.contacts)
        if parameters.e_n != 0.0 or parameters.e_t != 0.0:
            raise ScenarioError(
                f"analysis: the search knows plastic landings only, P has restitution "
                f"{parameters.e_n:g} and {parameters.e_t:g}: leave both at 0."
            )
        found = self._searched(parameters, context.seed, analysis)
        own = _own(context)
        optima = self._local_optima(parameters, found, own, analysis)
        drawn = self._drawn(parameters, context.seed, analysis)
        sturdy = self._robust(parameters, context.seed, analysis)
        optima += [found_of(one.design) for one in drawn.values()]
        differences = (self.mu_part, self.mass_part)
        result = summarize(parameters, found, optima, sturdy, differences)
        if not drawn:
            return result
        return replace(result, data=result.data.merge(limits_of(drawn)))

    def _searched(
        self, parameters: HopperParameters, seed: int, analysis: AnalysisContext
    ) -> list[Found]:
        tasks = [
            Task(
                f"search {index}",
                partial(search, parameters, _PLAN, seed, index, self.evaluations),
            )
            for index in range(self.searches)
        ]
        return run_tasks(analysis, tasks, self.workers, (0.0, _SEARCHED))

    def _local_optima(
        self,
        parameters: HopperParameters,
        found: list[Found],
        own: Array | None,
        analysis: AnalysisContext,
    ) -> list[Found]:
        """Local optima as torques of time: of the best searches, and of the scenario's own jump."""
        order = [
            index
            for index in np.argsort([-one["distance"] for one in found]).tolist()
            if math.isfinite(found[index]["distance"])
        ]
        best = [(str(index), _PLAN, found[index]["jump"]) for index in order]
        given = [] if own is None else [("own", None, own.tolist())]
        tasks = [
            Task(
                f"polish {name}",
                partial(refine_torques, parameters, plan, jump, self.segments, self.steps),
            )
            for name, plan, jump in [*best[: self.polished], *given]
        ]
        tasks += [
            Task(
                f"refine {name}",
                partial(refine_by_programme, parameters, plan, jump, self.iterations),
            )
            for name, plan, jump in [*best[: self.refined], *(given if self.refined > 0 else [])]
        ]
        return run_tasks(analysis, tasks, self.workers, (_SEARCHED, _REFINED))

    def _drawn(
        self, parameters: HopperParameters, seed: int, analysis: AnalysisContext
    ) -> dict[str, ConfirmedJump]:
        """Jumps with run-ups by slides, as far as they are found."""
        if self.slides == 0:
            return {}
        drawn: dict[str, ConfirmedJump] = {}
        programme = JumpTranscription(self.slides, iterations=self.iterations)
        with suppress(RunError):  # of the first one that is not found; those before it stay
            drawn.update(programme.jumps(parameters, analysis.part(_REFINED, _DRAWN), seed))
        return drawn

    def _robust(
        self, parameters: HopperParameters, seed: int, analysis: AnalysisContext
    ) -> list[Found]:
        differences = (self.mu_part, self.mass_part)
        count = int(_ROBUST_EVALUATIONS * self.evaluations)
        tasks = [
            Task(
                f"robust {index}",
                partial(robust_search, parameters, differences, seed, index, count),
            )
            for index in range(self.robust)
        ]
        return run_tasks(analysis, tasks, self.workers, (_DRAWN, _ROBUST))


def _own(context: MachineContext) -> Array | None:
    """The scenario's own jump as torques y, where its controller is a torque of time."""
    law = context.controller
    if not isinstance(law, TorqueProfile) or ACTUATOR not in law.torques:
        return None
    angles = context.initial_state[2:4]
    segments = law.profiles_of(context.model)[ACTUATOR].segments
    try:
        return y_of_segments((float(angles[0]), float(angles[1])), segments)
    except ValueError as error:
        raise ScenarioError(f"controller: {error}; leave it out.") from error
