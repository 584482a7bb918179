"""Jumps by direct multiple shooting: the longest for a given order of phases, by SNOPT or IPOPT.

Variables: of every segment its duration, its coordinates at knots, and the torque at both ends of
every interval; d and X_start. Constraints: intervals fit together, every phase lasts as long as its
conditions do, P lands by the law of the impact, and the document's margins are kept, all at samples
of every interval and with some slack. The objective is d of item 5. The programme is not convex: a
solution is the best jump near its guess. Source of the method: H. G. Bock, K. J. Plitt: A multiple
shooting algorithm for direct solution of optimal control problems, IFAC World Congress 1984.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise

import numpy as np

from footfall.analysis.nonlinear_programme import (
    ComplexStepGroup,
    Effort,
    LinearConstraint,
    LinearCost,
    NonlinearProgramme,
    ProgrammeResult,
)
from footfall.arrays import Array, Indices
from footfall.hybrid.component_first import State, stacked
from footfall.machines.hopper.closed_form.model import (
    STEEPEST_LINE,
    TEXT,
    Hopper,
    HopperParameters,
    P,
)
from footfall.machines.hopper.closed_form.phases import SIGMA, JumpPhase
from footfall.machines.hopper.transcription.phases import (
    COORDINATES,
    SAMPLES,
    STATE_SCALES,
    STEPS,
    interval,
    scales,
    starting,
    state_of,
)


@dataclass(frozen=True)
class PhaseSegment:
    """A stretch of one phase: intervals of equal length, shortest and longest duration [s]."""

    phase: JumpPhase
    intervals: int
    shortest: float = 0.001
    longest: float = 0.5

    def __post_init__(self) -> None:
        """Refuse segments that cannot be."""
        if self.intervals < 1 or not 0.0 < self.shortest <= self.longest < math.inf:
            raise ValueError(f"a segment needs intervals and a duration, got {self}")


@dataclass(frozen=True)
class PhaseSequence:
    """Arcs of a jump: on the ground from rest, in flight, on the ground until Q reaches it.

    ahead: whether Q comes down ahead of P (theta1 = 0) or behind it (theta1 = pi).
    """

    before: tuple[PhaseSegment, ...]
    flight: tuple[PhaseSegment, ...]
    after: tuple[PhaseSegment, ...]
    ahead: bool = True

    def __post_init__(self) -> None:
        """Refuse orders of phases that no jump has."""
        flies = [segment.phase is JumpPhase.FLIGHT for segment in self.segments]
        wanted = [False] * len(self.before) + [True] * len(self.flight) + [False] * len(self.after)
        if flies != wanted or not (self.before and self.flight and self.after):
            raise ValueError("a jump has segments on the ground, in flight and on the ground again")
        for ground in (self.before, self.after):
            phases = [segment.phase for segment in ground]
            if any(a is b for a, b in pairwise(phases)):
                raise ValueError(f"segments of one phase follow each other in {phases}: join them")

    @property
    def segments(self) -> tuple[PhaseSegment, ...]:
        """All segments."""
        return (*self.before, *self.flight, *self.after)

    @property
    def take_off(self) -> int:
        """Number of the first segment in flight."""
        return len(self.before)

    @property
    def landing(self) -> int:
        """Number of the first segment after the impact of P."""
        return len(self.before) + len(self.flight)

    @property
    def name(self) -> str:
        """Phases of P in their order, and where Q ends."""
        before, after = (
            (" ".join(segment.phase for segment in segments))
            for segments in (self.before, self.after)
        )
        return f"{before} | flight | {after}, Q {'ahead' if self.ahead else 'behind'}"


@dataclass(frozen=True)
class VariableIndices:
    """Indices of a segment's numbers among all variables.

    duration [s]; x_P: place of P in stick [m], else None; knots: coordinates (n, intervals + 1);
    torques (2, intervals), at the start and the end of each interval [N m].
    """

    duration: int
    x_P: int | None
    knots: Indices
    torques: Indices

    def at(self, knot: int) -> Indices:
        """Variables of a knot's state: its coordinates, and the place of a point that stands."""
        own = [] if self.x_P is None else [self.x_P]
        return np.append(self.knots[:, knot], np.array(own, dtype=np.int64))

    def x(self, knot: int) -> int:
        """Variable that is the place of P at a knot of a segment on the ground."""
        return int(self.knots[0, knot]) if self.x_P is None else self.x_P


