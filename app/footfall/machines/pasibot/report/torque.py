"""The torque of PASIBOT's motor over a step, and how near stepping engines come to it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.measures import loop_gaps
from footfall.machines.pasibot.report.runs import PasibotRun, PasibotRuns, mark_steps, marked
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top, line
from footfall.report.tables import listed

_EXACT: dict[str, Any] = {"color": "black", "linewidth": 4.0, "alpha": 0.25}
_POINTS = 401
_ROWS = 600  # of which gaps are looked at
_LEAST = 1e-16  # m, N m: smaller is rounding, and has no place on a logarithmic axis


def motor_torque(walks: PasibotRuns) -> Figure:
    """Torque of all runs: steps over each other at a constant speed, else one after the other."""
    return _torque_over_step(walks) if walks.rate else _torque_over_steps(walks)


def _torque_over_steps(walks: PasibotRuns) -> Figure:
    """Torque of all runs over the steps that they make."""

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        for walk in walks.runs:
            line(panel, walk.gait.phase[1:], walk.gait.torque[1:], label=walk.name, **walk.style)
        panel.axhline(0.0, color="black", linewidth=0.7)
        panel.set_ylabel("torque T8 [N m]")
        mark_steps([panel], walks)
        legend_on_top(panel)

    alt = f"Torque of the motor over steps, for {walks.listed}."
    note = f"A positive torque drives the crank on. {marked(walks)}"
    return draw("Torque of the motor", alt, (1, 1), plot, note=note, row_height=3.0)


def _torque_over_step(walks: PasibotRuns) -> Figure:
    """Torque of all steps over the phase, with that of a held foot behind it."""
    rate = float(walks.rate or 0.0)

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        phase = np.linspace(0.0, 1.0, _POINTS)
        th8 = STEP_BEGINS + (STEP_ENDS - STEP_BEGINS) * phase
        held = two_freedoms(walks.parameters, th8).inverse(rate, 0.0).torque
        panel.plot(phase, held, label="closed form, foot held", **_EXACT)
        for walk in walks.runs:
            line(panel, *_folded(walk), label=walk.name, **walk.style)
        panel.axhline(0.0, color="black", linewidth=0.7)
        panel.set(xlim=(0.0, 1.0), xlabel="phase of the step [1]", ylabel="torque T8 [N m]")
        legend_on_top(panel)

    alt = f"Torque of the motor over the phase of a step, for {walks.listed}."
    note = (
        "All steps of a run lie over each other; a positive torque drives the crank on. Grey: the "
        f"document's equations at {rate:g} rad/s on a foot that is held."
    )
    return draw("Torque of the motor", alt, (1, 1), plot, note=note, row_height=3.0)


def distance_from_closed_form(walks: PasibotRuns) -> Figure | None:
    """Error of the torque and gaps of loops in stepping engines; None without any."""
    stepping, reference = walks.stepping, walks.reference
    if not stepping:
        return None
    shape = (2, 1) if reference else (1, 1)

    def plot(axes: npt.NDArray[Any]) -> None:
        panels: list[Panel] = list(axes[:, 0])
        for walk in stepping:
            style = walk.style | {"label": walk.name}
            if reference:
                error = np.abs(torque_error(walk, reference))
                line(panels[0], walk.gait.phase, np.where(error > _LEAST, error, np.nan), **style)
            phase, gap = _gaps(walks, walk)
            panels[-1].plot(phase, np.where(gap > _LEAST, gap, np.nan), **style)
        if reference:
            panels[0].set_ylabel("error of the\ntorque [N m]")
        panels[-1].set_ylabel("largest gap of\na loop [m]")
        for panel in panels:
            panel.set_yscale("log")
        mark_steps(panels, walks)
        legend_on_top(panels[0])

    against = f"The torque is held against that of {reference.name}. " if reference else ""
    note = f"{against}Twelve points, six a leg, are held together by constraints. {marked(walks)}"
    alt = (
        "Distance of the torque from the equations, and largest gap of a closed loop, over steps, "
        f"for {listed(walk.name for walk in stepping)}; logarithmic axes."
    )
    title = "Distance from the closed form"
    return draw(title, alt, shape, plot, note=note, row_height=2.0)


def torque_error(walk: PasibotRun, reference: PasibotRun) -> Array:
    """Torque of every row less that of another run at the same time [N m]; NaN after its end."""
    time, other = walk.gait.time, reference.gait
    error = walk.gait.torque - np.interp(time, other.time, other.torque, right=np.nan)
    error[:1] = np.nan  # nothing is commanded yet
    return np.asarray(error)


def _folded(walk: PasibotRun) -> tuple[Array, Array]:
    """Phase in the step and torque of rows, with a gap where one step follows another."""
    phase, torque = walk.gait.phase[1:], walk.gait.torque[1:]
    steps = np.floor(phase)
    ends = np.flatnonzero(np.diff(steps)) + 1
    return np.insert(phase - steps, ends, np.nan), np.insert(torque, ends, np.nan)


def _gaps(walks: PasibotRuns, walk: PasibotRun) -> tuple[Array, Array]:
    """Phases and largest gaps [m] of some rows."""
    positions = walk.trajectory.data["q"].to_numpy()
    rows = np.unique(np.linspace(0, len(positions) - 1, _ROWS).astype(int))
    return walk.gait.phase[rows], loop_gaps(walks.section.robot.model, positions[rows])
