"""Statements of PASIBOT's document on its results, held against runs, sweeps and a calibration.

It prints two numbers; the rest are words about figures that are lost. What a word is held to mean
is said with every statement, and is footfall's.

Conditions of runs: the machine with its two fitted scales and no load, feet that may slide (or are
held), the crank at 3 rad/s throughout, or from rest under a constant torque.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

import xarray as xr

from footfall.machines.pasibot.closed_form.linkage import TEXT, PasibotParameters
from footfall.machines.pasibot.closed_form.thresholds import (
    FRICTION_RATE,
    START_TORQUE,
)
from footfall.machines.pasibot.control import CrankMotor
from footfall.machines.pasibot.model import ACTUATOR, parameters_of
from footfall.machines.pasibot.predictions import (
    ONE_SLIDE,
    driven_slips,
    kinetic_slips,
    linkage,
    loads,
    scales,
    slips,
    torques,
)
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall_controllers.torque_profile import TorqueProfile

_SAME = 1e-6  # relative
_NEAR = 0.005  # N m: half of the last digit printed
_DECIDED = 2.0  # s: any other torque makes the first step by then, or never


_STATEMENTS = read_statements(__package__)
STATEMENTS = {key: one.claim() for key, one in _STATEMENTS.items() if key != "starts"}
"""Statements of the document by the quantity of `predictions` that each is about."""


def statements_on(
    values: Mapping[str, float], besides: Mapping[str, str] | None = None
) -> list[Claim]:
    """Verdicts on the statements about quantities; besides: by quantity, what else to say of it."""
    return [
        claim.of(values[name], (besides or {}).get(name, ""))
        for name, claim in STATEMENTS.items()
        if name in values
    ]


# function and axis of a sweep, and whether static and kinetic friction are the same: quantities of
# the figure that it draws
_SPEED, _LOAD = "controller.speeds.0.speed", "arguments.pasibot.hip_load"
_TORQUE = "controller.torques.motor.0.coefficients.0"
_FIGURES = {
    ("torque", _SPEED, True): (linkage, torques),
    ("torque", _LOAD, True): (loads,),
    ("start", _TORQUE, True): (scales,),
    ("slip", "friction", True): (slips,),
    ("slip", "friction", False): (kinetic_slips,),
    ("start", "friction", False): (driven_slips,),
}


def figure_claims(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Claims on the figure that a sweep draws, of the document's machine."""
    axes = [str(dim) for dim in data["success"].dims if dim != "engine"]
    parameters = parameters_of(context.model, context.contacts)
    alike = parameters.mu_s == parameters.mu_k
    quantities = _FIGURES.get((data.attrs["function"], *axes, alike), ())
    if not quantities or not is_text(parameters):
        return xr.Dataset(), ()
    values: dict[str, float] = {}
    for predict in quantities:
        values |= predict(parameters)
    return xr.Dataset(), statements_on(values)


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The document's statements that a run can tell of."""
    parameters = parameters_of(context.model, context.contacts)
    if not is_text(parameters):
        return []
    if constant_rate(context) == FRICTION_RATE and scalar(metrics, "steps_made") >= 1.0:
        return _at_three(parameters, metrics)
    torque = constant_torque(context)
    if torque is not None and not context.initial_state.any():
        return _from_rest(torque, context.duration, metrics)
    return []


def is_text(parameters: PasibotParameters) -> bool:
    """Return whether a machine is the document's, as fitted and assumed, whatever its friction."""
    return all(
        _same(getattr(parameters, each.name), getattr(TEXT, each.name))
        for each in fields(replace(TEXT))
        if each.name not in ("mu_s", "mu_k")
    )


def constant_rate(context: MachineContext) -> float | None:
    """The speed [rad/s] at which a crank motor holds the crank, if it is one alone."""
    control = context.controller
    if not isinstance(control, CrankMotor):
        return None
    speeds = {knot.speed for knot in control.speeds}
    return speeds.pop() if len(speeds) == 1 else None


def constant_torque(context: MachineContext) -> float | None:
    """The torque [N m] that is prescribed for the whole run, if it is one alone."""
    control = context.controller
    if not (isinstance(control, TorqueProfile) and set(control.torques) == {ACTUATOR}):
        return None
    first = control.profiles_of(context.model.plant)[ACTUATOR].segments[0]
    lasts = first.end >= context.duration and not any(first.coefficients[1:])
    return first.coefficients[0] if lasts else None


def _at_three(parameters: PasibotParameters, metrics: Mapping[str, Metric]) -> list[Claim]:
    """The friction that a foot needs which does not slide, or the phases of one that does."""
    intervals = metrics.get("slip_intervals", [])
    slides = intervals if isinstance(intervals, Sequence) else []
    values = {"amplification": scalar(metrics, "amplification")}
    if not slides:
        values["least_friction"] = scalar(metrics, "slip_threshold_mu")
    elif parameters.mu_s == parameters.mu_k and _same(parameters.mu_k, ONE_SLIDE):
        begins = [float(ends[0]) % 1.0 for ends in slides if isinstance(ends, Sequence)]  # type: ignore[arg-type]
        values["slide_begin"] = min(begins, key=lambda begin: abs(begin - 0.5))
    return statements_on(values)


def _from_rest(torque: float, duration: float, metrics: Mapping[str, Metric]) -> list[Claim]:
    """Return whether a torque starts the machine, against the one that is published for that."""
    steps = scalar(metrics, "steps_made")
    decided = steps >= 1.0 or duration >= _DECIDED
    if abs(torque - START_TORQUE) <= _NEAR or not (math.isfinite(steps) and decided):
        return []
    walks, should = steps >= 1.0, torque > START_TORQUE
    words = f"{torque:g} N m {'start' if should else 'do not start'}"
    return [_STATEMENTS["starts"].of(walks, bound=float(should), torque=words)]


def _same(one: float | str, other: float | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=_SAME, abs_tol=_SAME)
