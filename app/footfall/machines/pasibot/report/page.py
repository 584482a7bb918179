"""Report of PASIBOT: figures over steps, slides, and notes on what is fitted, assumed and held."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.claims import constant_rate, is_text
from footfall.machines.pasibot.closed_form.linkage import PasibotParameters, total_mass
from footfall.machines.pasibot.closed_form.motion import STEP_BEGINS, STEP_ENDS, exchange
from footfall.machines.pasibot.closed_form.thresholds import (
    least_friction,
    painleve_friction,
    static_torque,
)
from footfall.machines.pasibot.closed_form.two_freedoms import two_freedoms
from footfall.machines.pasibot.engine import sole
from footfall.machines.pasibot.measures import WalkObservables, loop_gaps, observables_of, slides
from footfall.machines.pasibot.model import POINTS, parameters_of
from footfall.machines.pasibot.predictions import SHOWN
from footfall.machines.pasibot.report.linkage import (
    gait_sequence,
    joint_forces,
    joint_table,
    linkage_curves,
    matrix_of_equations,
    scuffing,
    swinging_sole,
)
from footfall.machines.pasibot.slip_system import AHEAD, BACK
from footfall.registry.documents import read_notes
from footfall.registry.machine import CLOSED_FORM, HYBRID
from footfall.report.bands import Phase
from footfall.report.curves import (
    AXIS,
    Curve,
    Level,
    Line,
    Over,
    Part,
    Plot,
    Spans,
    Uprights,
    Zone,
    curves,
)
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.report.tables import MINUS, NONE, Table, listed, number
from footfall.scenario.context import context_of
from footfall.trajectory import Event

_NOTES = read_notes(__package__)

_MEANS = 0.01  # s, over which forces of engines with steps are averaged
_CREEPS = 4.0  # times as long slides are told of engines with steps, whose feet creep and rub, too
_MOMENT = 0.04  # of a step
_FAINT = 0.02  # of the largest: less force does not tell where it acts


class SlideInSteps(NamedTuple):
    """A slide: phases of its begin and end in steps since the start, and its distance ahead [m]."""

    begin: float
    end: float
    distance: float


@dataclass(frozen=True, eq=False)
class PasibotRun(RunView):
    """A run with what was read in it; shown: the shortest slide that a figure shows [m]."""

    gait: WalkObservables
    shown: float

    @cached_property
    def slides(self) -> tuple[SlideInSteps, ...]:
        """Slides in their order; from the events of an engine that locates them."""
        phase, slide = self.gait.phase, self.gait.slide
        located = self.engine == HYBRID
        merged: list[SlideInSteps] = []
        for ends in (
            _located(self.trajectory.events, self.gait) if located else slides(self.gait, 0)
        ):
            before, after = np.interp(ends, phase, slide).tolist()
            slid = SlideInSteps(*ends, after - before)
            # a slide goes on after a moment in which the floor trembled
            last = merged[-1] if merged and not located else slid
            if last.distance * slid.distance > 0.0 and 0.0 <= slid.begin - last.end < _MOMENT:
                slid = SlideInSteps(last.begin, slid.end, merged.pop().distance + slid.distance)
            merged.append(slid)
        least = self.shown if self.exact else _CREEPS * self.shown
        return tuple(slid for slid in merged if abs(slid.distance) > least)

    def force(self, values: Array) -> Array:
        """Force of the floor [N] as means of 10 ms, of engines with steps."""
        return self.mean(values, _MEANS)

    @cached_property
    def zmp(self) -> Array:
        """Zero-moment point, ahead of the supporting ankle [mm]; means of the moment alike."""
        gait = self.gait
        moment = self.force(gait.zmp * gait.up)
        force = self.force(np.where(np.isfinite(gait.zmp), gait.up, 0.0))
        carried = force > _FAINT * np.nanmax(force, initial=0.0)
        return 1e3 * np.divide(moment, force, out=np.full_like(force, np.nan), where=carried)


def _located(events: Sequence[Event], gait: WalkObservables) -> list[tuple[float, float]]:
    """Phases at which slides begin and end, by events that tell modes: "stops: slide+ to stick"."""
    told = [event for event in events if event.what.startswith(f"{event.kind}: ")]
    turns = [event.what.removeprefix(f"{event.kind}: ").split(" to ") for event in told]
    if not turns:
        return []
    modes = [turns[0][0], *(after for _, after in turns)]
    at = np.interp([event.time for event in told], gait.time, gait.phase).tolist()
    ends = itertools.pairwise([float(gait.phase[0]), *at, float(gait.phase[-1])])
    intervals = []
    for mode, some in itertools.groupby(zip(modes, ends, strict=True), key=lambda one: one[0]):
        pieces = [piece for _, piece in some]
        if mode in (AHEAD, BACK):
            intervals.append((pieces[0][0], pieces[-1][1]))
    return intervals


@dataclass(frozen=True, eq=False)
class PasibotRuns(RunViews[PasibotRun]):
    """All runs of a section; rate: of the crank [rad/s] where it is prescribed to be constant."""

    parameters: PasibotParameters
    rate: float | None

    @cached_property
    def sliding(self) -> PasibotRun | None:
        """The run whose slides are marked: an exact one if there is one that slides."""
        exact_first = sorted((walk for walk in self.runs if walk.slides), key=lambda w: not w.exact)
        return exact_first[0] if exact_first else None

    @cached_property
    def reference(self) -> PasibotRun | None:
        """The exact run that engines with steps are held against: hybrid if there is one."""
        exact = {walk.engine: walk for walk in self.runs if walk.exact}
        return exact.get(HYBRID, exact.get(CLOSED_FORM))


def read_walks(section: Section) -> PasibotRuns:
    """Read all runs of a section."""
    machine = section.robot
    parameters = parameters_of(machine.model, machine.contacts)
    shown = SHOWN * exchange(parameters)["step"]
    walks = read_runs(
        section,
        lambda run: PasibotRun(
            **vars(run), gait=observables_of(run.trajectory, parameters), shown=shown
        ),
    )
    rate = constant_rate(context_of(section.scenario, machine))
    return PasibotRuns(section, walks, parameters, rate)


SLIDE_AHEAD, SLIDE_BACK = "slide ahead", "slide back"
COLOURS = {SLIDE_AHEAD: "#E69F00", SLIDE_BACK: "#CC79A7"}
_EXACT: dict[str, Any] = {"color": "black", "linewidth": 4.0, "alpha": 0.25}
_CONE: dict[str, Any] = {"color": "#56B4E9", "alpha": 0.22, "linewidth": 0.0}
_TH8 = np.linspace(STEP_BEGINS, STEP_ENDS, 2001)  # of a step
_ROWS = 600  # of which gaps are looked at
_LEAST = 1e-16  # m, N m: smaller is rounding, and has no place on a logarithmic axis
_WHOLE = 1e-6  # of a step: rounding
_MOST = 12  # slides of a run that are told

STEPS = Over("steps since the start [1]", lambda walk: walk.gait.phase)


def figures(walks: PasibotRuns) -> list[Figure | None]:
    """The linkage and its gait; torque, floor and slip of all runs; then the coordinates."""
    p, rate = walks.parameters, walks.rate
    on_floor = any(np.isfinite(walk.gait.up).any() for walk in walks.runs)
    held = any(walk.engine == CLOSED_FORM for walk in walks.runs)
    return [
        gait_sequence(p),
        linkage_curves(p),
        swinging_sole(p),
        torque_over_step(walks, rate) if rate else torque_over_steps(walks),
        floor_force(walks) if on_floor else None,
        zero_moment_point(walks) if on_floor else None,
        joint_forces(p, rate) if rate else None,
        matrix_of_equations(p) if held else None,
        slip(walks) if walks.sliding else None,
        distance_from_closed_form(walks) if walks.stepping else None,
        *coordinate_figures(walks),
    ]


def _over_steps(walks: PasibotRuns, title: str, plots: list[Plot], note: str) -> Figure:
    """Panels over steps, in which exchanges of support and slides are marked."""
    whole = np.ceil(min(walk.gait.phase.min() for walk in walks.runs) + _WHOLE)
    end = max(walk.gait.phase.max() for walk in walks.runs) - _WHOLE
    marks: list[Part] = [Uprights(np.arange(whole, end).tolist(), "the other foot takes over")]
    if run := walks.sliding:
        for name, colour in COLOURS.items():
            spans = [(slide.begin, slide.end) for slide in run.slides if _name(slide) == name]
            look = {"color": colour, "alpha": 0.14, "linewidth": 0.0}
            marks.append(Spans(spans, f"{name}, {run.name}", look))
    marked = [replace(plot, parts=[*plot.parts, *marks]) for plot in plots]
    return curves(walks, title, marked, over=STEPS, note=note)


def torque_over_steps(walks: PasibotRuns) -> Figure:
    """Torque of all runs over the steps that they make."""
    plots = [Plot("torque T8 [N m]", [Level(0.0, look=AXIS), Curve(_torque)])]
    note = "A positive torque drives the crank on."
    return _over_steps(walks, "Torque of the motor", plots, note)


def torque_over_step(walks: PasibotRuns, rate: float) -> Figure:
    """Torque of all steps over the phase, with that of a held foot behind it."""
    at = two_freedoms(walks.parameters, _TH8)
    exact = Line(_phase(_TH8), at.inverse(rate, 0.0).torque, "closed form, foot held", _EXACT)
    note = (
        "All steps of a run lie over each other; a positive torque drives the crank on. Grey: the "
        f"document's equations at {rate:g} rad/s on a foot that is held."
    )
    return curves(
        walks,
        "Torque of the motor",
        [Plot("torque T8 [N m]", [exact, Level(0.0, look=AXIS), Curve(_folded)])],
        over=Over("phase of the step [1]"),
        note=note,
        row_height=3.0,
    )


def floor_force(walks: PasibotRuns) -> Figure:
    """Normal force, and friction in the cone of the first run's normal force, over steps."""
    p, first = walks.parameters, walks.first
    weight, phase = total_mass(p) * p.g, first.gait.phase
    up = np.maximum(first.force(first.gait.up), 0.0)
    cone = Zone(-p.mu_s * up, p.mu_s * up, f"static friction, {first.name}", x=phase, look=_CONE)
    edges = [Line(phase, edge * up, "kinetic friction") for edge in (-p.mu_k, p.mu_k)]
    plots = [
        Plot(
            "normal force\nf01y [N]",
            [Level(weight, "weight"), Curve(lambda walk: walk.force(walk.gait.up))],
            usual=True,
        ),
        Plot(
            "friction\nf01x [N]",
            [cone, *edges, Curve(lambda walk: walk.force(walk.gait.along))],
            usual=True,
        ),
    ]
    note = (
        f"Blue: what static friction of {number(p.mu_s, 3)} can hold under the normal force of "
        f"{first.name}; dashed: its kinetic friction of {number(p.mu_k, 3)}. Of both feet together "
        "where both carry; means over time steps, with steps in time over 10 ms."
    )
    return _over_steps(walks, "Force of the floor on the supporting foot", plots, note)


