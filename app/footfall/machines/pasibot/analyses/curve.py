"""One curve of a figure of PASIBOT, in numbers that a checkpoint keeps."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import total_mass, weighing
from footfall.machines.pasibot.closed_form.energy import Reduced, reduced
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, fold
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.closed_form.sliding_profile import SlidingProfile
from footfall.machines.pasibot.closed_form.walk import walk
from footfall.machines.pasibot.document_scheme import document_scheme
from footfall.machines.pasibot.predictions import SHOWN
from footfall.machines.pasibot.slip import lasting, slip_walk
from footfall.machines.pasibot.slip_drives import constant_speed
from footfall.metrics import Metric


class ParameterCurve(NamedTuple):
    """Values y over x, and metrics of the curve by name."""

    x: list[float]
    y: list[float]
    summary: dict[str, Metric]


def varied(parameters: PasibotParameters, vary: str, value: float) -> PasibotParameters:
    """The machine with another load, weight [kg] or friction; with another drive it is the same."""
    if vary == "load":
        return replace(parameters, hip_load=value)
    if vary == "weight":
        return weighing(parameters, value)
    if vary == "friction":
        return replace(parameters, mu_s=value, mu_k=value)
    if vary == "kinetic":
        return replace(parameters, mu_k=value)
    return parameters


def torque_curve(parameters: PasibotParameters, rate: float, points: int) -> ParameterCurve:
    """T8 [N m] over a step at a constant rate [rad/s], the foot held."""
    phase = np.linspace(0.0, 1.0, points)
    at = reduced(parameters, STEP_BEGINS + phase * (STEP_ENDS - STEP_BEGINS))
    along, up = _floor(parameters, at, rate, 0.0)
    friction = float((np.abs(along) / up).max()) if (up > 0.0).all() else math.inf
    return ParameterCurve(
        phase.tolist(), np.asarray(at.torque(rate, 0.0)).tolist(), {"friction": friction}
    )


def angle_curve(
    parameters: PasibotParameters, torque: float, duration: float, points: int
) -> ParameterCurve:
    """Angle of the crank [rad] from rest at pi/2 under a constant torque [N m], the foot held.

    It goes on where the floor would have to pull, of which "floor_until" [s] is the first time.
    """
    walked = walk(parameters, lambda _time: torque, duration)
    time = np.linspace(0.0, duration, points)
    th8, rate = walked.at(np.minimum(time, walked.end))
    at = reduced(parameters, fold(th8)[0])
    along, up = _floor(parameters, at, rate, at.acceleration(rate, torque))
    pulls = up <= 0.0
    first = (th8 <= STEP_ENDS) & ~pulls
    summary: dict[str, Metric] = {
        "floor_until": float(time[pulls.argmax()]) if pulls.any() else duration,
        "friction": float((np.abs(along[first]) / up[first]).max()),
    }
    return ParameterCurve(time.tolist(), (th8 - STEP_BEGINS).tolist(), summary)


def slip_curve(
    parameters: PasibotParameters, rate: float, steps: int, points: int, dt: float
) -> ParameterCurve:
    """Slip of the supporting feet [m] over phases at a constant rate [rad/s], by events.

    From th8 = pi/2 with a foot at rest. dt [s]: of the document's own scheme of fixed steps, which
    is held against it. Raises ValueError where the floor would have to pull.
    """
    profile, drive = SlidingProfile(parameters), constant_speed(rate)
    walked = slip_walk(profile, drive, lasting(float(steps), rate))
    if walked.ending:
        raise ValueError(walked.ending.partition(":")[0])
    phase = np.linspace(0.0, float(steps), points)
    time = np.minimum(phase * math.pi / rate, walked.end)
    slip = walked.at(time).slip
    written = document_scheme(profile, drive, walked.end, dt).slip_at(time)
    least = SHOWN * 8.0 * parameters.l8
    intervals: Metric = [
        [slide.begin_phase, slide.end_phase]
        for slide in walked.slides
        if abs(slide.distance) > least
    ]
    summary: dict[str, Metric] = {
        "steps": list(walked.slip_of_steps),
        "slides": intervals,
        "written": float(np.abs(written - slip).max()),
    }
    return ParameterCurve(phase.tolist(), slip.tolist(), summary)


def _floor(
    parameters: PasibotParameters, at: Reduced, rate: float | Array, acceleration: float | Array
) -> tuple[Array, Array]:
    """Force of the floor along it and upwards [N]; as `two_freedoms`."""
    square = np.square(rate)
    along = at.sway * acceleration + at.sway_slope * square
    lifted = at.gravity * acceleration + at.gravity_slope * square
    up = total_mass(parameters) * parameters.g + lifted / parameters.g
    return np.asarray(along), np.asarray(up)
