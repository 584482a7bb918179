"""The longest jumps by direct multiple shooting, slide by slide.

The guesses: drawn by hand, then with one more slide, then with Q behind P at the end. What is found
is replayed as a drive by the event-driven model.

A jump from rest need not be one from rest in the air: before it the hopper falls forward and, while
it falls and hardly presses the ground, draws P after it in slip+. X_start moves along with P, but
the machine keeps the speed that it has gained, so that every slide lengthens the jump, each by less
than the one before. Then P is pushed backward in slip- for some 30 ms, which throws the machine up.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.nonlinear_programme import Effort
from footfall.arrays import Array
from footfall.checked import Checked, between
from footfall.errors import RunError
from footfall.machines.hopper.closed_form.model import COMPONENT_NAMES, TEXT, HopperParameters
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.model import parameters_of
from footfall.machines.hopper.motion import EventDrivenMotion, motion_from
from footfall.machines.hopper.transcription.phases import coordinates_of, state_of
from footfall.machines.hopper.transcription.programme import (
    JumpProgramme,
    PhaseSegment,
    PhaseSequence,
    Slack,
)
from footfall.registry.context import MachineContext
from footfall_controllers.piecewise import Segment
from footfall_controllers.torque_profile import TorqueProfileParameters

# A stance is an inverted pendulum: what is wrong at its start is a million times as wrong after
# 1.5 s. So a jump that is to be replayed has its intervals integrated and closed finely.
# How many times as finely, with how many times the slack, and how fast [m/s] P is to slide at
# least, where it was not confirmed before.
_ATTEMPTS = ((8, 1.0, 0.0), (20, 1.0, 0.01), (20, 1.5, 0.01), (20, 2.0, 0.01))
_SHARP = Effort(tolerance=1e-10)


@dataclass(frozen=True)
class PhaseTrajectory:
    """Motion in a segment: duration [s], states (8, knots) and torques (2, intervals) [N m]."""

    phase: JumpPhase
    duration: float
    states: Array
    torques: Array


def trajectories_of(programme: JumpProgramme, values: Array) -> tuple[PhaseTrajectory, ...]:
    """The segments of a programme's variables."""
    trajectories = []
    for segment, at in zip(programme.plan.segments, programme.layout.places, strict=True):
        x_P = 0.0 if at.x_P is None else values[at.x_P]
        states = state_of(programme.machine, segment.phase, values[at.knots], x_P)
        trajectories.append(
            PhaseTrajectory(segment.phase, float(values[at.duration]), states, values[at.torques])
        )
    return tuple(trajectories)


def guess_through(
    programme: JumpProgramme,
    postures: Sequence[tuple[float, float]],
    durations: Sequence[float],
    distance: float,
) -> Array:
    """Variables of a motion through postures at the ends of the segments, one more than segments.

    postures: psi = theta1 + theta2/2 and theta2 [rad]. Angles are linear in time; P stands at 0,
    flies on parabolas of the right height, and stands at the distance [m]. It fits no dynamics.
    """
    plan, machine = programme.plan, programme.machine
    flight_time = sum(durations[plan.take_off : plan.landing])
    g, trajectories, since = machine.parameters.g, [], 0.0
    for k, (ends, segment) in enumerate(zip(pairwise(postures), plan.segments, strict=True)):
        (psi_a, th2_a), (psi_b, th2_b) = ends
        s = np.linspace(0.0, 1.0, segment.intervals + 1)
        states = np.zeros((len(COMPONENT_NAMES), len(s)))
        th2, psi = th2_a + (th2_b - th2_a) * s, psi_a + (psi_b - psi_a) * s
        states[2:4] = psi - 0.5 * th2, th2
        turn, bend = (psi_b - psi_a) / durations[k], (th2_b - th2_a) / durations[k]
        states[6:8] = np.array([[turn - 0.5 * bend], [bend]])
        if segment.phase is JumpPhase.FLIGHT:
            t = since + durations[k] * s
            states[[0, 1]] = distance * t / flight_time, 0.5 * g * t * (flight_time - t)
            states[4], states[5] = distance / flight_time, 0.5 * g * flight_time - g * t
            since += durations[k]
        elif k >= plan.landing:
            states[0] = distance
        if k == 0:
            states[4:, 0] = 0.0
        trajectories.append(
            PhaseTrajectory(segment.phase, durations[k], states, np.zeros((2, segment.intervals)))
        )
    return variables_of(programme, trajectories, distance)


def variables_of(
    programme: JumpProgramme, trajectories: Sequence[PhaseTrajectory], distance: float
) -> Array:
    """Variables of segments that may have other meshes than those of the programme; d [m]."""
    layout, values = programme.layout, np.zeros(programme.layout.size)
    for segment, at, trajectory in zip(
        programme.plan.segments, layout.places, trajectories, strict=True
    ):
        values[at.duration] = np.clip(trajectory.duration, segment.shortest, segment.longest)
        own = np.linspace(0.0, 1.0, trajectory.states.shape[1])
        wanted = np.linspace(0.0, 1.0, segment.intervals + 1)
        states = np.array([np.interp(wanted, own, row) for row in trajectory.states])
        values[at.knots] = coordinates_of(programme.machine, segment.phase, states)
        if at.x_P is not None:
            values[at.x_P] = states[0].mean()
        values[at.torques] = _torques(trajectory.torques, segment.intervals)
    before = [trajectory.states[0].max() for trajectory in trajectories[: programme.plan.take_off]]
    values[layout.x_start] = max(before)
    values[layout.distance] = distance
    return values


