"""Report of the compass walker and of its simplest relation: figures and notes."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.compass.closed_form.model import CompassParameters
from footfall.machines.compass.cycle import ExactCycle
from footfall.machines.compass.report.runs import MOMENTS, CompassRun, CompassRuns, read_walks
from footfall.metrics import scalar
from footfall.registry.documents import read_notes
from footfall.registry.machine import HYBRID
from footfall.report.charts.panel import Panel
from footfall.report.curves import AXIS, Curve, Level, Line, Part, Plot, curves
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.return_map import EXACT, FIXED_POINT, by_step, dots, return_map
from footfall.report.sketch import DASHED, arc, arrow, dimension
from footfall.report.stick_sequence import sequence_of, stick_sequence
from footfall.report.tables import MINUS, listed, number
from footfall.stance.metrics import undriven_energy

_NOTES = read_notes(__package__)

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
        panel.annotate(f"{name} (m, I)", (centre.real, centre.imag), (-66, -4), fontsize=10)
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


_COMPONENTS = (("q1", "deg"), ("q1'", "deg/s"), ("q2'", "deg/s"))
_STEP = ("period [s]", "length [m]", "energy lost [J]")
_CONE: dict[str, Any] = {"color": "#009E73", "linewidth": 1.1}
_NEED: dict[str, Any] = {"color": "black", "linewidth": 1.0, "linestyle": (0, (1, 1.5))}
_MULTIPLIER: dict[str, Any] = {"color": "#D55E00", "linestyle": "", "marker": "o"}
_GUIDE: dict[str, Any] = {"color": "#8a8a8a", "linestyle": (0, (6, 3))}
_STAIRS: dict[str, Any] = {**EXACT, "linewidth": 4.0}
_JUMP: dict[str, Any] = {"linestyle": (0, (3, 2)), "linewidth": 0.9}
_SHORT, _LONG = 0.004, 0.02  # s, over which forces of engines of steps are averaged
_NO_SWING = 0.05  # of a leg: deeper in the ground than a foot that scuffs
_SMALLEST = 1e-16  # a distance below this is drawn as this
_ON_CYCLE = 1e-8  # a walk that is nearer than this to a stable gait shows rounding alone


def figures(walks: CompassRuns) -> list[Figure | None]:
    """Portrait, return map, sticks, forces and steps of every run; dimensions and coordinates."""
    return [
        _portrait(walks),
        _return_map(walks),
        _convergence(walks),
        _sticks(walks),
        _friction(walks),
        _cones(walks),
        _steps(walks),
        _energy(walks),
        dimension_sketch(walks.machine.parameters),
        *coordinate_figures(walks),
    ]


def _portrait(walks: CompassRuns) -> Figure:
    """Either leg's angle against its rate."""
    exact = [] if walks.cycle is None else [_exact_leg(walks.cycle)]

    def of(leg: int) -> Plot:
        stances = Curve(lambda walk: tuple(walk.parted(walk.leg(leg))), look={"linestyle": "-"})
        jumps = Curve(lambda walk: tuple(walk.jumps(walk.leg(leg))), look=_JUMP)
        title, across = f"leg {leg + 1}", "angle from the normal [deg]"
        return Plot("rate [deg/s]", [*exact, stances, jumps], title, across)

    note = (
        "Angles are from the slope's normal, positive where the foot is ahead of the hip. Dashed: "
        "the jump of the rates at a heel strike, at the angles that the legs have there."
    )
    grey = " Grey: the exact limit cycle." if walks.cycle else ""
    plots = [of(0), of(1)]
    return curves(walks, "Phase portrait", plots, note=note + grey, columns=2, row_height=4.0)


def _exact_leg(cycle: ExactCycle) -> Line:
    """The limit cycle, which either leg goes through, standing and swinging."""
    q1, q2, w1, w2 = np.degrees(cycle.x)
    angle = np.concatenate((q1, q1 + q2 - 180.0, q1[:1]))
    return Line(angle, np.concatenate((w1, w1 + w2, w1[:1])), "exact cycle", EXACT)


