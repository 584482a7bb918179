"""Jumps by direct multiple shooting: the longest for a given order of phases, by SNOPT or IPOPT.

Variables: of every segment its duration, its coordinates at knots, and the torque at both ends of
every interval; d and X_start. Constraints: intervals fit together, every phase lasts as long as its
conditions do, P lands by the law of the impact, and the document's margins are kept, all at samples
of every interval and with some slack. The objective is d of item 5. The programme is not convex: a
solution is the best jump near its guess. Source of the method: H. G. Bock, K. J. Plitt: A multiple
shooting algorithm for direct solution of optimal control problems, IFAC World Congress 1984.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from footfall.analysis.nonlinear_programme import (
    Effort,
    LinearConstraint,
    LinearCost,
    NonlinearProgramme,
)
from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import TEXT, Hopper, HopperParameters
from footfall.machines.hopper.closed_form.phases import SIGMA, JumpPhase
from footfall.machines.hopper.closed_form.points import STEEPEST_LINE
from footfall.machines.hopper.transcription.constraints import ComplexStepGroup, JumpConstraints
from footfall.machines.hopper.transcription.layout import PhaseSequence, Slack, VariableLayout
from footfall.machines.hopper.transcription.phases import COORDINATES

_FASTEST = 300.0  # rad/s: bound of the angles' rates


@dataclass(frozen=True)
class JumpSolution:
    """Solution of the programme: variables (not scaled), and whether it is one."""

    values: Array
    solved: bool
    message: str


@dataclass(frozen=True)
class JumpProgramme:
    """The nonlinear programme of a plan; steepest [rad]: bound of the line PR."""

    plan: PhaseSequence
    parameters: HopperParameters = TEXT
    slack: Slack = field(default_factory=Slack)
    steepest: float = STEEPEST_LINE
    refinement: int = 1
    layout: VariableLayout = field(init=False)

    def __post_init__(self) -> None:
        """Lay the variables out."""
        object.__setattr__(self, "layout", VariableLayout(self.plan))

    @cached_property
    def machine(self) -> Hopper:
        """The hopper in closed form."""
        return Hopper(self.parameters)

    @cached_property
    def groups(self) -> tuple[ComplexStepGroup, ...]:
        """Its nonlinear constraints."""
        groups = JumpConstraints(
            self.machine, self.layout, self.slack, self.steepest, self.refinement
        )
        return tuple(groups.all())

    def bounds(self) -> tuple[Array, Array]:
        """Lower and upper bounds of all variables."""
        low, high = np.full(self.layout.size, -math.inf), np.full(self.layout.size, math.inf)
        for segment, at in zip(self.plan.segments, self.layout.places, strict=True):
            kept = COORDINATES[segment.phase]
            low[at.duration], high[at.duration] = segment.shortest, segment.longest
            low[at.torques], high[at.torques] = -self.parameters.tau_max, self.parameters.tau_max
            turning = at.knots[
                [kept.index(k) for k in (6, 7) if segment.phase is not JumpPhase.FLIGHT]
            ]
            low[turning], high[turning] = -_FASTEST, _FASTEST
            if segment.phase in SIGMA:
                bound = low if SIGMA[segment.phase] > 0.0 else high
                speeds = at.knots[kept.index(4)]
                bound[speeds] = 0.0
                bound[speeds[1:-1]] = SIGMA[segment.phase] * self.slack.speed
        self._ends(low, high)
        return low, high

    def _ends(self, low: Array, high: Array) -> None:
        """Bounds of the start, at rest with P at 0, and of the end, with Q on the ground."""
        kept, at = COORDINATES[self.plan.segments[0].phase], self.layout.places[0]
        for number in (*(at.knots[kept.index(k), 0] for k in (4, 6, 7) if k in kept), at.x(0)):
            low[number] = high[number] = 0.0
        kept, at = COORDINATES[self.plan.segments[-1].phase], self.layout.places[-1]
        th1, th2 = (at.knots[kept.index(k), -1] for k in (2, 3))
        side, edge = (0.0, math.pi) if self.plan.ahead else (math.pi, -math.pi)
        low[th1] = high[th1] = side
        # theta1 is 0 or pi here, so that the line PR bounds theta2 alone
        line = self.steepest - self.slack.angle - self.slack.line
        steep = (math.pi - 2.0 * line) * (1.0 if self.plan.ahead else -1.0)
        near = edge * (1.0 - self.slack.angle / math.pi)
        low[th2], high[th2] = sorted((steep, near))

    def rows(self) -> list[LinearConstraint]:
        """Linear constraints: d is the distance of item 5, R above Q at the start and the end."""
        layout, plan = self.layout, self.plan
        d, start = layout.distance, layout.x_start
        rows = []
        for k, (segment, at) in enumerate(zip(plan.segments, layout.places, strict=True)):
            knots = (0,) if at.x_P is not None else range(segment.intervals + 1)
            if k < plan.take_off:
                rows += [_at_least({start: 1.0, at.x(knot): -1.0}) for knot in knots]
            elif k >= plan.landing:
                rows += [_at_least({at.x(knot): 1.0, d: -1.0, start: -1.0}) for knot in knots]
        if not plan.ahead:
            length = 2.0 * self.parameters.l
            rows.append(_at_least({layout.places[-1].x(-1): 1.0, d: -1.0, start: -1.0}, length))
        return rows

    def solve(self, guess: npt.ArrayLike, effort: Effort | None = None) -> JumpSolution:
        """The best jump near a guess, which need not be one: all variables, not scaled."""
        scale, number = self.layout.scale, self.layout.distance
        longest = LinearCost(np.array([-1.0]), np.array([number]))
        programme = NonlinearProgramme(*self.bounds(), scale, longest, self.groups, self.rows())
        start = np.asarray(guess, dtype=np.float64)
        found = programme.solve(start, effort or Effort())
        return JumpSolution(found.values, found.solved, found.message)


def _at_least(terms: dict[int, float], lower: float = 0.0) -> LinearConstraint:
    """A sum of coefficient times variable, with a lower bound."""
    coefficients, variables = np.array([list(terms.values())]), np.array(list(terms))
    return LinearConstraint(coefficients, variables, np.array([lower]), np.array([math.inf]))
