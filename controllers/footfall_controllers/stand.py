"""A robot that stands: feedback of joints and trunk as torques, with forces the ground can give."""

import math
from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from scipy.optimize import nnls

from footfall.arrays import Array, Indices
from footfall.checked import Checked, not_negative, positive, vectors
from footfall.jit import njit
from footfall.plants.coordinates import actuators_of, floating_joints
from footfall.plants.flat.laws import actuated_places
from footfall.plants.flat.motion import PlantMotion
from footfall.plants.terrain import ground_axes


@dataclass
class Parameters(Checked, at="controller."):
    """Gains, friction, posture and the points that stand."""

    # Gains of positions [1/s^2] and velocities [1/s] of joints and trunk.
    kp: float = not_negative(100.0)
    kd: float = not_negative(20.0)
    # Friction coefficient that forces of the ground stay below.
    friction: float = positive(0.5)
    # Joint positions to hold, by joint name [rad or m]; joints left out are held at 0.
    posture: dict[str, float] = field(default_factory=dict)
    # Points that stand, by link: lists of x, y and z in its frame [m].
    feet: dict[str, list[list[float]]] = vectors({}, least=1)


class Stand(LeafSystem):
    """Torques that lead actuated joints to a posture and the trunk upright, on feet that stay.

    Asked for are accelerations kp (q_d - q) - kd q' of the joints, the like of the trunk, which is
    upright where its z axis is the ground's normal.

    Points of the feet come to rest and stay, J v' + J' v = -kd J v: of the accelerations v' that
    this leaves, those nearest to what is asked for are taken.

    Of M v' + C v - tau_g = B u + J' f, the rows without motors give the forces f of the ground,
    which only push and stay within friction (non-negative least squares over the edges of friction
    pyramids), the rows with motors then the torques u.
    """

    def __init__(self, plant: MultibodyPlant, parameters: Parameters) -> None:
        """Look joints and links up."""
        super().__init__()
        self._kp, self._kd = parameters.kp, parameters.kd
        joints = [actuator.joint() for actuator in actuators_of(plant)]
        self._q, places = actuated_places(plant)
        self._q_d = np.array([parameters.posture.get(joint.name(), 0.0) for joint in joints])
        root = next(iter(floating_joints(plant).values()))
        start, slope = root.velocity_start(), ground_axes(plant).matrix()
        home = plant.CreateDefaultContext()
        # axes of the trunk's velocities; from there the ground's normal
        self._base = root.frame_on_parent().CalcRotationMatrixInWorld(home).matrix()
        self._normal = slope[:, 2].copy()
        # velocities that something is asked of: joints, then the trunk's, angular and linear
        self._v = np.array([*places, *range(start, start + 6)])
        nv = plant.num_velocities()
        self._all = bool(np.array_equal(np.sort(self._v), np.arange(nv)))
        points = [
            (plant.GetFrameByName(link), point)
            for link, points in parameters.feet.items()
            for point in points
        ]
        trunk = root.child_body().body_frame()
        self._motion = PlantMotion(plant, [*points, (trunk, np.zeros(3))])
        count = len(points)
        mu = parameters.friction / np.sqrt(2.0)
        edges = np.array([[mu, mu, 1.0], [mu, -mu, 1.0], [-mu, mu, 1.0], [-mu, -mu, 1.0]]).T
        self._edges = np.ascontiguousarray(slope @ edges)  # forces of unit multipliers, (3, 4)
        B = plant.MakeActuationMatrix()
        driven = np.abs(B).sum(axis=1) > 0.0
        self._driven, self._free = np.flatnonzero(driven), np.flatnonzero(~driven)
        self._efforts_of = np.linalg.pinv(B[driven])
        # a little of every multiplier's square makes the forces even
        self._rows = np.vstack([np.zeros((len(self._free), 4 * count)), 1e-3 * np.eye(4 * count)])
        self._wanted = np.zeros(len(self._rows))
        self._nq = plant.num_positions()
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state, motion = self._state.Eval(context), self._motion
        q, v = state[: self._nq], state[self._nq :]
        motion.set(q, v)
        J, bias = motion.frames[0][:-1, 3:], motion.frames[4][:-1, 3:]
        asked, force = np.empty(len(v)), np.empty(len(v))
        by_edges = np.empty((len(v), 4 * len(J)))
        asked_of(
            *(self._kp, self._kd, self._q, self._q_d, self._v, self._base, self._normal),
            *(motion.frames[1][-1], q, v, asked),
        )
        if not (self._all and nearest(J, bias, self._kd, v, asked)):
            asked = self._nearest(J, bias, v, asked)
        forces_of(
            *(motion.M, motion.force, asked, J, self._edges, self._free),
            *(force, by_edges, self._rows, self._wanted),
        )
        force -= by_edges @ nnls(self._rows, self._wanted)[0]
        output.SetFromVector(self._efforts_of @ force[self._driven])

    def _nearest(self, J: Array, bias: Array, v: Array, asked: Array) -> Array:
        """Return what `nearest` gives, where some velocities are not asked for or J has no rank."""
        J, own = J.reshape(-1, len(v)), bias.ravel()
        U, values, rows = np.linalg.svd(J)
        rank = int((values > _LEAST).sum())
        still = -own - self._kd * (J @ v)  # a foot that moves comes to rest
        held = rows[:rank].T @ ((U[:, :rank].T @ still) / values[:rank])
        free = rows[rank:].T
        lacks = (asked - held)[self._v]
        return held + free @ np.linalg.lstsq(free[self._v], lacks, rcond=_LEAST)[0]


