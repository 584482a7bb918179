"""Report of the compass walker and of its simplest relation: figures, a sketch, notes."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.report.forces import force_figures
from footfall.machines.compass.report.map import convergence, return_map
from footfall.machines.compass.report.portrait import phase_portrait
from footfall.machines.compass.report.runs import (
    CompassRun,
    CompassRuns,
    falls_in,
    read_walks,
    scuffing,
)
from footfall.machines.compass.report.steps import step_figures
from footfall.metrics import scalar
from footfall.registry.machine import HYBRID
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.sketch import DASHED, arc, arrow, dimension
from footfall.report.stick_sequence import sequence_of, stick_sequence
from footfall.report.tables import listed, number

# larger than those of a walk, to be seen; both feet stand where q2 = π - 2 q1
_Q1, _THETA = 0.45, math.radians(12.0)
_LEG, _SWING, _GREY = "#0072B2", "#D55E00", "#888888"
_HIP_MASS, _LEG_MASS = 13.0, 8.0  # sizes of dots


def dimension_sketch(parameters: CompassParameters) -> Figure:
    """Both legs on their slope: what l, s, m, I, theta, q1 and q2 are, and the axes of R0."""

    def plot(axes: npt.NDArray[Any]) -> None:
        panel = axes[0, 0]
        _draw_slope(panel, parameters.l)
        _draw_legs(panel, parameters)
        panel.set_aspect("equal")
        panel.set_axis_off()
        panel.margins(0.08)

    note = (
        "Figures 1 and 2 of the report. R0 is attached to the slope; q1 is the angle of the "
        "standing leg from the slope's normal, q2 that of the other leg from the first one, G1 and "
        "G2 are the legs' mass centres. Angles are larger than those of a walk; here l = "
        f"{parameters.l:g} m, s = {parameters.s:g} m, m = {parameters.m:g} kg, I = "
        f"{parameters.I:g} kg m², θ = {math.degrees(parameters.theta):.3g}°."
    )
    alt = "Two legs joined at the hip on a slope, with the letters of lengths, angles and axes."
    return draw("The walker's letters", alt, (1, 1), plot, note=note, row_height=4.2)


def _in_world(point: complex) -> complex:
    """A point of the slope's axes, x down the slope, in the world's."""
    return point * np.exp(-1j * _THETA)


def _draw_slope(panel: Panel, l: float) -> None:
    begin, end = (_in_world(complex(x, 0.0)) for x in (-1.15 * l, 0.75 * l))
    panel.plot([begin.real, end.real], [begin.imag, end.imag], color="#6b4f2a", linewidth=2.2)
    level = complex(end.real - 0.75 * l, end.imag)
    panel.plot([level.real, end.real], [level.imag, end.imag], **DASHED)
    arc(panel, end, 0.5 * l, math.pi - _THETA, math.pi, "θ")
    for way, name in ((1.0, "x"), (1j, "z")):
        arrow(panel, 0j, _in_world(0.32 * l * way), name)
    arrow(panel, complex(0.72 * l, 0.95 * l), complex(0.72 * l, 0.7 * l), "g")


def _draw_legs(panel: Panel, parameters: CompassParameters) -> None:
    l, s = parameters.l, parameters.s
    q2 = math.pi - 2.0 * _Q1
    hip = _in_world(l * _along(_Q1))
    other = _in_world(l * _along(_Q1) + l * _along(_Q1 + q2))
    for foot, colour, name in ((0j, _LEG, "G1"), (other, _SWING, "G2")):
        panel.plot([foot.real, hip.real], [foot.imag, hip.imag], color=colour, linewidth=3.0)
        centre = hip + (foot - hip) * s / l
        panel.plot(centre.real, centre.imag, "o", color=colour, markersize=_LEG_MASS)
        panel.annotate(f"{name} (m, I)", (centre.real, centre.imag), (-66, -4), **_points())
    panel.plot(hip.real, hip.imag, "o", color=_GREY, markersize=_HIP_MASS)
    across = 1j * hip / l
    dimension(panel, 0j, hip, -0.3 * l * across, "l")
    along = (other - hip) / l
    dimension(panel, hip + s * along, hip, -0.07 * l * 1j * along, "s")
    normal, beyond = _in_world(1j), hip + 0.45 * hip
    tip = 0.95 * l * normal
    panel.plot([0.0, tip.real], [0.0, tip.imag], **DASHED)
    upright = 0.5 * math.pi - _THETA
    arc(panel, 0j, 0.72 * l, upright, upright + _Q1, "q1")
    panel.plot([hip.real, beyond.real], [hip.imag, beyond.imag], **DASHED)
    first = upright + _Q1
    arc(panel, hip, 0.2 * l, first, first + q2, "q2")


def _along(q: float) -> complex:
    """Direction (3) or (5) of a leg in the slope's axes."""
    return complex(-math.sin(q), math.cos(q))