def _return_map(walks: CompassRuns) -> Figure | None:
    if max((len(walk.strikes) for walk in walks.runs), default=0) < 2:
        return None
    exact = np.full(3, np.nan) if walks.cycle is None else np.degrees(walks.cycle.published)

    def component(k: int) -> Plot:
        def of(walk: CompassRun) -> Array:
            return np.asarray(np.degrees(walk.before_strikes()[:, k]))

        name, unit = _COMPONENTS[k]
        return return_map(walks, name, unit, of, float(exact[k]))

    plots = [component(k) for k in range(3)]
    note = (
        "The standing leg's angle q1 and the rates of both joints just before heel strike, step k "
        "against step k + 1. On the line of identity a step repeats the one before; the cross is "
        "the exact cycle."
    )
    return curves(walks, "Return map", plots, note=note, columns=3, row_height=2.7)


def _convergence(walks: CompassRuns) -> Figure | None:
    """Distance from the exact cycle strike by strike, and the multipliers of its return map."""
    cycle = walks.cycle
    if cycle is None:
        return None
    largest = float(np.abs(cycle.multipliers).max())

    def away(walk: CompassRun) -> Array:
        apart = np.abs(walk.before_strikes() - cycle.published).max(axis=1, initial=0.0)
        return np.maximum(apart, _SMALLEST)

    distance = by_step(walks, "distance [rad, rad/s]", away, across="heel strike")
    first = away(walks.first)
    guide = []
    if len(first) and (largest > 1.0 or first.max() > _ON_CYCLE):
        steps = 1.0 + np.arange(len(first))
        # half a decade above the first run, to be seen
        above = 3.0 * np.exp(np.log(first).mean()) * largest ** (steps - steps.mean())
        guide = [Line(steps, above, f"{number(largest, 3)} a step", _GUIDE)]
    note = (
        "The largest difference of q1 [rad], q1' and q2' [rad/s] from the exact cycle before a "
        "heel strike. A dashed line has the slope of the largest multiplier. Engines that step "
        "through time land up to a step late, now more, now less, which keeps their walks at some "
        "distance."
    )
    plots = [
        Plot(distance.label, [*guide, *distance.parts], across=distance.across, log=True),
        _multipliers(cycle.multipliers),
    ]
    title = "Towards the cycle or away from it"
    return curves(walks, title, plots, note=note, columns=2, row_height=3.3)


def _multipliers(multipliers: npt.NDArray[np.complex128]) -> Plot:
    """In the complex plane, with the unit circle."""
    turn = np.linspace(0.0, 2.0 * np.pi, 181)
    order = np.sort_complex(multipliers)
    reach = max(1.25, float(np.abs(order.imag).max()) + 0.4)
    ends = min(-1.2, float(order.real[0]) - 0.4), max(1.2, float(order.real[-1]) + 0.4)

    def name(panel: Panel) -> None:
        for place, one in enumerate(order):
            above = one.imag > 0.0 or (one.imag == 0.0 and place % 2 == 0)
            at, offset = (one.real, one.imag), (0, 7) if above else (0, -14)
            panel.annotate(_complex(one), at, offset, ha="center", fontsize=8.5)
        panel.set(xlim=ends, ylim=(-reach, reach))

    circle = Line(np.cos(turn), np.sin(turn), look=AXIS)
    marks = Line(order.real, order.imag, look=_MULTIPLIER)
    parts: list[Part] = [circle, marks, name]
    return Plot("imaginary part", parts, across="multipliers: real part", equal=True)


def _complex(value: complex) -> str:
    if value.imag == 0.0:
        return number(value.real, 3)
    sign = MINUS if value.imag < 0.0 else "+"
    return f"{number(value.real, 3)} {sign} {number(abs(value.imag), 3)} i"


