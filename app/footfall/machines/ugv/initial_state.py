"""The vehicle at rest on its track, held by its drive: what a simulation of it begins with.

Frames: W world, T terrain. Letters as in `closed_form`; nothing here uses its balance.
"""

import math

import numpy as np
from scipy.optimize import brentq

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.machines.ugv.closed_form.position import UgvParameters
from footfall.machines.ugv.control import WheelLegDrive
from footfall.machines.ugv.ground import outlines_of
from footfall.machines.ugv.model import WHEELS, parameters_of, rows_of, wheel_centres
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall_controllers.controller import Controller
from footfall_controllers.wheel_leg_drive import JOINTS

_TOUCH = 1e-12  # m: that the wheels are in the ground, or rounding decides whether they touch
_SETTLED = 1e-12  # rad: of the legs
_ROUNDS = 50
_SAMPLES = 400  # places behind the front wheel at which the rear one is looked for


def standing_state(model: Model, contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] at rest, the front wheel's centre at the first station of the drive.

    The legs have given way by what they bear, the wheels by what holds the vehicle on a slope: the
    drive's torques at time 0 are in balance with the weight. Without a drive it stands at x = 0 on
    legs that stand down. Raises ModelError, one line, where it cannot stand.
    """
    parameters = parameters_of(model, contacts)
    law = controller if isinstance(controller, WheelLegDrive) else WheelLegDrive()
    plan = law.plan
    s = float(plan.s[0])
    wanted, _ = plan.at(s)
    ground = CentreLine(model, parameters.r)
    dynamics, rows = Dynamics(model, contacts), rows_of(model)
    deflection = np.zeros(3)  # rear leg, front leg, wheels [rad]
    for _ in range(_ROUNDS):
        q = _stand(parameters, ground, s, wanted - deflection[:2])
        q[[4, 6]] -= deflection[2]
        state = np.zeros(model.plant.num_multibody_states())
        state[rows] = q
        held = _hold(dynamics, contacts, state)
        if not isinstance(controller, WheelLegDrive):
            return state
        before = deflection
        with np.errstate(divide="ignore", invalid="ignore"):
            deflection = held / np.array([law.leg_kp, law.leg_kp, law.ki])
        if np.abs(deflection - before).max() < _SETTLED:
            return state
        if not np.isfinite(deflection).all():
            break
    raise ModelError("the legs give way under the vehicle: give controller.leg_kp above 0.")


class CentreLine:
    """Height of a wheel's centre over the ground and the boxes that are fixed to it."""

    def __init__(self, model: Model, radius: float) -> None:
        """Take the boxes' outlines in the plane y = 0 of the terrain."""
        self._r = radius
        corners = [outline.corners for outline in outlines_of(model)]
        self._corners: Array = np.array(corners).reshape(-1, 4, 2)
        begin, end = self._corners, np.roll(self._corners, -1, axis=1)
        self._edge = end - begin
        with np.errstate(divide="ignore", invalid="ignore"):
            # outwards to the right of an edge, since the corners go round counter-clockwise
            out = np.stack((self._edge[..., 1], -self._edge[..., 0]), axis=-1)
            out *= radius / np.hypot(*np.moveaxis(out, -1, 0))[..., None]
        self._out: Array = out

    def __call__(self, x: float) -> float:
        """Height [m] of the centre of a wheel that touches, its centre at x [m]."""
        return float(self.heights(np.array([x]))[0])

    def heights(self, x: Array) -> Array:
        """Heights [m] of such centres at places x (k,) [m]."""
        x = x[:, None, None]
        begin, out = self._corners, self._out
        over = self._r**2 - (x - begin[..., 0]) ** 2
        at_corners = begin[..., 1] + np.sqrt(np.maximum(over, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (x - begin[..., 0] - out[..., 0]) / self._edge[..., 0]
            on_line = begin[..., 1] + out[..., 1] + share * self._edge[..., 1]
        on_edges = (out[..., 1] > 0.0) & (share >= 0.0) & (share <= 1.0)
        heights = np.maximum(
            np.where(over >= 0.0, at_corners, self._r), np.where(on_edges, on_line, self._r)
        )
        return np.asarray(heights.max(axis=(1, 2), initial=self._r))


def _stand(parameters: UgvParameters, ground: CentreLine, s: float, angles: Array) -> Array:
    """Coordinates with the wheels on the ground and turned as their legs are."""
    rear, front = angles
    own = wheel_centres(parameters, np.array([0.0, 0.0, 0.0, rear, 0.0, front, 0.0]))
    base = complex(own[1] - own[0])
    if abs(base) <= 2.0 * parameters.r:
        raise ModelError(
            f"the wheels would be in each other, {abs(base):.3g} m apart: give the first station "
            "wider angles."
        )
    ahead = s + 1j * ground(s)
    behind = _behind(ground, ahead, abs(base))
    pitch = float(np.angle((ahead - behind) / base))
    middle = ahead - complex(own[1]) * np.exp(1j * pitch)
    return np.array(
        [middle.real, middle.imag - _TOUCH, pitch, rear, pitch - rear, front, pitch + front]
    )


def _behind(ground: CentreLine, ahead: complex, base: float) -> complex:
    """Centre of the rear wheel: the nearest place behind that is the wheelbase away."""

    def over(x: float) -> float:
        return abs(x + 1j * ground(x) - ahead) - base

    places = np.linspace(ahead.real, ahead.real - base, _SAMPLES)
    centres = (places + 1j * ground.heights(places)).tolist()
    far = next((k for k, z in enumerate(centres) if abs(z - ahead) - base >= 0.0), _SAMPLES - 1)
    if far == 0:
        raise ModelError("the rear wheel has no place behind the front one: start elsewhere.")
    if over(places[far]) < 0.0:  # rounding of level ground
        return complex(places[far], ground(places[far]))
    x = brentq(over, places[far], places[far - 1], xtol=1e-15, rtol=1e-15)
    return complex(x, ground(x))


def _hold(dynamics: Dynamics, contacts: ContactSet, state: Array) -> Array:
    """Torques (3,) [N m] that hold it at rest: of rear and front leg, and the same of both wheels.

    Raises ModelError where nothing holds it.
    """
    dynamics.set_state(state)
    gap, _ = dynamics.gaps()
    names = [contacts.names[k].split("|") for k in contacts.reported_as]
    of_wheels = [[wheel in name for name in names] for wheel in WHEELS]
    others = np.array([not (rear or front) for rear, front in zip(*of_wheels, strict=True)])
    if gap[others].min(initial=math.inf) < 0.0:
        raise ModelError("the body is in the ground where it is to start: start elsewhere.")
    columns = []
    for mine in of_wheels:
        touching = np.zeros(len(gap), dtype=np.bool_)
        touching[int(np.where(mine, gap, np.inf).argmin())] = True
        columns += list(dynamics.contact_jacobian(touching)[0, :2])
    driven = [actuator.joint().name() for actuator in actuators_of(dynamics.plant)]
    rear, rear_wheel, front, front_wheel = (
        dynamics.actuation_matrix[:, driven.index(name)] for name in JOINTS
    )
    columns += [rear, front, rear_wheel + front_wheel]
    forces = np.linalg.solve(np.array(columns).T, -dynamics.h())
    if min(forces[0], forces[2]) < 0.0:
        wheel = "rear" if forces[0] < 0.0 else "front"
        raise ModelError(f"the {wheel} wheel would lift off where it is to start: start elsewhere.")
    return np.asarray(forces[4:])
