"""A robot that stands: feedback of joints and trunk as torques, with forces the ground can give."""

from dataclasses import dataclass, field

import numpy as np
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import BasicVector, Context, LeafSystem

from footfall.checked import Checked, not_negative, positive, vectors
from footfall.errors import RunError
from footfall.plants.coordinates import actuators_of, floating_joints
from footfall.plants.flat.laws import actuated_places
from footfall.plants.flat.motion import Fixed, PlantMotion
from footfall.plants.flat.standing import StandLaw, standing_torque
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
        self._nq, count = plant.num_positions(), plant.num_actuators()
        root = next(iter(floating_joints(plant).values()))
        points = [
            (plant.GetFrameByName(link), point)
            for link, points in parameters.feet.items()
            for point in points
        ]
        trunk = root.child_body().body_frame()
        self._motion = PlantMotion(plant, [*points, (trunk, np.zeros(3))])
        joints = [actuator.joint() for actuator in actuators_of(plant)]
        positions, places = actuated_places(plant)
        home, slope = plant.CreateDefaultContext(), ground_axes(plant).matrix()
        mu = parameters.friction / np.sqrt(2.0)
        edges = np.array([[mu, mu, 1.0], [mu, -mu, 1.0], [-mu, mu, 1.0], [-mu, -mu, 1.0]]).T
        B = plant.MakeActuationMatrix()
        driven = np.abs(B).sum(axis=1) > 0.0
        self.law = StandLaw(
            kp=parameters.kp,
            kd=parameters.kd,
            q_d=np.array([parameters.posture.get(joint.name(), 0.0) for joint in joints]),
            position=positions,
            velocity=np.append(places, root.velocity_start() + np.arange(6)),
            base=root.frame_on_parent().CalcRotationMatrixInWorld(home).matrix(),
            normal=slope[:, 2].copy(),
            edges=np.ascontiguousarray(slope @ edges),
            driven=np.flatnonzero(driven),
            free=np.flatnonzero(~driven),
            efforts_of=np.linalg.pinv(B[driven]),
        )
        self._state = self.DeclareVectorInputPort("state", plant.num_multibody_states())
        self.DeclareVectorOutputPort("actuation", count, self._calc_actuation)

    @property
    def frames(self) -> Fixed | None:
        """Points that stand, and the trunk's frame, on links of the flat arrays, if these serve."""
        return self._motion.fixed

    def _calc_actuation(self, context: Context, output: BasicVector) -> None:
        state, motion = self._state.Eval(context), self._motion
        q, v = state[: self._nq], state[self._nq :]
        motion.set(q, v)
        torques = np.empty(len(self.law.efforts_of))
        J, R, _, _, bias = motion.frames
        if not standing_torque(self.law, q, v, motion.M, motion.force, J, R, bias, torques):
            raise RunError("!Stand finds no forces of the ground: its state is no number")
        output.SetFromVector(torques)
