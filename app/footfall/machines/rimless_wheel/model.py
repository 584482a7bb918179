"""The rimless wheel of the closed form and the one of the plant: parameters, feet, states.

The plant's [q; v] = [x z turn; rates]: place of the hub in the slope frame (x downhill, z its
normal), and how far the wheel has turned, positive where it rolls towards +x.
"""

import math
from dataclasses import dataclass

import numpy as np
from pydrake.multibody.tree import RigidBody

from footfall.arrays import Array
from footfall.errors import ModelError, RunError
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.plants.terrain import slope_and_gravity
from footfall.textbook.rimless_wheel import RimlessWheel

POSITIONS = ("x", "z", "turn")
_SAME = 1e-9  # of a spoke or an angle: spokes that differ by less are alike


@dataclass(frozen=True)
class WheelModel:
    """A wheel as read off a model.

    m [kg], J about the hub [kg m^2], l of a spoke [m], gamma [rad] (positive: falls towards +x), g
    [m/s^2]. angles: by which each spoke is ahead of the downward one at turn = 0, in the order of
    the contacts, (n,) [rad].
    """

    m: float
    J: float
    l: float
    gamma: float
    g: float
    angles: tuple[float, ...]

    @property
    def alpha(self) -> float:
        """Half the angle between two spokes [rad]."""
        return math.pi / len(self.angles)

    def closed_form(self) -> RimlessWheel:
        """The wheel in closed form; raises RunError on a slope that does not fall towards +x."""
        try:
            return RimlessWheel(self.m, self.J, self.l, len(self.angles), self.gamma, self.g)
        except ValueError as error:
            raise RunError(
                f"the closed form of the rimless wheel does not hold here ({error}): give a "
                "terrain.slope_deg below 0 and above -90."
            ) from error

    def steady_rate(self) -> float:
        """Rate before every impact of the steady roll [rad/s]; raises RunError where is none."""
        exact = self.closed_form()
        try:
            return exact.fixed_point
        except ValueError as error:
            raise RunError(f"the rimless wheel has no steady roll: {error}.") from error

    def lean(self, foot: int, turn: float) -> float:
        """Angle of a spoke from the slope's normal, forward positive, within half a turn [rad]."""
        return math.remainder(turn - self.angles[foot], 2.0 * math.pi)

    def next_foot(self, foot: int) -> int:
        """The foot that strikes after one stands."""
        ahead = self.angles[foot] + 2.0 * self.alpha
        away = [abs(math.remainder(angle - ahead, 2.0 * math.pi)) for angle in self.angles]
        return int(np.argmin(away))

    def states(self, position: float, turn: Array, lean: Array, rate: Array) -> Array:
        """The plant's [q; v], (6, k), of a wheel on a foot at a place [m], (k,) each."""
        sin, cos = self.l * np.sin(lean), self.l * np.cos(lean)
        return np.array([position + sin, cos, turn, rate * cos, -rate * sin, rate])

    def foot_points(self, state: Array) -> tuple[Array, Array]:
        """Positions and velocities (x, z) of all feet in the slope frame [m, m/s].

        (n, 2) each of one state (6,), (n, 2, k) of many (6, k).
        """
        x, z, turn, v_x, v_z, rate = state
        ahead = np.subtract.outer(np.array(self.angles), turn)
        arm_x, arm_z = self.l * np.sin(ahead), -self.l * np.cos(ahead)
        positions = np.stack((x + arm_x, z + arm_z), axis=1)
        return positions, np.stack((v_x + rate * arm_z, v_z - rate * arm_x), axis=1)


def wheel_of(model: Model, contacts: ContactSet) -> WheelModel:
    """Read the wheel off a model on its terrain.

    Raises ModelError for a model that is no wheel of equal spokes about its mass centre.
    """
    plant = model.plant
    ends = _ends(contacts)
    body: RigidBody = contacts.ground[0].body
    lengths, angles = np.linalg.norm(ends, axis=1), np.arctan2(ends[:, 0], -ends[:, 1])
    inertia = body.default_spatial_inertia()
    count = len(ends)
    spacing = np.diff(np.sort(angles), append=angles.min() + 2.0 * math.pi)
    even = count >= 3 and np.allclose(spacing, 2.0 * math.pi / count, atol=_SAME)
    centred = np.abs(inertia.CalcComMoment()).max() <= _SAME * inertia.get_mass() * lengths[0]
    if not (even and centred and np.allclose(lengths, lengths[0], rtol=_SAME, atol=0.0)):
        raise ModelError(
            "the model is no rimless wheel: it needs at least three points of contact, evenly "
            "spaced about a hub that is its mass centre."
        )
    gamma, g = slope_and_gravity(plant)
    turning = inertia.CalcRotationalInertia().CopyToFullMatrix3()[1, 1]
    return WheelModel(
        m=float(inertia.get_mass()),
        J=float(turning),
        l=float(lengths[0]),
        gamma=gamma,
        g=g,
        angles=tuple(angles.tolist()),
    )


def _ends(contacts: ContactSet) -> Array:
    """Ends of the spokes (x, z) from the hub, (n, 2) [m]; ModelError where they are no points."""
    ends = []
    if not contacts.ground:
        raise ModelError("a rimless wheel needs collision shapes at the ends of its spokes.")
    for shape in contacts.ground:
        if shape.points.radius > 0.0 or shape.points.num_moving:
            raise ModelError("the feet of a rimless wheel are points: give it spheres of radius 0.")
        ends += [[x, z] for x, _, z in shape.points.fixed]
    return np.array(ends)
