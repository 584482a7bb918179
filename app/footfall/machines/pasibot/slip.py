"""Walks of PASIBOT whose supporting foot is held, or sticks or slides, by events.

Accuracy of event times: to 1e-9 s and better, at the default tolerances. At a prescribed th8(t) the
limits of stick are functions of time alone, exact to rounding, and located by Newton's method; x1'
is an integral, whose error of some 1e-12 m/s over a deceleration of mu_k g gives 1e-11 s. Under a
torque th8 and th8' have the integrator's error, some 1e-12 too. A foot whose force hardly exceeds
what holds it is the exception: there times are as uncertain as the force over its rate.
"""

import math

import numpy as np

from footfall.hybrid import Ending, HybridRun, Options, simulate
from footfall.hybrid.contact import ContactPhase, phase_of
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    STEP_ENDS,
    refuse_rough_exchange,
)
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.thresholds import painleve_friction
from footfall.machines.pasibot.slip_drives import Crank, Drive, Torque
from footfall.machines.pasibot.slip_system import COMPONENTS, Held, Slipping
from footfall.machines.pasibot.slip_walk import SlipWalk

_OPTIONS = Options(most_events=10_000)


def slip_walk(
    machine: PasibotParameters | SlidingProfile,
    drive: Drive,
    span: float,
    *,
    th8: float = STEP_BEGINS,
    rate: float = 0.0,
    speed: float = 0.0,
    held: bool = False,
    options: Options = _OPTIONS,
) -> SlipWalk:
    """Walk for a span [s] with the friction of the parameters, mu_s and mu_k.

    th8 [rad] of a step and rate th8' [rad/s] are where a torque begins; a prescribed motion says
    them itself. speed: x1' of the foot at the start [m/s]. held: it neither slides nor lifts,
    whatever force of the floor that takes; else a foot that lifts ends the walk, see
    `SlipWalk.ending`. Raises ValueError for a start outside a step, a span that is none, feet that
    would hit the floor at an exchange, a torque that is no number, and, where one acts on a foot
    that may slide, friction beyond Painleve's.
    """
    profile = machine if isinstance(machine, SlidingProfile) else SlidingProfile(machine)
    _refuse(profile.parameters, drive, span, held=held)
    first = drive.crank(0.0, Crank(th8, rate))
    if not STEP_BEGINS <= first.th8 <= STEP_ENDS:
        raise ValueError(f"a walk begins in a step, th8 from pi/2 to 3 pi/2, got {first.th8} rad")
    state = np.array([first.th8, first.rate, 0.0, speed, 0.0, 0.0, 0.0])
    if not np.isfinite(state).all():
        raise ValueError(f"a walk begins at finite {', '.join(COMPONENTS[:4])}, got {state[:4]}")
    slipping = (Held if held else Slipping)(profile, drive)
    start = slipping.choose(sum(time <= 0.0 for time in drive.breaks), 0.0, state)
    run = simulate(slipping.system(), start.mode, start.state, (0.0, span), options)
    return SlipWalk(slipping, run, _ending(run))


def lasting(steps: float, rate: float) -> float:
    """Time [s] of so many steps at a constant rate [rad/s]."""
    return steps * math.pi / abs(rate)


def _ending(run: HybridRun) -> str:
    """Return the reason for an early end in one line, else empty."""
    if run.ending is Ending.END_OF_TIME:
        return ""
    if phase_of(run.mode) is ContactPhase.FLIGHT:
        return (
            f"at t = {run.time:.6g} s the floor would have to hold the foot down: this model knows "
            "no foot in the air; walk more slowly, or with less torque"
        )
    return run.message


def _refuse(parameters: PasibotParameters, drive: Drive, span: float, *, held: bool) -> None:
    """Raise ValueError for what cannot be walked."""
    refuse_rough_exchange(parameters)
    if not (math.isfinite(span) and span > 0.0):
        raise ValueError(f"the span must be positive, got {span} s")
    if isinstance(drive, Torque) and not held:
        least = painleve_friction(parameters)
        if parameters.mu_k >= least.value:
            raise ValueError(
                f"mu_k = {parameters.mu_k} is beyond Painleve's {least.value:.4g}, where the "
                f"forces of a sliding foot do not tell its motion (th8 = {least.th8:.4g} rad): "
                "take less, or prescribe th8(t)"
            )
