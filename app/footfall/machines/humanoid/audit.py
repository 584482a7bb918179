"""Audit of a walk on held feet: whether ground could give what the welds give.

The thesis welds the flat foot and pins the toe, and never asks. Ground pushes and does not pull,
its friction has a limit, and the centre of pressure lies within what touches it.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.corners import ground_points
from footfall.machines.humanoid.model import parameters_of
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory

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
    p = parameters_of(context.model, context.contacts).numbers()
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