def _torques(torques: Array, intervals: int) -> Array:
    """A torque, linear in every interval, on another mesh: equal to it at both ends of each."""
    count = torques.shape[1]
    edges = np.linspace(0.0, count, intervals + 1)
    middles = np.minimum(0.5 * (edges[1:] + edges[:-1]), count - 0.5)
    own = middles.astype(int)  # the interval that most of the new one lies in
    share = np.clip(np.array([edges[:-1] - own, edges[1:] - own]), 0.0, 1.0)
    return np.asarray(torques[0, own] + (torques[1, own] - torques[0, own]) * share)


@dataclass(frozen=True)
class TranscribedJump:
    """A jump as a programme and its solution's variables have it."""

    programme: JumpProgramme
    values: Array

    @property
    def distance(self) -> float:
        """Distance d [m]."""
        return float(self.values[self.programme.layout.distance])

    def replayed(self) -> EventDrivenMotion:
        """The same torque in the event-driven model, which knows nothing of the programme."""
        trajectories = trajectories_of(self.programme, self.values)
        segments: list[Segment] = []
        now = 0.0
        for trajectory in trajectories:
            step = trajectory.duration / trajectory.torques.shape[1]
            for first, last in trajectory.torques.T.tolist():
                segments.append(Segment(now, now + step, (first, (last - first) / step)))
                now += step
        torque = ProfileTorque(TorqueProfileParameters(tuple(segments)))
        return motion_from(self.programme.machine, torque, trajectories[0].states[:, 0])


def confirmed_jump(programme: JumpProgramme, guess: Array, effort: Effort) -> TranscribedJump:
    """The best jump near a guess that the event-driven model confirms.

    Solved coarsely, then finely; where the replay is no jump or breaks a margin between samples,
    again more finely, then with more slack. Raises RunError for a programme that is not solved
    and a jump that is not confirmed.
    """
    slack, solution = programme.slack, programme.solve(guess, effort)
    for finer, more, speed in _ATTEMPTS:
        wider = replace(
            slack,
            **{part: more * getattr(slack, part) for part in ("angle", "line", "force")},
            speed=max(slack.speed, speed),
        )
        sharp = replace(programme, slack=wider, refinement=finer * programme.refinement)
        solution = sharp.solve(solution.values, _SHARP)
        candidate = TranscribedJump(sharp, solution.values)
        if solution.solved and candidate.replayed().holds:
            return candidate
    reason = "is not confirmed by its replay" if solution.solved else f"ended: {solution.message}"
    raise RunError(f"the jump '{programme.plan.name}' {reason}: give another guess, or more slack")


_Guess = tuple[JumpProgramme, Array]

_STICK, _FORWARD, _BACKWARD, _FLIGHT = JumpPhase
_STANCE = PhaseSegment(_STICK, 14, 0.02, 1.2)
_AGAIN = PhaseSegment(_STICK, 10, 0.0005, 0.5)
_SLIDE = PhaseSegment(_FORWARD, 16, 0.001, 0.3)
_PUSH = PhaseSegment(_BACKWARD, 8, 0.001, 0.2)
_STRETCH, _GLIDE = PhaseSegment(_FLIGHT, 6, 0.002, 0.4), PhaseSegment(_FLIGHT, 9, 0.01, 0.6)
# psi and theta2 [deg] at the ends of segments, and durations [s]
_DRAWN = ((125, 110), (56, -36), (55, -107), (56, -67), (60, 0), (125, 85), (72, 144))
_LASTING = (1.05, 0.11, 0.033, 0.03, 0.45, 0.31)
_BEHIND = ((56, -67), (100, 0), (130, 92), (150, -60))
_BEHIND_LASTING = (0.28, 0.21, 0.25)
_SHARE = 0.13  # of the stance: about what is stood between two slides


def drawn_run_up(parameters: HopperParameters = TEXT, slack: Slack | None = None) -> _Guess:
    """Fall, slide, push, stretch in flight, and fall over forward: a programme and its guess."""
    plan = PhaseSequence(
        (_STANCE, _SLIDE, _PUSH), (_STRETCH, _GLIDE), (PhaseSegment(_STICK, 12, 0.002, 0.8),)
    )
    programme = JumpProgramme(plan, parameters, slack or Slack())
    return programme, guess_through(programme, _postures(_DRAWN), _LASTING, 0.75)


