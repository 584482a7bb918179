"""Contact forces as arrows: normal and friction at each point that the ground pushes.

Frames: W world, C the contact point. Lengths are proportional to force.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Cylinder, Meshcat, MeshcatCone, Rgba
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix

from footfall.plants.load import Model
from footfall.show.extent import sizes_of

Array = npt.NDArray[np.float64]

LONGEST = 3.0  # weights; impacts are cut there
_FAINTEST = 0.02  # weights; nothing is drawn below
_SHAFT, _HEAD = 0.024, 0.07  # radii over the length of one weight
_COLOURS = {"normal": Rgba(0.0, 0.62, 0.45), "friction": Rgba(0.90, 0.62, 0.0)}


class ContactArrows:
    """Two arrows (normal, friction) for each named contact, below one Meshcat path."""

    _PAIR = "|"  # in the name of a contact between two bodies

    def __init__(self, meshcat: Meshcat, path: str, names: Sequence[str], model: Model) -> None:
        """Put the arrows' shapes into Meshcat, hidden; names are contact names."""
        self._meshcat = meshcat
        self._paths = [f"{path}/{name.replace('::', '/')}" for name in names]
        self._R_WT = model.spec.terrain.X_WTerrain().rotation()
        plant = model.plant
        mass = plant.CalcTotalMass(plant.CreateDefaultContext())
        self._weight = mass * float(np.linalg.norm(plant.gravity_field().gravity_vector()))
        self._length = sizes_of(model).weight
        for arrow in self._paths:
            for kind, colour in _COLOURS.items():
                _add_arrow(meshcat, f"{arrow}/{kind}", colour, self._length)

    def draw(self, p_WC: Array, force: Array, time: float | None = None) -> None:
        """Draw forces (n, 3) [N] in [n, t, s] of the ground at points (n, 3) [m].

        time: of a recording [s]; None draws at once.
        """
        normal, tangent, other = (self._R_WT.matrix()[:, i] for i in (2, 0, 1))
        for path, point, (f_n, f_t, f_s) in zip(self._paths, p_WC, force, strict=True):
            if self._PAIR in path or not np.isfinite(point).all():
                continue  # axes of its own, or no place: a pair of bodies, a joint limit
            self._draw_one(f"{path}/normal", point, f_n * normal, time)
            self._draw_one(f"{path}/friction", point, f_t * tangent + f_s * other, time)

    def _draw_one(self, path: str, point: Array, force_W: Array, time: float | None) -> None:
        size = float(np.linalg.norm(force_W))
        weights = size / self._weight if self._weight > 0.0 else 0.0
        visible = bool(np.isfinite(weights) and weights > _FAINTEST)
        self._meshcat.SetProperty(path, "visible", visible, time)
        if not visible:
            return
        length = self._length * min(weights, LONGEST)
        X_WC = RigidTransform(RotationMatrix.MakeFromOneVector(force_W / size, 2), point)
        self._meshcat.SetTransform(path, X_WC, time)
        self._meshcat.SetProperty(f"{path}/shaft", "scale", [1.0, 1.0, length], time)
        self._meshcat.SetTransform(f"{path}/head", RigidTransform([0.0, 0.0, length]), time)


def _add_arrow(meshcat: Meshcat, path: str, colour: Rgba, length: float) -> None:
    """A shaft of unit length along z and a head beyond it, as thick as an arrow of this length."""
    shaft, head = _SHAFT * length, _HEAD * length
    meshcat.SetObject(f"{path}/shaft/shape", Cylinder(shaft, 1.0), colour)
    meshcat.SetTransform(f"{path}/shaft/shape", RigidTransform([0.0, 0.0, 0.5]))
    # a MeshcatCone stands on its tip
    meshcat.SetObject(f"{path}/head/shape", MeshcatCone(2.0 * head, head, head), colour)
    upside_down = RotationMatrix(RollPitchYaw(np.pi, 0.0, 0.0))
    meshcat.SetTransform(f"{path}/head/shape", RigidTransform(upside_down, [0.0, 0.0, 2.0 * head]))
    meshcat.SetProperty(path, "visible", value=False)
