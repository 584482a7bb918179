"""PASIBOT as a stick figure: all links of a pose in their colours, the slot, names of points."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.machines.pasibot.closed_form.bodies import PAIRS
from footfall.machines.pasibot.closed_form.linkage import pivots
from footfall.machines.pasibot.closed_form.motion import LinkagePose, pose, soles
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.report.charts.panel import Panel

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
    for leg, places in ((1, other), (0, own)):
        seen = 1.0 if leg == 0 else _OTHER_LEG
        labelled = label and leg == 0
        layer = {"alpha": seen, "linewidth": 2.0, "zorder": 3.0 - leg}
        sole = figure.soles[leg]
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
