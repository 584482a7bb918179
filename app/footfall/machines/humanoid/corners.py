"""Contact columns of a walk on held feet: every wrench of the ground shared among four corners.

A wrench says nothing of single corners. Shown are the forces of least sum of squares that make it
up: heel and ball corners for a flat foot, ball and tip corners for a toe. A force that pulls is
one that no ground can give.
"""

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.machines.humanoid.closed_form.chain import skew
from footfall.machines.humanoid.closed_form.phases import SIDES
from footfall.registry.context import MachineContext
from footfall_controllers.tracked_points import TrackedPoint, TrackedPoints


def contact_columns(
    context: MachineContext,
    time: Array,
    states: Array,
    phases: npt.NDArray[np.int64],
    reactions: Array,
    places: Array,
) -> dict[str, npt.NDArray[np.generic]]:
    """Columns of a trajectory's contacts; reactions (N, 2, 6), places (N, 2, 3) of their moments.

    Impulses and modes of a row are those of the step that ended there, at the forces of the row
    before.
    """
    points, names = _corners(context, states), context.contacts.names
    force = np.zeros_like(points)
    for phase in range(4):
        rows = np.flatnonzero(phases == phase)
        side = phase // 2
        parts = [(0, SIDES[side], ("heel", "ball"))]
        if phase % 2 == 0:
            parts.append((1, SIDES[1 - side], ("ball", "tip")))
        for part, leg, ends in parts:
            on = np.flatnonzero([_is_of(name, leg, ends) for name in names])
            if len(on) and len(rows):
                # the corners lie still about the place of the moments while they are held
                arms = points[rows[0], on] - places[rows[0], part]
                force[np.ix_(rows, on)] = shared(reactions[rows, part], arms)
    force = np.concatenate([force[:1], force[:-1]])
    impulse = force[:, :, [2, 0, 1]] * np.diff(time, prepend=time[:1])[:, None, None]
    pressed = force.any(axis=2)
    mode = np.where(pressed, int(Mode.STICK), int(Mode.OPEN)).astype(np.int8)
    return {
        "impulse": impulse,
        "contact_velocity": np.zeros_like(points),
        "gap": points[:, :, 2],
        "contact_point": points,
        "mode": mode,
        "dissipation": np.zeros(points.shape[:2]),
    }


def shared(wrenches: Array, arms: Array) -> Array:
    """Forces (N, k, 3) of least squares at k points that make up wrenches [F; M] (N, 6).

    arms (k, 3): of the points, from where the moments are taken.
    """
    count = len(arms)
    matrix = np.zeros((6, 3 * count))
    for k, arm in enumerate(arms):
        matrix[:3, 3 * k : 3 * k + 3] = np.eye(3)
        matrix[3:, 3 * k : 3 * k + 3] = skew(arm)
    return np.asarray(wrenches @ np.linalg.pinv(matrix).T).reshape(-1, count, 3)


def _is_of(name: str, leg: str, rows: tuple[str, str]) -> bool:
    point = name.rpartition("::")[2]
    return any(point.startswith(f"{leg}_{row}_") for row in rows)


def ground_points(
    context: MachineContext,
) -> list[tuple[str, str, tuple[float, float, float]]]:
    """Contacts with the ground: name, body and place of the shape in the body's frame [m]."""
    inspector, contacts = context.model.scene_graph.model_inspector(), context.contacts
    found = []
    for shape in contacts.ground:
        x, y, z = inspector.GetPoseInFrame(shape.geometry).translation()
        name = contacts.names[int(contacts.reported_as[shape.first])]
        found.append((name, shape.body.name(), (float(x), float(y), float(z))))
    return found


def _corners(context: MachineContext, states: Array) -> Array:
    """Places of all contacts with the ground, (N, contacts, 3) [m]."""
    plant, names = context.model.plant, context.contacts.names
    own, at = plant.CreateDefaultContext(), ground_points(context)
    points = TrackedPoints(plant, [TrackedPoint(body, p_BG) for _, body, p_BG in at])
    columns = [names.index(name) for name, _, _ in at]
    found = np.zeros((len(states), len(names), 3))
    for k, state in enumerate(states):
        plant.SetPositionsAndVelocities(own, state)
        found[k, columns] = points.positions(own)
    return found
