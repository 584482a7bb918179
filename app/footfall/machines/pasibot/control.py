"""The motor of PASIBOT's crank in a scenario, and what a scenario is to the closed forms.

A prescribed torque T8(t) is a `TorqueProfile` of the actuator `motor`.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.errors import ModelError, ScenarioError
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, fold
from footfall.machines.pasibot.closed_form.two_freedoms import SlidingProfile, two_freedoms
from footfall.machines.pasibot.model import (
    ACTUATOR,
    BASE,
    CRANK,
    POINTS,
    exact_parameters,
    parameters_of,
    state_of,
)
from footfall.machines.pasibot.slip_system import Crank, Drive, Prescribed, Torque
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.plants.loading.load import Model
from footfall.registry.context import MachineContext
from footfall_controllers.controller import Controller, Wiring
from footfall_controllers.crank_motor import CrankMotorSystem, CrankSpeeds
from footfall_controllers.torque_profile import TorqueProfile


class ReducedCrank:
    """Inertia and torque of a machine that stands on one foot, by the angle of its crank.

    mean_inertia: of the crank over a step [kg m^2].
    """

    def __init__(self, parameters: PasibotParameters) -> None:
        self._profile = SlidingProfile(parameters)
        step = np.linspace(0.0, math.pi, 65)[:-1] + STEP_BEGINS
        self.mean_inertia = float(two_freedoms(parameters, step).inertia.mean())

    def torque(self, angle: float, rate: float, acceleration: float) -> float:
        """Return the torque of a motion [N m] at an angle [rad] from where the step begins.

        Beyond a step the feet have changed their parts.
        """
        folded, _ = fold(np.array(angle + STEP_BEGINS))
        return float(self._profile(float(folded)).inverse(rate, acceleration).torque)


@dataclass
class CrankMotor(CrankSpeeds, Controller):
    """Let PASIBOT's crank turn at a prescribed speed, by feedback from its angle.

    What the motor can give is for the scenario's `motors` to say.
    """

    def system_for(self, wiring: Wiring) -> CrankMotorSystem:
        """Return the motor of a machine's crank; raises ModelError for another machine."""
        try:
            machine = parameters_of(wiring.model, wiring.contacts)
        except ModelError as error:
            raise ModelError(f"controller CrankMotor: {error}") from error
        return CrankMotorSystem(wiring.model.plant, ReducedCrank(machine), self, wiring.time_step)