def _sticks(walks: CompassRuns) -> Figure:
    """The first run, some instants of every step."""
    walk = walks.first
    rows, steps = walk.moments()
    note = f"In the world's axes, {MOMENTS} instants of every step; later ones are darker."
    if steps < len(walk.strikes):
        note += f" The first {steps} of {len(walk.strikes)} steps."
    return stick_sequence(sequence_of(walks.section, walk, rows), f"The walk: {walk.name}", note)


def _friction(walks: CompassRuns) -> Figure:
    """Tangential over normal force on the standing foot."""

    def ratio(walk: CompassRun) -> Array:
        tangential, normal = walk.force(_SHORT)
        return tangential / np.where(normal > 0.0, normal, np.nan)

    need = walks.cycle.friction_stance if walks.cycle else 0.0
    largest = max(
        need, *(float(np.nanmax(np.abs(ratio(walk)), initial=0.0)) for walk in walks.runs)
    )
    far = walks.mu > 2.0 * largest > 0.0
    levels = []
    if need > 0.0:
        label = f"± needed by the exact step, {number(need, 3)}"
        levels.append(Level(need, label, mirrored=True, look=_NEED))
    if not far:
        label = f"±µ = {number(walks.mu, 3)}"
        levels.append(Level(walks.mu, label, mirrored=True, look=_CONE))
    note = "While a foot stands; heel strikes are left out."
    if far:
        note += f" The friction of the ground, ±µ = {number(walks.mu, 3)}, is beyond the axis."
    title = "Friction that the standing foot needs"
    plot = Plot("tangential / normal [1]", [Curve(ratio), *levels], usual=True)
    return curves(walks, title, [plot], note=note)


def _cones(walks: CompassRuns) -> Figure:
    """Forces and impulses inside the friction cone."""
    cycle, mu = walks.cycle, walks.mu

    def force(walk: CompassRun) -> tuple[Array, ...]:
        return tuple(walk.force(_LONG))

    def impulse(walk: CompassRun) -> tuple[Array, ...]:
        return tuple(np.array([strike.impulse for strike in walk.strikes]).reshape(-1, 2).T)

    def cone(panel: Panel, share: float = 1.0) -> None:
        """From its tip at no force up to a share of all."""
        normal = np.concatenate([np.empty(0), *(mark.y for mark in panel.marks)])
        normal = normal[np.isfinite(normal)]
        top = 1.15 * float(np.quantile(normal, share)) if len(normal) else 1.0
        low, high = panel.get_xlim()
        side = min(max(abs(low), abs(high), 0.3 * top), 1.1 * mu * top)
        edges = ([-mu * top, 0.0, mu * top], [top, 0.0, top])
        panel.fill_between(*edges, top, color=_CONE["color"], alpha=0.08, linewidth=0.0)
        panel.plot(*edges, **_CONE)
        panel.set(xlim=(-side, side), ylim=(-0.04 * top, top))

    # landings are left aside
    left: list[Part] = [Curve(force, look={"linewidth": 1.0}), lambda panel: cone(panel, 0.97)]
    right: list[Part] = [*dots(walks, impulse), cone]
    if cycle is not None:
        left.insert(0, Line(cycle.force[0], cycle.force[1], "exact cycle", EXACT))
        right.insert(0, Line(cycle.impulse[:1], cycle.impulse[1:], look=FIXED_POINT))
    note = (
        f"Green: the cone of µ = {number(mu, 3)}. Left: forces while a foot stands, means of "
        f"{_LONG:g} s; what bounces after a compliant landing may reach beyond. Right: impulses on "
        "the new foot at heel strikes; the cross is that of the exact cycle."
    )
    plots = [
        Plot("normal force [N]", left, across="tangential force [N]"),
        Plot("normal impulse [N s]", right, across="tangential impulse [N s]"),
    ]
    title = "Ground reaction inside its friction cone"
    return curves(walks, title, plots, note=note, columns=2, row_height=3.4)


