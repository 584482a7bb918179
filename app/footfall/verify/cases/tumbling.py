"""A block that tumbles in free space, by the implicit midpoint rule."""

import numpy as np

from footfall.arrays import Array
from footfall.textbook.free_body import FreeBody
from footfall.trajectory import Trajectory
from footfall.verify.case import case
from footfall.verify.observables import position, velocity

# 2 kg of 0.4 m x 0.3 m x 0.1 m: m (b^2 + c^2) / 12, with the digits of block.urdf
BLOCK = FreeBody(I1=0.016667, I2=0.028333, I3=0.041667, a=10.0, b=6.0)
_MOMENTS = np.array([BLOCK.I1, BLOCK.I2, BLOCK.I3])
_END = 2.5  # s
_ATTITUDE = BLOCK.attitude(_END)


def _quaternions(trajectory: Trajectory) -> Array:
    quaternions = np.array([position(trajectory, f"block_q{name}") for name in "wxyz"])
    return (quaternions / np.linalg.norm(quaternions, axis=0)).T


def _turned(quaternion: Array, vector: Array) -> Array:
    """Vectors (N, 3) turned by quaternions (N, 4)."""
    v, w = quaternion[:, 1:], quaternion[:, :1]
    turned: Array = vector + 2.0 * np.cross(v, np.cross(v, vector) + w * vector)
    return turned


def _body_rates(trajectory: Trajectory) -> Array:
    """Angular velocity in the block's own axes, (N, 3)."""
    omega = np.array([velocity(trajectory, f"block_w{name}") for name in "xyz"]).T
    return _turned(_quaternions(trajectory) * [1.0, -1.0, -1.0, -1.0], omega)


def _middle(trajectory: Trajectory) -> Array:
    return _body_rates(trajectory)[:, 1]


def _off(trajectory: Trajectory) -> float:
    """Angle between the block's attitude at the end and the exact one [rad]."""
    inner = abs(float(_quaternions(trajectory)[-1] @ _ATTITUDE))
    return float(2.0 * np.arccos(min(inner, 1.0)))


def _momentum_error(trajectory: Trajectory) -> float:
    momentum = _turned(_quaternions(trajectory), _MOMENTS * _body_rates(trajectory))
    return float(np.linalg.norm(momentum - momentum[0], axis=1).max())


def _energy_error(trajectory: Trajectory) -> float:
    kinetic = trajectory.data["kinetic_energy"].to_numpy()
    return float(np.abs(kinetic - kinetic[0]).max())


CASES = (
    case(
        "tumbling",
        (1e-2, 5e-3, 2.5e-3),
        {
            "rate about the middle axis after 2.5 s": (
                float(BLOCK.rates(np.array(_END))[1]),
                lambda trajectory: float(_middle(trajectory)[-1]),
                5e-3,
            ),
            "angle from the exact attitude after 2.5 s": (0.0, _off, 5e-3),
            "largest error of the energy": (0.0, _energy_error, 1e-8),
            "largest error of the angular momentum": (0.0, _momentum_error, 1e-9),
        },
        _middle,
        lambda time: BLOCK.rates(time)[:, 1],
    ),
)
