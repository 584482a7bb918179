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

from footfall.engine_names import ENGINES
from footfall.machines.pasibot.closed_form.linkage import TEXT, PasibotParameters
from footfall.machines.pasibot.closed_form.thresholds import (
    FRICTION_RATE,
    LEAST_FRICTION,
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
from footfall.registry.claims import Claim, Relation, Verdict, stated
from footfall.registry.context import MachineContext
from footfall_controllers.torque_profile import TorqueProfile

SOURCE = "Corral et al. 2016"

_SAME = 1e-6  # relative
_NEAR = 0.005  # N m: half of the last digit printed
_DECIDED = 2.0  # s: any other torque makes the first step by then, or never

_OURS = "that is our reading of the words"
_DIGIT = 0.005  # half of the last digit printed, of both scalars


def _says(
    name: str,
    unit: str,
    bound: float,
    relation: Relation,
    where: str,
    reason: str,
    tolerance: float = 0.0,
    *,
    fitted: bool = False,
    printed: bool = False,
) -> Claim:
    """A claim that no value is held to yet; printed: the bound is, and not our reading of words."""
    source, value = f"{SOURCE}, {where}", math.nan
    if printed:
        verdict: Verdict = "fitted" if fitted else "reproduced"
        return Claim(name, unit, value, bound, tolerance, verdict, source, reason)
    verdict = "fitted" if fitted else "predicted"
    words = (name, unit, value, math.nan, tolerance, verdict, source, reason, bound, relation)
    return Claim(*words, "words")


STATEMENTS: dict[str, Claim] = {
    "start_torque": _says(
        "torque above which it can start walking: what carries it over V(th8) - V(pi/2)",
        "N m",
        START_TORQUE,
        "about",
        "section 6",
        "the weight is fitted to it: the masses are lost",
        _DIGIT,
        fitted=True,
        printed=True,
    ),
    "least_friction": _says(
        "least friction that prevents slip at 3 rad/s",
        "1",
        LEAST_FRICTION,
        "about",
        "section 7.2, figure 17",
        "the length of the crank is fitted to it: it is lost",
        _DIGIT,
        fitted=True,
        printed=True,
    ),
    "equations": _says(
        "23 links have 69 equations, which determine 69 forces and the torque (rank in a step)",
        "1",
        69.0,
        "about",
        "section 5",
        "the matrix is lost with figure 9 and rebuilt link by link: 33 joints of two forces, two "
        "slots of one, the torque; its numerical rank, wherever the crank is",
        printed=True,
    ),
    "foot_tilt": _says(
        "the supporting foot remains parallel to the slot (largest angle)",
        "rad",
        0.01,
        "at most",
        "section 3",
        f"half a degree: {_OURS}; C leaves the slot's line, so that it cannot be exact",
    ),
    "amplification": _says(
        "the pantograph turns the path of C upside down and makes it twice as large",
        "1",
        2.0,
        "about",
        "section 3",
        "femur and tibia, whose lengths are not printed, are as long as that asks for; within a "
        "thousandth, since loops in engines give way",
        1e-3,
        fitted=True,
        printed=True,
    ),
    "straightness": _says(
        "C moves along a quasi-straight line while its foot stands (width of its path)",
        "l8",
        0.02,
        "at most",
        "section 3",
        f"a fiftieth of the crank, of a stroke of four: {_OURS}; lengths are printed",
    ),
    "exchange_error": _says(
        "a step is half a turn: then the other foot stands, level and without speed",
        "1",
        1e-9,
        "at most",
        "section 6",
        "height over the crank, tilt, and speeds for a rate of 1 rad/s, the largest of them; that "
        "feet change places so follows from the printed lengths",
    ),
    "low_change": _says(
        "torque graphs below 3 rad/s hardly differ (1 and 2 rad/s, rms over the range)",
        "1",
        0.1,
        "at most",
        "section 5, figure 11",
        f"less than a tenth of the range: {_OURS}",
    ),
    "shape_low": _says(
        "torque has the same shape at all speeds but the highest (least correlation with 1 rad/s)",
        "1",
        0.9,
        "at least",
        "section 5, figure 11",
        f"a correlation of 0.9: {_OURS}; at 2, 3 and 4 rad/s as the figure is drawn here; which "
        "speeds the lost one has between is not said",
    ),
    "shape_5": _says(
        "torque at 5 rad/s has another shape (correlation with 1 rad/s)",
        "1",
        0.9,
        "at most",
        "section 5, figure 11",
        f"a correlation below 0.9: {_OURS}",
    ),
    "load_change": _says(
        "torque depends slightly on a load of up to 15 kg (largest change over the range)",
        "1",
        0.1,
        "at most",
        "section 5, figure 12",
        f"less than a tenth of the range, by more than the machine's own weight: {_OURS}; of 20 "
        "machines with other assumed masses (pasibot/calibrate) 6 keep it",
    ),
    "hip_rise": _says(
        "the hip remains at almost the same level in a step (way up and down)",
        "l8",
        0.1,
        "at most",
        "section 5",
        f"a tenth of the crank, on legs of 27 cranks: {_OURS}; lengths are printed, the hip's mass "
        "centre is assumed",
    ),
    "slide_begin": _says(
        "a single slide begins at mid-step (phase, friction 0.07)",
        "1",
        0.5,
        "about",
        "section 7.2, figure 17",
        f"within 0.06 of a step: {_OURS}; nothing was chosen for it",
        0.06,
    ),
    "end_after_knee": _says(
        "it lasts until the swinging leg is highest, read of the knee (phase of its end)",
        "1",
        0.0,
        "about",
        "section 7.2, figure 17",
        "from the knee's highest place; which point and which friction is meant is lost: the knee "
        "and 0.07 were chosen since they fit, the slide ends earlier with more friction, later "
        "with less",
        0.03,
        fitted=True,
    ),
    "end_after_ankle": _says(
        "it lasts until the swinging leg is highest, read of the ankle (phase of its end)",
        "1",
        0.0,
        "about",
        "section 7.2, figure 17",
        "the ankle is highest at mid-step, where the slide begins",
        0.03,
    ),
    "second_middle": _says(
        "of two slides one is in the first quarter (phase of its middle, friction 0.05)",
        "1",
        0.25,
        "about",
        "section 7.2, figure 17",
        f"at the end of the first quarter, within 0.06: {_OURS}; of the four assemblies of the "
        "linkage this one was chosen for it",
        0.06,
        fitted=True,
    ),
    "many_slides": _says(
        "at friction 0.03 slides occur repeatedly (in a step)",
        "1",
        3.0,
        "at least",
        "section 7.2, figure 17",
        f"three at least that are longer than 0.02 % of a step: {_OURS}; the other three "
        "assemblies have two",
    ),
    "kinetic_order": _says(
        "the bigger the kinetic friction, the smaller the slide (least growth to the next lower)",
        "1",
        1.0,
        "at least",
        "section 7.2, figure 19",
        "slides at mid-step for 0.2, 0.1, 0.05",
    ),
    "kinetic_spread": _says(
        "slides at all kinetic frictions begin at the same point (spread of phases)",
        "1",
        0.0,
        "about",
        "section 7.2, figure 19",
        "slides at mid-step: where a foot leaves static friction does not depend on the kinetic "
        "one, unless it slides still from before",
        1e-6,
    ),
    "driven_order": _says(
        "the same under a given torque, (36): growth of the slide to the next lower friction",
        "1",
        1.0,
        "at least",
        "section 7.2",
        "first slides from rest under 1 N m, static friction 0.5, kinetic 0.5, 0.4, 0.3; the "
        "text's words are of figure 19, at a constant speed",
    ),
    "driven_spread": _says(
        "slides under a given torque begin at the same point as well (spread of phases)",
        "1",
        0.0,
        "about",
        "section 7.2",
        "the same slides: until then nothing knows the kinetic friction",
        1e-6,
    ),
}
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
    simulated = set(data["engine"].to_numpy().tolist()) & set(ENGINES)
    if not quantities or simulated or not is_text(parameters):
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
    return [
        stated(
            f"{torque:g} N m {'start' if should else 'do not start'} it: a step is made (1) or not",
            "1",
            float(walks),
            float(should),
            source=f"{SOURCE}, section 6, figure 13",
            reason="0.84 N m are needed; the weight is fitted to that. Where the foot may slide or "
            "lift, more is: the text's cannot",
            fitted=True,
        )
    ]


def _same(one: float | str, other: float | str) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=_SAME, abs_tol=_SAME)
