"""Finding the contacts of a model: which shapes may touch what, how rough, how bouncy, their names.

Shapes that never touch the ground, because their body's joints keep them at their height, are left
out. Joints with dry friction, and the two feet of the swing-foot filter, are found here as well.
Pieces of scenery may form one surface, as boxes that tile a track: ``track::bump#0`` and so on.

Frames: W world, T terrain (z its normal).
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId, HalfSpace, Role, SceneGraphInspector
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    JacobianWrtVariable,
    Joint,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    WeldJoint,
)
from pydrake.systems.framework import Context

from footfall.contact import combine_friction
from footfall.errors import ModelError, ScenarioError
from footfall.plants.contacts.contact_set import BodyPair, ContactSet, GroundShape, JointFriction
from footfall.plants.contacts.ground import ground_table, measure_points
from footfall.plants.contacts.material import ContactMaterial, SurfaceLaw
from footfall.plants.contacts.shapes import Solid, points_of_shape, solid_of_shape
from footfall.plants.contacts.swing_foot_filter import Foot, SwingFeet, SwingFootFilter
from footfall.plants.coordinates import (
    bodies_of,
    collect_limits,
    joints_of,
    short_names,
    simple_joints,
)
from footfall.plants.kinematics import Kinematics
from footfall.plants.loading.load import Model
from footfall.plants.names import broad_first, fitting
from footfall.plants.terrain import FRAME_NAME, ground_axes
from footfall.wording import did_you_mean

# what Drake calls a shape that the file does not name
_BY_KIND = re.compile(r"(Sphere|Capsule|Cylinder|Box|Ellipsoid|Convex|Mesh)(_\d+)?")
_PIECE = re.compile(r"(.+)#\d+")
_LEVEL = 1e-12  # of a unit vector: rounding


def names_of_shapes(plant: MultibodyPlant, inspector: SceneGraphInspector) -> dict[GeometryId, str]:
    """Names of the collision shapes, no two alike.

    Files need not name shapes; Drake then calls them by their kind, in every link anew. Such names,
    and any that occur twice, get their link's name before them: model::link/Sphere.
    """
    own = {g: inspector.GetName(g) for g in inspector.GetAllGeometryIds(Role.kProximity)}
    times = Counter(own.values())
    called: dict[GeometryId, str] = {}
    for geometry, name in own.items():
        short = name.rpartition("::")[2]
        called[geometry] = name
        if times[name] > 1 or _BY_KIND.fullmatch(short):
            body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
            called[geometry] = f"{body.scoped_name()}/{short}"
    return called


def surfaces_of(
    plant: MultibodyPlant, inspector: SceneGraphInspector, called: Mapping[GeometryId, str]
) -> dict[GeometryId, str]:
    """The surface that each piece of one belongs to: ``track::bump`` for ``track::bump#12``.

    Pieces are shapes with such names in one link that is fixed to the world; where several links
    have such, theirs are surfaces of their own: model::link/bump. called: names of all collision
    shapes. Where a shape of its own has the name of the surface, its pieces are none.
    """
    taken = set(called.values())
    pieces: dict[GeometryId, tuple[str, str]] = {}  # the surface and the link
    for geometry in called:
        piece = _PIECE.fullmatch(inspector.GetName(geometry))
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if piece is not None and plant.IsAnchored(body):
            pieces[geometry] = piece[1], str(body.scoped_name())
    links = Counter(surface for surface, _ in set(pieces.values()))
    surfaces = {
        geometry: name if links[name] == 1 else f"{link}/{name.rpartition('::')[2]}"
        for geometry, (name, link) in pieces.items()
    }
    return {geometry: name for geometry, name in surfaces.items() if name not in taken}


def names_of_surfaces(plant: MultibodyPlant, inspector: SceneGraphInspector) -> frozenset[str]:
    """All surfaces of a plant."""
    return frozenset(surfaces_of(plant, inspector, names_of_shapes(plant, inspector)).values())


def swing_foot_filter_of(
    rule: SwingFeet, model: Model, ground: Sequence[GroundShape], names: Sequence[str]
) -> SwingFootFilter:
    """Find a rule's feet among the shapes on the ground.

    names: of the points of these shapes, in their order. Raises ScenarioError for a rule that does
    not name two feet, for a name that fits no shape, and for a shape in both feet.
    """
    rule.__post_init__()  # Drake's YAML reader fills fields in after they were checked
    if len(rule.feet) != 2:
        message = f"alternating_feet.feet has {len(rule.feet)} name(s): give those of two feet."
        raise ScenarioError(message)
    called = {_name_of(shape, names): shape for shape in ground}
    first, second = (_fitting(name, list(called)) for name in rule.feet)
    shared = [name for name in first if name in second]
    if shared:
        message = f"alternating_feet.feet: '{shared[0]}' is in both feet: name two different ones."
        raise ScenarioError(message)
    plant = model.plant
    ahead_T = np.array([*rule.ahead, 0.0])
    ahead_W = ground_axes(plant).multiply(ahead_T / np.linalg.norm(ahead_T))
    feet = [_foot([called[name] for name in found]) for found in (first, second)]
    return SwingFootFilter((feet[0], feet[1]), ahead_W, rule.landed)


def _name_of(shape: GroundShape, names: Sequence[str]) -> str:
    """Name of a shape: that of its only point, or of all of them without their numbers."""
    name = names[shape.first]
    return name if len(shape.points) == 1 else name.rpartition("#")[0]


def _fitting(name: str, known: list[str]) -> list[str]:
    shapes = [shape for shape in known if fnmatchcase(shape, name)]
    if not shapes:
        raise ScenarioError(
            f"alternating_feet.feet: no shape that meets the ground is called '{name}'; "
            f"{did_you_mean(name, known)}"
        )
    return shapes


def _foot(shapes: Sequence[GroundShape]) -> Foot:
    points = [np.arange(shape.first, shape.first + len(shape.points)) for shape in shapes]
    return Foot(np.concatenate(points), tuple(shape.geometry for shape in shapes))


class NeverTouching:
    """Test for shapes of a plant that stay above the ground for ever.

    They do where every joint from the world to their body slides along the ground or turns about
    its normal, and no point of them touches it at the default positions.
    """

    def __init__(self, plant: MultibodyPlant) -> None:
        """Take a finalized plant."""
        self._context = plant.CreateDefaultContext()
        self._kinematics = Kinematics(plant)
        self._kinematics.place(self._context, plant.GetPositions(self._context))
        self._X_WT = plant.GetFrameByName(FRAME_NAME).CalcPoseInWorld(self._context)
        inboard = {joint.child_body().index(): joint for joint in joints_of(plant)}
        self._level = {
            index: _keeps_height(joint, self._context, self._X_WT)
            for index, joint in inboard.items()
        }
        self._inboard = inboard

    def __call__(self, shape: GroundShape) -> bool:
        """Return whether no motion brings a shape to the ground; ``first`` of it is 0."""
        if not self._stays_level(shape.body):
            return False
        points = ground_table([shape], self._kinematics, self._X_WT)
        gap, _ = measure_points(points, self._kinematics.poses)
        return bool(gap.min() > 0.0)

    def _stays_level(self, body: RigidBody) -> bool:
        while body.index() in self._inboard:
            if not self._level[body.index()]:
                return False
            body = self._inboard[body.index()].parent_body()
        return True


def _keeps_height(joint: Joint, context: Context, X_WT: RigidTransform) -> bool:
    """Return whether a joint moves what it carries along the ground only."""
    if isinstance(joint, WeldJoint):
        return True
    rotation = joint.frame_on_parent().CalcPoseInWorld(context).rotation()
    n_W = X_WT.rotation().matrix()[:, 2]
    if isinstance(joint, PrismaticJoint):
        return abs(float(n_W @ rotation.multiply(joint.translation_axis()))) <= _LEVEL
    if isinstance(joint, RevoluteJoint):
        across = np.cross(n_W, rotation.multiply(joint.revolute_axis()))
        return float(np.linalg.norm(across)) <= _LEVEL
    return False


def dry_joints(
    plant: MultibodyPlant, of_files: Mapping[str, float], wanted: Mapping[str, float]
) -> tuple[JointFriction, ...]:
    """Return the joints that have dry friction, in the plant's order.

    of_files: friction [N m or N] by full name, ``model::joint``. wanted: by plain or full name or
    by a pattern such as ``*_knee``; a name beats a pattern, a longer pattern a shorter one, and 0
    takes away what the files say. Raises ScenarioError for a name or pattern that fits no joint
    with one degree of freedom, for a plain name that fits several, and for friction that is
    negative or endless.
    """
    joints = simple_joints(plant)
    plain = {full: joint.name() for full, joint in joints.items()}
    effort = {name: value for name, value in of_files.items() if name in joints}
    for name in broad_first(wanted):
        if not 0.0 <= wanted[name] < math.inf:
            raise ScenarioError(
                f"joint_friction: '{name}' has {wanted[name]}: give a finite number of N m (or N) "
                "that is not negative."
            )
        matching = fitting(name, plain, "joint_friction", "joint", " with one degree of freedom")
        effort |= dict.fromkeys(matching, wanted[name])
    names = short_names(plant, list(joints.values()))
    return tuple(
        JointFriction(f"{name}:friction", joint.velocity_start(), effort[full])
        for name, (full, joint) in zip(names, joints.items(), strict=True)
        if effort.get(full, 0.0) > 0.0
    )


def collect_contacts(
    model: Model,
    material: ContactMaterial | None = None,
    *,
    joint_friction: Mapping[str, float] | None = None,
    swing_feet: SwingFeet | None = None,
) -> ContactSet:
    """Find the contacts of a model; collision filters are respected.

    material: friction and restitution; absent: those of the files.
    joint_friction: dry friction by joint name or pattern [N m or N], which changes what the files
    say. swing_feet: two feet that take turns. Raises ModelError for a shape that cannot
    touch, ScenarioError for a rule, a joint or a foot that matches nothing and for coefficients
    that do not fit together.
    """
    plant, inspector = model.plant, model.scene_graph.model_inspector()
    candidates = sorted(inspector.GetCollisionCandidates(), key=_ids)
    called = names_of_shapes(plant, inspector)
    _refuse_other_grounds(inspector, called)
    material = material or ContactMaterial()
    surfaces = material.laws_of(inspector, {g for pair in candidates for g in pair})
    ground, of_ground, parts = _ground_shapes(plant, inspector, candidates, called, surfaces)
    body_pairs, of_pairs = _body_pairs(plant, inspector, candidates, called, surfaces, len(parts))
    swing_foot_filter = (
        swing_foot_filter_of(swing_feet, model, ground, parts) if swing_feet else None
    )
    limits = collect_limits(plant)
    frictions = dry_joints(plant, model.joint_friction, joint_friction or {})
    points = [1] * len(parts) + [len(pair) for pair in body_pairs]
    pieces = {len(parts) + k for k, pair in enumerate(body_pairs) if pair.on_surface}
    parts += [pair.name for pair in body_pairs]
    touching = len(parts)
    parts += [limit.name for limit in limits] + [dry.name for dry in frictions]
    joints = [0.0] * len(limits) + [1.0] * len(frictions)
    laws = material.coefficients(of_ground + of_pairs, joints, parts)
    part_of = np.repeat(np.arange(len(parts)), points + [1] * (len(parts) - touching))
    names, places = _reported(parts, pieces)
    return ContactSet(
        names=names,
        reported_as=places[part_of],
        ground=ground,
        pairs=body_pairs,
        limits=limits,
        frictions=frictions,
        mu=laws.mu[part_of],
        mu_static=laws.mu_static[part_of],
        side=laws.side[part_of],
        restitution=laws.e_n[part_of],
        tangential_restitution=laws.e_t[part_of],
        dim=_dimension(model),
        terrain=terrain_of(inspector),
        geometry_friction={geometry: law[0] for geometry, law in surfaces.items()},
        swing_foot_filter=swing_foot_filter,
    )


def _refuse_other_grounds(inspector: SceneGraphInspector, called: Mapping[GeometryId, str]) -> None:
    terrain = terrain_of(inspector)
    for geometry, name in called.items():
        if geometry != terrain and isinstance(inspector.GetShape(geometry), HalfSpace):
            raise ModelError(
                f"the model brings a ground of its own, '{name}': take this plane out of its file; "
                "the scenario's terrain is the ground."
            )


def terrain_of(inspector: SceneGraphInspector) -> GeometryId:
    """Return the collision geometry of the ground."""
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        if inspector.GetName(geometry).rpartition("::")[2] == FRAME_NAME and isinstance(
            inspector.GetShape(geometry), HalfSpace
        ):
            return geometry
    raise ModelError("the model has no ground: load it with a terrain.")


def _ids(pair: tuple[GeometryId, GeometryId]) -> tuple[int, int]:
    return pair[0].get_value(), pair[1].get_value()


def _ground_shapes(
    plant: MultibodyPlant,
    inspector: SceneGraphInspector,
    candidates: Sequence[tuple[GeometryId, GeometryId]],
    called: Mapping[GeometryId, str],
    laws: Mapping[GeometryId, SurfaceLaw],
) -> tuple[tuple[GroundShape, ...], list[SurfaceLaw], list[str]]:
    """Shapes that may meet the half-space, with the law and name of every point."""
    never_touching = NeverTouching(plant)
    shapes: list[GroundShape] = []
    shared: list[SurfaceLaw] = []
    names: list[str] = []
    terrain = terrain_of(inspector)
    reaching = [b if a == terrain else a for a, b in candidates if terrain in (a, b)]
    for geometry in sorted(reaching, key=lambda g: g.get_value()):
        points = points_of_shape(inspector, geometry)
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if never_touching(GroundShape(body, geometry, points, 0)):
            continue
        shapes.append(GroundShape(body, geometry, points, len(names)))
        shared += [_pair_law(laws[geometry], laws[terrain])] * len(points)
        names += _numbered(called[geometry], len(points))
    return tuple(shapes), shared, names


def _body_pairs(
    plant: MultibodyPlant,
    inspector: SceneGraphInspector,
    candidates: Sequence[tuple[GeometryId, GeometryId]],
    called: Mapping[GeometryId, str],
    laws: Mapping[GeometryId, SurfaceLaw],
    first: int,
) -> tuple[tuple[BodyPair, ...], list[SurfaceLaw]]:
    """Pairs of shapes that are no half-space, with the law of each.

    A pair with a piece of a surface is called by the surface, which comes second.
    """
    pairs: list[BodyPair] = []
    shared: list[SurfaceLaw] = []
    terrain = terrain_of(inspector)
    surfaces = surfaces_of(plant, inspector, called)
    solids: dict[GeometryId, Solid] = {}
    for pair in candidates:
        if terrain in pair:
            continue
        a, b = pair if pair[0] not in surfaces else pair[::-1]
        for geometry in pair:
            if geometry not in solids:
                solids[geometry] = solid_of_shape(inspector, geometry)
        name = f"{called[a]}|{surfaces.get(b, called[b])}"
        body_a, body_b = (plant.GetBodyFromFrameId(inspector.GetFrameId(g)) for g in (a, b))
        pairs.append(
            BodyPair(name, body_a, body_b, a, b, solids[a], solids[b], first, b in surfaces)
        )
        shared.append(_pair_law(laws[a], laws[b]))
        first += len(pairs[-1])
    return tuple(pairs), shared


def _reported(
    parts: Sequence[str], pieces: AbstractSet[int]
) -> tuple[tuple[str, ...], npt.NDArray[np.int64]]:
    """Names to report, and which is that of each part: those with pieces of a surface share one."""
    names: list[str] = []
    shared: dict[str, int] = {}
    places = np.zeros(len(parts), dtype=np.int64)
    for k, name in enumerate(parts):
        if k not in pieces or name not in shared:
            shared[name] = len(names)
            names.append(name)
        places[k] = shared[name]
    return tuple(names), places


def _numbered(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}#{k}" for k in range(count)]


def _pair_law(a: SurfaceLaw, b: SurfaceLaw) -> SurfaceLaw:
    return combine_friction(a[0], b[0]), combine_friction(a[1], b[1]), max(a[2], b[2])


def _dimension(model: Model) -> int:
    """Return 2 if no velocity moves a body sideways or turns it out of the plane, else 3."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    terrain = plant.GetFrameByName(FRAME_NAME)
    generator = np.random.default_rng(0)
    for _ in range(3):
        velocity = generator.standard_normal(plant.num_velocities())
        step = plant.MapVelocityToQDot(context, velocity)
        plant.SetPositions(context, plant.GetPositions(context) + 0.3 * step)
        for body in bodies_of(plant)[1:]:
            frame, world = body.body_frame(), plant.world_frame()
            jacobian = plant.CalcJacobianSpatialVelocity(
                context, JacobianWrtVariable.kV, frame, np.zeros(3), world, terrain
            )
            if np.abs(jacobian[[0, 2, 4]]).max(initial=0.0) > 1e-12:
                return 3
    return 2
