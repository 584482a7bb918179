"""Start of a walk: the posture in which the controller's first phase begins."""

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import JOINTS
from footfall.machines.humanoid.constrained_plant import Coordinates
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.machines.humanoid.ground_walk import FreedWalk, GroundWalk
from footfall.machines.humanoid.model import parameters_of
from footfall.machines.humanoid.supports import pendulum, stride, stride_ground
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
from footfall.plants.support_motions import free_motions
from footfall_controllers.controller import Controller
from footfall_controllers.optimal_predictive import TrackedCoordinates
from footfall_controllers.swing_path import SwingPath

_SMALL = 1e-2  # singular values of tracked velocities below this, over the largest, are left out


def gait(model: Model, _contacts: ContactSet, controller: Controller | None) -> Array:
    """State [q; v] where a phase starts; the thesis starts at rest, in left double support."""
    p = parameters_of(model).numbers()
    if isinstance(controller, (FreedWalk, GroundWalk)):
        controller = controller.gait
    law = controller if isinstance(controller, HumanoidWalk) else HumanoidWalk()
    phase, path = law.first_phase, law.path(p)
    progress, left = law.progress, 0.0
    if law.sway:
        single, spans = not phase.is_double, path.spans
        side = 1.0 - 2.0 * phase.side
        left = side * float(pendulum(p, law.height, law.sway).motion(single, 0.0, spans)[0])
        progress = spans[1] * law.speed.single
    behind = (progress if phase.is_double else law.step) - law.near
    ahead = law.step - behind
    angle = stride(p, phase, law.height, ahead, behind, left)
    ground = stride_ground(p, phase, ahead, behind)
    state = Coordinates(model.plant, p).state(ground, angle, np.zeros(len(JOINTS)))
    if law.moving:
        state[model.plant.num_positions() :] = _velocities(law, model.plant, p, state)
    return state


def _velocities(law: HumanoidWalk, plant: MultibodyPlant, p: Numbers, state: Array) -> Array:
    """Velocities (nv,) that the support allows, nearest to those of the first references."""
    phase, own = law.first_phase, plant.CreateDefaultContext()
    plant.SetPositionsAndVelocities(own, state)
    tracked = TrackedCoordinates(plant, law.predictive(p, phase))
    free = free_motions(tracked.rows.jacobian(own), law.cut)
    J = tracked.jacobian(own) @ free
    wanted = SwingPath(plant, law.path(p)).reference(phase, 0.0, state)[1, : len(J)]
    return np.asarray(free @ np.linalg.lstsq(J, wanted, rcond=_SMALL)[0])
