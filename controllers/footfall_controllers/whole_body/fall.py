"""Falls of a robot: when balance is lost for good, and the torques that are sent from then on.

Who goes on to balance has tasks that no ground can serve any more. Forces are counted on that do
not come, and torques that were to be held up by them whirl feet of little inertia to hundreds of
radians a second within some ticks. So all joints are braked instead.
"""

import math
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.checked import Checked, between, positive
from footfall.jit import njit
from footfall.plants.flat.motion import FrameMotions
from footfall_controllers.whole_body.motion_kernels import CornerTable
from footfall_controllers.whole_body.terms import RobotTerms


@dataclass
class Fall(Checked, at="controller.fall."):
    """Lean, height and speed at which a robot counts as fallen, and the brake of its joints."""

    # Lean of the trunk off where it was when the run began, whatever its heading [deg].
    lean: float = between(60.0, 0.0, 180.0, open_low=True, open_high=True)
    # Height of the centre of mass over the lowest corner of the contacts, of that at the start.
    height: float = between(0.5, 0.0, 1.0, open_low=True, open_high=True)
    # Speed of a contact that should bear, of that of a free fall from the height of the centre of
    # mass at the start: falls alone make nothing faster, motors that whirl a foot in the air do.
    speed: float = positive(3.0)
    # Rate at which the joints are brought to rest [1/s].
    rate: float = positive(50.0)


class FallDetection:
    """Tells whether a robot has fallen or is about to, against how it stood at the start.

    names: of what a robot that stands keeps, for the reason.
    """

    def __init__(self, fall: Fall, terms: RobotTerms, table: CornerTable) -> None:
        """Take the contacts' corners by link."""
        self.fall, self._terms, self._table = fall, terms, table
        self._upright = float(np.cos(np.radians(fall.lean)))
        self.names = (
            f"a lean of {terms.trunk.name()} below {fall.lean:g} deg",
            f"a centre of mass above {fall.height:g} of its height over the feet",
            "contacts that rest where they bear",
        )
        self._stood, self._up = b"", np.zeros(3)
        self._lowest, self._fastest = 0.0, 0.0  # [m], [m/s]

    def stand(self, q: Array) -> None:
        """Take positions as those of a robot that stands; moves the terms."""
        stood = q.tobytes()
        if stood == self._stood:
            return
        self._stood = stood
        terms = self._terms
        terms.set_state(np.concatenate([q, np.zeros(terms.plant.num_velocities())]))
        self._up = terms.R_trunk[2].copy()
        height, _ = self._height_and_speed(np.zeros(len(self._table.link)))
        gravity = float(np.linalg.norm(terms.gravity))
        self._lowest = self.fall.height * height
        self._fastest = self.fall.speed * math.sqrt(2.0 * gravity * max(height, 0.0))

    def lost(self, activation: Array) -> list[str]:
        """Return names of what the robot does not keep at the state of the terms.

        activation: of the contacts, from 0 to 1.
        """
        upright = float(self._terms.R_trunk[2] @ self._up) >= self._upright
        height, speed = self._height_and_speed(activation)
        kept = (upright, height >= self._lowest, speed <= self._fastest)
        return [name for name, fine in zip(self.names, kept, strict=True) if not fine]

    def _height_and_speed(self, activation: Array) -> tuple[float, float]:
        """Height of the centre of mass over the lowest corner [m], and the fastest one's speed.

        That is of corners of contacts that bear without reserve [m/s].
        """
        lowest, fastest = lowest_and_fastest(self._table, self._terms.stack(), activation)
        return float(self._terms.p_com[2]) - lowest, fastest


@njit
def lowest_and_fastest(
    contacts: CornerTable, links: FrameMotions, activation: Array
) -> tuple[float, float]:
    """Return the height of the lowest corner [m], and the largest speed of those that bear [m/s].

    activation (N,): of contacts; those of 1 bear.
    """
    lowest, fastest = math.inf, 0.0
    for k in range(len(contacts.link)):
        link = contacts.link[k]
        R, V = links.R[link], links.V[link]
        for c in range(contacts.first[k], contacts.first[k + 1]):
            p = contacts.corners[c]
            x = R[0, 0] * p[0] + R[0, 1] * p[1] + R[0, 2] * p[2]
            y = R[1, 0] * p[0] + R[1, 1] * p[1] + R[1, 2] * p[2]
            z = R[2, 0] * p[0] + R[2, 1] * p[1] + R[2, 2] * p[2]
            lowest = min(lowest, links.p[link, 2] + z)
            if activation[k] >= 1.0:
                v = V[3] + V[1] * z - V[2] * y
                w = V[4] + V[2] * x - V[0] * z
                u = V[5] + V[0] * y - V[1] * x
                fastest = max(fastest, math.sqrt(v * v + w * w + u * u))
    return lowest, fastest


def braking_torques(terms: RobotTerms, rate: float, least: Array, most: Array) -> Array:
    """Return torques (nu,) [N m] that let the speeds of all driven joints decay at a rate [1/s].

    They would, were they alone: the inertia is that which the joints have while nothing holds the
    robot. All are made smaller by one factor where limits, least and most, ask for it, so that they
    take energy out of the robot and never bring some in.
    """
    driven, passive, M = terms.driven, terms.passive, terms.M
    of_passive = np.linalg.solve(M[np.ix_(passive, passive)], M[np.ix_(passive, driven)])
    inertia = M[np.ix_(driven, driven)] - M[np.ix_(driven, passive)] @ of_passive
    torques = terms.efforts_of @ (-rate * inertia @ terms.v[driven])
    side = np.where(torques > 0.0, most, -least)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(torques != 0.0, np.maximum(side, 0.0) / np.abs(torques), 1.0)
    slowed: Array = min(1.0, float(shares.min(initial=1.0))) * torques
    return np.minimum(np.maximum(slowed, least), most)
