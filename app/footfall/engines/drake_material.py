"""Friction and stiffness of contacts as Drake wants them: given to geometries, combined in pairs.

Drake regularises contact: a pair is a stiff spring with dissipation.
"""

import math
from dataclasses import dataclass

from pydrake.geometry import GeometryId, ProximityProperties, Role, RoleAssign, SceneGraph
from pydrake.multibody.plant import CoulombFriction, MultibodyPlant

from footfall.errors import ModelError
from footfall.plants.contacts import ContactSet, terrain_of

_DRAKES_OWN = CoulombFriction(1.0, 1.0)  # when a file says nothing
_SAME = 1e-9  # rounding


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
    match: dict[GeometryId, GeometryId],
) -> None:
    """Choose the geometries' coefficients so that Drake's rule gives them their mu on the ground.

    The pieces of surfaces then get what gives their pairs their mu. Pairs of moving bodies, and
    other scenery, get what the rule makes of these, which is their mu where all are the same.
    Raises ModelError where one coefficient a geometry does not do.
    """
    mu_ground = contacts.mu[: contacts.num_ground]
    ground = float(mu_ground.max(initial=0.0))
    wanted: dict[GeometryId, float] = {}
    for shape in contacts.ground:
        mu_of_points = set(mu_ground[shape.first : shape.first + len(shape.points)].tolist())
        if len(mu_of_points) > 1:
            message = (
                "Drake has one friction coefficient a geometry: give all points of one "
                "shape the same in pairs."
            )
            raise ModelError(message)
        wanted[shape.geometry] = mu_of_points.pop()
    for geometry, mu in wanted.items():
        own = mu * ground / (2.0 * ground - mu) if ground > 0.0 else 0.0
        _replace(
            plant, scene_graph, match[geometry], {"coulomb_friction": CoulombFriction(own, own)}
        )
    terrain = terrain_of(scene_graph.model_inspector())
    _replace(plant, scene_graph, terrain, {"coulomb_friction": CoulombFriction(ground, ground)})
    _set_friction_of_surfaces(plant, scene_graph, contacts, match)


def _set_friction_of_surfaces(
    plant: MultibodyPlant,
    scene_graph: SceneGraph,
    contacts: ContactSet,
    match: dict[GeometryId, GeometryId],
) -> None:
    """Choose the coefficients of the pieces of surfaces, those of what touches them being given."""
    inspector = scene_graph.model_inspector()
    wanted: dict[GeometryId, float] = {}
    for pair in contacts.pairs:
        if not pair.on_surface:
            continue
        properties = inspector.GetProximityProperties(match[pair.a])
        law = properties.GetPropertyOrDefault("material", "coulomb_friction", _DRAKES_OWN)
        mu, other = float(contacts.mu[pair.first]), float(law.dynamic_friction())
        if other == mu == 0.0:
            continue  # whatever the piece has
        own = mu * other / (2.0 * other - mu) if 2.0 * other > mu else math.inf
        if not math.isclose(wanted.setdefault(pair.b, own), own, rel_tol=_SAME) or own == math.inf:
            message = (
                f"Drake has one friction coefficient a geometry, which cannot give '{pair.name}' "
                f"{mu:g} beside the other contacts: give all contacts with the surface, and those "
                "of its shapes with the ground, the same in pairs."
            )
            raise ModelError(message)
    for geometry, own in wanted.items():
        law = CoulombFriction(own, own)
        _replace(plant, scene_graph, match[geometry], {"coulomb_friction": law})


def near_rigid(plant: MultibodyPlant, approximation: str) -> Material:
    """This project's choice for one of Drake's approximations, or for a plant in continuous time.

    Such a plant reads what lagged reads.
    """
    return NEAR_RIGID[approximation if plant.time_step() > 0.0 else "lagged"]


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
