"""The forces between PASIBOT's links over a step, and the matrix that gives them (figure 9)."""

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import LINKS, PAIRS, Pair, unknowns
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, pose
from footfall.machines.pasibot.closed_form.newton_euler import coefficients, inverse
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.report.runs import PasibotRuns
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw, draw_picture
from footfall.report.tables import Table, number

_POINTS = 401
_SHOWN = 0.3  # of a step: the pose whose matrix is drawn
_NAMED = 6  # joints of a leg that carry most
_LEGS = {1: "supports", 2: "swings"}


def matrix_of_equations(parameters: PasibotParameters) -> Figure:
    """Figure 9: which of the 69 unknowns each of the 69 equations has."""
    th8 = STEP_BEGINS + (STEP_ENDS - STEP_BEGINS) * _SHOWN
    A = coefficients(pose(parameters, np.array([th8])))[0]
    moments = np.arange(len(A)) % 3 == 2
    scale = np.where(moments, parameters.l8, 1.0)  # moments per force, in cranks

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        shown = np.where(A == 0.0, np.nan, A / scale[:, None])
        most = float(np.nanmax(np.abs(shown[:, :-1])))
        image = panel.imshow(shown, cmap="coolwarm", vmin=-most, vmax=most, interpolation="none")
        names = unknowns()
        panel.set_xticks(range(len(names)), names, rotation=90, fontsize=4.6)
        panel.set_yticks(range(1, len(A), 3), LINKS[1:])
        for row in range(3, len(A), 3):
            panel.axhline(row - 0.5, color="#c8ccd2", linewidth=0.4)
        panel.set(xlabel="unknown", ylabel="link: forces along x and y, moment")
        panel.figure.colorbar(image, ax=panel, shrink=0.7, label="forces: 1, moments: arm [l8]")

    note = (
        "Three rows for each link but the supporting foot; a column for each component of a force "
        "between two links, one for either slot, and the motor's torque T8, which is 1 on the "
        "crank and -1 on the hip (in cranks, here beyond the scale). The order of the forces is "
        f"assumed. The pose is that at a phase of {_SHOWN:g}."
    )
    alt = (
        "Matrix of 69 by 69 coefficients: ones where a force acts on a link, arms where it has a "
        "moment about the link's mass centre, and empty elsewhere."
    )
    return draw_picture("Figure 9: the matrix A", alt, (1, 1), plot, note=note, row_height=8.0)


def joint_forces(walks: PasibotRuns) -> Figure | None:
    """Sizes of the largest forces in either leg over a step; None without a constant speed."""
    if not walks.rate:
        return None
    phase, sizes = _sizes(walks.parameters, walks.rate)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, leg in zip(axes[:, 0], _LEGS, strict=True):
            _largest(panel, phase, sizes, leg)
        axes[-1, 0].set_xlabel("phase of the step [1]")

    note = (
        f"By the document's equations at {walks.rate:g} rad/s on a foot that is held; the {_NAMED} "
        "joints of each leg that carry most. The table below has all of them."
    )
    alt = "Sizes of the forces in the joints of the supporting and the swinging leg over a step."
    return draw("Forces between the links", alt, (2, 1), plot, note=note, row_height=2.6)


def joint_table(walks: PasibotRuns) -> Table | None:
    """Extremes of every force between two links over a step; None without a constant speed."""
    if not walks.rate:
        return None
    phase, sizes = _sizes(walks.parameters, walks.rate)
    rows = []
    for pair, size in zip(PAIRS, sizes, strict=True):
        most = int(size.argmax())
        numbers = (number(float(size[most]), 4), f"{phase[most]:.3f}", number(float(size.min()), 3))
        rows.append((pair.name, _place(pair), _LEGS[pair.leg], *numbers))
    columns = ("force", "joint", "its leg", "largest [N]", "at the phase", "smallest [N]")
    return Table(f"Forces between the links at {walks.rate:g} rad/s", columns, rows)


@functools.lru_cache(maxsize=4)
def _sizes(parameters: PasibotParameters, rate: float) -> tuple[Array, Array]:
    """Phases of a step (N,), and sizes of the forces of PAIRS there (35, N) [N]."""
    phase = np.linspace(0.0, 1.0, _POINTS)
    forces = inverse(parameters, STEP_BEGINS + (STEP_ENDS - STEP_BEGINS) * phase, rate, 0.0)
    return phase, np.abs(forces.joints)


def _largest(panel: Panel, phase: Array, sizes: Array, leg: int) -> None:
    mine = [index for index, pair in enumerate(PAIRS) if pair.leg == leg]
    for index in sorted(mine, key=lambda k: -sizes[k].max())[:_NAMED]:
        pair = PAIRS[index]
        panel.plot(phase, sizes[index], label=f"{pair.name} in {pair.point}")
    panel.set(xlim=(0.0, 1.0), ylabel=f"force, leg that\n{_LEGS[leg]} [N]")
    panel.legend()


def _place(pair: Pair) -> str:
    return f"slot at {pair.point}" if pair.sliding else pair.point
