"""PASIBOT's closed form in the coordinates of its plant: th8 and the slide of the foot to [q; v].

The plant's tree has its root in foot 1, its other loops are closed by constraints. All its joints
are at 0 where both feet stand and foot 1 begins to support, th8 = pi/2; `crank` is th8 - pi/2 and
counts on from step to step. In steps of an odd number foot 2 supports, and foot 1 is the other one.
A plant whose ground holds foot 1 has no x, z and tilt.
"""

import math

import numpy as np
from pydrake.multibody.plant import MultibodyPlant

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import LINK_INDEX, joint_index
from footfall.machines.pasibot.closed_form.jets import Jet, constant
from footfall.machines.pasibot.closed_form.linkage import leg
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    exchange,
    fold,
    hip_angles,
    pose,
)
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.plants.coordinates import coordinate_names
from footfall.trajectory import Trajectory

CRANK = "crank"
BASE = ("x", "z", "tilt")

# links before and after each joint that turns, as numbers of the document, 0 for the hip's frame
_STANDING = {"E": (1, 2), "G": (2, 4), "D": (4, 0)}
_OTHER = {"D": (0, 4), "G": (4, 2), "E": (2, 1)}
_BOTH = {
    "upper_D": (0, 6),
    "B": (0, 9),
    "P": (8, 7),
    "turn_S": (0, 10),
    "U": (10, 11),
    "K": (2, 3),
    "plate_K": (3, 5),
    "Y": (1, 12),
}


def th8_of(trajectory: Trajectory) -> Array:
    """Angle th8 [rad] of every row of a trajectory, (N,); it counts on from the first step."""
    crank: Array = trajectory.data["q"].sel(position=CRANK).to_numpy()
    return crank + STEP_BEGINS


def coordinates(
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    slide: float | Array = 0.0,
    slide_rate: float | Array = 0.0,
) -> dict[str, tuple[Array, Array]]:
    """Position and velocity of every joint of the plant by its name; with x, z and tilt.

    th8 [rad] and its rate [rad/s] count on from the first step, of foot 1; the feet's slides
    together [m] and the supporting foot's speed [m/s] ahead; numbers or arrays of one shape, which
    the answers have as well. All loops are closed but for rounding.
    """
    th8, rate, slide, slide_rate = np.broadcast_arrays(
        *(np.asarray(number, dtype=float) for number in (th8, rate, slide, slide_rate))
    )
    moving = {CRANK: (th8 - STEP_BEGINS, rate)}
    now, start = hip_angles(parameters, th8), hip_angles(parameters, STEP_BEGINS)
    for name, (before, after) in _turning_joints().items():
        angle, zero = (_between(angles, before, after) for angles in (now, start))
        moving[name] = (angle.value - zero.value, angle.first * rate)
    lengths = parameters.lengths
    for number, phase in ((1, 0.0), (2, math.pi)):
        end, zero = (leg(lengths, angle + phase).S for angle in (th8, STEP_BEGINS))
        # x of the hip's frame is to the rear
        shift = parameters.l8 * np.real(zero.value - end.value)
        moving[f"S{number}"] = (shift, -parameters.l8 * rate * np.real(end.first))
    moving |= _foot_1(parameters, th8, rate, slide, slide_rate)
    # a sum of arrays without a shape is a number
    return {name: (0.0 + q, 0.0 + v) for name, (q, v) in moving.items()}


def state_of(
    plant: MultibodyPlant,
    parameters: PasibotParameters,
    th8: float | Array,
    rate: float | Array,
    slide: float | Array = 0.0,
    slide_rate: float | Array = 0.0,
) -> Array:
    """`coordinates` as [q; v] in the plant's order, (..., nq + nv)."""
    moving = coordinates(parameters, th8, rate, slide, slide_rate)
    q, v = coordinate_names(plant)
    return np.stack([*(moving[name][0] for name in q), *(moving[name][1] for name in v)], axis=-1)


def _turning_joints() -> dict[str, tuple[str, str]]:
    """Links before and after each joint by its name; "0" stands for the hip's frame."""
    joints = {}
    for number, prime, chain in ((1, "", _STANDING), (2, "'", _OTHER)):
        for name, links in (chain | _BOTH).items():
            before, after = (f"{link}" if link in (0, 8) else f"{link}{prime}" for link in links)
            joints[f"{name}{number}"] = (before, after)
    return joints


def _between(angles: dict[str, Jet], before: str, after: str) -> Jet:
    """Angle from one link to another."""
    return angles.get(after, constant(0.0)) - angles.get(before, constant(0.0))


def _foot_1(
    parameters: PasibotParameters, th8: Array, rate: Array, slide: Array, slide_rate: Array
) -> dict[str, tuple[Array, Array]]:
    """Place of foot 1's ankle from where it stood at the start, and its tilt."""
    folded, steps = fold(th8)
    swings = steps % 2 != 0
    at = pose(parameters, folded)
    ankle = joint_index("E", leg=2)
    position, speed = at.joints.value[ankle], at.joints.first[ankle] * rate
    foot = LINK_INDEX["1'"]
    height = parameters.ankle_height * parameters.l8
    moving = {
        "x": (position.real, speed.real),
        "z": (position.imag - height, speed.imag),
        "tilt": (at.angles.value[foot], at.angles.first[foot] * rate),
    }
    moving = {
        name: (np.where(swings, q, 0.0), np.where(swings, v, 0.0))
        for name, (q, v) in moving.items()
    }
    x, along = moving["x"]
    moving["x"] = (slide + steps * exchange(parameters)["step"] + x, slide_rate + along)
    return moving
