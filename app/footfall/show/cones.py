"""Friction cones: what a foot that sticks may be held by, around the force that holds it.

Frames: W world, C the contact point with its axes [n, t, s]. A cone is as high as the arrow of
the force in it, whose tip is inside its mouth while the foot sticks, and on its rim where it begins
to slide.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import Meshcat, MeshcatCone, Rgba
from pydrake.math import RigidTransform, RotationMatrix

from footfall.arrays import Array
from footfall.plants.contacts import ContactSet
from footfall.plants.loading.load import Model
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
        self._seen = [False] * len(self._cones)
        self._height = [0.0] * len(self._cones)  # of what was drawn at once
        for _, _, own in self._cones:
            meshcat.SetObject(f"{own}/cone/shape", MeshcatCone(1.0, 1.0, 1.0), CONE_COLOUR)
            meshcat.SetProperty(f"{own}/cone", "visible", value=False)
            self._arrows.append(Arrow(meshcat, f"{own}/force", FORCE_COLOUR, self._scale))

    def draw(self, p_WC: Array, axes_W: Array, force: Array, time: float | None = None) -> None:
        """Draw for forces (n, 3) [N] in [n, t, s] at points (n, 3) [m] with axes (n, 3, 3).

        time: of a recording [s]; None draws at once. A point that is not pushed has no cone.
        """
        placed = np.isfinite(p_WC).all(axis=1)
        pressed = (placed & (force[:, 0] > 0.0)).tolist()
        force_W = np.einsum("cij,cj->ci", axes_W, force).tolist()
        upright_W = axes_W[:, :, [1, 2, 0]]
        for k, ((index, mu, path), arrow) in enumerate(zip(self._cones, self._arrows, strict=True)):
            if time is None and not (pressed[index] or self._seen[k]):
                continue
            high = cone_height(self._scale, force[index]) if pressed[index] else 0.0
            if time is not None or (high > 0.0) != self._seen[k]:
                self._meshcat.SetProperty(f"{path}/cone", "visible", high > 0.0, time)
                self._seen[k] = high > 0.0
            if high == 0.0:
                arrow.draw(p_WC[index], (0.0, 0.0, 0.0), time)
                continue
            X_WC = RigidTransform(RotationMatrix(R=upright_W[index]), p_WC[index])
            self._meshcat.SetTransform(f"{path}/cone", X_WC, time)
            arrow.draw(p_WC[index], force_W[index], time)
            if time is None and self._scale.alike(high, self._height[k]):
                continue
            self._height[k] = high
            size = [mu * high, mu * high, high]
            self._meshcat.SetProperty(f"{path}/cone/shape", "scale", size, time)


def cone_height(scale: ForceScale, force: Array) -> float:
    """Height of a cone [m] for a force (3,) in [n, t, s] [N]; 0 where nothing pushes."""
    n, t, s = force.tolist()
    size = math.sqrt(n * n + t * t + s * s)
    return scale.reach(size) * n / size if n > 0.0 else 0.0
