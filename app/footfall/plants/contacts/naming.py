"""Names of collision shapes, and pieces of scenery that form one surface.

Boxes that tile a track are such pieces: ``track::bump#0``, ``track::bump#1`` and so on.
"""

import re
from collections import Counter
from collections.abc import Mapping

from pydrake.geometry import GeometryId, Role, SceneGraphInspector
from pydrake.multibody.plant import MultibodyPlant

# what Drake calls a shape that the file does not name
_BY_KIND = re.compile(r"(Sphere|Capsule|Cylinder|Box|Ellipsoid|Convex|Mesh)(_\d+)?")
_PIECE = re.compile(r"(.+)#\d+")


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
    found = {
        geometry: name if links[name] == 1 else f"{link}/{name.rpartition('::')[2]}"
        for geometry, (name, link) in pieces.items()
    }
    return {geometry: name for geometry, name in found.items() if name not in taken}


def names_of_surfaces(plant: MultibodyPlant, inspector: SceneGraphInspector) -> frozenset[str]:
    """All surfaces of a plant."""
    return frozenset(surfaces_of(plant, inspector, names_of_shapes(plant, inspector)).values())
