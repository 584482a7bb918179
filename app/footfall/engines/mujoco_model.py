"""A loaded plant as a model of MuJoCo: bodies, joints, shapes and contacts as Drake has them.

The frame of a body is that of its joint on it, M, and a joint's axes are those of its frame on the
parent, F. Shapes touch by explicit pairs alone: those of the contact set, each with its friction.
MuJoCo's M and h are held against Drake's when the model is made.

Frames: W world, B a body as Drake has it.
"""

# ruff: noqa: ANN401 (a specification has no types)

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import mujoco
import numpy as np
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    GeometryId,
    HalfSpace,
    Mesh,
    SceneGraphInspector,
    Sphere,
)
from pydrake.math import RigidTransform
from pydrake.multibody.tree import (
    ForceElementIndex,
    Frame,
    Joint,
    PlanarJoint,
    PrismaticJoint,
    PrismaticSpring,
    QuaternionFloatingJoint,
    RevoluteJoint,
    RevoluteSpring,
    RigidBody,
    UniformGravityFieldElement,
    UniversalJoint,
    WeldJoint,
)

from footfall.arrays import Array, Indices
from footfall.engines.mujoco_config import MujocoConfig
from footfall.engines.mujoco_places import (
    Places,
    places_of,
    positions_to_mujoco,
    vectors_to_mujoco,
    vectors_to_plant,
)
from footfall.errors import ModelError, reason_of, refusing
from footfall.plants.constraints import Ball, Constraint, Coupler, Distance, Weld
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import actuators_of, fixed_bodies, joints_of, somewhere
from footfall.plants.dynamics import Dynamics
from footfall.plants.names import require_frames, require_joints

_POINT = 1e-4  # m: MuJoCo has no spheres without a radius
_LEAST = 1e-12  # kg, kg m^2: MuJoCo has no bodies without mass
_ROUNDING = 1e-14  # of principal moments
_FAR = 1e3  # m: half the side of the ground, as it is drawn
_SAME = 1e-6  # of M and h, which _LEAST changes

