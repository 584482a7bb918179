"""Stick figures of a robot at chosen rows of a run: in place over each other, or one a panel.

Seen from the side, in a vertical plane of the world frame: along x, or along y where the robot
extends much further in y. Frames: W world (z up); B a body, Jc the frame of its inboard joint on
it, Jp that of an outboard joint; G a collision shape.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.colors import to_hex
from pydrake.geometry import Role, SceneGraphInspector
from pydrake.multibody.tree import RigidBody

from footfall.arrays import Array
from footfall.plants.coordinates import joints_of
from footfall.plants.loading.load import Model
from footfall.registry.traced import Traced
from footfall.report.charts.panel import Panel
from footfall.report.curves import Plot, curves
from footfall.report.figure import Figure
from footfall.report.panels import line
from footfall.report.plan_view import draw_scenery, fill_outlines, outline_points, shape_colour
from footfall.report.run_view import RunView, RunViews
from footfall.report.section import Section
from footfall.report.tables import MINUS
from footfall.show.colours import RUN_COLOURS, trace_colour
from footfall.show.extent import scenery_of
from footfall.show.trace import TracedPoints, traces_of
from footfall.show.view import view_of

_SAME = 1e-6  # m: points that are nearer than this are one
_LIGHTEST = 0.8  # mean of red, green and blue: a lighter line is hard to see on white


@dataclass(frozen=True, eq=False)
class Link:
    """A body of a robot: its joints' origins p_BJ (3, k), and outlines (3, n) of what may touch."""

    name: str
    colour: str
    body: RigidBody
    joints: Array
    outlines: tuple[Array, ...]


@dataclass(frozen=True, eq=False)
class SkeletonPosture:
    """A robot at some positions, in W [m].

    Of every link joints (3, k) and outlines (3, n); points (3, m) that are marked; centre of mass.
    """

    joints: list[Array]
    outlines: list[list[Array]]
    points: Array
    centre: Array

    @property
    def everything(self) -> Array:
        """All points that are drawn, (3, n)."""
        flat = [outline for outlines in self.outlines for outline in outlines]
        return np.hstack([*self.joints, *flat, self.points, self.centre[:, None]])


class Skeleton:
    """The moving bodies of a model as segments between their joints, contacts and mass centres."""

    def __init__(
        self, model: Model, marked: Sequence[Traced] = (), shapes_of: Collection[str] = ()
    ) -> None:
        """Read the model; marked: points that are drawn as such.

        shapes_of: bodies whose visible shapes are drawn, as a trunk that touches nothing.
        """
        self._plant = model.plant
        self._context = model.plant.CreateDefaultContext()
        self._marked = TracedPoints(model, marked)
        inspector = model.scene_graph.model_inspector()
        fixed = scenery_of(model.plant)
        bodies = [joint.child_body() for joint in joints_of(model.plant)]
        moving = sorted(
            (body for body in bodies if body.index() not in fixed), key=lambda body: body.index()
        )
        links = [
            _link(model, inspector, body, index, shapes=body.name() in shapes_of)
            for index, body in enumerate(moving)
        ]
        self.links = [link for link in links if link.joints.shape[1] > 1 or link.outlines]

    def posture(self, q: Array) -> SkeletonPosture:
        """Return the robot at positions q (nq,)."""
        self._plant.SetPositions(self._context, q)
        joints, outlines = [], []
        for link in self.links:
            X_WB = link.body.EvalPoseInWorld(self._context)
            joints.append(X_WB.multiply(link.joints))
            outlines.append([X_WB.multiply(outline) for outline in link.outlines])
        return SkeletonPosture(joints, outlines, self._marked.places(q).T, self._centre(q))

    def _centre(self, q: Array) -> Array:
        """Place of the centre of mass at positions q (nq,), (3,) [m]."""
        self._plant.SetPositions(self._context, q)
        centre: Array = self._plant.CalcCenterOfMassPositionInWorld(self._context)
        return centre

    def path(self, q: Array) -> Array:
        """Places of the marked points and the centre of mass at q (N, nq), (N, m + 1, 3) [m]."""
        return np.array([np.vstack((self._marked.places(row), self._centre(row))) for row in q])


