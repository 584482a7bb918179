"""The vehicle with its letters on its track, and its three free bodies with their forces.

The document's Figures 21 to 23, which are lost: the curve of the centres, on which a circle about
the front one finds the rear wheel, and the free bodies of the quasi-static balance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.forces import Forces
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, body_positions
from footfall.machines.ugv.observables import Observables
from footfall.machines.ugv.report.drawing import (
    FAINT,
    FRONT_WHEEL,
    PARTS,
    REAR_WHEEL,
    TRUNK,
    VehicleOutline,
    draw_ground,
    draw_vehicle,
    outlines_of,
)
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.sketch import DASHED, THIN, arc, force

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
