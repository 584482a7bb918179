"""PASIBOT's linkage in closed form: a step as stick figures, curves in the hip, swinging sole."""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.bodies import PAIRS, joint_index
from footfall.machines.pasibot.closed_form.linkage import leg, pivots
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    LinkagePose,
    exchange,
    pose,
    soles,
)
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.panels import legend_on_top
from footfall.report.tables import MINUS, number
from footfall.show.colours import trace_colour

Places = npt.NDArray[np.complex128]

COLOURS = {
    "foot": "#2159bf",
    "tibia": "#e6731a",
    "femur": "#4d8cf2",
    "lower tendon": "#8ccc33",
    "knee plate": "#d95999",
    "upper tendon": "#33b3a6",
    "connecting rod": "#cc261f",
    "crank": "#1a1a1f",
    "rocker": "#9940b3",
    "stabiliser": "#f2bf26",
    "femur bar": "#7373d9",
    "tibia bar": "#cc9966",
    "hip": "#8c9199",
}
"""Of the links, as the model has them, by what they are called."""

# the joints that a leg's links go through; the foot and the common links have more than that
_THROUGH = {
    "tibia": "KGE",
    "femur": "CFK",
    "lower tendon": "DG",
    "knee plate": "KWX",
    "upper tendon": "DF",
    "connecting rod": "PMC",
    "rocker": "BM",
    "stabiliser": "CUS",
    "femur bar": "UW",
    "tibia bar": "XY",
}
NAMED = "ABCDEFGKMPSUWXY"
"""Points of a leg; U, W, X and Y are no names of the document."""
# where names are written, from their points, in points of type
_BESIDE = {
    "A": (7, 5),
    "B": (-7, 5),
    "C": (9, -7),
    "D": (-9, -2),
    "E": (9, 5),
    "F": (8, 3),
    "G": (9, -2),
    "K": (9, 1),
    "M": (9, 0),
    "P": (9, 3),
    "S": (-2, 8),
    "U": (1, 8),
    "W": (-9, -6),
    "X": (-9, -6),
    "Y": (-8, 5),
}
_OTHER_LEG = 0.4  # opacity of the one that swings
_PIN = 2.2  # points


class MachineOutline(NamedTuple):
    """Points of both legs by letter, complex [m] in the ground's frame; heel and toe of both feet.

    slot: its ends in the hip. The supporting leg comes first.
    """

    points: tuple[dict[str, complex], dict[str, complex]]
    soles: Places
    slot: tuple[complex, complex]


def figure_of(parameters: PasibotParameters, th8: float) -> MachineOutline:
    """The machine at th8 [rad]."""
    at = pose(parameters, th8)
    legs: tuple[dict[str, complex], dict[str, complex]] = ({}, {})
    for pair, position in zip(PAIRS, at.joints.value, strict=True):
        legs[pair.leg - 1][pair.point] = complex(position)
    legs[1]["A"] = legs[0]["A"]
    return MachineOutline(legs, soles(parameters, th8).value, _slot(parameters, at))


def draw_machine(
    panel: Panel,
    figure: MachineOutline,
    *,
    names: bool = False,
    label: bool = False,
) -> None:
    """All 24 links; names: of the supporting leg's points; label: links for the legend."""
    own, other = figure.points
    _line(panel, figure.slot, color="#b0b5bd", linewidth=6.0, alpha=0.6, zorder=1.0)
    for side, places in ((1, other), (0, own)):
        seen = 1.0 if side == 0 else _OTHER_LEG
        labelled = label and side == 0
        layer = {"alpha": seen, "linewidth": 2.0, "zorder": 3.0 - side}
        sole = figure.soles[side]
        over = [sole[0], places["E"], places["Y"], sole[0], sole[1], places["E"]]
        _line(panel, over, **layer, **_look("foot", labelled))
        for link, through in _THROUGH.items():
            _line(panel, [places[letter] for letter in through], **layer, **_look(link, labelled))
    hip = [own["A"], own["B"], own["D"]]
    _line(panel, hip, linewidth=3.0, zorder=2.5, **_look("hip", label))
    crank = [own["P"], own["A"], other["P"]]
    _line(panel, crank, linewidth=2.4, zorder=3.5, **_look("crank", label))
    pins = np.array([own[letter] for letter in NAMED])
    panel.plot(pins.real, pins.imag, "o", color="#38383f", markersize=_PIN, zorder=4.0)
    if names:
        _write_names(panel, own)


def _slot(parameters: PasibotParameters, at: LinkagePose) -> tuple[complex, complex]:
    """Ends of the slot, rear and front, as the model has them."""
    p, l = parameters, parameters.lengths
    reach = p.l7 + (p.l10 if p.slot_end == "behind" else 0.0)
    near = -1.0 - (p.l10 if p.slot_end == "ahead" else 0.0)
    points = {pair.point: complex(z) for pair, z in zip(PAIRS, at.joints.value, strict=True)}
    B, _ = pivots(l)
    rear = (points["B"] - points["A"]) / (B * p.l8)  # of length 1, from A to the rear
    level = points["A"] + rear * 1j * p.slot * p.l8
    return level + rear * p.l8 * reach, level + rear * p.l8 * near


def _look(link: str, label: bool) -> dict[str, Any]:
    return {"color": COLOURS[link], "label": link if label else None}


def _line(panel: Panel, places: Any, **style: Any) -> None:  # noqa: ANN401 (matplotlib's)
    through = np.asarray(places, dtype=np.complex128)
    panel.plot(through.real, through.imag, **style)


