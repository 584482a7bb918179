"""PASIBOT in closed form as an engine: the document's equations on feet that cannot slide.

Rows stand at the scenario's time steps and at exchanges of support, and twice where the torque
jumps. The walk goes on where a floor would let the foot go, and an event says so.
"""

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.fixed_foot import FixedFootWalk
from footfall.machines.pasibot.trajectory_adapter import middles, trajectory
from footfall.machines.pasibot.walk_setup import STILL, simulated_time, walk_setup
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM
from footfall.stance.trajectory import sample_times
from footfall.trajectory import Event, Trajectory
from footfall.trajectory.events import SLIDES

_ROUNDING = 1e-9  # of the friction that there is


def closed_form(context: MachineContext) -> Trajectory:
    """Walk on feet that are held; raises ScenarioError for what it does not know."""
    setup = walk_setup(context, CLOSED_FORM)
    if abs(setup.speed) > STILL:
        raise ScenarioError(
            f"engine {CLOSED_FORM}: foot 1 slides at {setup.speed:.3g} m/s at the start, which a "
            "foot that is held cannot: let it rest, or choose hybrid, moreau or drake."
        )
    try:
        walk = FixedFootWalk(setup, sample_times(0.0, simulated_time(context), context.time_step))
    except ValueError as error:
        raise ScenarioError(f"engine {CLOSED_FORM}: {error}.") from error
    rows, forces = zip(*walk.pieces(context.time_step), strict=True)
    time = np.concatenate([middles(part.time) for part in rows])
    along, up = (np.concatenate([part[k] for part in forces]) for k in (0, 1))
    events = [Event(t, "exchange", "the other foot takes over") for t in walk.exchanges]
    events += _slip_events(setup.parameters, time, along, up)
    return trajectory(context, setup.parameters, rows, CLOSED_FORM, events)


def _slip_events(
    parameters: PasibotParameters, time: Array, along: Array, up: Array
) -> list[Event]:
    """Events where the foot would first slide, and where the floor would first have to pull."""
    besides = "this engine holds it, hybrid, moreau and drake do not"
    events = []
    pulls = up <= 0.0
    if pulls.any():
        k = int(pulls.argmax())
        what = f"the floor would have to hold the foot down with {-up[k]:.3g} N; {besides}"
        events.append(Event(float(time[k]), SLIDES, what))
    has = parameters.mu_s
    slides = ~pulls & (np.abs(along) > has * (1.0 + _ROUNDING) * up)
    if slides.any():
        k = int(slides.argmax())
        needs = float((np.abs(along[~pulls]) / up[~pulls]).max())
        what = (
            f"the foot would slide: friction of up to {needs:.3g} is needed, it has {has:.3g}; "
            f"{besides}"
        )
        events.append(Event(float(time[k]), SLIDES, what))
    return events
