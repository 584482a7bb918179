"""Scene of one model: shapes to look at and to collide, inertias, frames, masses, joints, contacts.

Under a model that has no ground of its own lies level ground, where it would stand in a posture.

Frames: W world, B a body, Bcm its centre of mass, C contact. The ground's normal is W's z.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import yaml
from pydrake.geometry import Box, Cylinder, Meshcat, Rgba, Role, SceneGraph, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, MultibodyPlant
from pydrake.systems.framework import Context, DiagramBuilder
from pydrake.visualization import ApplyVisualizationConfig, VisualizationConfig

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.feet.balance import support_polygon
from footfall.plants.constraints import Ball, Coupler, geared, gears_of
from footfall.plants.contacts.contact_set import GroundShape
from footfall.plants.contacts.ground import ground_table, measure_points
from footfall.plants.contacts.shapes import points_of_shape
from footfall.plants.coordinates import (
    bodies_of,
    coordinate_names,
    coordinate_units,
    joints_of,
)
from footfall.plants.kinematics import Kinematics
from footfall.plants.loading.file_constraints import is_taken
from footfall.plants.loading.uris import Packages
from footfall.resources import parser_of
from footfall.show.extent import centre_of_mass, sizes_of_shapes

_TOUCHING = 1e-3  # m above the lowest point: what is so near stands on the ground, too
_GROUND, _TOUCHED = Rgba(0.62, 0.66, 0.6, 0.75), Rgba(0.0, 0.62, 0.45)
_SIDE, _THICK = 8.0, 0.02  # of the plate, over the length of an arrow of one weight
_RADIUS, _HIGH = 0.07, 0.02  # of a mark, likewise


@dataclass(frozen=True)
class Standing:
    """Height of the ground in W [m], and where links stand on it, (n, 3) [m] each, by name."""

    height: float
    p_WC: dict[str, Array]


class GroundBelow:
    """Finds the lowest points of all shapes that may collide."""

    def __init__(self, plant: MultibodyPlant, scene_graph: SceneGraph) -> None:
        """Take a model; shapes that cannot stand on a ground, such as another one, are left out."""
        self._plant, self._kinematics = plant, Kinematics(plant)
        shapes = _shapes(plant, scene_graph)
        self._links = [shape.body.name() for shape in shapes for _ in range(len(shape.points))]
        self._points = ground_table(shapes, self._kinematics, RigidTransform())

    def at(self, context: Context) -> Standing | None:
        """Return the ground at a context of the plant; None for a model without such shapes."""
        if not self._links:
            return None
        self._kinematics.place(context, self._plant.GetPositions(context))
        height, p_WC = measure_points(self._points, self._kinematics.poses)
        lowest = float(height.min())
        standing: dict[str, list[Array]] = {}
        for k in np.flatnonzero(height <= lowest + _TOUCHING):
            standing.setdefault(self._links[k], []).append(p_WC[k])
        return Standing(lowest, {link: _corners(points) for link, points in standing.items()})


class GroundPlate:
    """A plate with marks where links stand on it, at a Meshcat path."""

    def __init__(self, meshcat: Meshcat, path: str, length: float) -> None:
        """Take the length of an arrow of one weight [m]; nothing is drawn before ``draw``."""
        self._meshcat, self._path, self._length = meshcat, path, length
        meshcat.Delete(path)

    def draw(self, standing: Standing | None, centre: Array) -> None:
        """Draw it below a centre of mass (3,) in W [m]."""
        if standing is None:
            return
        side, thick = _SIDE * self._length, _THICK * self._length
        plate = f"{self._path}/plate"
        if not self._meshcat.HasPath(plate):
            self._meshcat.SetObject(plate, Box(side, side, thick), _GROUND)
        place = [centre[0], centre[1], standing.height - 0.5 * thick]
        self._meshcat.SetTransform(plate, RigidTransform(place))
        marks = f"{self._path}/marks"
        self._meshcat.Delete(marks)
        disc = Cylinder(_RADIUS * self._length, _HIGH * self._length)
        for k, p_WC in enumerate(np.vstack(list(standing.p_WC.values()))):
            self._meshcat.SetObject(f"{marks}/{k}", disc, _TOUCHED)
            on_top = [p_WC[0], p_WC[1], standing.height]
            self._meshcat.SetTransform(f"{marks}/{k}", RigidTransform(on_top))


def _shapes(plant: MultibodyPlant, scene_graph: SceneGraph) -> list[GroundShape]:
    inspector = scene_graph.model_inspector()
    shapes: list[GroundShape] = []
    first = 0
    for geometry in inspector.GetAllGeometryIds(Role.kProximity):
        try:
            points = points_of_shape(inspector, geometry)
        except ModelError:
            continue
        body = plant.GetBodyFromFrameId(inspector.GetFrameId(geometry))
        shapes.append(GroundShape(body, geometry, points, first))
        first += len(points)
    return shapes


def _corners(points: Sequence[Array]) -> Array:
    """Return the corners (n, 3) of the hull of points (3,), of which a sole may have many."""
    p_WC = np.array(points)
    corners = support_polygon(p_WC[:, :2])
    return np.column_stack((corners, np.full(len(corners), p_WC[:, 2].min())))


TITLES = {
    "visual": "visual shapes",
    "collision": "collision shapes",
    "inertia": "ellipsoids of inertia",
    "frames": "frames of the links",
    "centres": "centres of mass",
    "contacts": "contacts of links with each other",
    "ground": "ground under the lowest link",
}
VISUAL, COLLISION, INERTIA, FRAMES, CENTRES, CONTACTS, GROUND = TITLES
PLACES = {
    VISUAL: "/drake/illustration",
    COLLISION: "/drake/proximity",
    INERTIA: "/drake/inertia",
    FRAMES: "/frames",
    CENTRES: "/centres",
    CONTACTS: "/contacts",
    GROUND: "/ground",
}
_AXES = (Rgba(0.85, 0.1, 0.1), Rgba(0.1, 0.6, 0.1), Rgba(0.1, 0.2, 0.85))
_CENTRE, _CONTACT = Rgba(0.9, 0.75, 0.0), Rgba(0.84, 0.15, 0.16)
_AXIS, _BALL = 0.35, 0.05  # over the length of an arrow of one weight
_TURN, _WAY = float(np.pi), 1.0  # rad and m: of a joint without limits


@dataclass(frozen=True, eq=False)
class Slider:
    """A coordinate that can be moved: its place in q, its name, unit and range."""

    place: int
    name: str
    unit: str
    low: float
    high: float
    is_limited: bool


class ModelScene:
    """A model in Meshcat at a posture."""

    def __init__(
        self,
        meshcat: Meshcat,
        file: str,
        packages: Packages,
        declared: Sequence[Ball | Coupler | None] = (),
    ) -> None:
        """Parse a file (of a model, or of directives) and put it into the scene.

        declared: constraints of its files.
        """
        self._meshcat = meshcat
        builder = DiagramBuilder()
        self.plant: MultibodyPlant
        self.scene_graph: SceneGraph
        self.plant, self.scene_graph = AddMultibodyPlantSceneGraph(builder, 0.0)
        parser_of(self.plant, packages).AddModels(file)
        self.plant.Finalize()
        config = VisualizationConfig(publish_contacts=False, enable_alpha_sliders=False)
        ApplyVisualizationConfig(config, builder, meshcat=meshcat)
        self._diagram = builder.Build()
        self._root = self._diagram.CreateDefaultContext()
        self._context = self.plant.GetMyMutableContextFromRoot(self._root)
        self._graph = self.scene_graph.GetMyContextFromRoot(self._root)
        plant = self.plant
        self._bodies = bodies_of(plant)[1:]
        self._length = sizes_of_shapes(plant, self.scene_graph).weight
        self._gears = gears_of(plant, [each for each in declared if each and is_taken(plant, each)])
        followers = {gear.position[0] for gear in self._gears}
        self.sliders = [each for each in _sliders(plant) if each.place not in followers]
        self.default = self.followed(plant.GetPositions(self._context))
        self._put_marks()
        self._ground = GroundBelow(plant, self.scene_graph)
        self._plate = GroundPlate(meshcat, PLACES[GROUND], self._length)
        self.touching: list[str] = []
        self.standing: list[str] = []

    @property
    def q(self) -> Array:
        """Positions that are shown."""
        positions: Array = self.plant.GetPositions(self._context)
        return positions

    def followed(self, q: Array) -> Array:
        """Return positions in which joints that mimic others follow these."""
        return geared(self._gears, q, [slider.place for slider in self.sliders])

    def pose(self, q: Array) -> None:
        """Show a posture, and find which links touch each other there."""
        self.plant.SetPositions(self._context, q)
        self._diagram.ForcedPublish(self._root)
        for body in self._bodies:
            name = body.scoped_name().get_full().replace("::", "/")
            X_WB = body.EvalPoseInWorld(self._context)
            self._meshcat.SetTransform(f"{PLACES[FRAMES]}/{name}", X_WB)
            p_BBcm = body.CalcCenterOfMassInBodyFrame(self._context)
            place = RigidTransform(X_WB.multiply(p_BBcm))
            self._meshcat.SetTransform(f"{PLACES[CENTRES]}/{name}", place)
        self._find_contacts()
        self._put_ground()

    def show(self, layer: str, *, shown: bool) -> None:
        """Show a layer or hide it."""
        self._meshcat.SetProperty(PLACES[layer], "visible", shown)

    def told(self) -> dict[str, Any]:
        """Return joints, and masses by link, for a page."""
        return {
            "joints": [
                {
                    "name": slider.name,
                    "unit": slider.unit,
                    "low": slider.low,
                    "high": slider.high,
                    "limited": slider.is_limited,
                    "value": float(self.q[slider.place]),
                }
                for slider in self.sliders
            ],
            "masses": [
                {
                    "name": body.name(),
                    "mass": body.get_mass(self._context),
                    "com": body.CalcCenterOfMassInBodyFrame(self._context).tolist(),
                }
                for body in self._bodies
            ],
        }

    def posture(self) -> str:
        """Return the posture as a scenario has it: coordinates that are not 0."""
        q = self.q
        values = {s.name: round(float(q[s.place]), 6) for s in self.sliders if q[s.place] != 0.0}
        text: str = yaml.safe_dump({"initial": {"positions": values}}, sort_keys=False)
        return text

    def _put_marks(self) -> None:
        axis, ball = _AXIS * self._length, _BALL * self._length
        for body in self._bodies:
            name = body.scoped_name().get_full().replace("::", "/")
            for k, colour in enumerate(_AXES):
                end = np.zeros((3, 1))
                end[k] = axis
                self._meshcat.SetLineSegments(
                    f"{PLACES[FRAMES]}/{name}/{'xyz'[k]}", np.zeros((3, 1)), end, 3.0, colour
                )
            if body.get_mass(self._context) > 0.0:
                path = f"{PLACES[CENTRES]}/{name}"
                self._meshcat.SetObject(path, Sphere(ball), _CENTRE)

    def _find_contacts(self) -> None:
        """Mark where links overlap that may collide."""
        query = self.scene_graph.get_query_output_port().Eval(self._graph)
        pairs = query.ComputePointPairPenetration()
        inspector = query.inspector()
        deepest: dict[str, float] = {}
        self._meshcat.Delete(PLACES[CONTACTS])
        for k, pair in enumerate(pairs):
            names = [
                self.plant.GetBodyFromFrameId(inspector.GetFrameId(g)).name()
                for g in (pair.id_A, pair.id_B)
            ]
            title = " and ".join(names)
            deepest[title] = max(deepest.get(title, 0.0), pair.depth)
            path = f"{PLACES[CONTACTS]}/{k}"
            self._meshcat.SetObject(path, Sphere(_BALL * self._length), _CONTACT)
            middle = 0.5 * (pair.p_WCa + pair.p_WCb)
            self._meshcat.SetTransform(path, RigidTransform(middle))
        self.touching = [
            f"{title} overlap by {1e3 * depth:.3g} mm" for title, depth in deepest.items()
        ]

    def _put_ground(self) -> None:
        """Put ground under the lowest link, and find what stands on it."""
        ground = self._ground.at(self._context)
        self._plate.draw(ground, centre_of_mass(self.plant, self._context))
        self.standing = []
        if ground is not None:
            links = ", ".join(ground.p_WC)
            self.standing = [f"ground at z = {round(ground.height, 6) + 0.0:g} m, under {links}"]


def moved(scene: ModelScene, q: Array, changes: Mapping[str, float]) -> Array:
    """Return positions with coordinates changed by name, kept in their ranges; followers follow."""
    posture = q.copy()
    for slider in scene.sliders:
        if slider.name in changes:
            posture[slider.place] = min(max(changes[slider.name], slider.low), slider.high)
    return scene.followed(posture)


def _sliders(plant: MultibodyPlant) -> list[Slider]:
    """Return the coordinates that can be moved: not those of bodies that are free in space."""
    names, units = coordinate_names(plant)[0], coordinate_units(plant)[0]
    low, high = plant.GetPositionLowerLimits(), plant.GetPositionUpperLimits()
    free = {
        place
        for joint in joints_of(plant)
        if joint.num_positions() > joint.num_velocities()
        for place in range(joint.position_start(), joint.position_start() + joint.num_positions())
    }
    rows = []
    for place in range(plant.num_positions()):
        if place in free:
            continue
        limited = bool(np.isfinite(low[place]) and np.isfinite(high[place]))
        most = _TURN if units[place] == "rad" else _WAY
        ends = (low[place], high[place]) if limited else (-most, most)
        rows.append(
            Slider(place, names[place], units[place], float(ends[0]), float(ends[1]), limited)
        )
    return rows