def _link(
    model: Model, inspector: SceneGraphInspector, body: RigidBody, index: int, *, shapes: bool
) -> Link:
    """Points and outlines of a body; index: among the bodies, for a colour where it has none.

    shapes: draw what is visible of it.
    """
    plant = model.plant
    inboard = next(joint for joint in joints_of(plant) if joint.child_body() is body)
    points = [inboard.frame_on_child().GetFixedPoseInBodyFrame().translation()]
    points += [
        joint.frame_on_parent().GetFixedPoseInBodyFrame().translation()
        for joint in joints_of(plant)
        if joint.parent_body() is body
    ]
    frame = plant.GetBodyFrameIdOrThrow(body.index())
    outlines = []
    for geometry in inspector.GetGeometries(frame, Role.kProximity):
        X_BG = inspector.GetPoseInFrame(geometry)
        points.append(X_BG.translation())
        outlines.append(X_BG.multiply(outline_points(inspector, geometry)))
    if _apart(points).shape[1] == 1 and body.default_mass() > 0.0:  # a link with nothing at its end
        points.append(body.default_com())
    visible = inspector.GetGeometries(frame, Role.kIllustration)
    for geometry in visible if shapes else ():
        X_BG = inspector.GetPoseInFrame(geometry)
        outlines.append(X_BG.multiply(outline_points(inspector, geometry)))
    colour = RUN_COLOURS[index % len(RUN_COLOURS)]
    if visible and (found := shape_colour(inspector, visible[0])).mean() < _LIGHTEST:
        red, green, blue = found.tolist()
        colour = to_hex((red, green, blue))
    return Link(body.name(), colour, body, _apart(points), tuple(outlines))


def _apart(points: Sequence[Array]) -> Array:
    """Different points among some, in their order, (3, k)."""
    apart: list[Array] = []
    for point in points:
        if all(np.linalg.norm(point - other) > _SAME for other in apart):
            apart.append(point)
    return np.transpose(apart)


MASS_CENTRE = "#E41A1C"
_GROUND: dict[str, Any] = {"color": "black", "linewidth": 1.8, "zorder": 2.0}
_MARKS = "os^Dv"
_MOMENTS = 9  # of a run, where nobody chose others
_PATH_ROWS = 400
_PALEST = 0.25  # opacity of the first posture
_ROOM, _NAMED = 0.10, 0.18  # of a side, around everything; where names of points need some
_MUCH = 2.0  # times as far in y as in x: then it is seen along x
_LABEL = 10.0  # points of type from a point to its name
_COLUMNS, _PANEL = 4, 1.68  # of a strip; inches that one of its panels is wide
_MOST_LINKS = 6  # that a legend names


@dataclass(frozen=True, eq=False)
class Sequence2D:
    """Postures of a run at some rows, in a plane (across, up) of the world frame.

    marked: points with names. paths: of these and of the centre of mass, up to the last row drawn,
    (N, m + 1, 3) [m].
    """

    section: Section
    view: RunView
    rows: npt.NDArray[np.intp]
    skeleton: Skeleton
    marked: Sequence[Traced]
    postures: list[SkeletonPosture]
    paths: Array
    axes: tuple[int, int] = field(default=(0, 2))

    @property
    def everything(self) -> Array:
        """All points that are drawn in the plane, (2, n)."""
        points = [posture.everything for posture in self.postures]
        return np.hstack([*points, self.paths.reshape(-1, 3).T])[list(self.axes)]

    @property
    def seen_along(self) -> str:
        """Axis along which the plane is seen, in words."""
        return f"seen along {'yx'[self.axes[0]]}"

    @property
    def across(self) -> str:
        """Label of the axis below the plane."""
        return f"{'xy'[self.axes[0]]} [m]"

    @property
    def times(self) -> Array:
        """Times of the rows [s]."""
        return self.view.time[self.rows]


def sequence_of(
    section: Section,
    view: RunView,
    rows: Sequence[int] | npt.NDArray[np.intp],
    shapes_of: Collection[str] = (),
) -> Sequence2D:
    """Compute the postures of a run at some rows, and the paths of its traced points to the last.

    shapes_of: bodies whose visible shapes are drawn, too. Raises ModelError for a traced point that
    the model lacks.
    """
    marked = view_of(section.scenario, section.robot.contacts).traced
    skeleton = Skeleton(section.robot.model, marked, shapes_of)
    chosen = np.asarray(rows, dtype=np.intp)
    q = view.data["q"].to_numpy()
    postures = [skeleton.posture(q[row]) for row in chosen]
    last = int(chosen.max(initial=0))
    few = np.unique(np.linspace(0, last, min(last + 1, _PATH_ROWS)).astype(int))
    paths = skeleton.path(q[few])
    reach = np.ptp(np.hstack([posture.everything for posture in postures]), axis=1)
    across = 1 if reach[1] > _MUCH * reach[0] else 0
    return Sequence2D(section, view, chosen, skeleton, marked, postures, paths, (across, 2))


