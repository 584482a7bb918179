"""Starts on the ground: lowering a machine until it touches, and refusing starts inside of it.

Frames: W world, T terrain.
"""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import Joint

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names, floating_joints
from footfall.plants.dynamics import Dynamics
from footfall.plants.loading.load import Model
from footfall.plants.terrain import ground_axes
from footfall.wording import did_you_mean

# a machine that is to touch the ground starts this deep in it [m]: else rounding decides whether it
# touches
_TOUCH = 1e-12
_SEARCH = 2e-3  # m: by which a machine comes down to uneven ground, of which no part is thinner
_UPRIGHT = 1e-9  # of the cosine of a lean: rounding
_INSIDE = 0.01  # m: deeper in uneven ground than this no machine starts by rounding


def drop(state: Array, name: str, gap: float, model: Model, contacts: ContactSet) -> None:
    """Move a machine along the ground's normal until its lowest contact point has the gap."""
    points = contacts.num_ground
    if points == 0:
        raise ScenarioError(
            "initial.drop_along: the machine has no collision shape that can meet the ground: give "
            "its links <collision> shapes."
        )
    lift = _lift(model.plant, name)
    dynamics = Dynamics(model, contacts)
    dynamics.set_state(state)
    lowest = dynamics.gaps()[0][:points]
    state += lift
    dynamics.set_state(state)
    rise = dynamics.gaps()[0][:points] - lowest
    if not np.allclose(rise, 1.0, atol=1e-9):
        raise ScenarioError(
            f"initial.drop_along: '{name}' does not lift the machine along the ground's normal; "
            "name a joint that does, or the link that is free in space."
        )
    if model.surface is None:
        state += ((gap or -_TOUCH) - lowest.min() - 1.0) * lift
        return
    state += (model.surface.highest - lowest.min() - 1.0) * lift  # surely above all of it
    state += (_down_to_touch(dynamics, state, lift) + (gap or -_TOUCH)) * lift


def lay(state: Array, name: str, model: Model, named: Collection[int]) -> str:
    """Turn a body that is free in space with sloping ground, unless its orientation is named.

    name: of ``drop_along``; named: places in q. Returns a line where the ground slopes, about the
    turn or about a body that stays upright in the world; empty where neither is.
    """
    free = _free_body(model.plant, name)
    slope = model.spec.terrain.slope_deg
    if free is None or slope == 0.0:
        return ""
    body, joint = free
    plant, context = model.plant, model.plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(context, state)
    X_WP = joint.frame_on_parent().CalcPoseInWorld(context)
    X_WM = X_WP @ joint.GetPose(context)
    end = joint.position_start() + joint.num_positions()
    if not set(named).isdisjoint(range(joint.position_start(), end - 3)):
        if X_WM.rotation().matrix()[2, 2] < 1.0 - _UPRIGHT:
            return ""
        return (
            f"the ground slopes by {slope:g} deg and {body} starts upright in the world, as its "
            "pose says: base_frame: terrain in default_free_body_pose turns it with the ground"
        )
    joint.SetPose(context, X_WP.inverse() @ model.spec.terrain.X_WTerrain() @ X_WM)
    turned: Array = plant.GetPositions(context)
    for place in set(range(joint.position_start(), end)) - set(named):
        state[place] = turned[place]
    return (
        f"the ground slopes by {slope:g} deg and {body} was turned with it, perpendicular to the "
        "ground: name its pose (default_free_body_pose) for another"
    )


def _down_to_touch(dynamics: Dynamics, state: Array, lift: Array) -> float:
    """Return how far [m], as a negative number, a machine above the ground falls until it touches.

    Contacts with the pieces of uneven ground are known only where they are near: the machine comes
    down step by step, then the step in which it touches is halved.
    """
    of_ground = _of_ground(dynamics.contacts)

    def above(way: float) -> bool:
        dynamics.set_state(state + way * lift)
        return bool(dynamics.gaps()[0][of_ground].min() > 0.0)

    low = 0.0
    while above(low):
        low -= _SEARCH
    high = low + _SEARCH
    while high - low > _TOUCH:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (low, middle) if above(middle) else (middle, high)
    return high


def _of_ground(contacts: ContactSet) -> npt.NDArray[np.bool_]:
    """Return which contacts (n,) are with the ground, be it plane or pieces."""
    mask = np.zeros(len(contacts), dtype=np.bool_)
    mask[: contacts.num_ground] = True
    for pair in contacts.pairs:
        mask[pair.first : pair.first + len(pair)] = pair.on_surface
    return mask


def require_above(model: Model, contacts: ContactSet, state: Array) -> None:
    """Raise ScenarioError for a machine that starts inside of uneven ground."""
    dynamics = Dynamics(model, contacts)
    dynamics.set_state(state)
    gap = np.where(_of_ground(contacts), dynamics.gaps()[0], np.inf)
    lowest = int(gap.argmin()) if len(gap) else -1
    if lowest >= 0 and gap[lowest] < -_INSIDE:
        raise ScenarioError(
            f"initial: {contacts.names[contacts.reported_as[lowest]]} starts {-gap[lowest]:.3g} m "
            "inside of the ground: raise it, or let initial.drop_along do so."
        )


def _lift(plant: MultibodyPlant, name: str) -> Array:
    """Change of [q; v] that moves a machine by 1 m: along a coordinate, or a free body along n."""
    lift = np.zeros(plant.num_positions() + plant.num_velocities())
    names = coordinate_names(plant)[0]
    if name in names:
        lift[names.index(name)] = 1.0
        return lift
    free = _free_body(plant, name)
    if free is not None:
        joint = free[1]
        frame = joint.frame_on_parent()
        R_WF = frame.CalcRotationMatrixInWorld(plant.CreateDefaultContext())
        end = joint.position_start() + joint.num_positions()
        lift[end - 3 : end] = (R_WF.inverse() @ ground_axes(plant)).matrix()[:, 2]
        return lift
    known = [*names, *floating_joints(plant)]
    raise ScenarioError(f"initial.drop_along: there is no '{name}'; {did_you_mean(name, known)}")


def _free_body(plant: MultibodyPlant, name: str) -> tuple[str, Joint] | None:
    """Full name and joint of a body that is free in space, by its name; None for another name."""
    for body, joint in floating_joints(plant).items():
        if name in (body, body.rpartition("::")[2]):
            return body, joint
    return None
