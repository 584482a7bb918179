"""Forces of the ground on held feet: whether ground could give them, and their parts at corners.

The thesis welds the flat foot and pins the toe, and never asks. Ground pushes and does not pull,
its friction has a limit, and the centre of pressure lies within what touches it.

A wrench says nothing of single corners. Contact columns have the forces of least sum of squares
that make it up: heel and ball corners for a flat foot, ball and tip corners for a toe. A force that
pulls is one that no ground can give.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.contact import Mode
from footfall.machines.humanoid.closed_form.chain import skew
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import SIDES
from footfall.machines.humanoid.model import parameters_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory
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
    points = []
    for shape in contacts.ground:
        x, y, z = inspector.GetPoseInFrame(shape.geometry).translation()
        name = contacts.names[int(contacts.reported_as[shape.first])]
        points.append((name, shape.body.name(), (float(x), float(y), float(z))))
    return points


def _corners(context: MachineContext, states: Array) -> Array:
    """Places of all contacts with the ground, (N, contacts, 3) [m]."""
    plant, names = context.model.plant, context.contacts.names
    own, at = plant.CreateDefaultContext(), ground_points(context)
    points = TrackedPoints(plant, [TrackedPoint(body, p_BG) for _, body, p_BG in at])
    columns = [names.index(name) for name, _, _ in at]
    corners = np.zeros((len(states), len(names), 3))
    for k, state in enumerate(states):
        plant.SetPositionsAndVelocities(own, state)
        corners[k, columns] = points.positions(own)
    return corners


_LIGHT = 1.0  # N: with less vertical force there is no centre of pressure to speak of


class Audit(NamedTuple):
    """Demands on the ground in every row, of the flat foot and of the toe; NaN in the air.

    force (N, 2, 3) [N]; friction: horizontal over vertical force; pressure (N, 2, 2): centre of
    pressure, ahead of the heel or the toe's hinge, and to the left of the middle [m]; pulls,
    slips, outside: which demand cannot be met; possible (N,): all can. half_width, toe: of the sole
    [m]; mu: friction that there is. The toe of a flat foot is held straight, so that its sole
    goes on to the tip; toe_hold (N,): moment about its hinge that this takes at least [N m].
    """

    force: Array
    friction: Array
    pressure: Array
    pulls: npt.NDArray[np.bool_]
    slips: npt.NDArray[np.bool_]
    outside: npt.NDArray[np.bool_]
    possible: npt.NDArray[np.bool_]
    foot: float
    half_width: float
    toe: float
    mu: float
    toe_hold: Array


def audit(trajectory: Trajectory, context: MachineContext) -> Audit:
    """Judge every row of a walk; sole, toe and friction are those of the model."""
    p = parameters_of(context.model).numbers()
    half_width, toe = soles(context, p)
    mu = float(context.mu.min(initial=np.inf))
    wrench = trajectory.data["reaction"].to_numpy()
    force, moment = wrench[:, :, :3], wrench[:, :, 3:]
    up = force[:, :, 2]
    height = np.array([p.a10, 0.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        friction = np.hypot(force[:, :, 0], force[:, :, 1]) / np.abs(up)
        along = -(moment[:, :, 1] + height * force[:, :, 0]) / up
        across = (moment[:, :, 0] - height * force[:, :, 1]) / up
    pressure = np.stack([along, across], axis=2)
    on = np.isfinite(up)
    pulls = on & (up < 0.0)
    slips = on & (up > _LIGHT) & (friction > mu)
    ends = np.array([[0.0, p.d10 + toe], [0.0, toe]])
    hold = np.maximum(up[:, 0] * (along[:, 0] - p.d10), 0.0)
    beyond = (along < ends[:, 0]) | (along > ends[:, 1]) | (np.abs(across) > half_width)
    outside = on & (up > _LIGHT) & beyond
    possible = ~(pulls | slips | outside).any(axis=1)
    return Audit(
        force,
        friction,
        pressure,
        pulls,
        slips,
        outside,
        possible,
        p.d10 + toe,
        half_width,
        toe,
        mu,
        hold,
    )


def soles(context: MachineContext, p: Numbers) -> tuple[float, float]:
    """Half the width of a sole, and the length of a toe, by the model's corners [m]."""
    places = {name.rpartition("::")[2]: p_BG for name, _, p_BG in ground_points(context)}
    if "left_heel_left" not in places or "left_tip_left" not in places:
        return 0.0275 * p.d10 / 0.152, 0.03 * p.d10 / 0.152
    return places["left_heel_left"][1], places["left_tip_left"][0]