_HINGE, _SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
_INTEGRATORS = {
    "Euler": mujoco.mjtIntegrator.mjINT_EULER,
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "RK4": mujoco.mjtIntegrator.mjINT_RK4,
}
_CONES = {"elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC, "pyramidal": mujoco.mjtCone.mjCONE_PYRAMIDAL}

_KINDS = mujoco.mjtGeom
_SHAPES: Mapping[type, tuple[Any, Callable[[Any], list[float]]]] = {
    HalfSpace: (_KINDS.mjGEOM_PLANE, lambda _: [_FAR, _FAR, 1.0]),
    Sphere: (_KINDS.mjGEOM_SPHERE, lambda s: [max(s.radius(), _POINT), 0.0, 0.0]),
    Box: (_KINDS.mjGEOM_BOX, lambda s: [0.5 * side for side in s.size()]),
    Capsule: (_KINDS.mjGEOM_CAPSULE, lambda s: [s.radius(), 0.5 * s.length(), 0.0]),
    Cylinder: (_KINDS.mjGEOM_CYLINDER, lambda s: [s.radius(), 0.5 * s.length(), 0.0]),
    Ellipsoid: (_KINDS.mjGEOM_ELLIPSOID, lambda s: [s.a(), s.b(), s.c()]),
    Mesh: (_KINDS.mjGEOM_MESH, lambda _: [0.0, 0.0, 0.0]),
    Convex: (_KINDS.mjGEOM_MESH, lambda _: [0.0, 0.0, 0.0]),
}

if mujoco.get_mju_user_warning() is None:  # which would go to a file; steps look for them
    mujoco.set_mju_user_warning(lambda _message: None)


class MujocoModel:
    """MjModel ``model`` and MjData ``data`` of a plant, and where either has what of the other.

    places: of coordinates. geometries: Drake's, by MuJoCo's numbers. Raises ModelError, one line,
    for what MuJoCo has not or has otherwise.
    """

    def __init__(
        self,
        dynamics: Dynamics,
        time_step: float,
        config: MujocoConfig,
        slopes: Array | None = None,
    ) -> None:
        """Take the dynamics of a plant and its contacts, the step [s], the options.

        slopes (nu,): dampers in the drives of the actuators [N m s/rad or N s/m].
        """
        self._dynamics, self._contacts, self._config = dynamics, dynamics.contacts, config
        plant = dynamics.plant
        self._inspector: SceneGraphInspector = dynamics.model.scene_graph.model_inspector()
        self._spec = spec = mujoco.MjSpec()
        spec.compiler.degree = False
        option = spec.option
        option.timestep, option.gravity = time_step, plant.gravity_field().gravity_vector()
        option.cone, option.impratio = _CONES[config.cone], config.impratio
        option.integrator = _INTEGRATORS[config.integrator]
        option.iterations, option.tolerance = config.iterations, config.tolerance
        option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
        self._bodies = {plant.world_body().index(): (spec.worldbody, RigidTransform())}
        self._called: dict[str, GeometryId] = {}
        self._add_bodies()
        self._add_springs()
        self._add_actuators(slopes)
        self._add_pairs()
        self._lengths: dict[str, float] = {}  # of rods
        for number, constraint in enumerate(dynamics.model.constraints):
            self._close(constraint, f"loop{number}")
        with refusing(ModelError, lambda error: _refused(f"the model ({reason_of(error)})")):
            self.model = spec.compile()
        for name, length in self._lengths.items():
            beside = length - self.model.tendon_length0[self.model.tendon(name).id]
            self.model.eq_data[self.model.equality(name).id, :5] = [beside, 0.0, 0.0, 0.0, 0.0]
        self.data = mujoco.MjData(self.model)
        self._pairs = np.array([self.model.pair(f"pair{k}").id for k in self._firsts], dtype=int)
        self.take_friction(self._contacts)
        self.geometries = {self.model.geom(name).id: g for name, g in self._called.items()}
        starts = {
            joint: (int(self.model.jnt_qposadr[made]), int(self.model.jnt_dofadr[made]))
            for joint in joints_of(plant)
            if joint.num_velocities() > 0
            for made in [self.model.joint(f"{_name(joint)}/0").id]
        }
        self.places: Places = places_of(plant, starts)
        self._require_same()

    def take_friction(self, contacts: ContactSet) -> None:
        """Give the pairs the coefficients that contacts have."""
        mu = contacts.mu[self._firsts]
        self.model.pair_friction[self._pairs, :2] = mu[:, None]
        self.model.pair_dim[self._pairs] = np.where(mu > 0.0, 3, 1)

    def _add_bodies(self) -> None:
        left = joints_of(self._dynamics.plant)
        while left:
            ready = [joint for joint in left if joint.parent_body().index() in self._bodies]
            for joint in ready:
                self._add_body(joint)
            left = [joint for joint in left if joint not in ready]

    def _add_body(self, joint: Joint) -> None:
        plant, body, P = self._dynamics.plant, joint.child_body(), joint.parent_body()
        parent, X_MP = self._bodies[P.index()]
        X = X_MP @ joint.frame_on_parent().GetFixedPoseInBodyFrame()
        if isinstance(joint, QuaternionFloatingJoint):
            if P.index() not in fixed_bodies(plant):
                raise ModelError(_refused(f"the free joint '{joint.name()}' on a link that moves"))
            parent = self._spec.worldbody
        elif isinstance(joint, WeldJoint):
            X = X @ joint.X_FM()
        added = parent.add_body(name=_name(body), **_pose(X))
        X_MB = joint.frame_on_child().GetFixedPoseInBodyFrame().inverse()
        self._bodies[body.index()] = added, X_MB
        self._give_inertia(body, added, X_MB)
        if isinstance(joint, QuaternionFloatingJoint):
            added.add_freejoint(name=f"{_name(joint)}/0")
        elif not isinstance(joint, WeldJoint):
            self._add_axes(joint, added)

    def _give_inertia(self, body: RigidBody, added: Any, X_MB: RigidTransform) -> None:
        plant = self._dynamics.plant
        inertia = body.CalcSpatialInertiaInBodyFrame(plant.CreateDefaultContext())
        mass, p_BC = inertia.get_mass(), inertia.get_com()
        about = np.zeros((3, 3))
        if mass > 0.0:
            R_MB = X_MB.rotation().matrix()
            of_B = inertia.Shift(p_BC).CalcRotationalInertia().CopyToFullMatrix3()
            about = R_MB @ of_B @ R_MB.T
        if self._contacts.dim == 2:  # of a planar link often only this moment is given
            about = about[1, 1] * np.eye(3)
        least, middle, most = np.linalg.eigvalsh(about)  # of which MuJoCo asks for more than Drake
        lacking = max(_LEAST - least, most - least - middle + _ROUNDING * most)
        about += max(lacking, 0.0) * np.eye(3)
        added.explicitinertial = True
        added.gravcomp = 0.0 if plant.is_gravity_enabled(body.model_instance()) else 1.0
        added.mass, added.ipos = max(mass, _LEAST), X_MB @ p_BC
        added.fullinertia = [*np.diag(about), about[0, 1], about[0, 2], about[1, 2]]

    def _add_axes(self, joint: Joint, added: Any) -> None:
        x, y, z = np.eye(3)
        if isinstance(joint, RevoluteJoint):
            axes = [(_HINGE, joint.revolute_axis())]
        elif isinstance(joint, PrismaticJoint):
            axes = [(_SLIDE, joint.translation_axis())]
        elif isinstance(joint, UniversalJoint):
            axes = [(_HINGE, x), (_HINGE, y)]
        elif isinstance(joint, PlanarJoint):
            axes = [(_SLIDE, x), (_SLIDE, y), (_HINGE, z)]
        else:
            raise ModelError(_refused(f"joint '{joint.name()}' of type {joint.type_name()}"))
        damping, contacts, config = joint.default_damping_vector(), self._contacts, self._config
        for k, (kind, axis) in enumerate(axes):
            made = added.add_joint(name=f"{_name(joint)}/{k}", type=kind, axis=axis)
            made.damping[0] = damping[k]
            made.solref_limit = made.solref_friction = config.solref
            made.solimp_limit = made.solimp_friction = config.solimp
            place = joint.velocity_start() + k
            ends = {limit.sign: limit.bound for limit in contacts.limits if limit.velocity == place}
            if ends:
                made.limited = mujoco.mjtLimited.mjLIMITED_TRUE
                low, high = ends.get(1.0, -mujoco.mjMAXVAL), ends.get(-1.0, mujoco.mjMAXVAL)
                made.range = [low, max(high, low + _LEAST)]  # which may not be the same
            dry = [each.effort for each in contacts.frictions if each.velocity == place]
            made.frictionloss = sum(dry)

    def _add_springs(self) -> None:
        plant = self._dynamics.plant
        for index in range(plant.num_force_elements()):
            element = plant.get_force_element(ForceElementIndex(index))
            if isinstance(element, UniformGravityFieldElement):
                continue
            if isinstance(element, RevoluteSpring):
                stiffness, rest = element.default_stiffness(), element.default_nominal_angle()
            elif isinstance(element, PrismaticSpring):
                stiffness, rest = element.stiffness(), element.nominal_position()
            else:
                raise ModelError(_refused(f"the force element {type(element).__name__}"))
            joint = self._spec.joint(f"{_name(element.joint())}/0")
            if joint.stiffness[0] != 0.0:
                raise ModelError(_refused(f"two springs in the joint '{element.joint().name()}'"))
            joint.stiffness[0], joint.springref = stiffness, rest

    def _add_actuators(self, slopes: Array | None) -> None:
        for k, actuator in enumerate(actuators_of(self._dynamics.plant)):
            name, gear = f"{_name(actuator.joint())}/0", actuator.default_gear_ratio()
            self._spec.joint(name).armature += gear**2 * actuator.default_rotor_inertia()
            made = self._spec.add_actuator(name=f"actuator{k}", target=name)
            made.trntype = mujoco.mjtTrn.mjTRN_JOINT
            if slopes is not None and slopes[k] > 0.0:
                made.biastype = mujoco.mjtBias.mjBIAS_AFFINE
                made.biasprm[2] = -slopes[k]
            if np.isfinite(actuator.effort_limit()):
                made.forcelimited = mujoco.mjtLimited.mjLIMITED_TRUE
                made.forcerange = [-actuator.effort_limit(), actuator.effort_limit()]

    def _add_pairs(self) -> None:
        self._firsts: Indices = np.array([first for _, _, first in self._touching()], dtype=int)
        for a, b, first in self._touching():
            names = [self._shape(geometry) for geometry in (a, b)]
            pair = self._spec.add_pair(
                name=f"pair{first}", geomname1=names[0], geomname2=names[1], condim=3
            )
            pair.solref, pair.solimp = self._config.solref, self._config.solimp

    def _touching(self) -> Iterator[tuple[GeometryId, GeometryId, int]]:
        """Yield the geometries of every pair, and the first of its contacts."""
        contacts = self._contacts
        for shape in contacts.ground:
            mu = contacts.mu[shape.first : shape.first + len(shape.points)]
            if (mu != mu[0]).any():
                what = f"points of '{self._inspector.GetName(shape.geometry)}' that differ in mu"
                raise ModelError(_refused(what))
            yield contacts.terrain, shape.geometry, shape.first
        for pair in contacts.pairs:
            yield pair.a, pair.b, pair.first

    def _shape(self, geometry: GeometryId) -> str:
        """Return the name of a geometry, which is added if it is not there."""
        name = f"shape{geometry.get_value()}"
        if name in self._called:
            return name
        self._called[name] = geometry
        body = self._dynamics.plant.GetBodyFromFrameId(self._inspector.GetFrameId(geometry))
        added, X_MB = self._bodies[body.index()]
        kind, size = self._kind(geometry)
        geom = added.add_geom(name=name, type=kind, size=size, contype=0, conaffinity=0)
        for field, value in _pose(X_MB @ self._inspector.GetPoseInFrame(geometry)).items():
            setattr(geom, field, value)
        if kind == mujoco.mjtGeom.mjGEOM_MESH:
            hull = self._inspector.GetConvexHull(geometry)
            corners = [hull.vertex(i) for i in range(hull.num_vertices())]
            mesh = self._spec.add_mesh(name=name, uservert=np.ravel(corners))
            mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
            geom.meshname = name
        return name

    def _kind(self, geometry: GeometryId) -> tuple[Any, list[float]]:
        shape = self._inspector.GetShape(geometry)
        if type(shape) not in _SHAPES:
            raise ModelError(_refused(f"the shape {type(shape).__name__}"))
        kind, size = _SHAPES[type(shape)]
        return kind, size(shape)

    def _close(self, constraint: Constraint, name: str) -> None:
        """Add a closed loop or a gear."""
        made = self._spec.add_equality(name=name)
        made.solref, made.solimp = self._config.solref, self._config.solimp
        plant = self._dynamics.plant
        if isinstance(constraint, Coupler):
            joints = require_joints(plant, [constraint.joint0, constraint.joint1])
            made.type, made.objtype = mujoco.mjtEq.mjEQ_JOINT, mujoco.mjtObj.mjOBJ_JOINT
            made.name1, made.name2 = (f"{_name(joint)}/0" for joint in joints)
            made.data[:5] = [constraint.offset, constraint.gear_ratio, 0.0, 0.0, 0.0]
            return
        frames, points = require_frames(plant, [constraint.a, constraint.b]), [np.zeros(3)] * 2
        if not isinstance(constraint, Weld):
            points = [np.array(constraint.p_AP), np.array(constraint.p_BQ)]
        sites = [
            self._site(frame, p, f"{name}/{k}")
            for k, (frame, p) in enumerate(zip(frames, points, strict=True))
        ]
        if isinstance(constraint, Distance):
            tendon = self._spec.add_tendon(name=name)
            for site in sites:
                tendon.wrap_site(site)
            made.type, made.objtype = mujoco.mjtEq.mjEQ_TENDON, mujoco.mjtObj.mjOBJ_TENDON
            made.name1, self._lengths[name] = name, constraint.distance
            return
        is_ball, kinds = isinstance(constraint, Ball), mujoco.mjtEq
        made.type = kinds.mjEQ_CONNECT if is_ball else kinds.mjEQ_WELD
        made.objtype, (made.name1, made.name2) = mujoco.mjtObj.mjOBJ_SITE, sites

    def _site(self, frame: Frame, p: Array, name: str) -> str:
        added, X_MB = self._bodies[frame.body().index()]
        X = X_MB @ frame.GetFixedPoseInBodyFrame() @ RigidTransform(p)
        added.add_site(name=name, **_pose(X))
        return name

    def _require_same(self) -> None:
        """Hold M and h against Drake's at some states; raises ModelError where they differ."""
        plant, places, data = self._dynamics.plant, self.places, self.data
        nv, v = plant.num_velocities(), np.linspace(-1.0, 1.0, plant.num_velocities())
        for context in somewhere(plant):
            q = plant.GetPositions(context)
            self._dynamics.set_state(np.concatenate((q, v)))
            positions_to_mujoco(places, q, data.qpos)
            vectors_to_mujoco(places, q, v, data.qvel)
            mujoco.mj_fwdPosition(self.model, data)
            mujoco.mj_fwdVelocity(self.model, data)
            full, mass, h = np.empty((nv, nv)), np.empty((nv, nv)), np.empty(nv)
            mujoco.mj_fullM(self.model, data, full)
            for row, out in zip(full, mass, strict=True):
                vectors_to_plant(places, data.qpos, row, out)
            for row, out in zip(mass.T.copy(), full, strict=True):
                vectors_to_plant(places, data.qpos, row, out)
            vectors_to_plant(places, data.qpos, data.qfrc_passive - data.qfrc_bias, h)
            M = self._dynamics.mass_matrix()
            size = np.sqrt(np.maximum(np.diagonal(M), _LEAST))
            most = max(np.abs(self._dynamics.h() / size).max(), np.abs(size * v).max())
            if not (np.abs(full - M) <= _SAME * np.outer(size, size)).all():
                raise ModelError("engine mujoco: the mass matrix in MuJoCo is not Drake's.")
            if not (np.abs(h - self._dynamics.h()) <= _SAME * most * size).all():
                raise ModelError("engine mujoco: the forces in MuJoCo are not Drake's.")
        mujoco.mj_resetData(self.model, data)


def _refused(what: str) -> str:
    return f"engine mujoco: MuJoCo takes no such thing here: {what}; choose moreau or drake."


def _pose(X: RigidTransform) -> Mapping[str, Array]:
    return {"pos": X.translation(), "quat": X.rotation().ToQuaternion().wxyz()}


def _name(element: RigidBody | Joint) -> str:
    model = element.GetParentPlant().GetModelInstanceName(element.model_instance())
    return f"{model}::{element.name()}"