def zero_moment_point(walks: PasibotRuns) -> Figure:
    """Zero-moment point of the floor's force, between heel and toe, over steps."""
    heel, toe = (1e3 * end for end in sole(walks.parameters))
    levels = [Level(end, "heel and toe") for end in (heel, toe)]
    parts: list[Part] = [Zone(heel, toe), *levels, Curve(lambda walk: walk.zmp)]
    note = (
        "Places of heel and toe are assumed. Where the point is beyond them the foot tips over, "
        "which closed form and hybrid do not let it."
    )
    plots = [Plot("ahead of the ankle [mm]", parts, usual=True)]
    return _over_steps(walks, "Zero-moment point", plots, note)


def slip(walks: PasibotRuns) -> Figure:
    """Way and speed of the supporting feet."""
    plots = [
        Plot("slide of the\nfeet x1 [mm]", [Curve(lambda walk: 1e3 * walk.gait.slide)]),
        Plot("speed of the slide\n[mm/s]", [Curve(lambda walk: 1e3 * walk.gait.speed)]),
    ]
    note = (
        "Slides of all feet together, ahead positive: each foot goes on from where the one before "
        "it was; speeds are means of 10 ms."
    )
    return _over_steps(walks, "Slip", plots, note)


def distance_from_closed_form(walks: PasibotRuns) -> Figure:
    """Error of the torque and gaps of loops in stepping engines."""
    reference, stepping, model = walks.reference, walks.stepping, walks.section.robot.model

    def gaps(walk: PasibotRun) -> tuple[Array, Array]:
        rows = np.unique(np.linspace(0, len(walk.time) - 1, _ROWS).astype(int))
        gap = loop_gaps(model, walk.data["q"].to_numpy()[rows])
        return walk.gait.phase[rows], _above_rounding(gap)

    plots = [Plot("largest gap of\na loop [m]", [Curve(gaps, runs=stepping)], log=True)]
    against = ""
    if reference:

        def error(walk: PasibotRun) -> Array:
            return _above_rounding(np.abs(torque_error(walk, reference)))

        plots.insert(0, Plot("error of the\ntorque [N m]", [Curve(error, runs=stepping)], log=True))
        against = f"The torque is held against that of {reference.name}. "
    note = f"{against}Twelve points, six a leg, are held together by constraints."
    return _over_steps(walks, "Distance from the closed form", plots, note)