def _points() -> dict[str, Any]:
    return {"fontsize": 10}


_MOST_STEPS = 8  # of a walk: more would be too small to see
_MOMENTS = 5  # of every step


def stick_figures(walks: CompassRuns) -> Figure:
    """The first run, some instants of every step."""
    walk = walks.first
    note = f"In the world's axes, {_MOMENTS} instants of every step; later ones are darker."
    if len(walk.strikes) > _MOST_STEPS:
        note += f" The first {_MOST_STEPS} of {len(walk.strikes)} steps."
    seen = sequence_of(walks.section, walk, _moments(walk))
    return stick_sequence(seen, f"The walk: {walk.name}", note)


def _moments(walk: CompassRun) -> npt.NDArray[np.intp]:
    """Rows of some instants of every step, evenly in time, and the last row that is shown."""
    marks = [0, *(strike.row for strike in walk.strikes[:_MOST_STEPS])]
    if len(walk.strikes) < _MOST_STEPS:
        marks.append(len(walk.time) - 1)
    rows = [np.linspace(a, b, _MOMENTS, endpoint=False) for a, b in pairwise(marks)]
    chosen: npt.NDArray[np.intp] = np.unique(np.append(np.concatenate(rows), marks[-1]).astype(int))
    return chosen


_SCUFFING = (
    "Both legs are straight and equally long, so that the swinging foot goes through the ground at "
    "mid-swing. All engines pass over that in the same way: the swinging foot has no contact until "
    "the legs have crossed and it is above the ground ahead; it lands from there."
)
_DRAKE = (
    "Drake's contact is compliant: a heel strike takes some milliseconds, the foot may bounce "
    "after it, and the standing foot sinks in a little. So its strikes are not those of rigid "
    "ground, and its walk is not the exact cycle's."
)
_FALLING = (
    "A walker that falls backwards brings its swinging foot, which has no contact behind the "
    "standing one, deep into the ground: what is seen after that is no motion that could be."
)
_NO_CYCLE = "No periodic gait was found for this walker on this slope."
_NOT_SAVED = (
    "This run was saved without the exact cycle of its walker, which is left out here: run the "
    "scenario again to see it."
)
_SHEET = (
    "The lab sheet calls its four digits 'close to' the cycles; the exact cycles are found by "
    "Newton's method on the return map and need not agree in the last digit."
)


def figures(walks: CompassRuns) -> list[Figure]:
    """Portrait, return map, sticks, forces and steps of every run; dimensions and coordinates."""
    return [
        phase_portrait(walks),
        *return_map(walks),
        *convergence(walks),
        stick_figures(walks),
        *force_figures(walks, walks.section.scenario.time_step),
        *step_figures(walks),
        dimension_sketch(walks.machine.parameters),
        *coordinate_figures(walks),
    ]


