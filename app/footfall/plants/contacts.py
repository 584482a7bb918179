"""Contacts of a plant: its points against the ground, which, where, how rough, how bouncy.

And its joint limits.

Every collision shape that reaches the ground is reduced to points with a radius, fixed to a body: a
sphere to its centre, a capsule to its two ends, a box to its corners, a convex mesh to its
vertices. The gap of a point is its height above the ground less its radius, which is exact for
these shapes on a half-space.

Frames: W world, T terrain (z the outward normal), B the body of a point, C the point.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np
import numpy.typing as npt
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    GeometryId,
    HalfSpace,
    Role,
    SceneGraphInspector,
    Sphere,
)
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable, RigidBody

from footfall.contact import combine_friction
from footfall.errors import ModelError, ScenarioError
from footfall.plants.limits import JointLimit, collect_limits
from footfall.plants.load import Model
from footfall.plants.terrain import FRAME_NAME

Array = npt.NDArray[np.float64]


@dataclass
class PairRule:
    """Friction and restitution of the contacts whose name matches a pattern; later rules win."""

    # Contact name or pattern, such as "biped::foot_*" (see the contact axis of a trajectory).
    contact: str = "*"
    # Coulomb coefficient of the pair; absent: from the files by Drake's rule 2ab/(a+b).
    friction: float | None = None
    # Newton's coefficient of restitution e_n in [0, 1]; absent: the scenario's.
    restitution: float | None = None

    def __post_init__(self) -> None:
        """Refuse coefficients that no contact law takes."""
        if self.friction is not None and not 0.0 <= self.friction < np.inf:
            message = f"pairs: friction of '{self.contact}' is {self.friction}: give a number >= 0."
            raise ScenarioError(message)
        if self.restitution is not None and not 0.0 <= self.restitution <= 1.0:
            message = (
                f"pairs: restitution of '{self.contact}' is {self.restitution}: give a "
                "number from 0 to 1."
            )
            raise ScenarioError(message)


@dataclass(frozen=True)
class BodyPoints:
    """The contact points on one body: p_BC (3, k) [m] and their places in the whole contact set."""

    body: RigidBody
    p_BC: Array
    indices: tuple[int, ...]


@dataclass(frozen=True)
class ContactSet:
    """All contacts of a machine, in a fixed order: first the points, then the joint limits.

    names: one a contact, n in all. radius (points,) [m], mu (n,), restitution (n,); joint limits
    have mu = 0. ``dim`` is 2 when no motion of the plant moves any point along the third terrain
    axis (planar machine), else 3. ``geometries`` names the Drake geometry of every point.
    """

    names: tuple[str, ...]
    bodies: tuple[BodyPoints, ...]
    limits: tuple[JointLimit, ...]
    radius: Array
    mu: Array
    restitution: Array
    dim: int
    geometries: tuple[GeometryId, ...]

    def __len__(self) -> int:
        """Count the contacts."""
        return len(self.names)

    @property
    def num_points(self) -> int:
        """Count the points, which come before the limits."""
        return len(self.geometries)


def collect_contacts(
    model: Model, *, restitution: float = 0.0, pairs: Sequence[PairRule] = ()
) -> ContactSet:
    """Find the contact points of a model against its ground; collision filters are respected.

    Raises ModelError for a shape that is not one of sphere, capsule, box, convex mesh, and for a
    contact between two moving bodies, which this geometry does not know; ScenarioError for a rule
    that matches nothing.
    """
    plant = model.plant
    inspector = model.scene_graph.model_inspector()
    found = _ground_geometries(plant, inspector)
    names: list[str] = []
    owners: list[GeometryId] = []
    mu: list[float] = []
    radius: list[float] = []
    bodies: dict[int, tuple[RigidBody, list[Array], list[int]]] = {}
    for geometry, ground in found:
        points, r = _points_of_shape(inspector, geometry)
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        entry = bodies.setdefault(int(body.index()), (body, [], []))
        for k, p_BC in enumerate(points):
            entry[1].append(p_BC)
            entry[2].append(len(names))
            name = inspector.GetName(geometry)
            names.append(name if len(points) == 1 else f"{name}#{k}")
            owners.append(geometry)
            radius.append(r)
            mu.append(
                combine_friction(_friction(inspector, geometry), _friction(inspector, ground))
            )
    limits = collect_limits(plant)
    mu_array = np.concatenate((mu, np.zeros(len(limits))))
    e_n = np.concatenate((np.full(len(mu), restitution), np.zeros(len(limits))))
    names += [limit.name for limit in limits]
    _apply_rules(pairs, names, mu_array[: len(mu)], e_n)
    grouped = tuple(
        BodyPoints(body, np.array(p).T.copy(), tuple(indices))
        for body, p, indices in bodies.values()
    )
    return ContactSet(
        names=tuple(names),
        bodies=grouped,
        limits=limits,
        radius=np.array(radius, dtype=np.float64),
        mu=mu_array,
        restitution=e_n,
        dim=_dimension(model, grouped),
        geometries=tuple(owners),
    )


def _ground_geometries(
    plant: MultibodyPlant, inspector: SceneGraphInspector
) -> list[tuple[GeometryId, GeometryId]]:
    """Return (robot geometry, ground geometry) of every pair, in the order of registration."""
    found = []
    for first, second in sorted(inspector.GetCollisionCandidates(), key=_ids):
        shapes = inspector.GetShape(first), inspector.GetShape(second)
        if isinstance(shapes[0], HalfSpace):
            found.append((second, first))
        elif isinstance(shapes[1], HalfSpace):
            found.append((first, second))
        else:
            bodies = [
                plant.GetBodyFromFrameId(inspector.GetFrameId(g)).scoped_name()
                for g in (first, second)
            ]
            message = (
                f"the contact of '{bodies[0]}' with '{bodies[1]}' is not against the "
                "ground, which is all that the "
                "Moreau engine resolves: put both links into a "
                "drake:collision_filter_group that ignores itself."
            )
            raise ModelError(message)
    return sorted(found, key=_ids)


def _ids(pair: tuple[GeometryId, GeometryId]) -> tuple[int, int]:
    return pair[0].get_value(), pair[1].get_value()


def _points_of_shape(
    inspector: SceneGraphInspector, geometry: GeometryId
) -> tuple[list[Array], float]:
    """Return the points p_BC of a shape and their common radius."""
    shape = inspector.GetShape(geometry)
    X_BG = inspector.GetPoseInFrame(geometry)
    if isinstance(shape, Sphere):
        local, radius = [np.zeros(3)], shape.radius()
    elif isinstance(shape, Capsule):
        half = 0.5 * shape.length()
        local, radius = [np.array([0.0, 0.0, s * half]) for s in (-1.0, 1.0)], shape.radius()
    elif isinstance(shape, Box):
        half_size = 0.5 * np.asarray(shape.size())
        local, radius = (
            [half_size * signs for signs in itertools.product((-1.0, 1.0), repeat=3)],
            0.0,
        )
    elif isinstance(shape, Convex):
        hull = inspector.GetConvexHull(geometry)
        local, radius = [np.asarray(hull.vertex(i)) for i in range(hull.num_vertices())], 0.0
    else:
        message = (
            f"collision geometry '{inspector.GetName(geometry)}' is a "
            f"{type(shape).__name__}, which the Moreau engine "
            "cannot put on the ground: use a sphere, capsule, box or convex mesh."
        )
        raise ModelError(message)
    return [X_BG.multiply(p) for p in local], radius


def _friction(inspector: SceneGraphInspector, geometry: GeometryId) -> float:
    properties = inspector.GetProximityProperties(geometry)
    if not properties.HasProperty("material", "coulomb_friction"):
        return 1.0  # Drake's default when a file says nothing
    return float(properties.GetProperty("material", "coulomb_friction").dynamic_friction())


def _apply_rules(pairs: Sequence[PairRule], names: Sequence[str], mu: Array, e_n: Array) -> None:
    """Carry out the rules in place; mu has the points only, for joint limits have no friction."""
    for rule in pairs:
        matched = [i for i, name in enumerate(names) if fnmatchcase(name, rule.contact)]
        if not matched:
            message = (
                f"pairs: no contact matches '{rule.contact}'; this machine has "
                f"{', '.join(names) or 'none'}."
            )
            raise ScenarioError(message)
        if rule.friction is not None:
            mu[[i for i in matched if i < len(mu)]] = rule.friction
        if rule.restitution is not None:
            e_n[matched] = rule.restitution


def _dimension(model: Model, bodies: Sequence[BodyPoints]) -> int:
    """Return 2 if no velocity moves a body sideways or turns it out of the plane, else 3."""
    plant = model.plant
    context = plant.CreateDefaultContext()
    terrain = plant.GetFrameByName(FRAME_NAME)
    generator = np.random.default_rng(0)
    for _ in range(3):
        velocity = generator.standard_normal(plant.num_velocities())
        step = plant.MapVelocityToQDot(context, velocity)
        plant.SetPositions(context, plant.GetPositions(context) + 0.3 * step)
        for group in bodies:
            jacobian = plant.CalcJacobianSpatialVelocity(
                context,
                JacobianWrtVariable.kV,
                group.body.body_frame(),
                group.p_BC[:, 0],
                plant.world_frame(),
                terrain,
            )
            if np.abs(jacobian[[0, 2, 4]]).max(initial=0.0) > 1e-12:
                return 3
    return 2


def terrain_of(inspector: SceneGraphInspector) -> GeometryId:
    """Return the collision geometry of the ground."""
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        if isinstance(inspector.GetShape(geometry), HalfSpace):
            return geometry
    message = "the model has no ground: load it with a terrain."
    raise ModelError(message)
