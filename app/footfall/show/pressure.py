"""Centre of pressure: where the force of the whole ground acts, with that force.

Frames: W world, T terrain. The moments of all forces of the ground have none along it about their
centre of pressure, which on level ground is the zero-moment point.
"""

import numpy as np
from pydrake.geometry import Cylinder, Meshcat, Rgba
from pydrake.math import RigidTransform, RotationMatrix

from footfall.arrays import Array
from footfall.plants.loading.load import Model
from footfall.show.arrows import Arrow, force_scale

COLOUR = Rgba(0.84, 0.15, 0.16)
_RADIUS, _THICK = 0.07, 0.01  # over the length of one weight
_LEAST = 0.05  # weights: less does not tell where it acts


def centre_of_pressure(p_WC: Array, force_W: Array, normal_W: Array) -> Array:
    """Return the point of the plane through the origin with a normal (3,) where forces act [m].

    p_WC, force_W: points and forces (n, 3). NaN where they do not push together.
    """
    push = float(normal_W @ force_W.sum(axis=0))
    if not push > 0.0:
        return np.full(3, np.nan)
    share = p_WC.T @ force_W  # of each place in each force
    m_x, m_y, m_z = share[1, 2] - share[2, 1], share[2, 0] - share[0, 2], share[0, 1] - share[1, 0]
    x, y, z = normal_W
    return np.array([y * m_z - z * m_y, z * m_x - x * m_z, x * m_y - y * m_x]) / push


class PressureCentre:
    """A disc on the ground at the centre of pressure, with the force of the whole ground."""

    def __init__(self, meshcat: Meshcat, path: str, model: Model) -> None:
        """Put disc and arrow into Meshcat, hidden."""
        self._meshcat, self._disc = meshcat, f"{path}/disc"
        self._scale = force_scale(model)
        self._R_WT: RotationMatrix = model.spec.terrain.X_WTerrain().rotation()
        disc = Cylinder(_RADIUS * self._scale.length, _THICK * self._scale.length)
        meshcat.SetObject(self._disc, disc, COLOUR)
        meshcat.SetProperty(self._disc, "visible", value=False)
        self._arrow = Arrow(meshcat, f"{path}/force", COLOUR, self._scale)

    def draw(self, p_WC: Array, force_W: Array, time: float | None = None) -> None:
        """Draw for forces (n, 3) [N] of the ground at points (n, 3) [m]; time: of a recording [s].

        Nothing is drawn where hardly anything pushes.
        """
        normal = self._R_WT.matrix()[:, 2]
        total = force_W.sum(axis=0)
        shown = float(normal @ total) > _LEAST * self._scale.weight
        self._meshcat.SetProperty(self._disc, "visible", shown, time)
        if not shown:
            self._arrow.draw(np.zeros(3), (0.0, 0.0, 0.0), time)
            return
        place = centre_of_pressure(p_WC, force_W, normal)
        self._meshcat.SetTransform(self._disc, RigidTransform(self._R_WT, place), time)
        self._arrow.draw(place, total.tolist(), time)