def _steps(walks: CompassRuns) -> Figure | None:
    if all(len(walk.strikes) < 2 for walk in walks.runs):
        return None
    cycle = walks.cycle
    exact = (math.nan,) * 3 if cycle is None else (cycle.period, cycle.length, cycle.lost)

    def quantity(k: int) -> Plot:
        return by_step(walks, _STEP[k], lambda walk: walk.steps()[k], exact[k])

    plots = [quantity(k) for k in range(3)]
    note = (
        "A step goes from heel strike to heel strike, its length is that between the feet at the "
        "strike that begins it; its loss is what energy less the hip's work falls by, M g L sin θ "
        "once the walk repeats itself."
    )
    return curves(walks, "Steps", plots, note=note, columns=3)


def _energy(walks: CompassRuns) -> Figure:
    """Energy over time over the stairs that the exact cycle goes down."""

    def energy(walk: CompassRun) -> Array:
        left = undriven_energy(walk.data)
        return left - left[0]

    cycle, first, stairs = walks.cycle, walks.first, []
    note = "Nothing is lost while a foot stands; a heel strike takes what the slope gave in a step."
    if cycle is not None:
        p = walks.machine.parameters
        given = walks.machine.mass * p.g * cycle.length * np.sin(p.theta)
        note += (
            f" M g L sin θ = {number(given, 6)} J in a step of the exact cycle, which loses "
            f"{number(cycle.lost, 6)} J at its strike."
        )
        if first.strikes:
            falls = np.arange(first.strikes[0].time, first.time[-1] + 1e-9, cycle.period)
            time = np.concatenate([first.time[:1], np.repeat(falls, 2), first.time[-1:]])
            level = -cycle.lost * np.repeat(np.arange(len(falls) + 1), 2)
            label = f"exact cycle: {MINUS}{number(cycle.lost, 4)} J a step"
            stairs.append(Line(time, level, label, _STAIRS))
    plot = Plot("energy less the hip's work,\nsince the start [J]", [*stairs, Curve(energy)])
    return curves(walks, "Energy of the walk", [plot], note=note)


_NO_CYCLE = "No periodic gait was found for this walker on this slope."


def notes(walks: CompassRuns) -> list[str]:
    """Return what a reader should know of the compass, a paragraph each."""
    depths = [f"{number(1e3 * walk.scuffing, 3)} mm deep in {walk.name}" for walk in walks.runs]
    scuffing = f"{_NOTES['scuffing']} Up to the last strike it is at most {listed(depths)}."
    paragraphs = [scuffing, _needed(walks), _stability(walks)]
    deepest = _NO_SWING * walks.machine.parameters.l
    if any(walk.depth.max(initial=0.0) > deepest for walk in walks.runs):
        paragraphs.append(_NOTES["falling"])
    if any(name.startswith("drake") for name in walks.section.runs):
        paragraphs.append(_NOTES["drake"])
    if any(
        "lab sheet" in claim.source for run in walks.section.runs.values() for claim in run.claims
    ):
        paragraphs.append(_NOTES["sheet"])
    return [note for note in paragraphs if note]


def _needed(walks: CompassRuns) -> str:
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
        return _NO_CYCLE if walks.searched else _NOTES["not_saved"]
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


def simplest_notes(walks: CompassRuns) -> list[str]:
    """Return what a reader should know of the simplest walker, a paragraph each."""
    paragraphs = []
    for run in walks.section.runs.values():
        if "cycle_from_limit" in run.metrics:
            ratio, away = (
                number(scalar(run.metrics, name), 3) for name in ("mass_ratio", "cycle_from_limit")
            )
            paragraphs.append(
                f"{_NOTES['limit'].format(ratio=ratio)} {_NOTES['cycle'].format(away=away)}"
            )
    if set(walks.section.runs) != {HYBRID}:
        paragraphs.append(_NOTES["gentle"])
    return paragraphs


SIMPLEST_REPORT = MachineReport(figures, simplest_notes, read=read_walks)
