"""PASIBOT on feet that may slide as an engine: an event-driven walk.

Rows stand at the scenario's time steps and at events; the torque of a row at an exchange of support
is that after it.
"""

import math

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.fixed_foot import steps_of
from footfall.machines.pasibot.slip import slip_walk
from footfall.machines.pasibot.slip_walk import SlipWalk
from footfall.machines.pasibot.trajectory_adapter import WalkHistory, middles, trajectory
from footfall.machines.pasibot.walk_setup import STILL, row_grid, simulated_time, walk_setup
from footfall.registry.context import MachineContext
from footfall.registry.machine import HYBRID
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
        time = row_grid(context, walked.end, [event.time for event in walked.events])
        motion = _sliding(walked, time, setup.x_foot)
    except ValueError as error:
        raise ScenarioError(f"engine {HYBRID}: {error}.") from error
    events = [Event(e.time, e.guard, f"{e.guard}: {e.before} to {e.after}") for e in walked.events]
    return trajectory(context, setup.parameters, motion, HYBRID, events, walked.ending)


def _sliding(walked: SlipWalk, time: Array, x_foot: float) -> WalkHistory:
    """Rows of a walk by events, whose foot 1 starts at x_foot [m]."""
    at, half = walked.at(time), walked.at(middles(time))
    here = walked.profile(at.th8)
    return WalkHistory(
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
        steps_of(STEP_BEGINS + math.pi * half.phase),
        half.direction != 0.0,
        half.zmp,
    )
