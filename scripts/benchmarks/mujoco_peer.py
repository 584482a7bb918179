"""The same machine in MuJoCo: bodies, joints and shapes as Drake's plant has them.

Elliptic cones, Newton's solver and implicit damping with MuJoCo's own default compliance; friction
of every shape is the scenario's. Springs, loops, gears and controllers are left out.
"""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    GeometryId,
    HalfSpace,
    Mesh,
    SceneGraphInspector,
    Sphere,
)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    BodyIndex,
    Joint,
    JointIndex,
    PrismaticJoint,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RigidBody,
    WeldJoint,
)
from stepping import Stepper

from footfall.arrays import Array
from footfall.scenario.assemble import Robot
from footfall.scenario.schema import Scenario

_POINT = 1e-4  # m: MuJoCo has no spheres without a radius
_LEAST = 1e-9  # kg, kg m^2: MuJoCo has no bodies without mass
_FAR = 1e3  # m: half the side of the ground


class MujocoRobot:
    """A robot's MjModel ``model`` and MjData ``data``, at the robot's initial state."""

    def __init__(self, scenario: Scenario, robot: Robot) -> None:
        self._plant, self._robot = robot.plant, robot
        spec = mujoco.MjSpec()
        spec.option.timestep = scenario.time_step
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.gravity = robot.plant.gravity_field().gravity_vector()
        self._add_bodies(spec, friction=float(robot.contacts.mu.max(initial=0.0)))
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.start()

    def start(self, state: Array | None = None) -> None:
        """Go to a state [q; v] of Drake's plant, the initial one if none is given."""
        mujoco.mj_resetData(self.model, self.data)
        plant, context = self._plant, self._plant.CreateDefaultContext()
        plant.SetPositionsAndVelocities(
            context, self._robot.initial_state if state is None else state
        )
        for joint in _joints(plant):
            if isinstance(joint, QuaternionFloatingJoint):
                body = joint.child_body()
                X_WB = plant.EvalBodyPoseInWorld(context, body)
                V_WB = plant.EvalBodySpatialVelocityInWorld(context, body)
                place = self.data.joint(_name(joint))
                place.qpos = [*X_WB.translation(), *_quaternion(X_WB)]
                w_B = X_WB.rotation().inverse() @ V_WB.rotational()
                place.qvel = [*V_WB.translational(), *w_B]
            elif joint.num_positions() == 1:
                place = self.data.joint(_name(joint))
                place.qpos = joint.GetOnePosition(context)
                place.qvel = joint.GetOneVelocity(context)
        mujoco.mj_forward(self.model, self.data)

    def advance(self, steps: int) -> None:
        """Make so many steps."""
        mujoco.mj_step(self.model, self.data, steps)

    def stepper(self) -> Stepper:
        """The robot as what is timed."""
        return Stepper(self.start, self.advance, self.state)

    def state(self) -> Array:
        """[q; v] of Drake's plant."""
        plant, state = self._plant, self._robot.initial_state.copy()
        for joint in _joints(plant):
            if isinstance(joint, QuaternionFloatingJoint):
                place, q = self.data.joint(_name(joint)), joint.position_start()
                v = plant.num_positions() + joint.velocity_start()
                R_WB = RotationMatrix(Quaternion(wxyz=place.qpos[3:]))
                state[q : q + 7] = [*place.qpos[3:], *place.qpos[:3]]
                state[v : v + 6] = [*(R_WB @ place.qvel[3:]), *place.qvel[:3]]
            elif joint.num_positions() == 1:
                place = self.data.joint(_name(joint))
                state[joint.position_start()] = place.qpos[0]
                state[plant.num_positions() + joint.velocity_start()] = place.qvel[0]
        return state

    def _add_bodies(self, spec: Any, friction: float) -> None:  # noqa: ANN401 (no types)
        plant, inspector = self._plant, self._robot.model.scene_graph.model_inspector()
        bodies = {plant.world_body().index(): spec.worldbody}
        _add_shapes(plant, plant.world_body(), inspector, spec, spec.worldbody, friction)
        left = _joints(plant)
        while left:
            ready = [joint for joint in left if joint.parent_body().index() in bodies]
            for joint in ready:
                body = joint.child_body()
                parent = bodies[joint.parent_body().index()]
                bodies[body.index()] = added = _add_body(self._robot, joint, parent)
                _add_shapes(plant, body, inspector, spec, added, friction)
            left = [joint for joint in left if joint not in ready]
        for a, b in _filtered(plant, inspector):
            spec.add_exclude(bodyname1=_body_name(a), bodyname2=_body_name(b))


def _joints(plant: MultibodyPlant) -> list[Joint]:
    return [plant.get_joint(JointIndex(i)) for i in plant.GetJointIndices()]


