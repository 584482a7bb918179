"""Friction cones: what a foot that sticks may be held by, around the force that holds it.

Frames: W world, C the contact point with its axes [n, t, s]. A cone is as high as the arrow of
the force in it, whose tip is inside its mouth while the foot sticks, and on its rim where it begins
to slide.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import Meshcat, MeshcatCone, Rgba
from pydrake.math import RigidTransform, RotationMatrix

from footfall.arrays import Array
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.show.arrows import Arrow, ForceScale, force_scale

CONE_COLOUR = Rgba(0.34, 0.71, 0.91, 0.35)
FORCE_COLOUR = Rgba(0.15, 0.15, 0.15)
_WIDEST = 4.0  # mu: cones beyond 76 degrees, of ground that always holds, would cover the scene


@dataclass(frozen=True)
class FrictionCone:
    """The cone of a contact with the ground or a surface of scenery.

    mu: of static friction, the tangent of its half angle.
    """

    contact: str
    mu: float


def cones_of(contacts: ContactSet) -> tuple[FrictionCone, ...]:
    """Cones of all contacts with ground and surfaces that have friction, static and along t.

    Where the pieces of a surface differ, it is that of the roughest. Ground that holds whatever
    comes has none.
    """
    mu: dict[str, float] = {}
    on_surface = [pair.first for pair in contacts.pairs if pair.on_surface]
    for point in [*range(contacts.num_ground), *on_surface]:
        name = contacts.names[contacts.reported_as[point]]
        mu[name] = max(mu.get(name, 0.0), float(contacts.mu_static[point]))
    return tuple(FrictionCone(name, value) for name, value in mu.items() if 0.0 < value <= _WIDEST)


class ContactCones:
    """Cones with the force in them, for contacts in the order of their names."""

    def __init__(
        self,
        meshcat: Meshcat,
        path: str,
        names: Sequence[str],
        cones: Sequence[FrictionCone],
        model: Model,
    ) -> None:
        """Put the shapes into Meshcat, hidden; of names those are drawn that have a cone."""
        self._meshcat = meshcat
        self._scale = force_scale(model)
        mu = {cone.contact: cone.mu for cone in cones}
        self._cones = [
            (index, mu[name], f"{path}/{name.replace('::', '/')}")
            for index, name in enumerate(names)
            if name in mu
        ]
        self._arrows = []
        self._pressed = [False] * len(names)  # in what was drawn last
        for _, _, own in self._cones:
            meshcat.SetObject(f"{own}/cone/shape", MeshcatCone(1.0, 1.0, 1.0), CONE_COLOUR)
            meshcat.SetProperty(f"{own}/cone", "visible", value=False)
            self._arrows.append(Arrow(meshcat, f"{own}/force", FORCE_COLOUR, self._scale))

    def draw(self, p_WC: Array, axes_W: Array, force: Array, time: float | None = None) -> None:
        """Draw for forces (n, 3) [N] in [n, t, s] at points (n, 3) [m] with axes (n, 3, 3).

        time: of a recording [s]; None draws at once. A point that is not pushed has no cone.
        """
        pressed = (force[:, 0] > 0.0).tolist()
        before, self._pressed = self._pressed, pressed
        for (index, mu, path), arrow in zip(self._cones, self._arrows, strict=True):
            if time is None and not (pressed[index] or before[index]):
                continue
            high = cone_height(self._scale, force[index], p_WC[index])
            self._meshcat.SetProperty(f"{path}/cone", "visible", high > 0.0, time)
            if high == 0.0:
                arrow.draw(p_WC[index], np.zeros(3), time)
                continue
            axes = axes_W[index]
            X_WC = RigidTransform(RotationMatrix(axes[:, [1, 2, 0]]), p_WC[index])
            self._meshcat.SetTransform(f"{path}/cone", X_WC, time)
            size = [mu * high, mu * high, high]
            self._meshcat.SetProperty(f"{path}/cone/shape", "scale", size, time)
            arrow.draw(p_WC[index], axes @ force[index], time)


def cone_height(scale: ForceScale, force: Array, point: Array) -> float:
    """Height of a cone [m] for a force (3,) in [n, t, s] [N] at a point (3,) [m].

    0 where nothing pushes, and for what has no position.
    """
    size = float(np.linalg.norm(force))
    pushed = np.isfinite(point).all() and force[0] > 0.0
    return scale.reach(size) * float(force[0]) / size if pushed else 0.0
