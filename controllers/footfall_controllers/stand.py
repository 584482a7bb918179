"""A robot that stands: feedback of joints and trunk as torques, with forces the ground can give."""

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable
from pydrake.systems.framework import BasicVector, Context, LeafSystem
from scipy.optimize import nnls

from footfall.checked import Checked, not_negative, positive, vectors
from footfall.plants.coordinates import floating_joints
from footfall.plants.gravity import ground_axes


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

    def __init__(self, plant: MultibodyPlant, parameters: Parameters) -> None:
        """Look joints and links up."""
        super().__init__()
        self._plant, self._context = plant, plant.CreateDefaultContext()
        self._kp, self._kd = parameters.kp, parameters.kd
        joints = [plant.get_joint_actuator(k).joint() for k in plant.GetJointActuatorIndices()]
        self._q = [joint.position_start() for joint in joints]
        self._q_d = np.array([parameters.posture.get(joint.name(), 0.0) for joint in joints])
        root = next(iter(floating_joints(plant).values()))
        self._trunk, start = root.child_body(), root.velocity_start()
        self._base, slope = root.frame_on_parent(), ground_axes(plant).matrix()
        self._normal = slope[:, 2]
        # velocities that something is asked of: joints, then the trunk's, angular and linear
        places = [joint.velocity_start() for joint in joints]
        self._v = np.array([*places, *range(start, start + 6)])
        self._feet = [
            (plant.GetFrameByName(link), np.array(points).T)
            for link, points in parameters.feet.items()
        ]
        count = sum(points.shape[1] for _, points in self._feet)
        mu = parameters.friction / np.sqrt(2.0)
        edges = np.array([[mu, mu, 1.0], [mu, -mu, 1.0], [-mu, mu, 1.0], [-mu, -mu, 1.0]]).T
        # forces of unit multipliers, (3 n, 4 n)
        self._edges = np.kron(np.eye(count), slope @ edges)
        self._B = plant.MakeActuationMatrix()
        self._driven = np.abs(self._B).sum(axis=1) > 0.0
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", plant.num_actuators(), self._calc_actuation)

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        plant, own = self._plant, self._context
        plant.SetPositionsAndVelocities(own, self._state.Eval(context))
        J, bias = self._standing(own)
        bias += self._kd * (J @ plant.GetVelocities(own))  # a foot that moves comes to rest
        acceleration = self._nearest(J, bias, self._asked(own))
        force = plant.CalcMassMatrix(own) @ acceleration + plant.CalcBiasTerm(own)
        force -= plant.CalcGravityGeneralizedForces(own)
        by_edges = J.T @ self._edges
        free = ~self._driven
        # a little of every multiplier's square makes the forces even
        rows = np.vstack([by_edges[free], 1e-3 * np.eye(by_edges.shape[1])])
        wanted = np.concatenate([force[free], np.zeros(by_edges.shape[1])])
        left = force - by_edges @ nnls(rows, wanted)[0]
        output.SetFromVector(np.linalg.lstsq(self._B[self._driven], left[self._driven])[0])

    def _asked(self, own: Context) -> np.ndarray:
        """Return accelerations that are asked of the joints and of the trunk."""
        plant = self._plant
        v = plant.GetVelocities(own)[self._v]
        up = self._trunk.EvalPoseInWorld(own).rotation().matrix()[:, 2]
        # the turn that sets the trunk upright, in the axes of its velocities
        axes = self._base.CalcRotationMatrixInWorld(own).matrix()
        tilt = np.cross(up, self._normal) @ axes
        lacks = self._q_d - plant.GetPositions(own)[self._q]
        return self._kp * np.concatenate([lacks, tilt, np.zeros(3)]) - self._kd * v

    def _nearest(self, J: np.ndarray, bias: np.ndarray, asked: np.ndarray) -> np.ndarray:
        """Return accelerations with J v' + bias = 0 that are nearest to what is asked for."""
        U, values, rows = np.linalg.svd(J)
        rank = int((values > 1e-3).sum())
        held = rows[:rank].T @ ((U[:, :rank].T @ -bias) / values[:rank])
        free = rows[rank:].T
        given = np.linalg.lstsq(free[self._v], asked - held[self._v], rcond=1e-3)[0]
        return held + free @ given

    def _standing(self, own: Context) -> tuple[np.ndarray, np.ndarray]:
        """Jacobian J of the points that stand, and their acceleration J' v while v' = 0."""
        plant, world, kind = self._plant, self._plant.world_frame(), JacobianWrtVariable.kV
        J, bias = [np.zeros((0, plant.num_velocities()))], [np.zeros(0)]
        for frame, points in self._feet:
            J.append(
                plant.CalcJacobianTranslationalVelocity(own, kind, frame, points, world, world)
            )
            moving = plant.CalcBiasTranslationalAcceleration(own, kind, frame, points, world, world)
            bias.append(moving.T.ravel())
        return np.vstack(J), np.concatenate(bias)
