"""Jumps into and out of a nonlinear programme: guesses, and what was found as a drive to replay."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from footfall.analysis.nonlinear_programme import Effort
from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.hopper.closed_form.model import COMPONENT_NAMES
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.motion import EventDrivenMotion, motion_from
from footfall.machines.hopper.transcription.phases import coordinates_of, state_of
from footfall.machines.hopper.transcription.programme import JumpProgramme
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
