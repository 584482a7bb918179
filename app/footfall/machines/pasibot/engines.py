"""PASIBOT's own engines: the document's equations on feet that are held, and slip by events.

Rows stand at the scenario's time steps and at events; the torque of a row at an exchange of support
is that after it. A walk on held feet goes on where a floor would let the foot go, and tells that.
"""

import math
from collections.abc import Sequence

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.driven import driven
from footfall.machines.pasibot.held import Held, steps_of
from footfall.machines.pasibot.rows import Motion, middles, trajectory
from footfall.machines.pasibot.slip import slip_walk
from footfall.machines.pasibot.slip_walk import SlipWalk
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.registry.stance import row_times
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import SLIDES

_HELD = 1e-9  # of the friction that there is: rounding
_STILL = 1e-6  # m/s: a foot that does not slide at the start


def closed_form(context: MachineContext) -> Trajectory:
    """Walk on feet that are held; raises ScenarioError for what it does not know."""
    start = driven(context, CLOSED_FORM)
    if abs(start.speed) > _STILL:
        message = (
            f"engine {CLOSED_FORM}: foot 1 slides at {start.speed:.3g} m/s at the start, which a "
            "foot that is held cannot: let it rest, or choose hybrid, moreau or drake."
        )
        raise ScenarioError(message)
    try:
        held = Held(start, _times(context, _span(context)))
    except ValueError as error:
        raise ScenarioError(f"engine {CLOSED_FORM}: {error}.") from error
    time = _times(context, _span(context), held.exchanges)
    half = held.forces(middles(time))
    events = [Event(t, "exchange", "the other foot takes over") for t in held.exchanges]
    events += _watched(start.parameters, middles(time), half[0], half[1])
    motion = held.motion(time, half)
    return trajectory(context, start.parameters, motion, CLOSED_FORM, events)


def hybrid(context: MachineContext) -> Trajectory:
    """Walk on feet that may slide; raises ScenarioError for what it does not know."""
    start = driven(context, HYBRID)
    speed = start.speed if abs(start.speed) > _STILL else 0.0
    th8, rate = start.start
    try:
        walked = slip_walk(
            SlidingProfile(start.parameters),
            start.drive,
            _span(context),
            th8=th8,
            rate=rate,
            speed=speed,
        )
        time = _times(context, walked.end, [event.time for event in walked.events])
        motion = _sliding(walked, time, start.place)
    except ValueError as error:
        raise ScenarioError(f"engine {HYBRID}: {error}.") from error
    events = [Event(e.time, e.guard, f"{e.guard}: {e.before} to {e.after}") for e in walked.events]
    return trajectory(context, start.parameters, motion, HYBRID, events, walked.ending)


def _span(context: MachineContext) -> float:
    return round(context.duration / context.time_step) * context.time_step


def _times(context: MachineContext, end: float, besides: Sequence[float] = ()) -> Array:
    """Times of rows [s] up to the end: time steps, and other times within."""
    grid = row_times(0.0, end, context.time_step)
    return np.unique(np.concatenate((grid, [t for t in besides if 0.0 < t < end])))


def _watched(parameters: PasibotParameters, time: Array, along: Array, up: Array) -> list[Event]:
    """The first time that the foot would slide, and the first that the floor would have to pull."""
    besides = "this engine holds it, hybrid, moreau and drake do not"
    events = []
    pulls = up <= 0.0
    if pulls.any():
        k = int(pulls.argmax())
        what = f"the floor would have to hold the foot down with {-up[k]:.3g} N; {besides}"
        events.append(Event(float(time[k]), SLIDES, what))
    has = parameters.mu_s
    slides = ~pulls & (np.abs(along) > has * (1.0 + _HELD) * up)
    if slides.any():
        k = int(slides.argmax())
        needs = float((np.abs(along[~pulls]) / up[~pulls]).max())
        what = (
            f"the foot would slide: friction of up to {needs:.3g} is needed, it has {has:.3g}; "
            f"{besides}"
        )
        events.append(Event(float(time[k]), SLIDES, what))
    return events


def _sliding(walked: SlipWalk, time: Array, place: float) -> Motion:
    """Rows of a walk by events, of which foot 1 starts at a place [m]."""
    at, half = walked.at(time), walked.at(middles(time))
    here = walked.profile(at.th8)
    return Motion(
        time,
        STEP_BEGINS + math.pi * at.phase,
        at.rate,
        place + at.slip,
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