def _write_names(panel: Panel, points: dict[str, complex]) -> None:
    """Letters beside the points; those at one place share a name."""
    written: dict[str, complex] = {}
    for letter in NAMED:
        same = [k for k, at in written.items() if abs(at - points[letter]) < 1e-6]
        if same:
            written[f"{same[0]}, {letter}"] = written.pop(same[0])
        else:
            written[letter] = points[letter]
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8.0, "zorder": 6.0}
    for name, at in written.items():
        offset = _BESIDE[name[0]]
        panel.annotate(name, (at.real, at.imag), offset, **middle)


Curves = dict[str, npt.NDArray[np.complex128]]

_POINTS = 801  # of a curve
_SHOWN = 0.3  # of a step: the pose that is drawn
_CHAINS = {
    "hip": "ABD",
    "rocker": "BM",
    "femur": "CFK",
    "upper tendon": "DF",
    "lower tendon": "DG",
    "tibia": "KGE",
    "connecting rod": "PMC",
    "crank": "AP",
}


def linkage_curves(parameters: PasibotParameters) -> Figure:
    """One leg in the hip with the closed curves of C and E, and how straight these are."""
    phase = np.linspace(0.0, 2.0, _POINTS)
    at = leg(parameters.lengths, STEP_BEGINS + math.pi * phase)
    curves = {"C": -at.C.value, "E": -at.E.value}  # x ahead, y up

    def plot(axes: npt.NDArray[Any]) -> None:
        left, right = axes[0]
        _leg_with_curves(left, parameters, curves)
        _straightness(right, parameters, phase, curves)

    supports = phase <= 1.0
    away = float(np.abs(deviations(parameters, curves)["C"][supports]).max())
    length = float(np.ptp(curves["C"].real[supports]))
    note = (
        "Seen from the hip, in units of the crank l8. E is "
        f"{parameters.amplification:g} times as far from D as C is, on the other side. While the "
        f"leg supports, C goes {number(length, 4)} l8 and stays within {number(away, 2)} l8 of the "
        "line of the slot."
    )
    alt = (
        "Left: Chebyshev's linkage and the pantograph with the closed curves of the coupler's "
        "point C and the ankle E. Right: how far both are from their straight lines over a turn."
    )
    title = "Chebyshev's line and its image"
    return draw(title, alt, (1, 2), plot, note=note, row_height=5.4, share_x=False)


def deviations(parameters: PasibotParameters, curves: Curves) -> dict[str, Array]:
    """Height of C above the line of the slot, and of E above the pantograph's image of it [l8]."""
    line = -parameters.slot
    image = -parameters.drop - parameters.amplification * (line + parameters.drop)
    return {"C": curves["C"].imag - line, "E": curves["E"].imag - image}


def _leg_with_curves(panel: Panel, parameters: PasibotParameters, curves: Curves) -> None:
    """The curves, the image that the pantograph is to make, and the leg in one pose."""
    B, D = (-z for z in pivots(parameters.lengths))
    for index, (name, curve) in enumerate(curves.items()):
        style: dict[str, Any] = {"color": trace_colour(index), "linewidth": 1.4}
        panel.plot(curve.real, curve.imag, label=f"path of {name}", **style)
    image = D - parameters.amplification * (curves["C"] - D)
    dots: dict[str, Any] = {"color": "#56B4E9", "linewidth": 3.0, "linestyle": (0, (1, 2))}
    label = f"D {MINUS} {parameters.amplification:g} (C {MINUS} D)"
    panel.plot(image.real, image.imag, label=label, zorder=1.8, **dots)
    panel.axhline(-parameters.slot, color="#b0b5bd", linewidth=2.0, zorder=0.5, label="slot")
    now = leg(parameters.lengths, STEP_BEGINS + math.pi * _SHOWN)
    places = {name: -complex(getattr(now, name).value) for name in ("P", *"MCFKGE")}
    places |= {"A": 0j, "B": B, "D": D}
    for link, through in _CHAINS.items():
        at = np.array([places[name] for name in iter(through)])
        style = {"color": COLOURS[link], "linewidth": 1.8}
        panel.plot(at.real, at.imag, **style)
    for name, place_of in places.items():
        at_point = (place_of.real, place_of.imag)
        panel.plot(*at_point, "o", color="#38383f", markersize=2.5)
        panel.annotate(name, at_point, (6, 4), fontsize=8.5)
    panel.set(xlabel="x ahead of A [l8]", ylabel="y above A [l8]")
    panel.set_aspect("equal")
    panel.legend()


def _straightness(
    panel: Panel, parameters: PasibotParameters, phase: Array, curves: Curves
) -> None:
    """Deviation from the straight lines over a turn; the support is marked."""
    for index, (name, away) in enumerate(deviations(parameters, curves).items()):
        panel.plot(phase, away, color=trace_colour(index), label=f"{name} above its line")
    panel.axvspan(0.0, 1.0, color="#0072B2", alpha=0.08, linewidth=0.0)
    for middle, what in ((0.5, "supports"), (1.5, "swings")):
        panel.text(middle, 1.0, what, shares=(False, True), ha="center", va="bottom")
    panel.set(xlabel="half turns of the crank from π/2 [1]", ylabel="height above the line [l8]")
    panel.margins(y=0.12)  # the words above stay clear of the curves
    panel.legend()


PHASES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Poses of the sequence, as parts of a step."""
_NAMES_AT = 2  # the pose whose points are named
_COLUMNS = 3
_GROUND: dict[str, Any] = {"color": "black", "linewidth": 1.4, "zorder": 1.6}
_ROOM = 0.06  # of the width, around everything
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
