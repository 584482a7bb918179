"""From a jump that was found to the best one of its sequence of phases, by direct transcription.

A search sees phases follow each other as they come, and where two of them would change places its
ground has an edge. A nonlinear programme (`transcription`) holds the order and varies everything
else at once, so that it goes on where a search gets stuck.
"""

import numpy as np

from footfall.analysis.nonlinear_programme import Effort
from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters
from footfall.machines.hopper.closed_form.phases import JumpPhase
from footfall.machines.hopper.rollout.equations import PHASES
from footfall.machines.hopper.rollout.kernel import BY_TIME
from footfall.machines.hopper.rollout.simulator import Record, RolloutSimulator
from footfall.machines.hopper.transcription.jump import (
    PhaseTrajectory,
    TranscribedJump,
    confirmed_jump,
    variables_of,
)
from footfall.machines.hopper.transcription.layout import PhaseSegment, PhaseSequence
from footfall.machines.hopper.transcription.programme import JumpProgramme

# s: steps that are recorded, the first with which it is a jump: a guess need not be exact
_STEPS = (2.5e-4, 5e-4, 1e-3, 2e-3)
_MOST_NODES = 20_000
_SHORTEST = 2.5e-3  # s: a shorter phase is part of the one before it
# intervals of an arc: one per so many seconds of each phase, and how few and many
_SPAN = {JumpPhase.STICK: 0.03, JumpPhase.FLIGHT: 0.04}
_SLIP_SPAN = 0.006
_FEWEST, _MOST = 4, 20
_LONGEST = 2.5  # s of an arc


def refined(
    parameters: HopperParameters,
    angles: tuple[float, float],
    rows: Array,
    stages: tuple[int, int] = BY_TIME,
    iterations: int = 300,
) -> TranscribedJump:
    """The best jump with the phases of a given one, told as `RolloutSimulator.jump` takes it.

    Raises RunError for a jump that is none, and where the programme finds no better one.
    """
    machine = Hopper(parameters)
    for step in _STEPS:
        simulator = RolloutSimulator(machine, step)
        found = simulator.jump(angles, rows, stages, most_recorded=_MOST_NODES)
        if found.jumps:
            break
    else:
        raise RunError("what was found is no jump with other steps")
    trajectories = trajectories_of(found.record, found.outcome.landing)
    ahead = bool(np.cos(found.outcome.state.theta1) > 0.0)
    programme = JumpProgramme(plan_of(trajectories, ahead), parameters)
    guess = variables_of(programme, trajectories, found.distance)
    return confirmed_jump(programme, guess, Effort(iterations=iterations)).design


def trajectories_of(record: Record, landing: float) -> list[PhaseTrajectory]:
    """Arcs of a recorded jump, one a phase; the impact cuts as well."""
    time = record.time
    after = (time >= landing - 1e-12) & (record.phase != PHASES.index(JumpPhase.FLIGHT))
    key = record.phase + 10.0 * after

    def joins(before: int, first: int, end: float) -> bool:
        short = end - time[first] < _SHORTEST
        return bool((short and after[first] == after[before]) or key[first] == key[before])

    return [_trajectory(record, first, last) for first, last in record.spans(key, joins)]


def plan_of(trajectories: list[PhaseTrajectory], ahead: bool) -> PhaseSequence:
    """The plan of arcs that tracks follow; ahead: whether Q ends in front of P."""
    segments = [
        PhaseSegment(trajectory.phase, trajectory.torques.shape[1], longest=_LONGEST)
        for trajectory in trajectories
    ]
    flights = [k for k, segment in enumerate(segments) if segment.phase is JumpPhase.FLIGHT]
    if not flights:
        raise ValueError("a jump without a flight is none")
    first, last = flights[0], flights[-1] + 1
    return PhaseSequence(
        tuple(segments[:first]), tuple(segments[first:last]), tuple(segments[last:]), ahead=ahead
    )


def _trajectory(record: Record, first: int, last: int) -> PhaseTrajectory:
    """Steps of one phase at equal times; what the next phase begins with ends it."""
    phase = PHASES[int(record.phase[first])]
    own, torque = record.time[first:last], record.torque[first:last]
    begin, end = own[0], record.end(last)
    span = _SPAN.get(phase, _SLIP_SPAN)
    intervals = int(np.clip(np.ceil((end - begin) / span), _FEWEST, _MOST))
    times = np.linspace(begin, end, intervals + 1)
    states = np.array([np.interp(times, own, row) for row in record.states[first:last].T])
    # a torque that jumps does so at the ends of intervals: asked a little inside of them
    inside = 1e-3 * (end - begin) / intervals
    torques = np.array(
        [
            np.interp(times[:-1] + inside, own, torque),
            np.interp(times[1:] - inside, own, torque),
        ]
    )
    return PhaseTrajectory(phase, float(end - begin), states, torques)