def _phase(th8: Array) -> Array:
    return np.asarray((th8 - STEP_BEGINS) / math.pi)


def _torque(walk: PasibotRun) -> Array:
    """Torque of the motor [N m]; in the first row nothing is commanded yet."""
    return np.concatenate(([math.nan], walk.gait.torque[1:]))


def _folded(walk: PasibotRun) -> tuple[Array, Array]:
    """Phase in the step and torque of rows, with a gap where one step follows another."""
    phase, torque = walk.gait.phase, _torque(walk)
    # of two rows at the time of an exchange the first is the end of a step
    ended = np.diff(walk.time, append=np.inf) == 0.0
    steps = np.floor(phase - _WHOLE * ended)
    ends = np.flatnonzero(np.diff(steps)) + 1
    return np.insert(phase - steps, ends, np.nan), np.insert(torque, ends, np.nan)


def torque_error(walk: PasibotRun, reference: PasibotRun) -> Array:
    """Torque of every row less that of another run at the same time [N m]; NaN after its end."""
    other = reference.gait
    return np.asarray(_torque(walk) - np.interp(walk.time, other.time, other.torque, right=np.nan))


def _above_rounding(values: Array) -> Array:
    return np.where(values > _LEAST, values, np.nan)


def _name(slide: SlideInSteps) -> str:
    return SLIDE_AHEAD if slide.distance > 0.0 else SLIDE_BACK


