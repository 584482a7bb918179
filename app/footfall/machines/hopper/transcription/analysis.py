"""The longest jumps by direct multiple shooting, slide by slide; the bounds of their flights."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.nonlinear_programme import Effort
from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.hopper.angular_momentum import angular_momentum_arrays
from footfall.machines.hopper.closed_form.model import HopperParameters
from footfall.machines.hopper.model import parameters_of
from footfall.machines.hopper.transcription.jump import (
    ConfirmedJump,
    best_of,
    confirmed_jump,
    flight_of,
)
from footfall.machines.hopper.transcription.layout import Slack
from footfall.machines.hopper.transcription.programme import JumpProgramme, JumpSolution
from footfall.machines.hopper.transcription.run_ups import (
    drawn_run_up,
    with_another_slide,
    with_Q_behind,
)
from footfall.metrics import Metric
from footfall.registry.context import MachineContext

BEHIND = "Q behind"  # name of the last jump


@dataclass
class JumpTranscription:
    """Jumps with a run-up by slides, each the guess of the next; the last ends on Q behind P."""

    # Slides before the push, at most; every further one lengthens the jump by less.
    slides: int = 2
    # How far the programmes stay off the edges between which they are sampled: of angles [rad], of
    # the line PR besides [rad], of the ground's forces [N], and of what P comes off by [m/s^2].
    angle: float = 0.01
    line: float = 0.01
    force: float = 0.3
    acceleration: float = 0.2
    # snopt or ipopt, and how many iterations at most.
    solver: str = "snopt"
    iterations: int = 400
    # Guesses that each jump is looked for from: its own, and others near it by the seed.
    starts: int = 1

    def __post_init__(self) -> None:
        """Refuse what no programme can be made of."""
        if not 1 <= self.slides <= 4:
            raise ScenarioError(f"analysis: slides is {self.slides}: give 1 to 4.")
        slack = (self.angle, self.line, self.force, self.acceleration)
        if not all(0.0 < number < 1.0 for number in slack):
            raise ScenarioError(f"analysis: the slack is {slack}: give numbers between 0 and 1.")
        if self.solver not in {"snopt", "ipopt"} or min(self.iterations, self.starts) < 1:
            raise ScenarioError(
                f"analysis: solver {self.solver}, iterations {self.iterations}, starts "
                f"{self.starts}: give snopt or ipopt, and at least one of each."
            )

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "distance": ("m", "longest jump that the event-driven model confirms"),
            "distances": ("m", "jumps of one slide, two, ..., and of the last with Q behind P"),
            "shares": ("1", "shares of the spin budget that their flights take"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Solve all; raises RunError for a jump that is not found, ModelError for no hopper."""
        parameters = parameters_of(context.model, context.contacts)
        jumps = dict(self.jumps(parameters, analysis, context.seed))
        data = limits_of(jumps)
        designs = {name: found.design for name, found in jumps.items()}
        metrics: dict[str, Metric] = {
            "distance": max(design.distance for design in designs.values()),
            "distances": [design.distance for design in designs.values()],
            "shares": data["spin_share"].to_numpy().tolist(),
        }
        return AnalysisResult(data, metrics)

    def jumps(
        self, parameters: HopperParameters, analysis: AnalysisContext, seed: int
    ) -> Iterator[tuple[str, ConfirmedJump]]:
        """The jumps by name, each the guess of the next one; raises RunError for one not found.

        What its checkpoint has is not solved again.
        """
        slack = Slack(self.angle, self.line, self.force, self.acceleration)
        programme, guess = drawn_run_up(parameters, slack)
        names = ["1 slide", "2 slides", "3 slides", "4 slides"][: self.slides]
        for index, name in enumerate((*names, BEHIND)):
            analysis.go_on(name, index / (self.slides + 1))
            found = self._confirmed_jump(analysis, name, programme, guess, seed)
            yield name, found
            following = with_another_slide if index + 1 < self.slides else with_Q_behind
            if name != BEHIND:
                programme, guess = following(programme, found.solution.values)

    def _confirmed_jump(
        self,
        analysis: AnalysisContext,
        name: str,
        programme: JumpProgramme,
        guess: Array,
        seed: int,
    ) -> ConfirmedJump:
        """A jump that is solved and confirmed, or was before."""

        def work() -> dict[str, Any]:
            effort = Effort(self.solver, self.iterations, tolerance=1e-6)
            start = guess
            if self.starts > 1:
                start = best_of(programme, guess, self.starts, seed, effort).values
            found = confirmed_jump(programme, start, effort)
            return {
                "values": found.solution.values.tolist(),
                "room": list(astuple(found.programme.slack)),
                "refinement": found.programme.refinement,
            }

        kept = analysis.checkpoint.result(name, work)
        same = replace(programme, slack=Slack(*kept["room"]), refinement=kept["refinement"])
        return ConfirmedJump(same, JumpSolution(np.array(kept["values"]), True, "confirmed"))


def limits_of(jumps: Mapping[str, ConfirmedJump]) -> xr.Dataset:
    """Flights of jumps and bounds by their spin, as arrays."""
    flights = {name: flight_of(one.programme.machine, one.design) for name, one in jumps.items()}
    machine = next(iter(jumps.values())).programme.machine
    return angular_momentum_arrays(machine, flights)
