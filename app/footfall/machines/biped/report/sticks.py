"""The biped as a stick figure: at the start, on its way, and the paths of its points.

Frames: S the slope (x along it, z its normal); G the ground of the report's movies, S turned by
alpha.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes

from footfall.arrays import Array
from footfall.machines.biped.observables import points
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_above, line
from footfall.report.section import Section, finite_rows
from footfall.report.wording import MINUS, number

_LEGS = (((0, 3, 4), "#009E73", "leg B"), ((0, 1, 2), "#0072B2", "leg A"))
_MASS_COLOUR = "#B22222"
_POINTS = {
    "r1 (hip)": "black",
    "r2 (knee A)": "#0072B2",
    "r3 (foot A)": "#D55E00",
    "r4 (knee B)": "#009E73",
    "r5 (foot B)": "#CC79A7",
}
_MOMENTS = 14
_HEAD_ROOM = 0.6  # m above the highest point


def initial_posture(section: Section) -> Figure:
    """The robot at the start, in S."""
    q = section.first.trajectory.data["q"].to_numpy()[finite_rows(section.first)[0]]
    slope = number(section.scenario.terrain.slope_deg)

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.plot([-1.5, 1.5], [0.0, 0.0], color="black", linewidth=2.0)
        _stick_figure(panel, points(q) - [q[0], 0.0], label=True)
        panel.plot([], [], linestyle="", label=rf"$\alpha$ = {slope}°, t = 0.00 s")
        panel.set(xlim=(-1.5, 1.5), ylim=(-0.3, 2.2), xlabel="x [m]", ylabel="z [m]")
        panel.set_aspect("equal")
        panel.legend(loc="upper left")

    alt = "Stick figure of the robot at the start, seen in the frame of the slope."
    return draw("Initial condition", alt, (1, 1), plot, row_height=4.2, width=5.6)


def paths(section: Section) -> Figure:
    """Where hip, knees and feet went, in S."""
    name = next(iter(section.runs))
    r = points(section.first.trajectory.data["q"].to_numpy())

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for k, (label, colour) in enumerate(_POINTS.items()):
            panel = upper if k == 0 else lower
            line(panel, r[:, k, 0], r[:, k, 1], color=colour, linewidth=1.1, label=label)
        lower.axhline(0.0, color="black", linewidth=0.8)
        lower.set_xlabel("x [m]")
        for panel in (upper, lower):
            panel.set_ylabel("z [m]")
            legend_above(panel)

    alt = f"Paths of the hip (above) and of knees and feet (below) in the slope frame, in {name}."
    return draw(f"Trajectories of the points: {name}", alt, (2, 1), plot, row_height=2.1)


def walk(section: Section) -> Figure:
    """The robot at some moments on its way, in G."""
    name = next(iter(section.runs))
    data = section.first.trajectory.data
    alpha = np.deg2rad(section.scenario.terrain.slope_deg)
    R_GS = np.array([[np.cos(alpha), -np.sin(alpha)], [np.sin(alpha), np.cos(alpha)]])
    finite = finite_rows(section.first)
    rows = finite[np.unique(np.linspace(0, len(finite) - 1, _MOMENTS).astype(int))]
    r = points(data["q"].to_numpy()[rows]) @ R_GS.T
    time = data["time"].to_numpy()[rows]
    ends = np.array([r[:, :, 0].min() - 0.4, r[:, :, 0].max() + 0.4])

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        panel.plot(ends, np.tan(alpha) * ends, color="black", linewidth=2.0)
        for place, figure in enumerate(r):
            _stick_figure(panel, figure, opacity=0.3 + 0.7 * (place + 1) / len(r))
        for place in (0, -1):
            style = {"textcoords": "offset points", "ha": "center"}
            panel.annotate(f"{time[place]:.1f} s", r[place, 0], (0, 8), **style)
        panel.plot([], [], linestyle="", label=_conditions(section))
        panel.set_xlabel(rf"x cos $\alpha$ {MINUS} z sin $\alpha$ [m]")
        panel.set_ylabel(r"z cos $\alpha$ + x sin $\alpha$ [m]")
        panel.set_aspect("equal")
        panel.margins(y=0.12)
        legend_above(panel, handlelength=0.0)

    alt = (
        f"Stick figures of the robot at {len(rows)} moments from the start to the end of {name}, "
        "in the ground frame, with the slope as a line; later ones are darker."
    )
    rise = float(np.ptp(r[:, :, 1])) + _HEAD_ROOM
    height = float(np.clip(8.2 * rise / np.ptp(ends), 1.8, 5.0)) + 0.4
    return draw(f"The way: {name}", alt, (1, 1), plot, row_height=height)


def _stick_figure(panel: Axes, r: Array, *, label: bool = False, opacity: float = 1.0) -> None:
    """Two legs and five masses; r has shape (5, 2)."""
    for joints, colour, name in _LEGS:
        style: dict[str, Any] = {"color": colour, "linewidth": 2.0, "alpha": opacity}
        panel.plot(*r[list(joints)].T, label=name if label else None, **style)
    dots: dict[str, Any] = {"color": _MASS_COLOUR, "markersize": 4.0, "alpha": opacity}
    panel.plot(*r.T, "o", label="masses" if label else None, **dots)


def _conditions(section: Section) -> str:
    """Slope, friction and restitution as the report's legends give them."""
    contacts = section.robot.contacts
    surfaces = slice(contacts.num_touching)
    mu, e_n = (
        ", ".join(f"{value:g}" for value in np.unique(values))
        for values in (contacts.mu[surfaces], contacts.restitution[surfaces])
    )
    slope = number(section.scenario.terrain.slope_deg)
    return rf"$\alpha$ = {slope}°, $\mu$ = {mu}, $e_N$ = {e_n}"
