"""The published jump by the corrected equations, and what explains d = 0.1336 m.

The authors' program is no simulator of its own here: the event-driven model makes the jump, with
landings of a hopper whose links have another inertia, as one version of the program has it (see
`footfall.machines.hopper.published`).
"""

from functools import cache

from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.published import EARLY_IMPACT_INERTIA, START, TORQUE
from footfall.machines.hopper.reference import jump


class OtherLinks(Hopper):
    """A hopper whose links have another inertia about their middles, as a multiple of m l^2/3."""

    def __init__(self, parameters: HopperParameters, inertia: float) -> None:
        super().__init__(parameters)
        self.turning += (inertia - 1.0) * parameters.m * parameters.l**2 / 3.0


def landing_machine(parameters: HopperParameters, *, early_impact: bool) -> Hopper:
    """Return the hopper that an impact law of the program is of; early: commit 1c75c17's."""
    if early_impact:
        return OtherLinks(parameters, EARLY_IMPACT_INERTIA)
    return Hopper(parameters)


@cache
def published_distance(parameters: HopperParameters, *, early_impact: bool = False) -> float:
    """Distance of the published inputs [m]; early_impact: with commit 1c75c17's impact."""
    landing = landing_machine(parameters, early_impact=early_impact)
    drive = ProfileTorque(TORQUE)
    return jump(Hopper(parameters), drive, START, impact_machine=landing).distance