@dataclass(frozen=True)
class VariableLayout:
    """Variables of a plan: those of its segments, then the distance d and X_start [m]."""

    plan: PhaseSequence

    @cached_property
    def places(self) -> tuple[VariableIndices, ...]:
        """Of every segment."""
        places, start = [], 0
        for segment in self.plan.segments:
            n, standing = len(COORDINATES[segment.phase]), segment.phase is JumpPhase.STICK
            knots = start + 1 + standing
            torques = knots + n * (segment.intervals + 1)
            places.append(
                VariableIndices(
                    start,
                    start + 1 if standing else None,
                    np.arange(knots, torques).reshape(-1, n).T,
                    np.arange(torques, torques + 2 * segment.intervals).reshape(-1, 2).T,
                )
            )
            start = torques + 2 * segment.intervals
        return tuple(places)

    @property
    def distance(self) -> int:
        """Variable d."""
        return int(self.places[-1].torques[-1, -1]) + 1

    @property
    def x_start(self) -> int:
        """Variable X_start."""
        return self.distance + 1

    @property
    def size(self) -> int:
        """Number of variables."""
        return self.distance + 2

    @cached_property
    def scale(self) -> Array:
        """Size of every variable."""
        scale = np.full(self.size, 0.1)  # s or m
        for segment, at in zip(self.plan.segments, self.places, strict=True):
            scale[at.knots] = scales(segment.phase)[:, None]
            scale[at.torques] = 10.0
        return scale


@dataclass(frozen=True)
class Slack:
    """Distances that a programme keeps from the edges, which it knows at samples only.

    angle, line [rad]: off the bounds of angles, and of the line PR besides. force [N]: lambda_n and
    the distance from the cone's edges. acceleration [m/s^2]: by which P comes off. speed [m/s]: of
    P within a slide; where it vanishes at a sample, P may stand for a moment beside it.
    """

    angle: float = 5e-3
    line: float = 0.0
    force: float = 0.2
    acceleration: float = 0.1
    speed: float = 0.0


_NO_END = np.inf
_LEAST_APPROACH = 0.01  # m/s: P comes down before its impact
# rows that a link between segments on the ground asks for: y and y' are 0 on both sides
_GROUND = [0, 2, 3, 4, 6, 7]


def impact_impulse(machine: Hopper, phase: JumpPhase, x: State) -> tuple[State, State]:
    """Impulse (t, n) of a plastic impact after which P is in a phase, and what it requires.

    P stands: nothing is left of its velocity, and both distances from the cone are positive. It
    slides: the impulse lies on the cone and presses; that the velocity it leaves has the right
    sign is a bound of a variable. With e_n = e_t = 0 Chatterjee's law has no other outcomes.
    """
    A, mu = machine.contact_matrix(x[:4]), machine.parameters.mu
    if phase is JumpPhase.STICK:
        determinant = A[0, 0] * A[1, 1] - A[0, 1] * A[0, 1]
        t = -(A[1, 1] * x[4] - A[0, 1] * x[5]) / determinant
        n = -(A[0, 0] * x[5] - A[0, 1] * x[4]) / determinant
        return stacked(t, n), stacked(mu * n - t, mu * n + t)
    push = SIGMA[phase] * mu
    n = -x[5] / (A[1, 1] - push * A[0, 1])
    return stacked(-push * n, n), stacked(n)


def _state(machine: Hopper, phase: JumpPhase, v: State) -> State:
    """State of a segment's coordinates, with the place of a point that stands behind them."""
    if phase is JumpPhase.STICK:
        return state_of(machine, phase, v[:-1], v[-1])
    return state_of(machine, phase, v)


_FASTEST = 300.0  # rad/s: bound of the angles' rates