def notes(walks: CompassRuns) -> list[str]:
    """Return what a reader should know of the compass, a paragraph each."""
    paragraphs = [f"{_SCUFFING} {_depths(walks)}", _friction(walks), _stability(walks)]
    if any(falls_in(walks.machine, walk) for walk in walks.runs):
        paragraphs.append(_FALLING)
    if any(name.startswith("drake") for name in walks.section.runs):
        paragraphs.append(_DRAKE)
    if any(
        "lab sheet" in claim.source for run in walks.section.runs.values() for claim in run.claims
    ):
        paragraphs.append(_SHEET)
    return [note for note in paragraphs if note]


def _depths(walks: CompassRuns) -> str:
    """Depth of the swinging foot in every run."""
    depths = [
        f"{number(1e3 * scuffing(walks.machine, walk), 3)} mm deep in {walk.name}"
        for walk in walks.runs
    ]
    return f"Up to the last strike it is at most {listed(depths)}."


def _friction(walks: CompassRuns) -> str:
    """Friction that is needed against friction that there is."""
    if walks.cycle is None:
        return ""
    step, strike = walks.cycle.friction_stance, walks.cycle.friction_impact
    need = max(step, strike)
    text = (
        f"The exact cycle needs a coefficient of friction of {number(step, 3)} while a foot stands "
        f"and of {number(strike, 3)} at heel strikes; the ground has {number(walks.mu, 3)}. "
    )
    if walks.mu >= need:
        return text + "So the standing foot need not slide, as the exact cycle assumes."
    return (
        text
        + "That is too little: the exact cycle and the engine hybrid, in which the standing foot "
        "never slides, do not hold here."
    )


def _stability(walks: CompassRuns) -> str:
    """Stability of the gait, by its multipliers."""
    if walks.cycle is None:
        return _NO_CYCLE if walks.searched else _NOT_SAVED
    multipliers = walks.cycle.multipliers
    largest = multipliers[int(np.abs(multipliers).argmax())]
    size = float(abs(largest))
    if size < 1.0:
        half = np.log(0.5) / np.log(size)
        text = (
            f"The largest multiplier has a modulus of {number(size, 3)}: the gait is stable, and a "
            f"small distance from it is halved in {number(float(half), 2)} steps"
        )
    else:
        text = (
            f"The largest multiplier has a modulus of {number(size, 3)}: the gait is unstable, and "
            "any distance from it grows by that factor in a step, rounding included"
        )
    if largest.imag != 0.0:
        return f"{text}. It is one of a pair of complex ones: steps turn about the gait's."
    if largest.real < 0.0:
        return f"{text}. It is negative: long and short steps take turns about the gait's."
    return f"{text}."


REPORT = MachineReport(figures, notes, read=read_walks)


# --- the simplest walker -------------------------------------------------------------------------

_LIMIT = (
    "The simplest walker is a limit: its feet have no mass, and what they do does not move the "
    "hip. The engine hybrid simulates this limit; of the model's masses it takes only the hip's. "
    "All other engines, and the exact cycle, have the model itself, with legs of {ratio} of the "
    "hip's mass in its feet."
)
_CYCLE = (
    "By that mass the exact cycle is {away} away from the limit (rad, and rates over √(g/l)), in "
    "proportion to it; so hybrid stays beside the exact cycle of the pictures below."
)
_GENTLE = (
    "On so gentle a slope a step has little energy to spend, and a foot that lands a little deep, "
    "because a time step ended late, takes a share of it: engines that step through time need "
    "short steps."
)


def simplest_notes(walks: CompassRuns) -> list[str]:
    """Return what a reader should know of the simplest walker, a paragraph each."""
    paragraphs = []
    for run in walks.section.runs.values():
        if "cycle_from_limit" in run.metrics:
            ratio, away = (
                number(scalar(run.metrics, name), 3) for name in ("mass_ratio", "cycle_from_limit")
            )
            paragraphs.append(f"{_LIMIT.format(ratio=ratio)} {_CYCLE.format(away=away)}")
    if set(walks.section.runs) != {HYBRID}:
        paragraphs.append(_GENTLE)
    return paragraphs


SIMPLEST_REPORT = MachineReport(figures, simplest_notes, read=read_walks)
