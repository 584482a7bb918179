"""PASIBOT's linkage in its hip: the curves of the coupler's point C and of the ankle E."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import leg, pivots
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.report.links import COLOURS
from footfall.report.charts.panel import Panel
from footfall.report.figure import Figure, draw
from footfall.report.tables import MINUS, number
from footfall.show.colours import trace_colour

Curves = dict[str, npt.NDArray[np.complex128]]

_POINTS = 801  # of a turn
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
