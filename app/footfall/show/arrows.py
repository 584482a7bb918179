"""Contact forces as arrows: normal and friction where ground or a surface of scenery pushes.

Frames: W world, T terrain, C the contact point. Lengths are proportional to force.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydrake.geometry import Cylinder, Meshcat, MeshcatCone, Rgba
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix

from footfall.arrays import Array
from footfall.plants.contacts.axes import axes_in_terrain
from footfall.plants.contacts.collect import names_of_surfaces
from footfall.plants.loading.load import Model
from footfall.show.extent import sizes_of

LONGEST = 3.0  # weights; impacts are cut there
_FAINTEST = 0.02  # weights; nothing is drawn below
_SAME = 0.003  # weights; so much shorter or longer is not to be seen
SHAFT, HEAD = 0.024, 0.07  # radii over the length of one weight
_PAIR = "|"  # in the name of a contact between two bodies
COLOURS = {"normal": Rgba(0.0, 0.62, 0.45), "friction": Rgba(0.90, 0.62, 0.0)}


@dataclass(frozen=True)
class ForceScale:
    """Scale of arrows: length [m] of one weight [N] of the machine."""

    weight: float
    length: float

    def of(self, size: float) -> float:
        """Length [m] for a force [N]: cut at LONGEST, 0 for one that is too faint to be drawn."""
        weights = size / self.weight if self.weight > 0.0 else 0.0
        if not (_FAINTEST < weights < math.inf):
            return 0.0
        return self.length * min(weights, LONGEST)

    def alike(self, length: float, other: float) -> bool:
        """Return whether two lengths [m] cannot be told apart."""
        return abs(length - other) < _SAME * self.length

    def reach(self, size: float) -> float:
        """Length [m] of the whole arrow of a force [N], with the head that is beyond it."""
        length = self.of(size)
        return length + 2.0 * HEAD * self.length if length > 0.0 else 0.0


def force_scale(model: Model) -> ForceScale:
    """The scale of a model's forces."""
    plant = model.plant
    mass = plant.CalcTotalMass(plant.CreateDefaultContext())
    gravity = float(np.linalg.norm(plant.gravity_field().gravity_vector()))
    return ForceScale(mass * gravity, sizes_of(model).weight)


def what_is_pushed(names: Sequence[str], model: Model) -> list[bool]:
    """Return which contacts push the machine: those with the ground, and with surfaces of scenery.

    Between two moving bodies there is no one that is pushed.
    """
    surfaces = names_of_surfaces(model.plant, model.scene_graph.model_inspector())
    sides = [name.partition(_PAIR)[2] for name in names]
    return [
        side in surfaces if side else _PAIR not in name
        for side, name in zip(sides, names, strict=True)
    ]


def axes_of(names: Sequence[str], normals: Array, R_WT: Array) -> Array:
    """Axes [n, t, s] of contacts as columns in W, (n, 3, 3), at their normals (n, 3).

    A contact with the ground has the ground's, whether or not its normal is told.
    """
    on_ground = np.array([_PAIR not in name for name in names], dtype=np.bool_)
    return axes_in_terrain(np.where(on_ground[:, None], R_WT[:, 2], normals), R_WT)


class Arrow:
    """One arrow at a Meshcat path, hidden until it is drawn."""

    def __init__(
        self, meshcat: Meshcat, path: str, colour: Rgba, scale: ForceScale, heads: int = 1
    ) -> None:
        """Put its shapes there: a shaft of unit length along z, a head or two beyond it."""
        self._meshcat, self._path, self._scale = meshcat, path, scale
        shaft, head = SHAFT * scale.length, HEAD * scale.length
        meshcat.SetObject(f"{path}/shaft/shape", Cylinder(shaft, 1.0), colour)
        meshcat.SetTransform(f"{path}/shaft/shape", RigidTransform([0.0, 0.0, 0.5]))
        # a MeshcatCone stands on its tip
        upside_down = RotationMatrix(RollPitchYaw(np.pi, 0.0, 0.0))
        for k in range(heads):
            shape = f"{path}/head/shape{k or ''}"
            meshcat.SetObject(shape, MeshcatCone(2.0 * head, head, head), colour)
            beyond = RigidTransform(upside_down, [0.0, 0.0, (2.0 - 1.5 * k) * head])
            meshcat.SetTransform(shape, beyond)
        meshcat.SetProperty(path, "visible", value=False)
        self._seen: bool | None = None  # at first nothing has been said
        self._length = 0.0  # of what was drawn at once

    def draw(self, p_WC: Array, force_W: Sequence[float], time: float | None) -> None:
        """Draw a force (3,) [N] at a point [m]; time: of a recording [s], None draws at once."""
        x, y, z = force_W
        size = math.sqrt(x * x + y * y + z * z)
        length = self._scale.of(size)
        seen = length > 0.0
        if seen != self._seen:  # a page keeps it until the next frame that says so
            self._meshcat.SetProperty(self._path, "visible", seen, time)
            self._seen = seen
        if not seen:
            return
        along = [x / size, y / size, z / size]
        X_WC = RigidTransform(RotationMatrix.MakeFromOneVector(along, 2), p_WC)
        self._meshcat.SetTransform(self._path, X_WC, time)
        if time is None and self._scale.alike(length, self._length):
            return
        self._length = length
        self._meshcat.SetProperty(f"{self._path}/shaft", "scale", [1.0, 1.0, length], time)
        beyond = RigidTransform(p=[0.0, 0.0, length])  # by position it takes Drake a fourth
        self._meshcat.SetTransform(f"{self._path}/head", beyond, time)


class ContactArrows:
    """Two arrows (normal, friction) for each named contact, below one Meshcat path."""

    def __init__(self, meshcat: Meshcat, path: str, names: Sequence[str], model: Model) -> None:
        """Put the arrows' shapes into Meshcat, hidden; names are contact names."""
        self._pushes = np.array(what_is_pushed(names, model), dtype=np.bool_)
        self._acted = np.zeros(len(names), dtype=np.bool_)
        scale = force_scale(model)
        places = [f"{path}/{name.replace('::', '/')}" for name in names]
        self._arrows = [
            [Arrow(meshcat, f"{place}/{kind}", COLOURS[kind], scale) for kind in COLOURS]
            for place in places
        ]

    def draw(self, p_WC: Array, axes_W: Array, force: Array, time: float | None = None) -> None:
        """Draw forces (n, 3) [N] in [n, t, s] at points (n, 3) [m] with axes (n, 3, 3).

        time: of a recording [s]; None draws at once.
        """
        acting = (force != 0.0).any(axis=1)
        # of hundreds of contacts a few act: at once, those are left alone that did not and do not
        drawn = acting | self._acted if time is None else np.ones_like(acting)
        self._acted = acting
        # a joint limit has no place, nor has what is far apart
        placed = np.isfinite(p_WC).all(axis=1, keepdims=True)
        parts_W = axes_W * np.where(placed, force, 0.0)[:, None]
        normal_W, friction_W = parts_W[:, :, 0].tolist(), parts_W[:, :, 1:].sum(axis=2).tolist()
        for k in np.flatnonzero(drawn & self._pushes):
            (pushes, rubs), point = self._arrows[k], p_WC[k]
            pushes.draw(point, normal_W[k], time)
            rubs.draw(point, friction_W[k], time)