def spread_rows(view: RunView, count: int = _MOMENTS) -> npt.NDArray[np.intp]:
    """Rows of a run that lie evenly among all, its first and its last with them."""
    return np.unique(np.linspace(0, len(view.time) - 1, count).astype(np.intp))


def stick_figures(runs: RunViews[Any]) -> list[Figure]:
    """Return the first run at moments that lie evenly in it; none without shapes."""
    seen = sequence_of(runs.section, runs.first, spread_rows(runs.first))
    return [stick_sequence(seen)] if seen.skeleton.links else []


def stick_sequence(
    seen: Sequence2D,
    title: str = "",
    note: str = "",
    *,
    below: float = 0.0,
    centre: bool = False,
    times: bool = True,
    also: Callable[[Panel], None] | None = None,
) -> Figure:
    """Draw postures over each other, from pale to dark, with the paths of marked points.

    below: room under everything [m]. centre: mark the robot's centre of mass, with its path. times:
    write those of the first and the last posture. also: draws on the panel what only this robot
    has.
    """
    low, high = _box(seen.everything)
    low[1] -= below
    last = len(seen.postures) - 1

    def scene(panel: Panel) -> None:
        _draw_ground(panel, seen, low[0], high[0])
        for trace, path in zip(traces_of(seen.marked), seen.paths.transpose(1, 2, 0), strict=False):
            look: dict[str, Any] = {"color": trace.colour, "linewidth": 0.9}
            line(panel, *path[list(seen.axes)], label=f"path of {trace.name}", **look)
        if centre:
            look = {"color": MASS_CENTRE, "linewidth": 0.9, "linestyle": (0, (4, 2))}
            line(panel, *seen.paths[:, -1][:, list(seen.axes)].T, **look)
        for index, posture in enumerate(seen.postures):
            opacity = _PALEST + (1.0 - _PALEST) * (index + 1) / len(seen.postures)
            draw_posture(panel, seen, posture, opacity=opacity, label=index == last, centre=centre)
        for index in sorted({0, last}) if times else ():
            _tell_time(panel, seen, index)
        if also is not None:
            also(panel)
        panel.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))

    name = seen.view.name
    wide, tall = (high - low).tolist()
    width = 9.0 if wide > tall else 6.6
    return curves(
        None,
        title or f"The motion: {name}",
        [Plot("z [m]", [scene], across=seen.across, equal=True)],
        note=note
        or "Segments join the joints, contacts and ends of a body; later ones are darker.",
        alt=f"Stick figures of {name} at {len(seen.rows)} moments from {seen.times[0]:.2f} to "
        f"{seen.times[-1]:.2f} s, {seen.seen_along}; later ones are darker.",
        row_height=float(np.clip((width - 1.0) * tall / wide, 1.2, 6.0)) + 0.8,
        width=width,
    )


def stick_panels(
    seen: Sequence2D,
    titles: Sequence[str],
    title: str,
    note: str,
    *,
    centre: bool = False,
    names: bool = True,
) -> Figure:
    """Draw every posture in a panel of its own, all of one scale; names: with those of points."""
    plane, room = list(seen.axes), _NAMED if names else _ROOM
    boxes = np.array([_box(posture.everything[plane], room) for posture in seen.postures])
    half = 0.5 * float(np.ptp(boxes[:, :, 0], axis=1).max())
    ends = float(boxes[:, 0, 1].min()), float(boxes[:, 1, 1].max())

    def scene(index: int, panel: Panel) -> None:
        middle = float(boxes[index, :, 0].mean())
        _draw_ground(panel, seen, middle - half, middle + half)
        draw_posture(panel, seen, seen.postures[index], names=names, centre=centre)
        panel.set(xlim=(middle - half, middle + half), ylim=ends)

    moments = ", ".join(each.replace("\n", " at ") for each in titles)
    return curves(
        None,
        title,
        [
            Plot("z [m]", [partial(scene, index)], heading, seen.across, equal=True)
            for index, heading in enumerate(titles[: len(boxes)])
        ],
        note=note,
        alt=f"Stick figures of {seen.view.name}, {seen.seen_along}, a panel for each of "
        f"{len(boxes)} moments: {moments}.",
        columns=_COLUMNS,
        row_height=_PANEL * (ends[1] - ends[0]) / (2.0 * half) + 1.0,
    )


