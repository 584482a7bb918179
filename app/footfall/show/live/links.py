"""Links that a page offers: to push, and to draw the path of where a machine names no points."""

from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex

from footfall.plants.coordinates import fixed_bodies, floating_joints, full_name
from footfall.registry.traced import Traced, TracedPoint
from footfall.show.view import View


def movable_links(plant: MultibodyPlant) -> list[str]:
    """Full names of the links that can move, those free in space first, then heavy ones."""
    fixed = fixed_bodies(plant)
    free = {joint.child_body().index() for joint in floating_joints(plant).values()}
    bodies = [plant.get_body(BodyIndex(k)) for k in range(1, plant.num_bodies())]
    movable = [body for body in bodies if body.index() not in fixed]
    context = plant.CreateDefaultContext()
    movable.sort(key=lambda body: (body.index() not in free, -body.get_mass(context)))
    return [full_name(plant, body.body_frame()) for body in movable]


def paths_of(view: View, plant: MultibodyPlant) -> tuple[Traced, ...]:
    """Return the points whose paths are drawn: those of the view, else the first movable link."""
    links = movable_links(plant)[:1]
    return view.traced or tuple(TracedPoint(link.rpartition("::")[2], link) for link in links)
