"""Forces as scenes draw them: arrows of contacts and pushes, friction cones, means of saved runs.

Frames: W world, T terrain, B a link, Q the point where a push acts, C a contact point with its axes
[n, t, s]. Lengths are proportional to force. A cone is as high as the arrow of the force in it,
whose tip is inside its mouth while the foot sticks, and on its rim where it begins to slide. The
longest arrow of a push is the largest push of a run, so that a breeze is to be seen as well as a
kick.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from pydrake.geometry import Cylinder, Meshcat, MeshcatCone, Rgba
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix

from footfall.arrays import Array
from footfall.plants.contacts import ContactSet
from footfall.plants.contacts.axes import axes_in_terrain
from footfall.plants.contacts.collect import names_of_surfaces
from footfall.plants.loading.load import Model
from footfall.plants.pushes import body_of
from footfall.show.colours import PUSH_COLOUR, TWIST_COLOUR, to_rgba
from footfall.show.extent import sizes_of
from footfall.trajectory import Trajectory
from footfall.trajectory.contact_table import bore_ever
from footfall.trajectory.pushes import LINK, LinkPush

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


@dataclass(frozen=True, eq=False)
class Forces:
    """Forces of the ground and of bodies at n contacts, (n, 3) each.

    p_WC [m]; axes_W (n, 3, 3): [n, t, s] as columns in W; force in them [N].
    """

    p_WC: Array
    axes_W: Array
    force: Array

    @property
    def force_W(self) -> Array:
        """Forces in W, zero where a contact has no place."""
        force: Array = np.einsum("cij,cj->ci", self.axes_W, self.force)
        return force

    def pressing(self) -> npt.NDArray[np.bool_]:
        """Say which contacts have a place and are pressed, (n,)."""
        return np.isfinite(self.p_WC).all(axis=1) & (self.force[:, 0] > 0.0)


class RecordedForces:
    """Forces at the contacts that bore something at some time; names: of these."""

    def __init__(self, model: Model, trajectory: Trajectory) -> None:
        """Take a run of a model."""
        data = trajectory.data
        data = data.isel(contact=np.flatnonzero(bore_ever(data)))
        point = data["contact_point"].to_numpy()
        placed = np.isfinite(point[1:]).any(axis=(0, 2))  # joint limits have no place
        bearing = np.flatnonzero(placed)
        self.names = [str(name) for name in data["contact"].values[bearing]]
        self._time = data["time"].to_numpy()
        self._point = point[:, bearing]
        self._normal = data["contact_normal"].to_numpy()[:, bearing]
        self._R_WT = model.spec.terrain.X_WTerrain().rotation().matrix()
        impulse = np.nan_to_num(data["impulse"].to_numpy()[:, bearing])
        impulse_W = np.zeros_like(impulse)  # axes turn as a wheel goes over a hill
        for k, name in enumerate(self.names):
            axes_W = axes_of([name] * len(impulse), self._normal[:, k], self._R_WT)
            impulse_W[:, k] = np.einsum("rij,rj->ri", axes_W, impulse[:, k])
        self._summed = np.cumsum(impulse_W, axis=0)

    def mean(self, begin: float, end: float) -> Forces | None:
        """Return the mean forces of the rows from begin to end [s], of one row at least."""
        if not self.names or len(self._time) < 2:
            return None
        first, last = (
            int(np.searchsorted(self._time, t + 1e-9, side="right")) - 1 for t in (begin, end)
        )
        last = min(max(last, 1), len(self._time) - 1)
        # rows of an impact share their time
        before = int(np.searchsorted(self._time, self._time[last])) - 1
        first = max(min(first, before), 0)
        span = self._time[last] - self._time[first]
        if span <= 0.0:
            return None
        axes_W = axes_of(self.names, self._normal[last], self._R_WT)
        force_W: Array = (self._summed[last] - self._summed[first]) / span
        return Forces(self._point[last], axes_W, np.einsum("cij,ci->cj", axes_W, force_W))


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


_KINDS = (("force", PUSH_COLOUR, 1), ("torque", TWIST_COLOUR, 2))  # with heads of the arrow


class PushArrows:
    """Arrows of pushes below one Meshcat path."""

    def __init__(
        self, meshcat: Meshcat, path: str, pushes: Sequence[LinkPush], model: Model
    ) -> None:
        """Put the arrows' shapes into Meshcat, hidden."""
        self._plant, self._context = model.plant, model.plant.CreateDefaultContext()
        length = sizes_of(model).weight
        self._drawn: set[int] = set()
        self._begun = False
        self._arrows = []
        for kind, colour, heads in _KINDS:
            vectors = np.array([getattr(push, kind) for push in pushes]).reshape(-1, 3)
            sizes = np.linalg.norm(vectors, axis=1)
            scale = ForceScale(float(sizes.max(initial=0.0)) / LONGEST, length)
            for k in np.flatnonzero(sizes).tolist():
                arrow = Arrow(meshcat, f"{path}/{k}/{kind}", to_rgba(colour), scale, heads)
                body = body_of(model.plant, pushes[k])
                self._arrows.append((arrow, pushes[k], body, vectors[k]))

    def draw(self, q: Array, begin: float, end: float, time: float | None = None) -> None:
        """Draw the means from begin to end [s] at the positions q; time: of a recording [s].

        The first call hides what does not act, for a recording that is played again; later ones
        leave that alone, so that of thousands of pushes only a few are moved in a frame.
        """
        self._plant.SetPositions(self._context, q)
        before, self._drawn = self._drawn, set()
        for k, (arrow, push, body, largest) in enumerate(self._arrows):
            share = push.mean_share(begin, end)
            if share != 0.0:
                self._drawn.add(k)
            elif self._begun and k not in before:
                continue
            X_WB = body.EvalPoseInWorld(self._context)
            vector = share * largest
            if push.frame == LINK:
                vector = X_WB.rotation().multiply(vector)
            arrow.draw(X_WB.multiply(np.array(push.p_BQ)), vector.tolist(), time)
        self._begun = True