def phases(walks: PasibotRuns) -> list[Phase]:
    """Slides of the first run."""
    gait, slides = walks.first.gait, walks.first.slides
    ends = np.interp([slide[:2] for slide in slides], gait.phase, gait.time)
    names = [_name(slide) for slide in slides]
    return [
        Phase(begin, end, name, COLOURS[name])
        for (begin, end), name in zip(ends.tolist(), names, strict=True)
    ]


def tables(walks: PasibotRuns) -> list[Table | None]:
    """The slides of all runs, and the forces between the links."""
    joints = joint_table(walks.parameters, walks.rate) if walks.rate else None
    return [slide_table(walks), joints]


def slide_table(walks: PasibotRuns) -> Table:
    """Slides of every run: in which step, from where to where, how far."""
    rows: list[tuple[str, ...]] = []
    for walk in walks.runs:
        for slide in walk.slides[:_MOST]:
            step = math.floor(slide.begin)
            ends = [f"{end - step:.4f}" for end in slide[:2]]
            way = f"{1e3 * slide.distance:.3f}".replace("-", MINUS)
            rows.append((walk.name, f"{step + 1}", *ends, way, _name(slide)))
        if more := len(walk.slides[_MOST:]):
            rows.append((walk.name, NONE, NONE, NONE, NONE, f"{more} more"))
        elif not walk.slides:
            rows.append((walk.name, NONE, NONE, NONE, NONE, "no slide"))
    headings = ("run", "step", "begins [1]", "ends [1]", "way [mm]", "direction")
    note = (
        "Begin and end as phases of the step in which the slide begins, above 1 in the next one; "
        "slides below 0.02 % of a step are left out, of engines with steps in time below 0.08 %; "
        "these are right to some hundredths, the speed being a mean of 10 ms."
    )
    return Table("Slides", headings, rows, note)


