"""The document's figures of PASIBOT as functions for sweeps: each gives one curve of a figure.

Torque over a step at a constant rate (figures 11, 12) on a foot that is held, angle of the crank
from rest under a constant torque (13, 14), on one that is held or may slide, and slip of the
supporting feet (17 to 19) by events.
"""

import math

import numpy as np
import xarray as xr

from footfall.analysis.functions import Case, labelled
from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.pasibot.claims import constant_rate, constant_torque
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters, weighing
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.control import drive_of
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.predictions import SHOWN
from footfall.machines.pasibot.slip_system import constant_speed
from footfall.machines.pasibot.slip_walk import lasting, slip_walk
from footfall.registry.machine import CLOSED_FORM, HYBRID

_POINTS = 401  # of a curve
_STEPS = 2  # made by curves of the slip, and up to which those of a start are shown
_MOST_TORQUE = 20.0  # N m


def torque(case: Case) -> xr.Dataset:
    """Torque of the motor over a step at the crank motor's constant speed.

    Raises ScenarioError for a scenario without one constant speed.
    """
    machine, rate = _machine(case), _rate(case)
    x = np.linspace(0.0, 1.0, _POINTS)
    th8 = STEP_BEGINS + x * (STEP_ENDS - STEP_BEGINS)
    held = two_freedoms(machine, th8).inverse(rate, 0.0)
    y, pushes = held.torque, (held.up > 0.0).all()
    friction = float((np.abs(held.along) / held.up).max()) if pushes else math.inf
    numbers = {
        "peak_torque": (float(y.max()), "N m", "largest torque of the motor"),
        "least_torque": (float(y.min()), "N m", "smallest torque of the motor"),
        "friction_needed": (friction, "1", "friction that keeps the foot from sliding"),
    }
    curve = labelled({"torque": (y, "N m", "torque of the motor")}, ["phase"])
    return curve.merge(labelled(numbers)).assign_coords(phase=_phase(x))


def start(case: Case, *, mass: float = math.nan) -> xr.Dataset:
    """Angle of the crank and slip from rest under the profile's constant torque, over time.

    The foot is held in the engine closed-form, also where the floor would have to pull; hybrid lets
    it slide, (36). Curves end where two steps are made. mass [kg]: another one of the machine, by
    its density. Raises ScenarioError for a scenario without one constant torque.
    """
    machine, duration = _machine(case), case.context.duration
    if not math.isnan(mass):
        if not 0.0 < mass < math.inf:
            raise ScenarioError(f"parameters.mass is {mass}: give a positive number of kilograms.")
        machine = weighing(machine, mass)
    given = constant_torque(case.context)
    if given is None or abs(given) > _MOST_TORQUE:
        raise ScenarioError(
            "the crank needs a !TorqueProfile of motor as controller, constant for the whole "
            f"duration and of at most {_MOST_TORQUE:g} N m, beyond which it spins."
        )
    x = np.linspace(0.0, duration, _POINTS)
    slips = case.engine == HYBRID
    walked = slip_walk(machine, drive_of(case.context, HYBRID), duration, held=not slips)
    rows = walked.at(np.minimum(x, walked.end))
    y, slid, pulls = math.pi * rows.phase, rows.slip, rows.up <= 0.0
    first = (y <= math.pi) & ~pulls
    friction = float((np.abs(rows.along[first]) / rows.up[first]).max())
    until = float(x[pulls.argmax()]) if pulls.any() else walked.end
    numbers = {
        "steps_made": (float(y[-1]) / math.pi, "1", "steps, with fractions"),
        "floor_until": (until, "s", "when the floor would first have to pull; the end if never"),
        "friction_needed": (friction, "1", "friction that the first step needs"),
    }
    over = (np.maximum.accumulate(y) > _STEPS * math.pi) | (x > until if slips else False)
    curve = labelled(
        {
            "angle": (np.where(over, math.nan, y), "rad", "angle of the crank from the start"),
            "slip": (np.where(over, math.nan, slid), "m", "slip of the supporting feet"),
        },
        ["time"],
    )
    time = ("time", x, {"units": "s", "long_name": "time"})
    return curve.merge(labelled(numbers)).assign_coords(time=time)


def slip(case: Case) -> xr.Dataset:
    """Slip of the supporting feet over two steps at the crank motor's constant speed.

    From th8 = pi/2 with a foot at rest; by events. Raises ScenarioError as `torque` does, and where
    the floor would have to pull.
    """
    machine, rate = _machine(case), _rate(case)
    if case.engine == CLOSED_FORM:
        raise ScenarioError(f"slip has no engine {CLOSED_FORM}: choose {HYBRID}.")
    x = np.linspace(0.0, _STEPS, _POINTS)
    walked = slip_walk(machine, constant_speed(rate), lasting(_STEPS, rate))
    if walked.ending:
        raise ScenarioError(f"{walked.ending.partition(':')[0]}.")
    y = walked.at(np.minimum(x * math.pi / rate, walked.end)).slip
    of_steps, least = list(walked.slip_of_steps), SHOWN * 8.0 * machine.l8
    slides = [[s.begin_phase, s.end_phase] for s in walked.slides if abs(s.distance) > least]
    way = float(np.abs(np.diff(y)).sum())
    numbers = {"slid_way": (way, "m", "way that the supporting feet slide, ahead and back")}
    curve = labelled({"slip": (y, "m", "slip of the supporting feet")}, ["phase"])
    steps_ = labelled({"slip_distance_per_step": (of_steps, "m", "slip in each step")}, ["step"])
    ends = np.array(slides, dtype=np.float64).reshape(-1, 2).T
    phases = {
        "slide_begin": (ends[0], "1", "phase at which a slide begins"),
        "slide_end": (ends[1], "1", "phase at which it ends"),
    }
    intervals = labelled(phases, ["slide"])
    return xr.merge([curve, steps_, intervals, labelled(numbers)]).assign_coords(
        phase=_phase(x),
        step=("step", np.arange(1, len(of_steps) + 1)),
        slide=("slide", np.arange(1, ends.shape[1] + 1)),
    )


def _machine(case: Case) -> PasibotParameters:
    if case.engine not in (CLOSED_FORM, HYBRID):
        raise ScenarioError(
            f"curves have no engine {case.engine}: choose {CLOSED_FORM} or {HYBRID}; others "
            "simulate the scenario without its analysis (analysis=null)."
        )
    return parameters_of(case.context.model, case.context.contacts)


def _rate(case: Case) -> float:
    rate = constant_rate(case.context)
    if rate is None or not rate > 0.0:
        raise ScenarioError("the crank needs a !CrankMotor of one positive speed as controller.")
    return rate


def _phase(x: Array) -> tuple[str, Array, dict[str, str]]:
    return "phase", x, {"units": "1", "long_name": "steps from the start"}
