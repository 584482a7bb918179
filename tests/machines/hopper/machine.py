"""The shipped hopper in the event-driven engine, its published jump, and drives for tests."""

import functools
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective

from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.model import parameters_of
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.schema import InitialState, Scenario
from footfall_controllers.torque_profile import TorqueProfile, TorqueSegment

FILE = "package://footfall/urdf/hopper/hopper.urdf.xacro"
# what the authors' program starts from, and its torque
PUBLISHED = np.array([0.0, 0.0, np.deg2rad(109.0), np.deg2rad(-108.0), *np.zeros(4)])
PUBLISHED_TORQUE = (
    (0.0, 0.06, (0.8, 120.0, -1500.0)),
    (0.06, 0.25, (-0.6, 3.0)),
    (0.25, 0.35, (0.9, -15.0)),
)


@dataclass(frozen=True)
class Pieces:
    """Torques by pieces, each a function of time, analytic."""

    functions: tuple
    breaks: tuple = ()

    def torque(self, _phase, piece, t, _x):
        return self.functions[piece](t)


def polynomials(segments=PUBLISHED_TORQUE):
    """A drive of segments (start, end, coefficients in local time), nothing after the last one."""

    def of(start, coefficients):
        return lambda t: sum(a * (t - start) ** k for k, a in enumerate(coefficients)) + 0.0 * t

    functions = [of(start, coefficients) for start, _, coefficients in segments]
    return Pieces((*functions, lambda t: 0.0 * t), tuple(end for _, end, _ in segments))


def profile(segments=PUBLISHED_TORQUE):
    """The same as a controller of a scenario."""
    return TorqueProfile({"hinge": [TorqueSegment(a, b, list(c)) for a, b, c in segments]})


def scenario(state=PUBLISHED, **changes):
    """The shipped hopper on level ground from a state x (8,)."""
    names = ("x", "z", "theta1", "theta2")
    numbers = [float(number) for number in state]
    settings = {
        "duration": 0.5,
        "time_step": 1e-3,
        "gravity": 10.0,
        "friction": 0.3,
        "controller": profile(),
        "arguments": {"hopper": {}},
        **changes,
    }
    return Scenario(
        directives=[
            ModelDirective(add_model=AddModel(name="hopper", file=FILE)),
            ModelDirective(add_weld=AddWeld(parent="terrain", child="hopper::ground")),
        ],
        initial=InitialState(
            positions=dict(zip(names, numbers[:4], strict=True)),
            velocities=dict(zip(names, numbers[4:], strict=True)),
        ),
        **settings,
    )


def context(state=PUBLISHED, **changes):
    """The same as its machine sees it."""
    given = scenario(state, **changes)
    return context_of(given, build_robot(given))


def closed_form(of):
    """The hopper of a setting in closed form."""
    return Hopper(parameters_of(of.model, of.contacts))


@functools.cache
def published_jump():
    """MachineContext and trajectory of the published inputs; must not be changed."""
    of = context()
    return of, hybrid(of)


def states(data):
    """States [q; v] of all rows, (N, 8)."""
    return np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))


DT = 2e-5  # s, a step of the Moreau engine whose error is small


def moreau(x, duration, mu, **changes):
    """States of the Moreau engine (N, 8) on Drake's plant, without torque."""
    given = scenario(x, friction=mu, controller=None, duration=duration, time_step=DT, **changes)
    return states(run_scenario(given, "hopper", "moreau").trajectory.data)