@dataclass(frozen=True)
class JumpProgramme:
    """The nonlinear programme of a plan.

    refinement: how many times more steps than usual an interval is integrated by.
    """

    plan: PhaseSequence
    parameters: HopperParameters = TEXT
    slack: Slack = field(default_factory=Slack)
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
        """Nonlinear constraints: of segments, links, starts out of rest, and of the impact."""
        plan, groups = self.plan, []
        for k, segment in enumerate(plan.segments):
            groups.append(self._motion(k, segment))
            if 0 < k != plan.landing:
                groups.append(self._link(k, segment))
            if k == plan.take_off or (k < plan.take_off and segment.phase in SIGMA):
                groups.append(self._starting(k, segment))
        return (*groups, self._impact())

    def _motion(self, k: int, segment: PhaseSegment) -> ComplexStepGroup:
        """Intervals of a segment."""
        at, scale = self.layout.places[k], self.layout.scale
        columns = np.concatenate(
            [
                at.knots[:, :-1],
                at.knots[:, 1:],
                at.torques,
                np.full((1, segment.intervals), at.duration),
            ]
        )
        units = scale[columns]
        units[-1] /= segment.intervals
        low, high = self._sampled(segment.phase)
        steps = self.refinement * STEPS[segment.phase]
        function = partial(interval, self.machine, segment.phase, steps=steps)
        return ComplexStepGroup(f"motion {k}", columns, units, function, low, high)

    def _sampled(self, phase: JumpPhase) -> tuple[Array, Array]:
        """Bounds of an interval's rows."""
        slack, flies = self.slack, phase is JumpPhase.FLIGHT
        forces = {JumpPhase.STICK: 3}.get(phase, 1)
        least = np.full(forces, 0.0 if flies else slack.force)
        a, line = slack.angle, STEEPEST_LINE - slack.angle - slack.line
        angles_low = np.array([a, a, 0.5 * np.pi - line, a - np.pi])
        angles_high = np.array([np.pi - a, np.pi - a, 0.5 * np.pi + line, np.pi - a])
        low, high = [np.zeros(len(COORDINATES[phase]))], [np.zeros(len(COORDINATES[phase]))]
        for sample in range(SAMPLES):
            low += [least, angles_low]
            high += [np.full(forces, _NO_END), angles_high]
            if sample and phase in SIGMA:
                low.append(np.full(1, slack.speed))
                high.append(np.full(1, _NO_END))
        if not flies:
            low.append(least)
            high.append(np.full(forces, _NO_END))
        return np.concatenate(low), np.concatenate(high)

    def _block(
        self, name: str, variables: Indices, function: Callable[[State], State], *bounds: Array
    ) -> ComplexStepGroup:
        columns = variables[:, None]
        return ComplexStepGroup(name, columns, self.layout.scale[columns], function, *bounds)

    def _link(self, k: int, segment: PhaseSegment) -> ComplexStepGroup:
        """A segment begins in the state in which the one before it ends."""
        previous = self.plan.segments[k - 1]
        a, b = self.layout.places[k - 1].at(-1), self.layout.places[k].at(0)
        rows = list(range(8)) if segment.phase is JumpPhase.FLIGHT else _GROUND

        def gap(v: State) -> State:
            before = _state(self.machine, previous.phase, v[: len(a)])
            after = _state(self.machine, segment.phase, v[len(a) :])
            return ((after - before) / STATE_SCALES.reshape(-1, *[1] * (v.ndim - 1)))[rows]

        zero = np.zeros(len(rows))
        return self._block(f"link {k}", np.append(a, b), gap, zero, zero)

    def _starting(self, k: int, segment: PhaseSegment) -> ComplexStepGroup:
        """Start from rest: P comes off as the segment's phase has it."""
        at = self.layout.places[k]
        variables = np.append(at.knots[:, 0], at.torques[0, 0])

        def comes_off(v: State) -> State:
            return stacked(starting(self.machine, segment.phase, v[:-1], v[-1]))

        least = np.array([self.slack.acceleration])
        return self._block(f"start {k}", variables, comes_off, least, np.full(1, _NO_END))

    def _impact(self) -> ComplexStepGroup:
        """P lands, and what it does then follows from the law of the impact."""
        plan = self.plan
        phase = plan.segments[plan.landing].phase
        a = self.layout.places[plan.landing - 1].at(-1)
        b = self.layout.places[plan.landing].at(0)

        def lands(v: State) -> State:
            before = state_of(self.machine, JumpPhase.FLIGHT, v[: len(a)])
            after = _state(self.machine, phase, v[len(a) :])
            impulse, inside = impact_impulse(self.machine, phase, before)
            rates = before[4:] + self.machine.kick(before[:4], P, impulse)
            gap = after - np.concatenate([before[:4], rates])
            gap = (gap / STATE_SCALES.reshape(-1, *[1] * (v.ndim - 1)))[_GROUND]
            if phase is JumpPhase.STICK:  # x' after it is 0 on both sides
                gap = np.delete(gap, 3, axis=0)
            height = (before[1] / STATE_SCALES[1])[None]
            return np.concatenate([gap, height, before[5][None], inside])

        equal = len(_GROUND) + 1 - (phase is JumpPhase.STICK)
        requirements = 2 if phase is JumpPhase.STICK else 1
        low = np.concatenate([np.zeros(equal), [-_NO_END], np.full(requirements, 1e-4)])
        high = np.concatenate([np.zeros(equal), [-_LEAST_APPROACH], np.full(requirements, _NO_END)])
        return self._block("impact", np.append(a, b), lands, low, high)

    def bounds(self) -> tuple[Array, Array]:
        """Lower and upper bounds of all variables."""
        low, high = np.full(self.layout.size, -math.inf), np.full(self.layout.size, math.inf)
        for segment, at in zip(self.plan.segments, self.layout.places, strict=True):
            coordinates = COORDINATES[segment.phase]
            low[at.duration], high[at.duration] = segment.shortest, segment.longest
            low[at.torques], high[at.torques] = -self.parameters.tau_max, self.parameters.tau_max
            turning = at.knots[
                [coordinates.index(k) for k in (6, 7) if segment.phase is not JumpPhase.FLIGHT]
            ]
            low[turning], high[turning] = -_FASTEST, _FASTEST
            if segment.phase in SIGMA:
                bound = low if SIGMA[segment.phase] > 0.0 else high
                speeds = at.knots[coordinates.index(4)]
                bound[speeds] = 0.0
                bound[speeds[1:-1]] = SIGMA[segment.phase] * self.slack.speed
        self._ends(low, high)
        return low, high

    def _ends(self, low: Array, high: Array) -> None:
        """Bounds of the start, at rest with P at 0, and of the end, with Q on the ground."""
        coordinates, at = COORDINATES[self.plan.segments[0].phase], self.layout.places[0]
        for number in (
            *(at.knots[coordinates.index(k), 0] for k in (4, 6, 7) if k in coordinates),
            at.x(0),
        ):
            low[number] = high[number] = 0.0
        coordinates, at = COORDINATES[self.plan.segments[-1].phase], self.layout.places[-1]
        th1, th2 = (at.knots[coordinates.index(k), -1] for k in (2, 3))
        side, edge = (0.0, math.pi) if self.plan.ahead else (math.pi, -math.pi)
        low[th1] = high[th1] = side
        # theta1 is 0 or pi here, so that the line PR bounds theta2 alone
        line = STEEPEST_LINE - self.slack.angle - self.slack.line
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

    def solve(self, guess: Array, effort: Effort) -> ProgrammeResult:
        """The best jump near a guess, which need not be one."""
        scale, number = self.layout.scale, self.layout.distance
        longest = LinearCost(np.array([-1.0]), np.array([number]))
        programme = NonlinearProgramme(*self.bounds(), scale, longest, self.groups, self.rows())
        return programme.solve(guess, effort)


def _at_least(terms: dict[int, float], lower: float = 0.0) -> LinearConstraint:
    """A sum of coefficient times variable, with a lower bound."""
    coefficients, variables = np.array([list(terms.values())]), np.array(list(terms))
    return LinearConstraint(coefficients, variables, np.array([lower]), np.array([math.inf]))
