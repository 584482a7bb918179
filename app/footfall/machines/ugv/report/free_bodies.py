"""The vehicle with its letters on its track, and its three free bodies with their forces.

The document's Figures 21 to 23, which are lost: the curve of the centres, on which a circle about
the front one finds the rear wheel, and the free bodies of the quasi-static balance.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.ugv.closed_form.centres import CentreCurve, CentrePoint
from footfall.machines.ugv.closed_form.forces import Forces
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, body_positions
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.observables import Observables
from footfall.machines.ugv.report.drawing import (
    FAINT,
    FRONT_WHEEL,
    PARTS,
    REAR_WHEEL,
    TRUNK,
    VehicleOutline,
    draw_track,
    draw_vehicle,
    figures_of,
)
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.sketch import DASHED, THIN, arc, arrow, force

_BESIDE = 0.12  # of the vehicle's length: room that is drawn
_LONGEST = 0.3  # of it: the weight of the whole
_SHOWN = 0.3  # of the weight: as large as friction seems, if a whole factor makes it so
_GROUND_FORCE, _WEIGHT, _AXLE = "#00805c", "#38383f", "#a0477c"
_SYSTEMS = ((REAR_WHEEL,), (REAR_WHEEL, TRUNK), PARTS)

Arrow = tuple[complex, complex, str, str]
"""Place, force [N], letter and colour."""


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

    def touching(self, wheel: str) -> complex:
        """Place where a wheel touches the track."""
        centre, beta, _ = self._wheel(wheel)
        return centre - 1j * self.parameters.r * complex(np.exp(1j * beta))

    def on_wheel(self, wheel: str) -> tuple[complex, complex]:
        """Normal force and friction of the ground on a wheel [N]."""
        _, beta, normal = self._wheel(wheel)
        along = complex(np.exp(1j * beta))
        return 1j * along * normal, along * float(self.forces.friction)

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
        for wheel, letter in ((REAR_WHEEL, "r"), (FRONT_WHEEL, "f")):
            if wheel in system:
                place = self.touching(wheel)
                normal, friction = self.on_wheel(wheel)
                yield place, normal, f"N{letter}", _GROUND_FORCE
                yield place, self.lifted * friction, f"F{letter}", _GROUND_FORCE
                total += normal + friction
        if FRONT_WHEEL not in system:
            cut = FRONT_WHEEL if TRUNK in system else REAR_WHEEL
            yield self._wheel(cut)[0], -total, "A", _AXLE

    def _wheel(self, wheel: str) -> tuple[complex, float, float]:
        """Centre of a wheel, the angle of the track under it, and the normal force [N]."""
        if wheel == REAR_WHEEL:
            return self.outline.wheel_r, float(self.pose.rear.beta), float(self.forces.normal_r)
        return self.outline.wheel_f, float(self.pose.front.beta), float(self.forces.normal_f)


def free_bodies(read: Observables) -> list[Figure]:
    """Position and free bodies where a passage asks for most torque; none without a curve."""
    curve, torque = read.curve, np.abs(read.quasi_static.torque)
    if curve is None or not np.isfinite(torque).any():
        return []
    row = int(np.nanargmax(torque))
    stand = stand_at(read.parameters, read.standing, read.quasi_static, row)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel in axes.ravel():
            _draw_ground(panel, read.track, stand)
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
    figure = draw(title, alt, (2, 2), plot, note=note, row_height=rows, share_x=False)
    return [figure]


def stand_at(parameters: UgvParameters, at: VehiclePose, held: Forces, row: int) -> Stand:
    """Return one of many poses and the forces that hold it."""
    front, rear = (CentrePoint(*(part[row] for part in point)) for point in (at.front, at.rear))
    own = VehiclePose(front, rear, at.phi_r[row], at.phi_f[row], at.wheelbase[row], at.psi[row])
    (outline,) = figures_of(parameters, own)
    return Stand(parameters, own, outline, Forces(*(part[row] for part in held)))


def _draw_ground(panel: Panel, track: Track, stand: Stand) -> None:
    """The track below the vehicle, in a panel without axes."""
    length, r = stand.length, stand.parameters.r
    begin = stand.outline.wheel_r.real - r - _BESIDE * length
    end = stand.outline.wheel_f.real + r + _BESIDE * length
    draw_track(panel, track, max(begin, track.begin), min(end, track.end))
    low = min(stand.outline.wheel_r.imag, stand.outline.wheel_f.imag) - 1.3 * r
    high = max(place.imag for place in stand.outline[:4]) + 0.8 * r
    panel.set(xlim=(begin, end), ylim=(low, high), aspect="equal")
    panel.set_axis_off()


def _draw_position(panel: Panel, curve: CentreCurve, stand: Stand) -> None:
    """The curve of the centres, the circle that finds the rear wheel, and the angles."""
    outline, pose, r = stand.outline, stand.pose, stand.parameters.r
    draw_vehicle(panel, outline, stand.parameters, opacity=FAINT)
    begin, end = panel.get_xlim()
    centres = curve.at(np.linspace(max(begin, curve.begin), min(end, curve.end), 300))
    panel.plot(centres.s, centres.z, **DASHED)
    at_end = (float(centres.s[-1]), float(centres.z[-1]))
    panel.annotate("g(s)", at_end, (0, 4), ha="right")
    rear, front = outline.wheel_r, outline.wheel_f
    behind = float(np.angle(rear - front))
    circle = front + abs(rear - front) * np.exp(1j * np.linspace(behind - 0.3, behind + 0.3, 60))
    panel.plot(circle.real, circle.imag, **THIN)
    arrow(panel, front, rear, "R")
    for wheel, centre in ((REAR_WHEEL, rear), (FRONT_WHEEL, front)):
        arrow(panel, centre, stand.touching(wheel), "r")
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
