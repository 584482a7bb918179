"""Claims of the TUlip report on a motor behind a gear, held against a run.

It prints formulas and no numbers: a run is checked by what they give for its machine.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr

from footfall.errors import ScenarioError
from footfall.machines.motor.model import motor_of, response_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, checked
from footfall.registry.context import MachineContext

_SOURCE = "TUlip report, part I.ii, the acceleration of the load"
_FRICTION = "TUlip report, part I.ii, the friction term"
# of integrators in continuous time, and of reading an acceleration off three rows
_LEAST = 1e-6


_RATIO = "motors.motor.gear_ratio"
_CLOSE = 1e-4  # a hill is flat: 1e-8 of its height is this far from its top


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Claim on the gear of the largest acceleration, of a sweep that searches for it from rest."""
    name = f"best_{_RATIO}_of_start_acceleration"
    if name not in data:
        return xr.Dataset(), ()
    best = data[name].isel(engine=0)
    speed = "initial.velocities.load"
    best = best.sel({speed: 0.0}) if 0.0 in best.coords.get(speed, ()) else best
    motor = motor_of(context.model, context.contacts)
    if best.ndim or not np.isfinite(best) or motor.J_m == 0.0:
        return xr.Dataset(), ()
    exact = math.sqrt(motor.J_l / motor.J_m)
    claim = checked(
        "the gear of the largest acceleration from rest is sqrt(J_load / J_motor)",
        "1",
        float(best),
        exact,
        _CLOSE * exact,
        source="TUlip report, part I.ii: where the derivative of its acceleration is 0",
        reason=(
            "the report prints the acceleration and neither numbers nor the optimum, which "
            "follows from it by calculus; here a search among simulations finds it. The "
            "acceleration is flat there: rounding hides the place, to the root of itself"
        ),
    )
    return xr.Dataset(), [claim]


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The acceleration from rest, and the time constant that the friction term brings about."""
    try:
        response = response_of(context)
    except ScenarioError:
        return []
    motor = response.motor
    late = 3.0 * context.time_step * response.phases[0].motion.D / motor.inertia
    judged = []
    if response.asked != 0.0 and context.initial_state[1] == 0.0:
        exact = float(motor.acceleration(response.asked, 0.0))
        judged.append(
            checked(
                "acceleration from rest is T n / (J_load + J_motor n²)",
                "rad/s^2",
                scalar(metrics, "start_acceleration"),
                exact,
                abs(exact) * max(late, _LEAST),
                source=_SOURCE,
                reason=(
                    "the report prints the formula and no numbers: its value for this machine, "
                    "whose numbers are assumed. An engine with time steps is off by about its step "
                    "over the time constant, and three times that is allowed"
                ),
            )
        )
    measured = scalar(metrics, "time_constant")
    if math.isfinite(measured):
        exact = motor.inertia / motor.damping
        judged.append(
            checked(
                "time constant is (J_load + J_motor n²) / (B n²)",
                "s",
                measured,
                exact,
                3.0 * context.time_step,
                source=_FRICTION,
                reason=(
                    "the report prints the friction term B n² and no numbers: what it means for "
                    "this machine, whose numbers are assumed. An engine with time steps is late or "
                    "early by about half a step"
                ),
            )
        )
    return judged
