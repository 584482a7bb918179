"""The forces between PASIBOT's links over a step, and the matrix that gives them (figure 9)."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import LINKS, PAIRS, unknowns
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, pose
from footfall.machines.pasibot.closed_form.newton_euler import coefficients, inverse
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.report.charts.looks import CYCLE
from footfall.report.curves import Line, Over, Plot, curves
from footfall.report.figure import Figure, draw_picture
from footfall.report.tables import Table, number

_PHASE = np.linspace(0.0, 1.0, 401)
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


def joint_forces(parameters: PasibotParameters, rate: float) -> Figure:
    """Sizes of the largest forces in either leg over a step at a constant speed [rad/s]."""
    sizes = _sizes(parameters, rate)
    plots = []
    for leg, what in _LEGS.items():
        mine = [index for index, pair in enumerate(PAIRS) if pair.leg == leg]
        most = sorted(mine, key=lambda k: -sizes[k].max())[:_NAMED]
        lines = [
            Line(_PHASE, sizes[k], f"{PAIRS[k].name} in {PAIRS[k].point}", {"color": colour})
            for k, colour in zip(most, CYCLE, strict=False)
        ]
        plots.append(Plot(f"force, leg that\n{what} [N]", lines, legend=True))
    note = (
        f"By the document's equations at {rate:g} rad/s on a foot that is held; the {_NAMED} "
        "joints of each leg that carry most. The table below has all of them."
    )
    over = Over("phase of the step [1]")
    return curves(None, "Forces between the links", plots, over=over, note=note, row_height=2.6)


def joint_table(parameters: PasibotParameters, rate: float) -> Table:
    """Extremes of every force between two links over a step at a constant speed [rad/s]."""
    rows = []
    for pair, size in zip(PAIRS, _sizes(parameters, rate), strict=True):
        most = int(size.argmax())
        place = f"slot at {pair.point}" if pair.sliding else pair.point
        numbers = (number(size[most], 4), f"{_PHASE[most]:.3f}", number(size.min(), 3))
        rows.append((pair.name, place, _LEGS[pair.leg], *numbers))
    columns = ("force", "joint", "its leg", "largest [N]", "at the phase", "smallest [N]")
    return Table(f"Forces between the links at {rate:g} rad/s", columns, rows)


def _sizes(parameters: PasibotParameters, rate: float) -> Array:
    """Sizes of the forces of PAIRS over a step, (35, 401) [N]."""
    forces = inverse(parameters, STEP_BEGINS + (STEP_ENDS - STEP_BEGINS) * _PHASE, rate, 0.0)
    return np.abs(forces.joints)
