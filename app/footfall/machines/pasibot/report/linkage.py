"""PASIBOT's linkage in closed form: stick figures, curves in the hip, swinging sole, forces."""

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import (
    LINKS,
    PAIRS,
    PasibotParameters,
    joint_index,
    leg,
    pivots,
    unknowns,
)
from footfall.machines.pasibot.closed_form.motion import (
    STEP_BEGINS,
    STEP_ENDS,
    exchange,
    pose,
    soles,
)
from footfall.machines.pasibot.closed_form.newton_euler import coefficients, inverse
from footfall.report.charts.looks import CYCLE
from footfall.report.charts.panel import Panel
from footfall.report.curves import Level, Line, Over, Part, Plot, Spans, curves
from footfall.report.figure import Figure, draw_picture
from footfall.report.tables import MINUS, Table, number
from footfall.show.colours import trace_colour

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
# where names are written, from their points, in points of type; U, W, X, Y are not the document's
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
_PIN: dict[str, Any] = {"color": "#38383f", "markersize": 2.4, "zorder": 4.0}
_SLOT: dict[str, Any] = {"color": "#b0b5bd", "linewidth": 6.0, "alpha": 0.6, "zorder": 1.0}
_GROUND: dict[str, Any] = {"color": "black", "linewidth": 1.4}

PHASES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Poses of the sequence, as parts of a step."""
_NAMES_AT = 2  # the pose whose points are named
_COLUMNS = 3
_POINTS = 801  # of a curve
_SHOWN = 0.3  # of a step: the pose that is drawn
_CLOSER = (-0.35, 1.0)  # mm
_ROOM = 0.05  # of the height, around everything


def gait_sequence(parameters: PasibotParameters) -> Figure:
    """A step as a row of stick figures, the feet where they stand on the ground."""
    th8 = STEP_BEGINS + math.pi * np.array(PHASES)
    low = float(np.imag(soles(parameters, th8).value).min())
    high = float(np.imag(pose(parameters, th8).joints.value).max())
    plots = [
        Plot(
            "" if index % _COLUMNS else "y [m]",
            [
                partial(draw_machine, parameters, th8[index], index == _NAMES_AT),
                Level(0.0, look=_GROUND),
            ],
            title=f"phase {phase:g}: th8 = {90.0 + 180.0 * phase:g}°",
            low=low - _ROOM * high,
            high=high + _ROOM * high,
            equal=True,
        )
        for index, phase in enumerate(PHASES)
    ]
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
    return curves(
        None,
        "The gait over a step",
        plots,
        over=Over("x [m]"),
        alt=alt,
        note=note,
        columns=_COLUMNS,
        row_height=3.6,
    )


def draw_machine(parameters: PasibotParameters, th8: float, names: bool, panel: Panel) -> None:
    """All 24 links at th8 [rad]; names: whether the supporting leg's points are named."""
    places: tuple[dict[str, complex], dict[str, complex]] = ({}, {})
    for pair, position in zip(PAIRS, pose(parameters, th8).joints.value.tolist(), strict=True):
        places[pair.leg - 1][pair.point] = position
    own, other = places
    other["A"] = own["A"]
    _line(panel, *_slot(parameters, own), **_SLOT)
    for side, points, sole in zip((0, 1), places, soles(parameters, th8).value, strict=True):
        layer: dict[str, Any] = {"alpha": _OTHER_LEG if side else 1.0, "zorder": 3.0 - side}
        ways = {"foot": [sole[0], points["E"], points["Y"], sole[0], sole[1], points["E"]]}
        ways |= {link: [points[letter] for letter in way] for link, way in _THROUGH.items()}
        for link, way in ways.items():
            label = "" if side else link
            _line(panel, *way, color=COLOURS[link], label=label, linewidth=2.0, **layer)
    for link, way, order in (
        ("hip", [own["A"], own["B"], own["D"]], 2.5),
        ("crank", [own["P"], own["A"], other["P"]], 3.5),
    ):
        _line(panel, *way, color=COLOURS[link], label=link, linewidth=2.7, zorder=order)
    pins = np.array([own[letter] for letter in _BESIDE])
    panel.plot(pins.real, pins.imag, "o", **_PIN)
    if names:
        _write_names(panel, own)


def _slot(parameters: PasibotParameters, points: dict[str, complex]) -> tuple[complex, complex]:
    """Ends of the slot, rear and front, as the model has them."""
    p, (B, _) = parameters, pivots(parameters)
    rear = (points["B"] - points["A"]) / B  # a crank to the rear
    level = points["A"] + 1j * p.slot * rear
    reach = p.l7 + (p.l10 if p.slot_end == "behind" else 0.0)
    return level + reach * rear, level - rear * (1.0 + (p.l10 if p.slot_end == "ahead" else 0.0))


def _line(panel: Panel, *places: complex, **look: Any) -> None:  # noqa: ANN401 (as of a panel)
    through = np.array(places)
    panel.plot(through.real, through.imag, **look)


def _write_names(panel: Panel, points: dict[str, complex]) -> None:
    """Letters beside the points; those at one place share a name."""
    written: dict[str, complex] = {}
    for letter in _BESIDE:
        same = [k for k, at in written.items() if abs(at - points[letter]) < 1e-6]
        name = f"{same[0]}, {letter}" if same else letter
        written[name] = written.pop(same[0]) if same else points[letter]
    middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8.0, "zorder": 6.0}
    for name, at in written.items():
        panel.annotate(name, (at.real, at.imag), _BESIDE[name[0]], **middle)


Curves = dict[str, npt.NDArray[np.complex128]]