def gait(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] of the machine where its crank motor is at time 0, all loops closed.

    Without a crank motor it stands on both feet at rest, where foot 1 begins to support.
    """
    crank = controller if isinstance(controller, CrankMotor) else CrankMotor()
    angle, speed, _ = crank.motion(0.0)
    parameters = parameters_of(model, contacts)
    return state_of(model.plant, parameters, STEP_BEGINS + angle, speed)


STILL = 1e-6
"""Speed [m/s] below which a foot does not slide at the start."""

_CLOSED = 1e-6  # rad, m, rad/s or m/s: a start this near to the closed form is on it


class WalkSetup(NamedTuple):
    """A machine and what moves it from its start, foot 1 supporting.

    start: crank, th8 [rad] in the first step and rate [rad/s]; x_foot: x of foot 1 [m]; speed: with
    which it slides [m/s].
    """

    parameters: PasibotParameters
    drive: Drive
    start: Crank
    x_foot: float
    speed: float


def walk_setup(context: MachineContext, engine: str) -> WalkSetup:
    """Read a scenario; raises ScenarioError or ModelError for what the closed forms do not know."""
    try:
        parameters = exact_parameters(context.model, context.contacts)
    except ModelError as error:
        raise ModelError(str(error).replace("engine hybrid", f"engine {engine}")) from error
    if not set(POINTS) <= set(context.contacts.names):
        raise ScenarioError(
            f"engine {engine}: PASIBOT walks on both feet there, this model touches the ground "
            "with one at most: set standing: both, or choose moreau or drake."
        )
    drive = drive_of(context, engine)
    start, x_foot, speed = _start(context, parameters, engine)
    first = drive.crank(0.0, start)
    if max(abs(first.th8 - start.th8), abs(first.rate - start.rate)) > _CLOSED:
        raise ScenarioError(
            f"engine {engine}: the crank motor begins at {first.th8 - STEP_BEGINS:.6g} rad with "
            f"{first.rate:.6g} rad/s, the machine at {start.th8 - STEP_BEGINS:.6g} rad with "
            f"{start.rate:.6g} rad/s: set initial.on_gait, or choose moreau or drake."
        )
    return WalkSetup(parameters, drive, Crank(*map(float, first)), x_foot, speed)


def drive_of(context: MachineContext, engine: str) -> Drive:
    """Return what moves the crank; raises ScenarioError for a controller that is not known here."""
    control = context.controller
    if isinstance(control, CrankMotor):
        return polygon(control)
    if isinstance(control, TorqueProfile):
        profile = control.profiles_of(context.model.plant).get(ACTUATOR)
        if profile is not None:
            pieces = range(len(profile.segments) + 1)
            laws = tuple(_torque_law(profile.torque, piece) for piece in pieces)
            return Torque(laws, tuple(profile.breaks))
    elif control is not None:
        raise ScenarioError(
            f"engine {engine}: it knows the controllers CrankMotor and TorqueProfile: take one of "
            "them, or choose moreau or drake."
        )
    return Torque((lambda t, _th8, _rate: 0.0 * t,))


def polygon(law: CrankSpeeds) -> Prescribed:
    """The motion that a crank motor prescribes, for times of any shape, real or complex."""
    knots = np.array([0.0, *(time for time in law.knots[0] if time > 0.0)])
    angles, speeds, ramps = np.array([law.motion(knot) for knot in knots.tolist()]).T

    def motion(t: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 (numbers or arrays)
        knot = np.clip(np.searchsorted(knots, np.real(t), side="right") - 1, 0, None)
        since, ramp = t - knots[knot], ramps[knot]
        rate = speeds[knot] + ramp * since
        th8 = angles[knot] + (speeds[knot] + 0.5 * ramp * since) * since
        return STEP_BEGINS + th8, rate, ramp + 0.0 * t

    return Prescribed(motion, tuple(knots[1:].tolist()))


def _torque_law(torque: Any, piece: int) -> Any:  # noqa: ANN401 (functions of numbers or arrays)
    """T8 of a piece of a profile, of time alone."""
    return lambda t, _th8, _rate: torque(piece, t)


def _start(
    context: MachineContext, parameters: PasibotParameters, engine: str
) -> tuple[Crank, float, float]:
    """Return where the machine starts, which has to be in its first step, with its loops closed."""
    plant, state = context.model.plant, context.initial_state
    q, v = coordinate_names(plant)
    turned, rate = state[q.index(CRANK)], state[len(q) + v.index(CRANK)]
    x_foot, speed = state[q.index(BASE[0])], state[len(q) + v.index(BASE[0])]
    start = Crank(STEP_BEGINS + float(turned), float(rate))
    if not STEP_BEGINS - _CLOSED <= start.th8 <= STEP_ENDS:
        raise ScenarioError(
            f"engine {engine}: a walk begins in the first step, crank from 0 to pi, not at "
            f"{turned:.4g}: start it there, or choose moreau or drake."
        )
    closed = state_of(plant, parameters, start.th8, start.rate, float(x_foot), float(speed))
    off = np.abs(closed - state)
    if off.max() > _CLOSED:
        name = [*q, *v][int(off.argmax())]
        raise ScenarioError(
            f"engine {engine}: at the start the loops are not closed, or foot 1 does not stand: "
            f"{name} is off by {off.max():.2g}: set initial.on_gait, or choose moreau or drake."
        )
    return start._replace(th8=max(start.th8, STEP_BEGINS)), float(x_foot), float(speed)


def simulated_time(context: MachineContext) -> float:
    """Return the duration [s], rounded to whole time steps."""
    return round(context.duration / context.time_step) * context.time_step