def with_another_slide(programme: JumpProgramme, values: Array) -> _Guess:
    """The same jump with its last slide done twice, and a short stance between; values: of it."""
    plan, trajectories = programme.plan, trajectories_of(programme, values)
    push = plan.take_off - 1
    slide = trajectories[push - 1]
    if plan.before[push].phase is not _BACKWARD or slide.phase is not _FORWARD:
        raise ValueError(f"the jump '{plan.name}' does not end its run-up with a slide and a push")
    # the end of the stance before the slide, where P stands now
    stance = trajectories[push - 2]
    count = max(round(_SHARE * stance.torques.shape[1]), 1) if push == 2 else 0
    share = count / stance.torques.shape[1] if count else 1.0
    again = PhaseTrajectory(
        _STICK,
        stance.duration * share,
        stance.states[:, -count - 1 :] if count else stance.states,
        stance.torques[:, -count:] if count else stance.torques,
    )
    further = float(slide.states[0, -1] - slide.states[0, 0])
    before = (*plan.before[:push], _AGAIN, _SLIDE, plan.before[push])
    longer = replace(programme, plan=replace(plan, before=before))
    rest = [_moved(trajectory, further) for trajectory in (again, slide, *trajectories[push:])]
    distance = float(values[programme.layout.distance])
    return longer, variables_of(longer, [*trajectories[:push], *rest], distance)


def with_Q_behind(programme: JumpProgramme, values: Array) -> _Guess:
    """The same run-up, then a flight drawn for a landing in slip+ that ends on Q, behind P."""
    plan, number = programme.plan, programme.plan.take_off
    other = replace(
        plan, flight=(_STRETCH, _GLIDE), after=(PhaseSegment(_FORWARD, 16, 0.002, 0.6),)
    )
    behind = replace(programme, plan=replace(other, ahead=False))
    trajectories = trajectories_of(programme, values)[:number]
    drawn = guess_through(
        behind,
        [(0.0, 0.0)] * number + _postures(_BEHIND),
        [trajectory.duration for trajectory in trajectories] + list(_BEHIND_LASTING),
        1.1,
    )
    at = float(trajectories[-1].states[0, -1])
    rest = [_moved(trajectory, at) for trajectory in trajectories_of(behind, drawn)[number:]]
    return behind, variables_of(behind, [*trajectories, *rest], 0.8)


def _postures(drawn: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    return [(math.radians(psi), math.radians(th2)) for psi, th2 in drawn]


def _moved(trajectory: PhaseTrajectory, further: float) -> PhaseTrajectory:
    """A segment somewhat further along the ground [m]."""
    states = trajectory.states.copy()
    states[0] += further
    return replace(trajectory, states=states)


BEHIND = "Q behind"  # name of the last jump
_SLACK = Slack(angle=0.01, line=0.01, force=0.3, acceleration=0.2)
_COARSE = Effort(tolerance=1e-6)


@dataclass
class JumpTranscription(Checked, at="analysis: "):
    """Jumps with a run-up by slides, each the guess of the next; the last ends on Q behind P."""

    # Slides before the push, at most; every further one lengthens the jump by less.
    slides: int = between(2, 1, 4, "give 1 to 4")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "distance": ("m", "longest jump that the event-driven model confirms"),
            "distances": ("m", "jumps of one slide, two, ..., and of the last with Q behind P"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Solve all; raises RunError for a jump that is not found, ModelError for no hopper."""
        parameters = parameters_of(context.model, context.contacts)
        distances = {name: jump.distance for name, jump in self.jumps(parameters, analysis)}
        values = list(distances.values())
        column = ("jump", values, {"units": "m", "long_name": "jump distance d"})
        data = xr.Dataset({"jump_distance": column}, {"jump": list(distances)})
        return AnalysisResult(data, {"distance": max(values), "distances": values})

    def jumps(
        self, parameters: HopperParameters, analysis: AnalysisContext
    ) -> Iterator[tuple[str, TranscribedJump]]:
        """The jumps by name, each the guess of the next one; raises RunError for one not found.

        What its checkpoint has is not solved again.
        """
        programme, guess = drawn_run_up(parameters, _SLACK)
        names = ["1 slide", "2 slides", "3 slides", "4 slides"][: self.slides]
        for index, name in enumerate((*names, BEHIND)):
            analysis.go_on(name, index / (self.slides + 1))
            jump = _confirmed_or_saved(analysis, name, programme, guess)
            yield name, jump
            following = with_another_slide if index + 1 < self.slides else with_Q_behind
            if name != BEHIND:
                programme, guess = following(programme, jump.values)


def _confirmed_or_saved(
    analysis: AnalysisContext, name: str, programme: JumpProgramme, guess: Array
) -> TranscribedJump:
    """A jump that is solved and confirmed, or was before."""

    def work() -> dict[str, Any]:
        jump = confirmed_jump(programme, guess, _COARSE)
        return {
            "values": jump.values.tolist(),
            "room": list(astuple(jump.programme.slack)),
            "refinement": jump.programme.refinement,
        }

    saved = analysis.checkpoint.result(name, work)
    same = replace(programme, slack=Slack(*saved["room"]), refinement=saved["refinement"])
    return TranscribedJump(same, np.array(saved["values"]))
