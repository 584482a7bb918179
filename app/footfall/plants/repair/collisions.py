"""Collision meshes of a URDF as shapes that are quick to collide: primitives, else small hulls.

Feet come first: links at the ends of chains that are lowest when all joints are at 0.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast
from xml.dom.minidom import Element

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix

from footfall.arrays import Array
from footfall.errors import ModelError
from footfall.plants.loading.meshes import FORMATS, read_vertices
from footfall.plants.repair.dom import Urdf, children_of
from footfall.plants.repair.shapes import (
    LEFT,
    Box,
    Capsule,
    Fit,
    Part,
    Primitive,
    Sphere,
    count_corners,
    fit_primitive,
    fit_sole,
    small_hull,
    thickened,
)

_LOW = 0.1  # of the height of the robot: links that reach so far down stand on the ground
MOST_CORNERS = 32
HULLS = "hulls"  # folder


def _inboard(urdf: Urdf) -> dict[str, tuple[str, Element]]:
    """Link that each link hangs on, and the joint between them."""
    inboard = {}
    for joint in children_of(urdf.root, "joint"):
        ends = [children_of(joint, end) for end in ("parent", "child")]
        if all(ends):
            parent, child = (end[0].getAttribute("link") for end in ends)
            inboard[child] = parent, joint
    return inboard


def link_poses(urdf: Urdf) -> dict[str, RigidTransform]:
    """Poses of the links in the root link, with all joints at 0; its z is up."""
    inboard = {
        child: (parent, urdf.pose(joint, f"joint '{joint.getAttribute('name')}'"))
        for child, (parent, joint) in _inboard(urdf).items()
    }
    poses: dict[str, RigidTransform] = {}
    for link in children_of(urdf.root, "link"):
        name = at = link.getAttribute("name")
        pose, seen = RigidTransform(), {name}
        while at in inboard:
            at, X_PC = inboard[at]
            pose = X_PC @ pose
            if at in seen:  # a ring, which Drake refuses
                break
            seen.add(at)
        poses[name] = pose
    return poses


def find_feet(
    urdf: Urdf, poses: Mapping[str, RigidTransform], corners: Mapping[str, Array]
) -> frozenset[str]:
    """Return the links at the ends of chains of joints that reach down to the lowest point.

    corners: of the collision shapes of links, (n, 3) in the frame of the link. A link that only
    fixed joints follow, with no shape beyond, is an end as well.
    """
    heights = {
        link: (points @ poses[link].rotation().matrix().T + poses[link].translation())[:, 2]
        for link, points in corners.items()
    }
    if not heights:
        return frozenset()
    lowest = min(float(z.min()) for z in heights.values())
    highest = max(float(z.max()) for z in heights.values())
    inner = _with_shapes_beyond(urdf, frozenset(corners))
    limit = lowest + _LOW * (highest - lowest)
    return frozenset(
        link for link, z in heights.items() if link not in inner and float(z.min()) <= limit
    )


def down_in(pose: RigidTransform) -> Array:
    """Downward direction in the frame of a link."""
    return np.asarray(-pose.rotation().matrix()[2])


def _with_shapes_beyond(urdf: Urdf, shaped: frozenset[str]) -> set[str]:
    """Links that a link with shapes hangs on, by one joint or several."""
    parents = {child: parent for child, (parent, _) in _inboard(urdf).items()}
    inner: set[str] = set()
    for link in shaped:
        at = link
        while at in parents and parents[at] not in inner:
            at = parents[at]
            inner.add(at)
    return inner


@dataclass(frozen=True)
class _Mesh:
    """A collision mesh: its elements, its file, and its points, scaled, (n, 3) in its frame."""

    link: str
    number: int
    collision: Element
    mesh: Element
    path: Path
    points: Array


class Collisions:
    """The collision meshes of a URDF that are replaced.

    made: how many of each shape. errors: those of the fits and hulls [m].
    """

    def __init__(
        self, urdf: Urdf, resolved: Callable[[Element], Path | None], tolerance: float
    ) -> None:
        """Take a file, what finds the files of its meshes, and the error [m] that is allowed."""
        self._urdf, self._tolerance = urdf, tolerance
        self._resolved = resolved
        self._fits: dict[tuple[object, ...], Fit | None] = {}
        self.made: dict[str, int] = {}
        self.errors: list[float] = []

    def replace(self, folder: Path) -> None:
        """Replace them in the document, feet first; hulls are written into the folder."""
        meshes = [mesh for link in children_of(self._urdf.root, "link") for mesh in self._of(link)]
        poses = link_poses(self._urdf)
        corners: dict[str, list[Array]] = {}
        for mesh in meshes:
            X_LM = self._pose(mesh)
            points = mesh.points @ X_LM.rotation().matrix().T + X_LM.translation()
            corners.setdefault(mesh.link, []).append(points)
        feet = find_feet(self._urdf, poses, {k: np.concatenate(v) for k, v in corners.items()})
        for mesh in sorted(meshes, key=lambda mesh: mesh.link not in feet):
            down = down_in(poses[mesh.link] @ self._pose(mesh)) if mesh.link in feet else None
            self._replace(mesh, down, folder)

    def _of(self, link: Element) -> list[_Mesh]:
        meshes = []
        name = link.getAttribute("name")
        for number, collision in enumerate(children_of(link, "collision")):
            for mesh in collision.getElementsByTagName("mesh"):
                path = self._resolved(mesh)
                if path is None:
                    continue
                mesh.setAttribute("filename", path.as_uri())
                if path.suffix.lower() in FORMATS:
                    scale = self._urdf.numbers(mesh, "scale", "1 1 1", f"a mesh of link '{name}'")
                    points = read_vertices(path) * np.array(scale)
                    meshes.append(_Mesh(name, number, collision, mesh, path, points))
        return meshes

    def _pose(self, mesh: _Mesh) -> RigidTransform:
        return self._urdf.pose(mesh.collision, f"a collision of link '{mesh.link}'")

    def _replace(self, mesh: _Mesh, down: Array | None, folder: Path) -> None:
        try:
            if mesh.path.suffix.lower() == ".obj" and count_corners(mesh.points) <= MOST_CORNERS:
                return  # Drake takes it, and it is small already
            fit = self._fit(mesh, down)
            if fit is None:
                self._put_hull(mesh, folder)
                return
            if down is not None and fit.beyond > LEFT * Part.around(mesh.points).size:
                self._put_hull(_above(mesh, fit.shape, down), folder)
            self._put_primitive(mesh, fit, "seen from below" if down is not None else "")
        except ModelError as error:
            raise ModelError(f"{mesh.path}: {error}") from error

    def _fit(self, mesh: _Mesh, down: Array | None) -> Fit | None:
        """A fit of a mesh, which robots use many times."""
        scale = mesh.mesh.getAttribute("scale")
        seen = None if down is None else tuple(np.round(down, 9))
        key = (mesh.path, scale, seen)
        if key not in self._fits:
            part = Part.around(thickened(np.unique(mesh.points, axis=0)))
            of_sole = None if down is None else fit_sole(part, down, within=self._tolerance)
            self._fits[key] = of_sole or fit_primitive(part, within=self._tolerance)
        return self._fits[key]

    def _put_primitive(self, mesh: _Mesh, fit: Fit, seen: str) -> None:
        X_MG, element, kind = _described(self._urdf, fit.shape)
        self._urdf.put_pose(mesh.collision, self._pose(mesh) @ X_MG)
        (geometry,) = children_of(mesh.collision, "geometry")
        geometry.replaceChild(element, mesh.mesh)
        self._count(kind, fit.error)
        off = " ".join(part for part in (f"{1e3 * fit.error:.1f} mm off at most", seen) if part)
        self._urdf.notes.append(f"link '{mesh.link}': {mesh.path.name} became a {kind}, {off}.")

    def _put_hull(self, mesh: _Mesh, folder: Path) -> None:
        hull = small_hull(mesh.points, within=self._tolerance, most=MOST_CORNERS)
        file = folder / HULLS / f"{mesh.link}_{mesh.number}.obj"
        hull.write(file)
        mesh.mesh.setAttribute("filename", f"{HULLS}/{file.name}")
        if mesh.mesh.hasAttribute("scale"):
            mesh.mesh.removeAttribute("scale")
        self._count("hull", hull.error)
        self._urdf.notes.append(
            f"link '{mesh.link}': {mesh.path.name}, {len(mesh.points)} vertices, became a hull of "
            f"{len(hull.corners)} corners, {1e3 * hull.error:.1f} mm too small at most."
        )

    def _count(self, kind: str, error: float) -> None:
        self.made[kind] = self.made.get(kind, 0) + 1
        self.errors.append(error)


def _above(mesh: _Mesh, shape: Primitive, down: Array) -> _Mesh:
    """The points of a foot above the middle of its sphere, as a collision of their own."""
    collision = cast("Element", mesh.collision.cloneNode(deep=True))
    cast("Element", mesh.collision.parentNode).insertBefore(collision, mesh.collision)
    if collision.hasAttribute("name"):
        collision.setAttribute("name", f"{collision.getAttribute('name')}_above")
    (copied,) = collision.getElementsByTagName("mesh")
    middle = shape.centre if isinstance(shape, Sphere) else mesh.points.mean(axis=0)
    points = mesh.points[(mesh.points - middle) @ down <= 0.0]
    return replace(mesh, collision=collision, mesh=copied, points=points)


def _described(urdf: Urdf, shape: Primitive) -> tuple[RigidTransform, Element, str]:
    """Pose of a shape in the frame of its mesh, its element, and what it is called."""
    if isinstance(shape, Sphere):
        element = urdf.element("sphere", radius=f"{shape.radius:.9g}")
        return RigidTransform(shape.centre), element, "sphere"
    if isinstance(shape, Capsule):
        along = shape.ends[1] - shape.ends[0]
        length = float(np.linalg.norm(along))
        X_MG = RigidTransform(RotationMatrix.MakeFromOneVector(along, 2), shape.ends.mean(axis=0))
        element = urdf.element(
            "drake:capsule", radius=f"{shape.radius:.9g}", length=f"{length:.9g}"
        )
        return X_MG, element, "capsule"
    size = " ".join(f"{edge:.9g}" for edge in shape.size)
    R_MG = RotationMatrix.ProjectToRotationMatrix(_right_handed(shape))
    return RigidTransform(R_MG, shape.centre), urdf.element("box", size=size), "box"


def _right_handed(box: Box) -> Array:
    """Axes of a box; a mirrored one is the same box."""
    axes = box.R_MG.copy()
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return axes
