"""The published jump of Oh and Huang (2021): inputs, distance, and what explains the distance.

The document prints d and the torque; the initial angles, and that each segment of the torque has
its own time, are in the authors' public program, github.com/garlicbutter/HybridDynamicsFinal, as
commit 5d5016c has it: animation.m (phi = 54, inclined_theta = 55 degrees), tau_calc.m, and
lam_calc.m, which sets g = 9.8.
"""

import math
from functools import cache

import numpy as np

from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.motion import motion_from
from footfall_controllers.piecewise import Segment
from footfall_controllers.torque_profile import TorqueProfileParameters

DISTANCE = 0.1336  # m: item 5
FURTHER = 5.0  # item 6: "theoretically we can reach at least five times further"

# x = (x, y, theta1, theta2; rates), at rest with P at the origin
START = np.array([0.0, 0.0, math.radians(109.0), math.radians(-108.0), 0.0, 0.0, 0.0, 0.0])
START.flags.writeable = False

# f1 to f3 of item 5 [N m]; the first is 3.2 - 1500 (s - 0.04)^2
TORQUE = TorqueProfileParameters(
    (
        Segment(0.0, 0.06, (0.8, 120.0, -1500.0)),
        Segment(0.06, 0.25, (-0.6, 3.0)),
        Segment(0.25, 0.35, (0.9, -15.0)),
    )
)

# An earlier impact_law.m, that of commit 1c75c17, has (2/3)(6 c2 + 11), (6 c2 + 5)/3 and 5/3 of
# m l^2 for M_33, M_34 and M_44, where the text has (4/3)(3 c2 + 5), (2/3)(3 c2 + 2) and 4/3: the
# mass matrix of links with twice the inertia m l^2/3. animation.m of that commit starts from other
# angles; with the published ones, in commit 5d5016c, impact_law.m is right. No commit that could be
# read has both.
EARLY_IMPACT_INERTIA = 2.0


class OtherLinks(Hopper):
    """A hopper whose links have another inertia about their middles, as a multiple of m l^2/3."""

    def __init__(self, parameters: HopperParameters, inertia: float) -> None:
        super().__init__(parameters)
        self.turning += (inertia - 1.0) * parameters.m * parameters.l**2 / 3.0


@cache
def published_distance(parameters: HopperParameters, *, early_impact: bool = False) -> float:
    """Distance of the published inputs by the corrected equations [m].

    early_impact: with landings of a hopper of other links, as commit 1c75c17 has them.
    """
    landing = OtherLinks(parameters, EARLY_IMPACT_INERTIA) if early_impact else None
    machine, torque = Hopper(parameters), ProfileTorque(TORQUE)
    return motion_from(machine, torque, START, impact_machine=landing).jump.distance