@njit
def asked_of(
    kp: float,
    kd: float,
    positions: Indices,
    q_d: Array,
    velocities: Indices,
    base: Array,
    normal: Array,
    R_trunk: Array,
    q: Array,
    v: Array,
    asked: Array,
) -> None:
    """Fill the accelerations (nv,) that are asked of joints and trunk, 0 of the others."""
    count = q_d.size
    asked[:] = 0.0
    for k in range(count):
        asked[velocities[k]] = kp * (q_d[k] - q[positions[k]]) - kd * v[velocities[k]]
    x, y, z = R_trunk[0, 2], R_trunk[1, 2], R_trunk[2, 2]
    a, b, c = normal[0], normal[1], normal[2]
    # the turn that sets the trunk upright, in the axes of its velocities
    a, b, c = y * c - z * b, z * a - x * c, x * b - y * a
    for i in range(6):
        k = velocities[count + i]
        tilt = base[0, i] * a + base[1, i] * b + base[2, i] * c if i < 3 else 0.0
        asked[k] = kp * tilt - kd * v[k]


_LEAST = 1e-3  # of singular values: smaller ones are cut
_CLEAR = 2e-2  # m, rad: of what a row adds to those before it, where none of them is as small


@njit
def nearest(J: Array, bias: Array, kd: float, v: Array, asked: Array) -> bool:
    """Turn what is asked of v' into the nearest with J v' + bias = -kd J v.

    J (n, 3, nv), bias (n, 3). False, and nothing is done, where rows of J may say the same twice,
    for which singular values have to be looked at.
    """
    nv, count = v.size, 3 * J.shape[0]
    if count > nv:
        return False
    # by the modified Gram-Schmidt algorithm, each row twice: J = L Q with orthonormal rows Q
    Q, y = J.copy().reshape(count, nv), np.zeros(count)
    for r in range(count):
        row = Q[r]
        left = -bias[r // 3, r % 3]
        for i in range(nv):
            left -= row[i] * (kd * v[i] + asked[i])
        for twice in range(2 * r):
            before, part = Q[twice % r], 0.0
            for i in range(nv):
                part += row[i] * before[i]
            for i in range(nv):
                row[i] -= part * before[i]
            left -= part * y[twice % r]
        size = math.sqrt((row * row).sum())
        if size < _CLEAR:
            return False
        row /= size
        y[r] = left / size
    for r in range(count):
        for i in range(nv):
            asked[i] += y[r] * Q[r, i]
    return True


@njit
def forces_of(
    M: Array,
    force: Array,
    acceleration: Array,
    J: Array,
    edges: Array,
    free: Indices,
    total: Array,
    by_edges: Array,
    rows: Array,
    wanted: Array,
) -> None:
    """Fill forces (nv,) that accelerations take, those of multipliers of edges (nv, 4 n).

    And of velocities without motors, the equations rows x = wanted of the multipliers.
    """
    for i in range(total.size):
        total[i] = force[i]
        for k in range(total.size):
            total[i] += M[i, k] * acceleration[k]
        for n in range(J.shape[0]):
            for e in range(4):
                by_edges[i, 4 * n + e] = (
                    J[n, 0, i] * edges[0, e] + J[n, 1, i] * edges[1, e] + J[n, 2, i] * edges[2, e]
                )
    for k, i in enumerate(free):
        rows[k] = by_edges[i]
        wanted[k] = total[i]
