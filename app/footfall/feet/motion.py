"""Motion of a robot and its feet at the recorded states: centre of mass, base, frames of the feet.

Frames: W world, B the base, L the link that a foot's frame is of.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import xarray as xr
from pydrake.math import RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, RigidBody
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.feet.detection import Feet
from footfall.plants.loading.load import Model

Rows = npt.NDArray[np.intp]

MOST_SAMPLES = 10_000  # rows at which a plant is asked; between them is interpolated


@dataclass(frozen=True)
class Motion:
    """Motion over the rows of a trajectory.

    p_WCcm (N, 3) [m] and v_WCcm (N, 3) [m/s]: of the robot's centre of mass. p_WB (N, 3) [m]: of
    its base. X_WL (N, feet, 3, 4): poses of the feet's frames. turned (3,): roll, pitch and yaw of
    the base at the end [rad].
    """

    p_WCcm: Array
    v_WCcm: Array
    p_WB: Array
    X_WL: Array
    turned: Array


def sample_rows(count: int, most: int = MOST_SAMPLES) -> Rows:
    """Rows at which something is computed: all, or evenly so many, the last among them."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.intp))


def spread(values: Array, rows: Rows, count: int) -> Array:
    """Values (samples, ...) at all rows (count, ...), linear between the samples."""
    if len(rows) == count:
        return values
    flat = values.reshape(len(rows), math.prod(values.shape[1:]))
    every = np.arange(count)
    laid = np.empty((count, flat.shape[1]))  # which may be of no feet
    for column in range(flat.shape[1]):
        laid[:, column] = np.interp(every, rows, flat[:, column])
    return laid.reshape(count, *values.shape[1:])


def motion_of(data: xr.Dataset, model: Model, feet: Feet) -> Motion:
    """Ask the plant for the motion in a trajectory, at most at ``MOST_SAMPLES`` of its rows."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    states = np.hstack((data["q"].to_numpy(), data["v"].to_numpy()))
    rows = sample_rows(len(states))
    centre = _CentreOfMass(plant, feet)
    links = [links[0] for links in feet.links]
    com, base = np.zeros((len(rows), 2, 3)), np.zeros((len(rows), 3))
    poses = np.zeros((len(rows), len(links), 3, 4))
    for sample, row in enumerate(rows):
        plant.SetPositionsAndVelocities(context, states[row])
        com[sample] = centre(context)
        base[sample] = plant.EvalBodyPoseInWorld(context, feet.tree.base).translation()
        for k, link in enumerate(links):
            poses[sample, k] = plant.EvalBodyPoseInWorld(context, link).GetAsMatrix34()
    R_WB = plant.EvalBodyPoseInWorld(context, feet.tree.base).rotation()
    com = spread(com, rows, len(states))
    return Motion(
        p_WCcm=com[:, 0],
        v_WCcm=com[:, 1],
        p_WB=spread(base, rows, len(states)),
        X_WL=spread(poses, rows, len(states)),
        turned=np.asarray(RollPitchYaw(R_WB).vector()),
    )


class _CentreOfMass:
    """Place and velocity of a robot's centre of mass; what else its models hold is left out."""

    def __init__(self, plant: MultibodyPlant, feet: Feet) -> None:
        tree = feet.tree
        own = {int(body.index()) for body in tree.bodies}
        instances = {int(body.model_instance()): body.model_instance() for body in tree.bodies}
        self._plant, self._mass = plant, tree.mass
        self._instances = list(instances.values())
        self._others: list[RigidBody] = []
        for index in range(1, plant.num_bodies()):
            body = plant.get_body(BodyIndex(index))
            inside = int(body.model_instance()) in instances
            if inside and index not in own and body.default_mass() > 0.0:
                self._others.append(body)

    def __call__(self, context: Context) -> Array:
        """Place [m] and velocity [m/s] in W, (2, 3)."""
        plant, models = self._plant, self._instances
        found = np.array(
            [
                plant.CalcCenterOfMassPositionInWorld(context, models),
                plant.CalcCenterOfMassTranslationalVelocityInWorld(context, models),
            ]
        )
        if not self._others:
            return found
        whole = self._mass + sum(body.default_mass() for body in self._others)
        found *= whole
        for body in self._others:
            X_WB, V_WB = body.EvalPoseInWorld(context), body.EvalSpatialVelocityInWorld(context)
            arm = X_WB.rotation().multiply(body.default_com())
            v_WBcm = V_WB.translational() + np.cross(V_WB.rotational(), arm)
            found -= body.default_mass() * np.array([X_WB.translation() + arm, v_WBcm])
        return found / self._mass
