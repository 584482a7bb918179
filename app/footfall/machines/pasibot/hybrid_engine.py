"""PASIBOT on feet that may slide as an engine: an event-driven walk.

Rows stand at the scenario's time steps and at events, and twice where the torque jumps there.
"""

import math

import numpy as np

from footfall.errors import ScenarioError
from footfall.hybrid import FlowSegment
from footfall.hybrid.contact import ContactPhase, phase_of
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.slip import slip_walk
from footfall.machines.pasibot.slip_system import PHASES, STEPS
from footfall.machines.pasibot.slip_walk import SlipWalk
from footfall.machines.pasibot.trajectory_adapter import WalkRows, middles, trajectory
from footfall.machines.pasibot.walk_setup import STILL, simulated_time, walk_setup
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
from footfall.stance.trajectory import sample_times
from footfall.trajectory import Event, Trajectory


def hybrid(context: MachineContext) -> Trajectory:
    """Walk on feet that may slide; raises ScenarioError for what it does not know."""
    setup = walk_setup(context, HYBRID)
    speed = setup.speed if abs(setup.speed) > STILL else 0.0
    th8, rate = setup.start
    try:
        walked = slip_walk(
            SlidingProfile(setup.parameters),
            setup.drive,
            simulated_time(context),
            th8=th8,
            rate=rate,
            speed=speed,
        )
        rows = [_sliding(walked, phase, context, setup.x_foot) for phase in walked.phases]
    except ValueError as error:
        raise ScenarioError(f"engine {HYBRID}: {error}.") from error
    if not rows:
        raise ScenarioError(f"engine {HYBRID}: the walk ended at its start: {walked.ending}.")
    events = [
        Event(e.time, e.guard, f"{e.guard}: {_phase(e.before)} to {_phase(e.after or '')}")
        for e in walked.events
    ]
    return trajectory(context, setup.parameters, rows, HYBRID, events, walked.ending)


def _phase(mode: str) -> str:
    """The phase of a mode by this machine's name for it."""
    return PHASES[phase_of(mode)]


def _sliding(
    walked: SlipWalk, phase: FlowSegment, context: MachineContext, x_foot: float
) -> WalkRows:
    """Rows of a phase of a walk, whose foot 1 starts at x_foot [m]."""
    time = sample_times(phase.start, phase.end, context.time_step)
    inside = np.minimum(time, np.nextafter(phase.end, phase.start))  # before the drive jumps
    at, half = walked.rows(phase, inside), walked.rows(phase, middles(inside))
    here = walked.slipping.profile(at.th8)
    return WalkRows(
        time,
        STEP_BEGINS + math.pi * at.phase,
        at.rate,
        x_foot + at.slip,
        at.speed,
        at.torque,
        at.momentum,
        # the mass centre's height does not know the slide
        np.asarray(here.gravity) * at.rate / here.g,
        at.work,
        at.heat,
        at.energy - here.potential,
        np.asarray(here.potential) + 0.0 * time,
        half.zmp,
        steps=round(float(phase.x_start[STEPS])),
        slides=phase_of(phase.mode) is not ContactPhase.STICK,
    )