def linkage_curves(parameters: PasibotParameters) -> Figure:
    """One leg in the hip with the closed curves of C and E, and how straight these are."""
    phase = np.linspace(0.0, 2.0, _POINTS)
    at = leg(parameters, STEP_BEGINS + math.pi * phase)
    paths = {"C": -at.C.value, "E": -at.E.value}  # x ahead, y up
    # height of C above the line of the slot, and of E above the pantograph's image of it
    line = -parameters.slot
    image = -parameters.drop - parameters.amplification * (line + parameters.drop)
    away = {"C": paths["C"].imag - line, "E": paths["E"].imag - image}
    supports = phase <= 1.0
    note = (
        "Seen from the hip, in units of the crank l8. E is "
        f"{parameters.amplification:g} times as far from D as C is, on the other side. While the "
        f"leg supports, C goes {number(float(np.ptp(paths['C'].real[supports])), 4)} l8 and stays "
        f"within {number(float(np.abs(away['C'][supports]).max()), 2)} l8 of the line of the slot."
    )
    alt = (
        "Left: Chebyshev's linkage and the pantograph with the closed curves of the coupler's "
        "point C and the ankle E. Right: how far both are from their straight lines over a turn."
    )
    straight = [
        Line(phase, height, f"{name} above its line", {"color": trace_colour(index)})
        for index, (name, height) in enumerate(away.items())
    ]
    plots = [
        Plot(
            "y above A [l8]",
            [partial(_leg_with_paths, parameters, paths)],
            across="x ahead of A [l8]",
            equal=True,
            legend=True,
        ),
        Plot(
            "height above the line [l8]",
            [Spans([(0.0, 1.0)], "the leg supports"), *straight],
            across="half turns of the crank from π/2 [1]",
            legend=True,
        ),
    ]
    title = "Chebyshev's line and its image"
    return curves(None, title, plots, alt=alt, note=note, columns=2, row_height=5.4)


def _leg_with_paths(parameters: PasibotParameters, paths: Curves, panel: Panel) -> None:
    """The paths, the image that the pantograph is to make, and the leg in one pose."""
    B, D = (-z for z in pivots(parameters))
    for index, (name, path) in enumerate(paths.items()):
        look: dict[str, Any] = {"color": trace_colour(index), "linewidth": 1.4}
        _line(panel, *path, label=f"path of {name}", **look)
    image = D - parameters.amplification * (paths["C"] - D)
    dots: dict[str, Any] = {"color": "#56B4E9", "linewidth": 3.0, "linestyle": (0, (1, 2))}
    label = f"D {MINUS} {parameters.amplification:g} (C {MINUS} D)"
    _line(panel, *image, label=label, zorder=1.8, **dots)
    panel.axhline(-parameters.slot, color="#b0b5bd", linewidth=2.0, zorder=0.5, label="slot")
    now = leg(parameters, STEP_BEGINS + math.pi * _SHOWN)
    places = {name: -complex(getattr(now, name).value) for name in "PMCFKGE"}
    places |= {"A": 0j, "B": B, "D": D}
    for link, way in (_THROUGH | {"hip": "ABD", "crank": "AP"}).items():
        if set(way) <= set(places):
            _line(panel, *(places[name] for name in way), color=COLOURS[link], linewidth=1.8)
    for name, at in places.items():
        panel.plot([at.real], [at.imag], "o", **_PIN)
        panel.annotate(name, (at.real, at.imag), (6, 4), fontsize=8.5)


def swinging_sole(parameters: PasibotParameters) -> Figure:
    """Height of heel and toe of the swinging foot over a step."""
    phase = np.linspace(0.0, 1.0, _POINTS)
    th8 = STEP_BEGINS + math.pi * phase
    heights = 1e3 * np.imag(soles(parameters, th8).value[1])
    ankle = pose(parameters, th8).joints.value[joint_index("E", leg=2)].imag
    ankle = 1e3 * (ankle - parameters.ankle_height * parameters.l8)
    lines = (("heel", heights[0]), ("toe", heights[1]), ("ankle above where it stands", ankle))
    parts: list[Part] = [Level(0.0, look=_GROUND)]
    for index, (name, height) in enumerate(lines):
        parts.append(Line(phase, height, name, {"color": trace_colour(index)}))
    plots = [
        Plot("height [mm]", parts),
        Plot("closer [mm]", parts, low=_CLOSER[0], high=_CLOSER[1]),
    ]
    deepest = int(np.argmin(heights.min(axis=0)))
    low = -float(heights.min())
    note = (
        f"The sole comes {number(low, 2)} mm below the floor at a phase of {phase[deepest]:.2f}: "
        "the hip tilts a little while the supporting foot stands level. The document does not "
        "mention it; an engine whose floor stops the toe needs feet that take turns."
        if low > 0.0
        else "The sole stays above the floor."
    )
    return curves(None, "The swinging foot", plots, over=Over("phase of the step [1]"), note=note)


def scuffing(parameters: PasibotParameters) -> float:
    """Largest depth of the swinging foot's sole below the floor [m]."""
    th8 = STEP_BEGINS + math.pi * np.linspace(0.0, 1.0, _POINTS)
    return max(0.0, -float(np.imag(soles(parameters, th8).value[1]).min()))


_PHASE = np.linspace(0.0, 1.0, 401)
_MATRIX_AT = 0.3  # of a step: the pose whose matrix is drawn
_NAMED = 6  # joints of a leg that carry most
_LEGS = {1: "supports", 2: "swings"}


def matrix_of_equations(parameters: PasibotParameters) -> Figure:
    """Figure 9: which of the 69 unknowns each of the 69 equations has."""
    th8 = STEP_BEGINS + (STEP_ENDS - STEP_BEGINS) * _MATRIX_AT
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
        f"assumed. The pose is that at a phase of {_MATRIX_AT:g}."
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
    for side, what in _LEGS.items():
        mine = [index for index, pair in enumerate(PAIRS) if pair.leg == side]
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
