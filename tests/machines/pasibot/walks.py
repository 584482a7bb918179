"""Walks of PASIBOT that several test files share."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.machines.pasibot.assemblies import ASSEMBLIES

from footfall.machines.pasibot.closed_form.linkage import TEXT
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.slip_system import Prescribed, Torque, constant_speed
from footfall.machines.pasibot.slip_walk import slip_walk


def rough(parameters=TEXT, mu_s=0.05, mu_k=None):
    return replace(parameters, mu_s=mu_s, mu_k=mu_s if mu_k is None else mu_k)


def varied(time):
    """A crank that changes its speed: th8, th8', th8''."""
    return (
        STEP_BEGINS + 3.0 * time + 0.3 * np.sin(2.0 * time),
        3.0 + 0.6 * np.cos(2.0 * time),
        -1.2 * np.sin(2.0 * time),
    )


def held_speed(rate, gain, stiffness=0.0):
    """Feedback that holds a rate [rad/s] by gain [N m s], and pi/2 + rate t by stiffness [N m]."""

    def law(t, th8, now):
        return gain * (rate - now) + stiffness * (STEP_BEGINS + rate * t - th8)

    return Torque((law,))


MOTIONS = {
    "constant speed": (constant_speed(3.0), 2.3),
    "varied speed": (Prescribed(varied), 2.3),
    "speed held": (held_speed(3.0, gain=1.0, stiffness=4.0), 2.3),
    "start and brake": (
        Torque((lambda t, _th8, _rate: 1.2 + 0.0 * t, lambda _t, _th8, rate: -rate), (0.35,)),
        1.2,
    ),
}
every_drive = pytest.mark.parametrize("name", MOTIONS)
# each assembly and each drive once
every_pair = pytest.mark.parametrize(
    ("parameters", "name"), list(zip(ASSEMBLIES, MOTIONS, strict=True)), ids=list(MOTIONS)
)


SLIPPERY = rough(mu_s=0.05, mu_k=0.03)


@cache
def walked(name, parameters):
    """A walk of a drive, computed once."""
    drive, span = MOTIONS[name]
    found = slip_walk(parameters, drive, span)
    assert not found.ending
    return found


def spread(found, count, panels=1):
    """Gauss nodes and weights of every phase [s], in panels of so many each, with the phase."""
    node, weight = np.polynomial.legendre.leggauss(count)
    for phase in found.phases:
        edges = np.linspace(phase.start, phase.end, panels + 1)
        half = 0.5 * np.diff(edges)[:, None]
        time = (edges[:-1, None] + half * (node + 1.0)).ravel()
        yield phase, time, (half * weight).ravel()