def draw_posture(
    panel: Panel,
    seen: Sequence2D,
    posture: SkeletonPosture,
    *,
    opacity: float = 1.0,
    label: bool = False,
    names: bool = False,
    centre: bool = False,
) -> None:
    """Draw a posture; label: links for the legend; names: beside the marked points."""
    plane = list(seen.axes)
    links = seen.skeleton.links
    label = label and len(links) <= _MOST_LINKS
    shapes = [
        (outline[plane], link.colour)
        for link, outlines in zip(links, posture.outlines, strict=True)
        for outline in outlines
    ]
    fill_outlines(panel, shapes, alpha=0.35 * opacity, zorder=1.8)
    broad: dict[str, Any] = {"linewidth": 2.2, "alpha": opacity, "zorder": 2.2}
    for link, joints in zip(links, posture.joints, strict=True):
        chain = _chain(joints[plane])
        name = link.name.replace("_", " ") if label and len(chain) > 1 else None
        panel.plot(*chain.T, label=name, color=link.colour, **broad)
    origins = np.hstack([each[plane, :1] for each in posture.joints])
    panel.plot(
        origins[0], origins[1], "o", color="#38383f", markersize=2.2, alpha=opacity, zorder=3.0
    )
    _draw_marked(panel, seen, posture, opacity, label=label, names=names)
    if centre:
        cross: dict[str, Any] = {"color": MASS_CENTRE, "markersize": 6.0, "alpha": opacity}
        name = "mass centre" if label else None
        x, y = posture.centre[plane]
        panel.plot(x, y, "x", label=name, zorder=5.0, **cross)


def _chain(joints: Array) -> Array:
    """Corners (n, 2) of a line from the first of joints (2, k) to each of the others and back."""
    first = joints[:, :1]
    ends = [np.hstack((first, end[:, None])) for end in joints.T[1:]]
    return np.hstack(ends or [first]).T


def _draw_marked(
    panel: Panel,
    seen: Sequence2D,
    posture: SkeletonPosture,
    opacity: float,
    *,
    label: bool,
    names: bool,
) -> None:
    """Marks at points of a posture, names on the far side of the others if there is room."""
    places = posture.points[list(seen.axes)].T
    for index, (trace, at) in enumerate(zip(traces_of(seen.marked), places, strict=True)):
        style: dict[str, Any] = {"color": trace_colour(index), "markersize": 4.5, "alpha": opacity}
        name = trace.name if label else None
        mark = _MARKS[index % len(_MARKS)]
        panel.plot(at[0], at[1], mark, label=name, zorder=4.0, **style)
        if names:
            outward = at - places.mean(axis=0)
            offset = _LABEL * outward / max(float(np.linalg.norm(outward)), 1e-9)
            if offset[1] < 0.0:  # not into the ground
                offset = _LABEL * np.array([np.copysign(1.0, outward[0]), 0.5])
            middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8.5}
            panel.annotate(trace.name, at, offset, **middle)


def _draw_ground(panel: Panel, seen: Sequence2D, begin: float, end: float) -> None:
    """The terrain as a line, and whatever else stands still."""
    scenario = seen.section.scenario
    draw_scenery(panel, seen.section.robot.model, lighten=0.3, axes=seen.axes)
    if scenario.terrain.visible:
        slope = np.tan(np.radians(scenario.terrain.slope_deg)) if seen.axes[0] == 0 else 0.0
        panel.plot([begin, end], [slope * begin, slope * end], **_GROUND)


def _tell_time(panel: Panel, seen: Sequence2D, index: int) -> None:
    """The time of a posture above it."""
    points = seen.postures[index].everything[list(seen.axes)]
    across, up = points[:, int(points[1].argmax())].tolist()
    style: dict[str, Any] = {"ha": "center"}
    panel.annotate(f"{seen.times[index]:.2f} s".replace("-", MINUS), (across, up), (0, 6), **style)


def _box(points: Array, share: float = _ROOM) -> tuple[Array, Array]:
    """Lowest and highest corner (2,) around points (2, n), with room."""
    low, high = points.min(axis=1), points.max(axis=1)
    sides = np.maximum(high - low, 1e-3)
    room = np.maximum(share * sides, 0.4 * share * sides.max())
    return low - room, high + room
