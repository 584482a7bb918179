"""Finding the contacts of a model: which shapes may touch what, how rough, how bouncy."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
import numpy.typing as npt
from pydrake.geometry import GeometryId, HalfSpace, Role, SceneGraphInspector
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, JacobianWrtVariable

from footfall.contact import combine_friction
from footfall.errors import ModelError
from footfall.plants.contacts.aloft import Aloft
from footfall.plants.contacts.alternation import AlternatingFeet
from footfall.plants.contacts.contact_set import BodyPair, ContactSet, GroundShape
from footfall.plants.contacts.dry_joints import dry_joints
from footfall.plants.contacts.feet import alternation_of
from footfall.plants.contacts.naming import names_of_shapes, surfaces_of
from footfall.plants.contacts.rules import Coefficients, PairRule
from footfall.plants.contacts.shapes import points_of_shape
from footfall.plants.contacts.solids import Solid, solid_of_shape
from footfall.plants.limits import collect_limits
from footfall.plants.load import Model
from footfall.plants.terrain import FRAME_NAME, check_friction

# mu while sliding, mu while at rest
_Friction = tuple[float, float]


def collect_contacts(
    model: Model,
    *,
    restitution: float = 0.0,
    tangential_restitution: float = 0.0,
    static_friction: float | None = None,
    pairs: Sequence[PairRule] = (),
    joint_friction: Mapping[str, float] | None = None,
    alternating_feet: AlternatingFeet | None = None,
) -> ContactSet:
    """Find the contacts of a model; collision filters are respected.

    restitution, tangential_restitution: e_n and e_t of every contact of surfaces, 0 for joint
    limits; static_friction: mu_s of every contact, absent: as the files say; pairs: exceptions, by
    the names of contacts. joint_friction: dry friction by joint name or pattern [N m or N], which
    changes what the files say. alternating_feet: two feet that take turns. Raises ModelError for a
    shape that cannot touch, ScenarioError for a rule, a joint or a foot that matches nothing and
    for coefficients that do not fit together.
    """
    plant, inspector = model.plant, model.scene_graph.model_inspector()
    candidates = sorted(inspector.GetCollisionCandidates(), key=_ids)
    called = names_of_shapes(plant, inspector)
    _refuse_other_grounds(inspector, called)
    ground, mu_ground, parts = _ground_shapes(plant, inspector, candidates, called)
    body_pairs, mu_pairs = _body_pairs(plant, inspector, candidates, called, len(parts))
    alternation = (
        alternation_of(alternating_feet, model, ground, parts) if alternating_feet else None
    )
    limits = collect_limits(plant)
    frictions = dry_joints(plant, model.joint_friction, joint_friction or {})
    points = [1] * len(parts) + [len(pair) for pair in body_pairs]
    pieces = {len(parts) + k for k, pair in enumerate(body_pairs) if pair.on_surface}
    parts += [pair.name for pair in body_pairs]
    touching = len(parts)
    parts += [limit.name for limit in limits] + [friction.name for friction in frictions]
    surfaces = np.array(mu_ground + mu_pairs).reshape(-1, 2)
    joints = np.concatenate((np.zeros(len(limits)), np.ones(len(frictions))))
    laws = Coefficients(
        mu=np.concatenate((surfaces[:, 0], joints)),
        mu_static=np.concatenate((surfaces[:, 1], joints)),
        touching=touching,
    )
    laws.e_n[:touching], laws.e_t[:touching] = restitution, tangential_restitution
    if static_friction is not None:
        laws.mu_static[:touching] = static_friction
    laws.apply(pairs, parts)
    laws.check(parts[:touching], np.arange(touching))
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
        alternation=alternation,
    )


def _refuse_other_grounds(inspector: SceneGraphInspector, called: Mapping[GeometryId, str]) -> None:
    terrain = terrain_of(inspector)
    for geometry, name in called.items():
        if geometry != terrain and isinstance(inspector.GetShape(geometry), HalfSpace):
            message = (
                f"the model brings a ground of its own, '{name}': take this plane out of its file; "
                "the scenario's terrain is the ground."
            )
            raise ModelError(message)


def terrain_of(inspector: SceneGraphInspector) -> GeometryId:
    """Return the collision geometry of the ground."""
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        if inspector.GetName(geometry).rpartition("::")[2] == FRAME_NAME and isinstance(
            inspector.GetShape(geometry), HalfSpace
        ):
            return geometry
    message = "the model has no ground: load it with a terrain."
    raise ModelError(message)


def _ids(pair: tuple[GeometryId, GeometryId]) -> tuple[int, int]:
    return pair[0].get_value(), pair[1].get_value()


def _ground_shapes(
    plant: MultibodyPlant,
    inspector: SceneGraphInspector,
    candidates: Sequence[tuple[GeometryId, GeometryId]],
    called: Mapping[GeometryId, str],
) -> tuple[tuple[GroundShape, ...], list[_Friction], list[str]]:
    """Shapes that may meet the half-space, with mu, mu_static and name of every point."""
    aloft = Aloft(plant)
    found: list[GroundShape] = []
    mu: list[_Friction] = []
    names: list[str] = []
    terrain = terrain_of(inspector)
    reaching = [b if a == terrain else a for a, b in candidates if terrain in (a, b)]
    for geometry in sorted(reaching, key=lambda g: g.get_value()):
        points = points_of_shape(inspector, geometry)
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        if aloft(GroundShape(body, geometry, points, 0)):
            continue
        found.append(GroundShape(body, geometry, points, len(names)))
        mu += [_pair_friction(inspector, geometry, terrain)] * len(points)
        names += _numbered(called[geometry], len(points))
    return tuple(found), mu, names


def _body_pairs(
    plant: MultibodyPlant,
    inspector: SceneGraphInspector,
    candidates: Sequence[tuple[GeometryId, GeometryId]],
    called: Mapping[GeometryId, str],
    first: int,
) -> tuple[tuple[BodyPair, ...], list[_Friction]]:
    """Pairs of shapes that are no half-space, with mu and mu_static of each.

    A pair with a piece of a surface is called by the surface, which comes second.
    """
    found: list[BodyPair] = []
    mu: list[_Friction] = []
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
        found.append(
            BodyPair(name, body_a, body_b, a, b, solids[a], solids[b], first, b in surfaces)
        )
        mu.append(_pair_friction(inspector, a, b))
        first += len(found[-1])
    return tuple(found), mu


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


def _pair_friction(inspector: SceneGraphInspector, a: GeometryId, b: GeometryId) -> _Friction:
    (mu_a, static_a), (mu_b, static_b) = _friction(inspector, a), _friction(inspector, b)
    return combine_friction(mu_a, mu_b), combine_friction(static_a, static_b)


def _friction(inspector: SceneGraphInspector, geometry: GeometryId) -> _Friction:
    properties = inspector.GetProximityProperties(geometry)
    if not properties.HasProperty("material", "coulomb_friction"):
        return 1.0, 1.0  # Drake's default when a file says nothing
    law = properties.GetProperty("material", "coulomb_friction")
    called = inspector.GetName(geometry)
    check_friction(f"drake:mu_dynamic of '{called}'", float(law.dynamic_friction()))
    check_friction(f"drake:mu_static of '{called}'", float(law.static_friction()))
    return float(law.dynamic_friction()), float(law.static_friction())


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
        for index in range(1, plant.num_bodies()):
            jacobian = plant.CalcJacobianSpatialVelocity(
                context,
                JacobianWrtVariable.kV,
                plant.get_body(BodyIndex(index)).body_frame(),
                np.zeros(3),
                plant.world_frame(),
                terrain,
            )
            if np.abs(jacobian[[0, 2, 4]]).max(initial=0.0) > 1e-12:
                return 3
    return 2
