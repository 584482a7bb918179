"""Report of the biped: figures and notes.

Frame: S the slope (x along it, z its normal).
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from footfall.arrays import Array
from footfall.machines.biped.closed_form.model import Biped, BipedParameters
from footfall.machines.biped.control import BipedGait
from footfall.machines.biped.engine import JOINTS
from footfall.machines.biped.measures import foot_slip_so_far, points
from footfall.metrics import scalar
from footfall.registry.closed_form import is_motored
from footfall.registry.documents import read_notes
from footfall.registry.machine import CLOSED_FORM
from footfall.report.charts.panel import Panel
from footfall.report.curves import AXIS, Curve, Level, Line, Over, Plot, curves
from footfall.report.figure import Figure, draw
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews
from footfall.report.section import Section
from footfall.report.sketch import DASHED, THIN, arc, arrow
from footfall.report.stick_sequence import sequence_of, spread_rows, stick_sequence
from footfall.report.tables import MINUS, number

_NOTES = read_notes(__package__)

POSTURE = np.array([-0.62, 0.55, 0.62, -0.5])
"""theta1 to theta4 of the sketch [rad], of the signs of the figure; larger than those of a walk."""
SLOPE = math.radians(-12.0)
"""Alpha of the sketch [rad]."""
_ALPHA = "\N{GREEK SMALL LETTER ALPHA}"
_HIP = 1.5  # m along the slope from O
_LEG_A, _LEG_B = "#0072B2", "#D55E00"
_ALONG, _BESIDE = 0.72, 0.1  # of a link, along it and from there to its letter


def letters(machine: Biped) -> Figure:
    """Hip, legs and slope: what r1, m1 to m5, l1 to l4, theta1 to theta4 and alpha are."""

    def plot(axes: np.ndarray) -> None:
        panel = axes[0, 0]
        r = in_world(machine.points(sketched(machine)))
        _draw_slope(panel)
        _draw_robot(panel, r)
        _draw_angles(panel, r)
        panel.set_aspect("equal")
        panel.set_axis_off()
        panel.margins(0.06)

    p = machine.parameters
    masses, lengths = (", ".join(f"{value:g}" for value in values) for values in (p.m, p.l))
    slope = math.degrees(p.alpha)
    note = (
        "Figure 4 of the report. The inertial frame is attached to the slope at O; r1 = x e1 + z "
        "e2 is the place of the hip m1, r2 to r5 are those of knee and foot of leg A, m2 and m3, "
        "and of leg B, m4 and m5. θ1 and θ3 are the angles of the thighs from the direction of "
        f"{MINUS}e2, θ2 and θ4 those of the shanks from their thighs, counter-clockwise: θ1, θ4 "
        f"and {_ALPHA} are negative as drawn. Angles are larger than those of a walk; here m1 to "
        f"m5 = {masses} kg, l1 to l4 = {lengths} m, {_ALPHA} = {number(slope, 3)}°."
    )
    alt = "Two legs of two links joined at the hip on a slope, with the letters of the report."
    return draw("The robot's letters", alt, (1, 1), plot, note=note, row_height=4.2)


def sketched(machine: Biped) -> Array:
    """Positions q (6,) of the robot in the sketch, its lower foot on the slope."""
    return np.array([_HIP, machine.standing_height(POSTURE), *POSTURE])


def in_world(places: Array) -> Array:
    """Points (..., 2) of the slope's axes e1, e2 as x + 1j z of the world's, (...,)."""
    along, out = places[..., 0], places[..., 1]
    return np.asarray((along + 1j * out) * np.exp(1j * SLOPE))


def _draw_slope(panel: Panel) -> None:
    ends = in_world(np.array([(-0.3, 0.0), (2.7, 0.0)]))
    panel.plot(ends.real, ends.imag, color="#6b4f2a", linewidth=2.2)
    level = ends[1] - np.array([1.1, 0.0])
    panel.plot(level.real, [ends[1].imag] * 2, **DASHED)
    arc(panel, complex(ends[1]), 0.7, math.pi + SLOPE, math.pi, f"{MINUS}{_ALPHA}")
    e1, e2 = in_world(np.array([(0.38, 0.0), (0.0, 0.38)]))
    arrow(panel, 0j, complex(e1), "e1")
    arrow(panel, 0j, complex(e2), "e2")
    panel.annotate("O", (0.0, 0.0), (-6, -14), fontsize=10)


def _draw_robot(panel: Panel, r: Array) -> None:
    """Links with their lengths, masses with their numbers, and r1 from O."""
    hip = complex(r[0])
    for k, (begin, end) in enumerate(((0, 1), (1, 2), (0, 3), (3, 4))):
        a, b = complex(r[begin]), complex(r[end])
        panel.plot(
            [a.real, b.real], [a.imag, b.imag], color=(_LEG_A, _LEG_B)[k // 2], linewidth=3.0
        )
        side = -1j if k in (0, 3) else 1j  # where no angle is
        place = a + _ALONG * (b - a) + _BESIDE * side * (b - a)
        panel.annotate(f"l{k + 1}", (place.real, place.imag), ha="center", va="center", fontsize=10)
    for k, place in enumerate(r):
        panel.plot(place.real, place.imag, "o", color="black", markersize=9.0 if k == 0 else 7.0)
        offset = (9, -14) if k == 1 else (9, 5)
        panel.annotate(f"m{k + 1}", (place.real, place.imag), offset, fontsize=10)
    panel.arrow((0.0, 0.0), (hip.real, hip.imag), **THIN)
    middle = 0.6 * hip
    panel.annotate("r1 = x e1 + z e2", (middle.real, middle.imag), (-8, 6), ha="right", fontsize=10)


def _draw_angles(panel: Panel, r: Array) -> None:
    """Thighs from -e2 at the hip, shanks from the lines of their thighs."""
    down = -1j * np.exp(1j * SLOPE)
    for knee, foot, first, radius in ((1, 2, 1, 0.5), (3, 4, 3, 0.36)):
        hip, thigh = complex(r[0]), complex(r[knee] - r[0])
        shank = complex(r[foot] - r[knee])
        for centre, reference, link, joint, far in (
            (hip, down, thigh, first, radius),
            (complex(r[knee]), thigh, shank, first + 1, 0.4),
        ):
            tip = centre + 1.3 * far * reference / abs(reference)
            panel.plot([centre.real, tip.real], [centre.imag, tip.imag], **DASHED)
            begin = float(np.angle(reference))
            turn = float(np.angle(link / reference))
            arc(panel, centre, far, begin, begin + turn, f"{MINUS if turn < 0.0 else ''}θ{joint}")


Runs = RunViews[RunView]

_POINTS = {
    "r1 (hip)": "black",
    "r2 (knee A)": "#0072B2",
    "r3 (foot A)": "#D55E00",
    "r4 (knee B)": "#009E73",
    "r5 (foot B)": "#CC79A7",
}
_FEET = {"foot A": 2, "foot B": 4}
_COLOURS = tuple(_POINTS.values())
_CLIP = {"color": "#bbbbbb", "linewidth": 4.5}
_SPLINE = {"color": "#0072B2"}
_KNOTS = {"linestyle": "", "marker": "o", "markersize": 3.5, "color": "#D55E00"}
_CLEARANCE = {"color": "black", "linestyle": ":", "linewidth": 1.0}
_MOMENTS = 14


def figures(runs: Runs) -> list[Figure | None]:
    """Every figure of the report and of its scripts, then slip and clearance of the feet."""
    section, first = runs.section, runs.first
    start = sequence_of(section, first, [0])
    walk = sequence_of(section, first, spread_rows(first, _MOMENTS))
    where = _conditions(section)
    return [
        letters(Biped(BipedParameters(alpha=np.deg2rad(section.scenario.terrain.slope_deg)))),
        *coordinate_figures(runs),
        _tracking_errors(runs),
        stick_sequence(start, "Initial condition", f"{where}."),
        _paths(runs),
        stick_sequence(walk, f"The walk: {first.name}", f"{where}. Later ones are darker."),
        _feet(runs),
        _clipped_period(runs),
    ]


def _tracking_errors(runs: Runs) -> Figure | None:
    """|theta - theta_ref| of every joint, where there is a reference."""
    source, times = runs.section.robot.reference, runs.first.time
    if source is None:
        return None
    reference = np.array([source.sample(float(time))[0] for time in times])

    def error(joint: int) -> Callable[[RunView], Array]:
        def of(run: RunView) -> Array:
            wanted = np.interp(run.time, times, reference[:, joint])
            return np.abs(np.rad2deg(run.data["q"].sel(position=JOINTS[joint]) - wanted).to_numpy())

        return of

    symbols = [f"θ{'₁₂₃₄'[k]}" for k in range(len(JOINTS))]
    plots = [Plot(f"|{s} - {s}ʳᵉᶠ| [deg]", [Curve(error(k))]) for k, s in enumerate(symbols)]
    return curves(runs, "Tracking errors", plots, columns=2)


def _paths(runs: Runs) -> Figure:
    """Paths of hip, knees and feet of the first run, in S."""
    places = np.moveaxis(points(runs.first.data["q"].to_numpy()), 1, 0)
    look = [{"color": colour, "linewidth": 1.1} for colour in _COLOURS]
    hip, *others = (
        Line(place[:, 0], place[:, 1], name, style)
        for place, name, style in zip(places, _POINTS, look, strict=True)
    )
    plots = [Plot("z [m]", [hip]), Plot("z [m]", [*others, Level(0.0, look=AXIS)])]
    alt = (
        "Paths of the hip (above) and of knees and feet (below) in the slope frame, in "
        f"{runs.first.name}."
    )
    title = f"Trajectories of the points: {runs.first.name}"
    return curves(None, title, plots, over=Over("x [m]"), alt=alt)


def _feet(runs: Runs) -> Figure:
    """Height of the feet of the first run, and how far those of all slide under load."""
    first = runs.first
    places = points(first.data["q"].to_numpy())
    heights = [
        Line(first.time, places[:, k, 1], name, {"color": _COLOURS[k]}) for name, k in _FEET.items()
    ]
    clearance = scalar(runs.section.first.metrics, "swing_clearance")
    level = [Level(clearance, "swing clearance", look=_CLEARANCE)] if np.isfinite(clearance) else []
    plots = [
        Plot(f"height in\n{first.name} [m]", [*heights, *level]),
        Plot("foot slip [m]", [Curve(lambda run: foot_slip_so_far(run.data))]),
    ]
    return curves(runs, "Feet: height and slip", plots)


def _clipped_period(runs: Runs) -> Figure | None:
    """The period of stage 1 with its knots and splines, where there is a gait made of one."""
    data = runs.first.data
    if "period_angles" not in data:
        return None
    time, at = data["period_time"].to_numpy(), data["knot_time"].to_numpy()

    def plots() -> Iterator[Plot]:
        for row, joint in enumerate(JOINTS):
            symbol = f"θ{'₁₂₃₄'[row]}"
            for name, label in (
                ("period_angles", f"{symbol} [deg]"),
                ("period_rates", f"d{symbol}/dt [deg/s]"),
            ):
                walked, fitted = np.rad2deg(data[name].sel(period_joint=joint).to_numpy())
                knots = Line(at, np.interp(at, time, walked), "knots", _KNOTS)
                clip, spline = (
                    Line(time, walked, "stage 1", _CLIP),
                    Line(time, fitted, "spline", _SPLINE),
                )
                yield Plot(label, [clip, spline, knots])

    note = "Angles and rates have splines of their own: the one is not the other's derivative."
    alt = (
        f"Joint angles and rates over the period of stage 1 that is clipped, {len(at)} knots of "
        "it, and the splines through them, of which the gait is made."
    )
    over = Over("time since the clip begins [s]")
    title = "One period of stage 1"
    return curves(
        None, title, list(plots()), over=over, note=note, alt=alt, columns=2, row_height=1.8
    )


def _conditions(section: Section) -> str:
    """Slope, friction and restitution."""
    contacts = section.robot.contacts
    surfaces = slice(contacts.num_touching)
    mu, e_n = (
        ", ".join(f"{value:g}" for value in np.unique(values))
        for values in (contacts.mu[surfaces], contacts.restitution[surfaces])
    )
    slope = number(section.scenario.terrain.slope_deg)
    return f"slope {slope}°, µ = {mu}, e_N = {e_n}"


def motor_note(section: Section) -> list[str]:
    """Note on the rotors, and the largest torque at one; nothing without them."""
    if not is_motored(section.robot.model):
        return []
    largest = scalar(section.first.metrics, "rotor_torque")
    most = f" In this run a rotor has at most {number(largest, 3)} N m." if largest > 0.0 else ""
    return [_NOTES["rotors"] + most]


def notes(runs: Runs) -> list[str]:
    """Return what a reader should know, a paragraph each."""
    section = runs.section
    paragraphs = []
    if section.first.trajectory.data.sizes["actuator"] and section.scenario.controller is not None:
        paragraphs.append(
            f"{_NOTES['pitch_moment']} {_size_of_moment(section)} {_NOTES['without']}"
        )
    paragraphs += motor_note(section)
    if isinstance(section.scenario.controller, BipedGait):
        paragraphs.append(_NOTES["fitted"])
    if {CLOSED_FORM, "moreau"} <= set(section.runs):
        paragraphs.append(_NOTES["closed_form"])
    if any(name.startswith("drake") for name in section.runs):
        paragraphs.append(_NOTES["drake"])
    return paragraphs


def _size_of_moment(section: Section) -> str:
    """The external pitch moment in the first run."""
    effort = section.first.trajectory.data["actuation"].sel(actuator=["tau1", "tau3"]).to_numpy()
    moment = effort.sum(axis=1)
    moment = moment[np.isfinite(moment)]
    if len(moment) == 0:
        return ""
    rms, largest = float(np.sqrt((moment**2).mean())), float(np.abs(moment).max())
    return (
        f"In this run its root mean square is {number(rms, 3)} N m and its largest value "
        f"{number(largest, 3)} N m."
    )


REPORT = MachineReport(figures, notes)
