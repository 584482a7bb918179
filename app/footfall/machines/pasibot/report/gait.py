"""PASIBOT's gait in closed form: a step as stick figures, and how low its swinging sole comes."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.pasibot.closed_form.bodies import joint_index
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, exchange, pose, soles
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.report.links import MachineOutline, draw_machine, figure_of
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.wording import number
from footfall.show.colours import trace_colour

PHASES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Poses of the sequence, as parts of a step."""
_NAMES_AT = 2  # the pose whose points are named
_COLUMNS = 3
_GROUND: dict[str, Any] = {"color": "black", "linewidth": 1.4, "zorder": 1.6}
_ROOM = 0.06  # of the width, around everything
_POINTS = 801
_CLOSER = (-0.35, 1.0)  # mm


def gait_sequence(parameters: PasibotParameters) -> Figure:
    """A step as a row of stick figures, the feet where they stand on the ground."""
    figures = [figure_of(parameters, STEP_BEGINS + math.pi * phase) for phase in PHASES]
    low, high = _box(figures)

    def plot(axes: npt.NDArray[Any]) -> None:
        for index, (panel, figure) in enumerate(zip(axes.ravel(), figures, strict=True)):
            draw_machine(panel, figure, names=index == _NAMES_AT, label=index == 0)
            panel.plot([low.real, high.real], [0.0, 0.0], **_GROUND)
            panel.set(xlim=(low.real, high.real), ylim=(low.imag, high.imag))
            panel.set_title(f"phase {PHASES[index]:g}: th8 = {90.0 + 180.0 * PHASES[index]:g}°")
            panel.set_aspect("equal")
            panel.tick_params(labelsize=8.0)
        for panel in axes[:, 0]:
            panel.set_ylabel("y [m]")
        for panel in axes[-1]:
            panel.set_xlabel("x [m]")
        legend_on_top(axes[0, 0])

    height = 9.0 / _COLUMNS * 0.86 * (high - low).imag / (high - low).real + 0.7
    step = 1e3 * exchange(parameters)["step"]
    note = (
        "From the moment in which both feet stand to the next one. The supporting leg is in full "
        "colours, the other one pale; grey: the hip with its slot. Letters are the document's, but "
        f"for U, W, X and Y, the ends of the bars. The step is {number(step, 4)} mm long."
    )
    alt = (
        f"Stick figures of all 24 links at {len(PHASES)} phases of a step, the supporting foot on "
        "the ground, the other one swinging from behind it to ahead of it."
    )
    shape = (-(-len(PHASES) // _COLUMNS), _COLUMNS)
    title = "The gait over a step"
    return draw(title, alt, shape, plot, note=note, row_height=height, share_x=False)


def swinging_sole(parameters: PasibotParameters) -> Figure:
    """Height of heel and toe of the swinging foot over a step."""
    phase = np.linspace(0.0, 1.0, _POINTS)
    th8 = STEP_BEGINS + math.pi * phase
    heights = 1e3 * np.imag(soles(parameters, th8).value[1])
    ankle = pose(parameters, th8).joints.value[joint_index("E", leg=2)].imag
    ankle = 1e3 * (ankle - parameters.ankle_height * parameters.l8)
    lines = (("heel", heights[0]), ("toe", heights[1]), ("ankle above where it stands", ankle))

    def plot(axes: npt.NDArray[Any]) -> None:
        upper, lower = axes[:, 0]
        for panel in (upper, lower):
            for index, (name, line) in enumerate(lines):
                panel.plot(phase, line, color=trace_colour(index), label=name)
            panel.axhline(0.0, **_GROUND)
        upper.set_ylabel("height [mm]")
        lower.set(ylabel="closer [mm]", xlabel="phase of the step [1]", ylim=_CLOSER)
        legend_on_top(upper)

    deepest = int(np.argmin(heights.min(axis=0)))
    low = -float(heights.min())
    note = (
        f"The sole comes {number(low, 2)} mm below the floor at a phase of {phase[deepest]:.2f}: "
        "the hip tilts a little while the supporting foot stands level. The document does not "
        "mention it; an engine whose floor stops the toe needs feet that take turns."
        if low > 0.0
        else "The sole stays above the floor."
    )
    alt = "Height of heel, toe and ankle of the swinging foot over a step, below once more closer."
    return draw("The swinging foot", alt, (2, 1), plot, note=note, row_height=1.9)


def scuffing(parameters: PasibotParameters) -> float:
    """Largest depth of the swinging foot's sole below the floor [m]."""
    th8 = STEP_BEGINS + math.pi * np.linspace(0.0, 1.0, _POINTS)
    return max(0.0, -float(np.imag(soles(parameters, th8).value[1]).min()))


def _box(figures: list[MachineOutline]) -> tuple[complex, complex]:
    """Lowest and highest corner around figures that stand in one place."""
    every = np.array(
        [
            point
            for figure in figures
            for places in (*figure.points, dict(enumerate(figure.soles.ravel())))
            for point in places.values()
        ]
        + [end for figure in figures for end in figure.slot]
    )
    room = _ROOM * float(np.ptp(every.real))
    low = complex(every.real.min() - room, min(every.imag.min(), 0.0) - room)
    return low, complex(every.real.max() + room, every.imag.max() + room)
