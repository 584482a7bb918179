"""PASIBOT's plant in scenarios for tests: on one foot, on both, or held."""

import functools

import numpy as np
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective

from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.control import CrankMotor
from footfall.machines.pasibot.model import BASE, coordinates
from footfall.plants.contacts import SwingFeet
from footfall.run import run_scenario
from footfall.scenario.schema import InitialState, Scenario
from footfall_controllers.crank_motor import CrankSpeed

FILE = "package://footfall/urdf/pasibot/pasibot.urdf.xacro"
TOES = SwingFeet(feet=["pasibot::toe_1", "pasibot::toe_2"])


def initial(rate, standing, th8=STEP_BEGINS):
    """A state of the closed form as a scenario says it."""
    moving = coordinates(TEXT, th8, rate)
    for name in BASE if standing == "held" else ():
        del moving[name]
    return InitialState(
        {name: position for name, (position, _) in moving.items()},
        {name: velocity for name, (_, velocity) in moving.items()},
    )


def motor(speed, **changes):
    """A crank that turns at one speed."""
    return CrankMotor(speeds=[CrankSpeed(speed=speed)], **changes)


def scenario(standing, controller, duration, *, rate=0.0, **changes):
    """The machine of the text from the beginning of a step; rate [rad/s] of its crank there."""
    return Scenario(
        directives=[
            ModelDirective(add_model=AddModel(name="pasibot", file=FILE)),
            ModelDirective(add_weld=AddWeld(parent="terrain", child="pasibot::ground")),
        ],
        arguments={"pasibot": {"standing": standing}},
        initial=initial(rate, standing),
        controller=controller,
        duration=duration,
        **{"friction": 0.2, "time_step": 1e-3} | changes,
    )


@functools.cache
def steady(standing, engine, speed, time_step, steps=1.0, friction=0.2):
    """Steps at a constant speed of the crank; the run must not be changed."""
    duration = round(steps * np.pi / speed / time_step) * time_step
    changes = {"alternating_feet": TOES} if standing == "both" else {}
    chosen = scenario(
        standing,
        motor(speed),
        duration,
        rate=speed,
        time_step=time_step,
        friction=friction,
        **changes,
    )
    return run_scenario(chosen, "pasibot/trial", engine)
