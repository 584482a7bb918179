"""The vehicle on its track, drawn, with its letters, and its three free bodies with their forces.

Wheels have a spoke that shows how they turn. Letters and free bodies are those of the document's
Figures 21 to 23, which are lost: the curve of the centres, on which a circle about
the front one finds the rear wheel, and the free bodies of the quasi-static balance.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Indices
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import Forces
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, body_positions
from footfall.machines.ugv.measures import Observables
from footfall.report.charts.panel import Panel
from footfall.report.curves import Plot, curves
from footfall.report.figure import Figure, draw
from footfall.report.sketch import DASHED, THIN, arc, force
from footfall.report.tables import listed

BODY, LEG, TYRE, SPOKE, GROUND = "#295c94", "#e6731a", "#3a3a40", "#cc261f", "#b3a38a"
"""Colours, as the model has them."""
FAINT = 0.3
"""Opacity of vehicles that overlap with others."""
REAR_WHEEL, FRONT_WHEEL, TRUNK = "rear wheel", "front wheel", "body and legs"
PARTS = (REAR_WHEEL, FRONT_WHEEL, TRUNK)
"""Parts of a vehicle that may be drawn alone."""
_DISC = 0.16  # of the opacity: of wheels within their rims
_TURN = np.linspace(0.0, 2.0 * np.pi, 73)  # rad: through which a rim is drawn
_MOST = 6  # vehicles in a row
_WIDTH = 8.2  # inches, of their panel
_DEPTH = 0.12  # m: of the ground beneath its lowest place
_ROOM = 0.25  # m: about the first and the last vehicle


class VehicleOutline(NamedTuple):
    """One vehicle: places x + 1j z [m], and by how much its wheels have turned ahead [rad]."""

    hip_r: complex
    hip_f: complex
    wheel_r: complex
    wheel_f: complex
    turn_r: float
    turn_f: float


def outlines_of(parameters: UgvParameters, at: VehiclePose) -> list[VehicleOutline]:
    """Vehicles in poses (n,), their wheels turned by the way of their centres.

    The spokes of wheels that have made no way point up.
    """
    where = body_positions(parameters, at)
    turns = at.rear.arc / parameters.r, at.front.arc / parameters.r
    columns = where.hip_r, where.hip_f, where.wheel_r, where.wheel_f, *turns
    rows = zip(*(np.atleast_1d(column).tolist() for column in columns), strict=True)
    return [VehicleOutline(*row) for row in rows]


def draw_vehicle(
    panel: Panel,
    outline: VehicleOutline,
    parameters: UgvParameters,
    *,
    opacity: float = 1.0,
    label: bool = False,
    parts: Collection[str] = PARTS,
) -> None:
    """Body with its belly, legs, wheels and their spokes; label: names for the legend."""
    pale: dict[str, Any] = {"alpha": opacity}
    along = outline.hip_f - outline.hip_r
    up = 1j * along / abs(along) * max(parameters.half_height, 0.02)
    if TRUNK in parts:
        body = (outline.hip_r - up, outline.hip_f - up, outline.hip_f + up, outline.hip_r + up)
        name = "body" if label else ""
        hull = np.column_stack(_xz(*body))
        panel.polygons([hull], color=BODY, linewidth=0.0, zorder=2.0, label=name, **pale)
    for part, wheel, hip, turn in (
        (REAR_WHEEL, outline.wheel_r, outline.hip_r, outline.turn_r),
        (FRONT_WHEEL, outline.wheel_f, outline.hip_f, outline.turn_f),
    ):
        named = label and part == REAR_WHEEL
        if part in parts:
            name, centre = "wheel" if named else "", np.array([wheel.real, wheel.imag])
            disc: dict[str, Any] = {"color": TYRE, "alpha": _DISC * opacity, "linewidth": 0.0}
            panel.circle(centre, parameters.r, zorder=1.8, label=name, **disc)
            rim = _xz(*(wheel + parameters.r * np.exp(1j * _TURN)).tolist())
            panel.plot(*rim, color=TYRE, linewidth=2.2, zorder=1.9, **pale)
            spoke = _xz(wheel, wheel + 1j * parameters.r * complex(np.exp(-1j * turn)))
            panel.plot(*spoke, color=SPOKE, linewidth=1.8, zorder=2.6, **pale)
        if TRUNK in parts:
            name = "leg" if named else ""
            panel.plot(*_xz(hip, wheel), color=LEG, linewidth=3.2, zorder=3.0, label=name, **pale)
            panel.plot(*_xz(hip, wheel), "o", color=TYRE, markersize=3.0, zorder=3.5, **pale)


def draw_ground(panel: Panel, x: Array, z: Array) -> None:
    """The ground through points (n,) [m], filled beneath."""
    panel.fill_between(x, z, float(z.min()) - _DEPTH, color=GROUND, alpha=0.45, linewidth=0.0)
    panel.plot(x, z, color="black", linewidth=1.1, zorder=1.0)


def places_apart(s: Array, parameters: UgvParameters) -> Indices:
    """Rows of places s (n,) [m] about as far apart as a vehicle is long, the ends among them."""
    length = parameters.L + 2.0 * (parameters.l + parameters.r)
    count = min(max(2, 1 + int(abs(float(s[-1] - s[0])) / length)), _MOST)
    wanted = np.linspace(float(s[0]), float(s[-1]), count)
    return np.unique(np.abs(s[:, None] - wanted).argmin(axis=0))


def sequence_figure(
    ground: tuple[Array, Array],
    outlines: Sequence[VehicleOutline],
    labels: Sequence[str],
    parameters: UgvParameters,
    title: str,
    *,
    note: str = "",
) -> Figure:
    """Vehicles in a row on their ground x, z (n,) [m], each with a label; the last names parts.

    Those that reach into the next one are pale and without a label.
    """
    wheels = np.array([(outline.wheel_r, outline.wheel_f) for outline in outlines])
    r = parameters.r
    low, high = float(wheels.real.min()) - r - _ROOM, float(wheels.real.max()) + r + _ROOM
    x, z = (row[(ground[0] >= low) & (ground[0] <= high)] for row in ground)
    overlaps = [*(wheels.real[:-1, 1] + r > wheels.real[1:, 0] - r), False]

    def plot(panel: Panel) -> None:
        draw_ground(panel, x, z)
        for outline, text, pale in zip(outlines, labels, overlaps, strict=True):
            opacity, last = FAINT if pale else 1.0, outline is outlines[-1]
            draw_vehicle(panel, outline, parameters, opacity=opacity, label=last)
            top = max(outline.hip_r.imag, outline.hip_f.imag) + parameters.half_height
            middle = 0.5 * (outline.hip_r + outline.hip_f).real
            panel.annotate("" if pale else text, (middle, top), (0, 4), ha="center")
        panel.set_xlim(x[0], x[-1])
        panel.margins(y=0.14)

    up = float(np.ptp(wheels.imag)) + 2.0 * r + parameters.l + _DEPTH
    height = _WIDTH * max(up, 0.8) / float(x[-1] - x[0]) + 0.75
    shown = [text for text, pale in zip(labels, overlaps, strict=True) if not pale]
    alt = f"The vehicle on its track, side view in equal axes, at {listed(shown)}."
    panel = Plot("z [m]", [plot], across="x [m]", equal=True)
    return curves(None, title, [panel], alt=alt, note=note, row_height=height)


def _xz(*points: complex) -> tuple[Array, Array]:
    through = np.asarray(points, dtype=np.complex128)
    return through.real, through.imag


_BESIDE = 0.12  # of the vehicle's length: room that is drawn
_LONGEST = 0.3  # of it: the weight of the whole
_SHOWN = 0.3  # of the weight: as large as friction seems, if a whole factor makes it so
_GROUND_FORCE, _WEIGHT, _AXLE = "#00805c", "#38383f", "#a0477c"
_SYSTEMS = ((REAR_WHEEL,), (REAR_WHEEL, TRUNK), PARTS)

Arrow = tuple[complex, complex, str, str]
"""Place, force [N], letter and colour."""


class WheelStand(NamedTuple):
    """A wheel: its centre and its touching place [m], the track along it, the normal force [N]."""

    centre: complex
    touching: complex
    along: complex
    normal: float
    letter: str


@dataclass(frozen=True)
class Stand:
    """The vehicle at one place of its track, with numbers in place of arrays."""

    parameters: UgvParameters
    pose: VehiclePose
    outline: VehicleOutline
    forces: Forces

    @property
    def lifted(self) -> int:
        """By how much longer friction is drawn than other forces."""
        friction = abs(float(self.forces.friction))
        return max(1, min(20, int(_SHOWN * self.parameters.weight / friction))) if friction else 1

    @property
    def length(self) -> float:
        """Length of the vehicle along x, over its wheels [m]."""
        ends = self.outline.wheel_f.real, self.outline.hip_f.real
        begins = self.outline.wheel_r.real, self.outline.hip_r.real
        return max(ends) - min(begins) + 2.0 * self.parameters.r

    @property
    def wheels(self) -> dict[str, WheelStand]:
        """Both wheels by the names of parts."""
        wheels = {}
        for name, centre, point, normal in (
            (REAR_WHEEL, self.outline.wheel_r, self.pose.rear, self.forces.normal_r),
            (FRONT_WHEEL, self.outline.wheel_f, self.pose.front, self.forces.normal_f),
        ):
            along = complex(np.exp(1j * point.beta))
            touching = centre - 1j * self.parameters.r * along
            wheels[name] = WheelStand(centre, touching, along, float(normal), name[0])
        return wheels

    def weight(self, system: tuple[str, ...]) -> tuple[complex, float]:
        """Centre of mass and weight [N] of a system."""
        own, where = self.parameters, body_positions(self.parameters, self.pose)
        masses = {
            REAR_WHEEL: [(own.m_w, where.wheel_r)],
            FRONT_WHEEL: [(own.m_w, where.wheel_f)],
            TRUNK: [(own.m_b, where.body), (own.m_l, where.leg_r), (own.m_l, where.leg_f)],
        }
        parts = [each for name in system for each in masses[name]]
        mass = sum(m for m, _ in parts)
        return complex(sum(m * place for m, place in parts)) / mass, mass * own.g

    def acting(self, system: tuple[str, ...]) -> Iterator[Arrow]:
        """Forces on a system: of the ground, its weight, and that of the axle where it is cut."""
        centre, weight = self.weight(system)
        total = -1j * weight
        yield centre, total, "W", _WEIGHT
        for name, wheel in self.wheels.items():
            if name in system:
                normal = 1j * wheel.along * wheel.normal
                friction = wheel.along * float(self.forces.friction)
                yield wheel.touching, normal, f"N{wheel.letter}", _GROUND_FORCE
                yield wheel.touching, self.lifted * friction, f"F{wheel.letter}", _GROUND_FORCE
                total += normal + friction
        if FRONT_WHEEL not in system:
            cut = FRONT_WHEEL if TRUNK in system else REAR_WHEEL
            yield self.wheels[cut].centre, -total, "A", _AXLE


def free_bodies(read: Observables) -> Figure | None:
    """Position and free bodies where a passage asks for most torque; none without a curve."""
    curve, torque = read.curve, np.abs(read.quasi_static.torque)
    if curve is None or not np.isfinite(torque).any():
        return None
    stand = stand_at(read.parameters, read.standing, read.quasi_static, int(np.nanargmax(torque)))
    beside, r = _BESIDE * stand.length, stand.parameters.r
    begin = stand.outline.wheel_r.real - r - beside
    end = stand.outline.wheel_f.real + r + beside
    *hips, rear, front = (place.imag for place in stand.outline[:4])
    low, high = min(rear, front) - 1.3 * r, max(rear, front) + r
    high = max(high, max(hips) + stand.parameters.half_height) + 0.1 * r

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel in axes.ravel():
            draw_ground(panel, *read.track.outline(begin, end))
            panel.set(xlim=(begin, end), ylim=(low, high), aspect="equal")
            panel.set_axis_off()
        _draw_position(axes[0, 0], curve, stand)
        for panel, system in zip(axes.ravel()[1:], _SYSTEMS, strict=True):
            _draw_system(panel, stand, system)

    longer = f", F {stand.lifted} times as long" if stand.lifted > 1 else ""
    note = (
        "What Figures 21 to 23 of the document are about, which are lost, here where the passage "
        "asks for most torque. First: dashed, the curve g(s) of the wheels' centres; the circle of "
        "radius R about the front one cuts it at the rear one. Then the rear wheel; the rear wheel "
        "with legs and body; the whole. N and F of the ground, weights W and the force A of the "
        f"axle that is cut are to scale{longer}; torques are left out."
    )
    alt = (
        "The vehicle on its track with the letters of its position, and three free bodies of it "
        "with their forces."
    )
    title, rows = "How it stands, and what holds it", 2.3
    return draw(title, alt, (2, 2), plot, note=note, row_height=rows, share_x=False)


def stand_at(parameters: UgvParameters, at: VehiclePose, held: Forces, row: int) -> Stand:
    """Return one of many poses and the forces that hold it."""
    own = at.rows(row)
    (outline,) = outlines_of(parameters, own)
    return Stand(parameters, own, outline, Forces(*(part[row] for part in held)))


def _draw_position(panel: Panel, curve: CentreCurve, stand: Stand) -> None:
    """The curve of the centres, the circle that finds the rear wheel, and the angles."""
    outline, pose, r = stand.outline, stand.pose, stand.parameters.r
    draw_vehicle(panel, outline, stand.parameters, opacity=FAINT)
    begin, end = panel.get_xlim()
    centres = curve.at(np.linspace(max(begin, curve.begin), min(end, curve.end), 300))
    panel.plot(centres.s, centres.z, **DASHED)
    panel.annotate("g(s)", (float(centres.s[0]), float(centres.z[0])), (0, 4))
    rear, front = outline.wheel_r, outline.wheel_f
    behind = float(np.angle(rear - front))
    circle = front + abs(rear - front) * np.exp(1j * np.linspace(behind - 0.3, behind + 0.3, 60))
    panel.plot(circle.real, circle.imag, **THIN)
    force(panel, front, rear, "R", "black")
    for wheel in stand.wheels.values():
        force(panel, wheel.centre, wheel.touching, "r", "black")
    psi = float(pose.psi)
    arc(panel, outline.hip_r, 0.45 * r, psi, psi - float(pose.phi_r), "φr")
    arc(panel, outline.hip_f, 0.45 * r, psi + np.pi, psi + np.pi + float(pose.phi_f), "φf")


def _draw_system(panel: Panel, stand: Stand, system: tuple[str, ...]) -> None:
    """A free body of the vehicle, the rest of which is pale, with its forces."""
    others = [part for part in PARTS if part not in system]
    draw_vehicle(panel, stand.outline, stand.parameters, opacity=0.4 * FAINT, parts=others)
    draw_vehicle(panel, stand.outline, stand.parameters, opacity=0.6, parts=system)
    scale = _LONGEST * stand.length / stand.parameters.weight
    for place, vector, letter, colour in stand.acting(system):
        force(panel, place, place + scale * vector, letter, colour)