_FREE = "hybrid lets the foot slide and ends where it would lift, but knows no foot that tips over."


def notes(walks: PasibotRuns) -> list[str]:
    """Return what a reader should know, a paragraph each; empty ones are left out."""
    engines, text = {walk.engine for walk in walks.runs}, is_text(walks.parameters)
    return [
        _NOTES["fitted"] if text else "",
        _facts(walks),
        _NOTES["assembly"] if text else "",
        _at_speed(walks),
        " ".join([_NOTES["held"]] * (CLOSED_FORM in engines) + [_FREE] * (HYBRID in engines)),
        _scuffs(walks),
        _NOTES["exchange"],
        # for 0.84 N m: of the fitted machine
        _NOTES["starting"].format(static=number(static_torque(walks.parameters).value, 3))
        if text
        else "",
    ]


def _facts(walks: PasibotRuns) -> str:
    p = walks.parameters
    heel, toe = (1e3 * end for end in sole(p))
    return (
        f"The crank is {1e3 * p.l8:.2f} mm long, a step {1e3 * exchange(p)['step']:.1f} mm; the "
        f"machine weighs {total_mass(p):.2f} kg with its load of {number(p.hip_load, 3)} kg. Its "
        f"sole, which is assumed, reaches from {number(heel, 4)} to {number(toe, 4)} mm ahead of "
        "the ankle. Up to a friction of "
        f"{number(painleve_friction(p).value, 4)} (Painlevé) a torque determines how a sliding "
        f"foot goes on; this one has {number(p.mu_k, 3)}."
    )


def _at_speed(walks: PasibotRuns) -> str:
    """Friction that holds a foot at a constant speed of the crank."""
    if not walks.rate:
        return ""
    try:
        peak = least_friction(walks.parameters, walks.rate)
    except ValueError as error:
        return f"{str(error).capitalize()}."
    return (
        f"At {walks.rate:g} rad/s a foot that is held needs a friction of {number(peak.value, 3)}, "
        f"most at a phase of {(peak.th8 - STEP_BEGINS) / math.pi:.3f}."
    )


def _scuffs(walks: PasibotRuns) -> str:
    """Depth of the swinging sole in the floor, and what an engine with a floor makes of it."""
    low = 1e3 * scuffing(walks.parameters)
    both = set(POINTS) <= set(walks.section.robot.contacts.names)
    if not (walks.stepping and both and low > 0.0):
        return ""
    turns = "Here nothing keeps it from that."
    if feet := walks.section.scenario.alternating_feet:
        names = listed(name.rpartition("::")[2] for name in feet.feet)
        turns = f"Here {names} take turns: what swings does not touch."
    return _NOTES["scuffs"].format(scuff=number(low, 2), turns=turns)


REPORT = MachineReport(figures, notes, tables, phases, read_walks)
