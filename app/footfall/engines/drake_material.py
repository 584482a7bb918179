"""Friction and stiffness of contacts as Drake wants them: given to geometries, combined in pairs.

Drake regularises contact: a pair is a stiff spring with dissipation.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydrake.geometry import (
    GeometryId,
    ProximityProperties,
    QueryObject,
    Role,
    RoleAssign,
    SceneGraph,
)
from pydrake.multibody.plant import CoulombFriction, MultibodyPlant
from pydrake.multibody.tree import BodyIndex
from pydrake.systems.framework import Context

from footfall.contact import combine_friction
from footfall.errors import ModelError
from footfall.plants.contacts import ContactSet

_SAME = 1e-9  # rounding
_STIFFER = 1e9  # the ground, than what stands on it


@dataclass(frozen=True)
class Material:
    """Stiffness of a pair over mass [1/s^2], dissipation [s/m], relaxation time [s]."""

    stiffness_over_mass: float
    dissipation: float
    relaxation_time: float


# sap reads k and the relaxation time, lagged and similar k and the dissipation
NEAR_RIGID = {
    "sap": Material(stiffness_over_mass=3e6, dissipation=50.0, relaxation_time=2e-3),
    "lagged": Material(stiffness_over_mass=1e5, dissipation=20.0, relaxation_time=0.1),
    "similar": Material(stiffness_over_mass=1e5, dissipation=20.0, relaxation_time=0.1),
}


def set_friction(
    plant: MultibodyPlant,
    scene_graph: SceneGraph,
    contacts: ContactSet,
    match: Mapping[GeometryId, Sequence[GeometryId]],
) -> None:
    """Give the collision geometries of a plant the coefficients that the contacts have.

    match: the plant's geometries for each of the contacts'. Drake has one coefficient of sliding a
    geometry, beside one of sticking that only plants without a step read, and makes 2ab/(a+b) of
    the two of a pair. Raises ModelError for contacts to which that cannot give theirs.
    """
    for geometry, law in _laws(plant, contacts).items():
        for own in match[geometry]:
            _replace(plant, scene_graph, own, {"coulomb_friction": law})


def set_friction_now(
    plant: MultibodyPlant,
    scene_graph: SceneGraph,
    contacts: ContactSet,
    match: Mapping[GeometryId, Sequence[GeometryId]],
    context: Context,
) -> None:
    """Do the same in a context of the SceneGraph, while a simulation is under way."""
    query: QueryObject = scene_graph.get_query_output_port().Eval(context)
    inspector, source = query.inspector(), plant.get_source_id()
    for geometry, law in _laws(plant, contacts).items():
        for own in match[geometry]:
            properties = ProximityProperties(inspector.GetProximityProperties(own))
            properties.UpdateProperty("material", "coulomb_friction", law)
            scene_graph.AssignRole(context, source, own, properties, RoleAssign.kReplace)


def _laws(plant: MultibodyPlant, contacts: ContactSet) -> dict[GeometryId, CoulombFriction]:
    """Return the laws of geometries; plants with a step take the coefficient of sliding alone."""
    sliding = geometry_friction(contacts)
    sticking = sliding
    if plant.time_step() == 0.0 and (contacts.mu_static > contacts.mu).any():
        sticking = geometry_friction(replace(contacts, mu=contacts.mu_static))
    return {
        geometry: CoulombFriction(max(mu, sticking[geometry]), mu)
        for geometry, mu in sliding.items()
    }


def geometry_friction(contacts: ContactSet) -> dict[GeometryId, float]:
    """Return coefficients of geometries by which Drake's rule gives contacts their mu.

    Where all contacts have one mu, all geometries have it: their own coefficient if that gives it.
    Else the rule is inverted for contacts with the ground, of which all of a shape must have the
    same mu, and for those with the pieces of surfaces, of which all of a piece must follow from one
    coefficient; ModelError where they do not. Pairs of moving bodies then have what comes out of
    these, as have pairs with other scenery.
    """
    own = contacts.geometry_friction
    pairs = list(_pairs(contacts))
    values = {mu for _, _, mu in pairs}
    if len(values) > 1:
        return _inverted(contacts)
    if all(mu == combine_friction(own[a], own[b]) for a, b, mu in pairs):
        return dict(own)
    return dict.fromkeys(own, values.pop())


def _pairs(contacts: ContactSet) -> Iterator[tuple[GeometryId, GeometryId, float]]:
    """Yield the geometries and mu of every contact of surfaces."""
    for shape in contacts.ground:
        for mu in contacts.mu[shape.first : shape.first + len(shape.points)].tolist():
            yield shape.geometry, contacts.terrain, mu
    for pair in contacts.pairs:
        yield pair.a, pair.b, float(contacts.mu[pair.first])


def _inverted(contacts: ContactSet) -> dict[GeometryId, float]:
    """Return the coefficients by 2ab/(a+b) = mu, the ground having the largest mu on it."""
    ground = float(contacts.mu[: contacts.num_ground].max(initial=0.0))
    own = {**contacts.geometry_friction, contacts.terrain: ground}
    for shape in contacts.ground:
        mu_of_points = set(contacts.mu[shape.first : shape.first + len(shape.points)].tolist())
        if len(mu_of_points) > 1:
            raise ModelError(
                "Drake has one friction coefficient a geometry: give all points of one "
                "shape the same in pairs."
            )
        mu = mu_of_points.pop()
        own[shape.geometry] = mu * ground / (2.0 * ground - mu) if ground > 0.0 else 0.0
    return own | _of_surfaces(contacts, own)


def _of_surfaces(contacts: ContactSet, own: Mapping[GeometryId, float]) -> dict[GeometryId, float]:
    """Return the coefficients of the pieces of surfaces, those of what touches them being given."""
    wanted: dict[GeometryId, float] = {}
    for pair in contacts.pairs:
        if not pair.on_surface:
            continue
        mu, other = float(contacts.mu[pair.first]), own[pair.a]
        if other == mu == 0.0:
            continue  # whatever the piece has
        piece = mu * other / (2.0 * other - mu) if 2.0 * other > mu else math.inf
        if not math.isclose(wanted.setdefault(pair.b, piece), piece, rel_tol=_SAME) or math.isinf(
            piece
        ):
            raise ModelError(
                f"Drake has one friction coefficient a geometry, which cannot give '{pair.name}' "
                f"{mu:g} beside the other contacts: give all contacts with the surface, and those "
                "of its shapes with the ground, the same in pairs."
            )
    return wanted


def near_rigid(plant: MultibodyPlant, approximation: str) -> Material:
    """This project's choice for one of Drake's approximations, or for a plant in continuous time.

    Such a plant reads what lagged reads.
    """
    return NEAR_RIGID[approximation if plant.time_step() > 0.0 else "lagged"]


def set_stiffness_by_mass(
    plant: MultibodyPlant, scene_graph: SceneGraph, stiffness_over_mass: float
) -> None:
    """Give every geometry a stiffness by the mass of what it moves with [1/s^2].

    That are all links that joints hold together. Two springs in series then have the stiffness of
    the reduced mass of both, and one on the ground that of what stands there. Drake puts a contact
    point nearer to the stiffer side: where all weigh alike ground and machine yield alike.
    """
    masses = {
        index: mass
        for index, mass in masses_together(plant).items()
        if plant.GetCollisionGeometriesForBody(plant.get_body(index))
    }
    moving = [mass for mass in masses.values() if 0.0 < mass < math.inf]
    if not moving:
        return
    heaviest = max(moving)
    alike = math.isclose(min(moving), heaviest, rel_tol=_SAME)
    own = 2.0 if alike else 1.0
    ground = 2.0 if alike else _STIFFER
    for index, mass in masses.items():
        share = own * mass if 0.0 < mass < math.inf else ground * heaviest
        values: dict[str, object] = {"point_contact_stiffness": stiffness_over_mass * share}
        for geometry in plant.GetCollisionGeometriesForBody(plant.get_body(index)):
            _replace(plant, scene_graph, geometry, values)


def masses_together(plant: MultibodyPlant) -> dict[BodyIndex, float]:
    """Mass [kg] of all links that joints hold together with a link; infinite for the ground's."""
    fixed = {body.index() for body in plant.GetBodiesWeldedTo(plant.world_body())}
    bodies = [BodyIndex(number) for number in range(plant.num_bodies())]
    first = {index: index for index in bodies}

    def root(index: BodyIndex) -> BodyIndex:
        while first[index] != index:
            index = first[index]
        return index

    for number in plant.GetJointIndices():
        joint = plant.get_joint(number)
        ends = joint.parent_body().index(), joint.child_body().index()
        if fixed.isdisjoint(ends):
            first[root(ends[1])] = root(ends[0])
    context = plant.CreateDefaultContext()
    sums = dict.fromkeys(bodies, 0.0)
    for index in bodies:
        sums[root(index)] += plant.get_body(index).get_mass(context)
    return {index: math.inf if index in fixed else sums[root(index)] for index in bodies}


def set_material(
    plant: MultibodyPlant,
    scene_graph: SceneGraph,
    stiffness: float | None,
    dissipation: float | None,
    relaxation: float | None,
) -> None:
    """Give both sides of every pair what makes the pair's material; None leaves what files say.

    stiffness [N/m], dissipation [s/m] and relaxation time [s] of a pair.
    """
    values: dict[str, object] = {}
    if stiffness is not None:
        values["point_contact_stiffness"] = 2.0 * stiffness  # two springs in series
    if dissipation is not None:
        values["hunt_crossley_dissipation"] = dissipation
    if relaxation is not None:
        values["relaxation_time"] = 0.5 * relaxation  # Drake adds the two
    for geometry in scene_graph.model_inspector().GetAllGeometryIds(Role.kProximity):
        _replace(plant, scene_graph, geometry, values)


def _replace(
    plant: MultibodyPlant, scene_graph: SceneGraph, geometry: GeometryId, values: dict[str, object]
) -> None:
    properties = ProximityProperties(scene_graph.model_inspector().GetProximityProperties(geometry))
    for name, value in values.items():
        properties.UpdateProperty("material", name, value)
    scene_graph.AssignRole(plant.get_source_id(), geometry, properties, RoleAssign.kReplace)