def _add_body(robot: Robot, joint: Joint, parent: Any) -> Any:  # noqa: ANN401
    plant, body = robot.plant, joint.child_body()
    X_PJ = joint.frame_on_parent().GetFixedPoseInBodyFrame()
    X_BJ = joint.frame_on_child().GetFixedPoseInBodyFrame()
    X_PB = X_PJ @ X_BJ.inverse()
    added = parent.add_body(name=_body_name(body), pos=X_PB.translation(), quat=_quaternion(X_PB))
    context = plant.CreateDefaultContext()
    inertia = body.CalcSpatialInertiaInBodyFrame(context)
    added.explicitinertial = True
    if inertia.get_mass() == 0.0:
        added.mass, added.inertia = _LEAST, 3 * [_LEAST]
    else:
        about = inertia.Shift(inertia.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        if robot.contacts.dim == 2:  # of a planar link often only this moment is given
            about = about[1, 1] * np.eye(3)
        about = about + _LEAST * np.eye(3)
        added.mass, added.ipos = inertia.get_mass(), inertia.get_com()
        added.fullinertia = [*np.diag(about), about[0, 1], about[0, 2], about[1, 2]]
    if isinstance(joint, QuaternionFloatingJoint):
        added.add_freejoint(name=_name(joint))
    elif isinstance(joint, RevoluteJoint | PrismaticJoint):
        revolute = isinstance(joint, RevoluteJoint)
        axis = joint.revolute_axis() if revolute else joint.translation_axis()
        kind = mujoco.mjtJoint.mjJNT_HINGE if revolute else mujoco.mjtJoint.mjJNT_SLIDE
        added.add_joint(
            name=_name(joint),
            type=kind,
            axis=X_BJ.rotation() @ axis,
            pos=X_BJ.translation(),
            damping=joint.default_damping(),
        )
    elif not isinstance(joint, WeldJoint):
        raise SystemExit(f"MuJoCo has no joint like {joint.name()} ({joint.type_name()}) here")
    return added


def _add_shapes(
    plant: MultibodyPlant,
    body: RigidBody,
    inspector: SceneGraphInspector,
    spec: Any,  # noqa: ANN401
    added: Any,  # noqa: ANN401
    friction: float,
) -> None:
    for geometry in plant.GetCollisionGeometriesForBody(body):
        X_BG = inspector.GetPoseInFrame(geometry)
        shape = inspector.GetShape(geometry)
        kind, size, mesh = _shape(shape, spec, geometry)
        added.add_geom(
            type=kind,
            size=size,
            meshname=mesh,
            pos=X_BG.translation(),
            quat=_quaternion(X_BG),
            friction=[friction, 0.0, 0.0],
        )


def _shape(shape: object, spec: Any, geometry: GeometryId) -> tuple[Any, list[float], str]:  # noqa: ANN401
    """Type, size and name of the mesh of a shape."""
    kinds = mujoco.mjtGeom
    known: dict[type, Callable[[Any], tuple[Any, list[float]]]] = {
        HalfSpace: lambda _s: (kinds.mjGEOM_PLANE, [_FAR, _FAR, 1.0]),
        Sphere: lambda s: (kinds.mjGEOM_SPHERE, [max(s.radius(), _POINT), 0.0, 0.0]),
        Box: lambda s: (kinds.mjGEOM_BOX, [0.5 * side for side in s.size()]),
        Capsule: lambda s: (kinds.mjGEOM_CAPSULE, [s.radius(), 0.5 * s.length(), 0.0]),
        Cylinder: lambda s: (kinds.mjGEOM_CYLINDER, [s.radius(), 0.5 * s.length(), 0.0]),
    }
    if type(shape) in known:
        return *known[type(shape)](shape), ""
    if isinstance(shape, Mesh | Convex):
        name = f"mesh{geometry.get_value()}"
        path = Path(shape.source().path())
        spec.add_mesh(name=name, file=str(path), scale=list(shape.scale3()))
        return kinds.mjGEOM_MESH, [0.0, 0.0, 0.0], name
    raise SystemExit(f"MuJoCo has no {type(shape).__name__} here")


def _filtered(
    plant: MultibodyPlant, inspector: SceneGraphInspector
) -> list[tuple[RigidBody, RigidBody]]:
    """The pairs of bodies of which Drake lets no shapes collide, without the world's."""
    shapes = {}
    for index in range(1, plant.num_bodies()):
        body = plant.get_body(BodyIndex(index))
        shapes[index] = plant.GetCollisionGeometriesForBody(body)
    return [
        (plant.get_body(BodyIndex(a)), plant.get_body(BodyIndex(b)))
        for a, b in combinations(shapes, 2)
        if shapes[a]
        and shapes[b]
        and all(inspector.CollisionFiltered(g, h) for g in shapes[a] for h in shapes[b])
    ]


def _quaternion(X: RigidTransform) -> Array:
    return X.rotation().ToQuaternion().wxyz()


def _body_name(body: RigidBody) -> str:
    return f"{body.model_instance()}/{body.name()}"


def _name(joint: Joint) -> str:
    return f"{joint.model_instance()}/{joint.name()}"
