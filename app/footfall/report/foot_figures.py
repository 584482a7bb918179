"""Figures of a robot's feet: stance, forces, friction, slip, clearance, steps.

Panels of feet: lines by foot for one run; for several runs a panel by foot with all runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from footfall.arrays import Array
from footfall.feet.gait import WINDOW, Steps, mean_of, slip_of_steps, steps_of
from footfall.metrics import Metric, scalar
from footfall.report.curves import BOUND, Bars, Curve, Level, Line, Part, Plot, curves
from footfall.report.figure import Figure
from footfall.report.panels import intervals, some_of
from footfall.report.run_view import RunView, RunViews
from footfall.report.tables import Table, listed, number

Runs = RunViews[Any]

_MOST_FEET = 8
_FOOT_MARKS = "osD^vP*X"  # of the feet
# Okabe and Ito, so that a foot keeps its colour in all figures of a page
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#444444", "#8C6D31")
_WINDOW = f"{1e3 * WINDOW:g} ms"
MEANS = f"Means over {_WINDOW}."
_STANCE = (
    f"A bar is a stance. Interruptions and stances shorter than {_WINDOW}, as of a foot that "
    "rattles while it lands, are left out."
)
_FRAME = " The centre of pressure is that of a loaded foot, in the frame of its link."
_ROW = 1.9  # inches


def foot_colour(index: int) -> str:
    """Colour of the foot at a place among those that are shown."""
    return _COLOURS[index % len(_COLOURS)]


@dataclass(frozen=True)
class Quantity:
    """Quantity of feet: a label with its unit, values (N,) by name and run, what else is drawn.

    top: end of the axis, if it is cut.
    """

    label: str
    of: Callable[[str, RunView], Array]
    parts: Sequence[Part] = field(default=())
    top: float | None = None

    def plot(self, lines: Sequence[Part], name: str = "") -> Plot:
        """A panel with lines of it; name: of what it is, if of one alone."""
        label = f"{name}\n{self.label}" if name else self.label
        low = None if self.top is None else -0.04 * self.top
        return Plot(label, [*lines, *self.parts], low=low, high=self.top)


def plots_of(runs: Runs, names: Sequence[str], quantities: Sequence[Quantity]) -> list[Plot]:
    """Panels of quantities of feet, or of other things with names, over time."""
    if not runs.alone:
        return [q.plot([Curve(partial(q.of, name))], name) for name in names for q in quantities]
    look = {"linewidth": 1.3}
    return [
        q.plot(
            [
                Curve(partial(q.of, name), name, foot_colour(k), look=look)
                for k, name in enumerate(names)
            ]
        )
        for q in quantities
    ]


def over_time(
    runs: Runs, title: str, names: Sequence[str], quantities: Sequence[Quantity], note: str
) -> Figure:
    """Draw quantities of feet, or of other things with names, over time."""
    columns = 1 if runs.alone else len(quantities)
    what = listed(" ".join(quantity.label.split()) for quantity in quantities)
    alt = f"{title}, {what}, of {listed(names)} over time, for {runs.listed}."
    plots = plots_of(runs, names, quantities)
    return curves(runs, title, plots, note=note, alt=alt, columns=columns, paired=True)


def _normal(foot: str, run: RunView) -> Array:
    return mean_of(run.time, run.data["foot_normal_force"].sel(foot=foot).to_numpy())


def _friction(foot: str, run: RunView) -> Array:
    """Magnitude of the force across the normals of the contacts."""
    square = (run.data["foot_force"].sel(foot=foot).to_numpy() ** 2).sum(axis=1)
    normal = run.data["foot_normal_force"].sel(foot=foot).to_numpy()
    return mean_of(run.time, np.sqrt(np.maximum(square - normal**2, 0.0)))


def _under_load(values: Array, foot: str, run: RunView) -> Array:
    """Means of values (N,) while a foot is in contact."""
    stands = run.data["foot_contact"].sel(foot=foot).to_numpy() != 0
    under: Array = np.where(stands, mean_of(run.time, values), np.nan)
    return under


def _use(foot: str, run: RunView) -> Array:
    return _under_load(run.data["foot_friction_utilisation"].sel(foot=foot).to_numpy(), foot, run)


def _pressure(axis: int, foot: str, run: RunView) -> Array:
    """Centre of pressure of a loaded foot along an axis of its link's frame [mm]."""
    values = run.data["foot_centre_of_pressure_link"].sel(foot=foot).to_numpy()[:, axis]
    return _under_load(1e3 * values, foot, run)


def _millimetres(variable: str, foot: str, run: RunView) -> Array:
    values: Array = 1e3 * run.data[variable].sel(foot=foot).to_numpy()
    return values


_FORCES = (Quantity("normal [N]", _normal), Quantity("friction [N]", _friction))
_FRICTION = (
    Quantity("utilisation [1]", _use, [Level(1.0)], top=1.2),
    Quantity("slip [mm]", partial(_millimetres, "foot_slip")),
)
_PRESSURES = tuple(
    Quantity(f"centre of pressure,\n{axis} of the link [mm]", partial(_pressure, k))
    for k, axis in enumerate("xy")
)
_CLEARANCE = Quantity("clearance [mm]", partial(_millimetres, "foot_clearance"), [Level(0.0)])


def foot_figures(runs: Runs) -> list[Figure]:
    """Figures of feet; nothing unless every run tells of feet, clearance alone without a load."""
    if not all(run.has_feet for run in runs.runs):
        return []
    feet, there_are = _most_loaded(runs), runs.first.data.sizes["foot"]
    some = some_of(len(feet), there_are, "feet that bear most")
    clearance = over_time(runs, "Clearance of the feet", feet, [_CLEARANCE], some)
    if not bears_load(runs):
        return [clearance]
    title, note = (
        "Friction utilisation and slip",
        (
            f"{some}Utilisation is friction over mu times normal force, while a foot bears a load: "
            f"at 1 it slides. {MEANS} Slip is the distance slid under load since the start."
        ),
    )
    friction = over_time(runs, title, feet, _FRICTION, note)
    stances = _stances(runs, feet, some)
    return [*stances, _cones(runs, feet), *step_figures(runs), friction, clearance]


def bears_load(runs: Runs) -> bool:
    """Return whether all runs tell of feet, and one of them bears a load."""
    return all(run.has_feet for run in runs.runs) and any(
        (run.data["foot_normal_force"].to_numpy() > 0.0).any() for run in runs.runs
    )


def _most_loaded(runs: Runs) -> list[str]:
    """Feet that bear most in all runs, in their own order."""
    names: list[str] = runs.first.data["foot"].values.tolist()
    bears = np.zeros(len(names))
    for run in runs.runs:
        force = run.data["foot_normal_force"].sel(foot=names)
        bears += np.nan_to_num(force.to_numpy()).sum(axis=0)
    most = np.sort(np.argsort(-bears, kind="stable")[:_MOST_FEET])
    return [names[index] for index in most]


def _stances(runs: Runs, feet: Sequence[str], some: str) -> list[Figure]:
    """Stances, forces and centres of pressure: of one run below each other, on one time axis."""
    rows = []
    for k, foot in enumerate(feet):
        for run in runs.runs:
            stands = run.data["foot_contact"].sel(foot=foot).to_numpy() == 1
            colour = foot_colour(k) if runs.alone else run.colour
            rows.append((runs.called(foot, run), [(intervals(run.time, stands), colour)]))
    gait = Bars(rows)
    stance = Plot("", [gait])
    pressures = _PRESSURES[: 1 if runs.section.robot.contacts.dim == 2 else 2]
    if not runs.alone:
        alt = f"Bars over time while {listed(feet)} are in contact, in {runs.listed}."
        height, note = gait.height, some + _STANCE
        title = "Forces of the ground on the feet"
        return [
            curves(runs, "Gait diagram", [stance], note=note, alt=alt, row_height=height),
            over_time(runs, title, feet, _FORCES, some + MEANS),
            over_time(runs, "Centre of pressure", feet, pressures, some + MEANS + _FRAME),
        ]
    below = plots_of(runs, feet, [*_FORCES, *pressures])
    what = listed(plot.name for plot in below)
    return [
        curves(
            runs,
            "Feet: stance, force, centre of pressure",
            [stance, *below],
            note=f"{some}{_STANCE} {MEANS}{_FRAME}",
            alt=f"Over time the stances of {listed(feet)} as bars, {what}, for {runs.listed}.",
            heights=(gait.height, *[_ROW] * len(below)),
        )
    ]


def _cones(runs: Runs, feet: Sequence[str]) -> Figure:
    """Normal force of feet against friction over mu, inside the cone."""
    dots = {"linestyle": "", "marker": ".", "markersize": 1.6}
    plots = []
    for run in runs.runs:
        places = {foot: in_cone(foot, run) for foot in feet}
        top = max(float(np.nanmax(normal, initial=0.0)) for _, normal in places.values())
        parts: list[Part] = [
            Line(*places[foot], foot, {"color": foot_colour(k), **dots})
            for k, foot in enumerate(feet)
        ]
        parts.append(Line([0.0, top], [0.0, top], "edge of the cone", BOUND))
        title = "" if runs.alone else run.name
        plots.append(Plot("normal [N]", parts, title=title, across="friction over µ [N]"))
    note = (
        f"A dot is a mean over {_WINDOW} of a foot that bears a load: its friction over µ against "
        "its normal force. A foot slides on the edge; below it no foot can be."
    )
    alt = (
        f"Friction over mu against normal force of {listed(feet)}, in {runs.listed}; all lies "
        "above the edge of the cone."
    )
    height = 3.2 if runs.alone else 2.8
    title = "Forces in their cones"
    return curves(runs, title, plots, note=note, alt=alt, columns=2, row_height=height)


def in_cone(foot: str, run: RunView) -> tuple[Array, Array]:
    """Means of friction over mu and of the normal force of a loaded foot [N]."""
    normal = run.data["foot_normal_force"].sel(foot=foot).to_numpy()
    use = run.data["foot_friction_utilisation"].sel(foot=foot).to_numpy()
    friction = np.where(np.isfinite(use), normal * use, 0.0)  # a foot without load has none
    loaded = run.data["foot_contact"].sel(foot=foot).to_numpy() == 1
    means = run.mean(np.stack((friction, normal), axis=1))[loaded]
    return means[:, 0], means[:, 1]


_LEAST = 3  # touch-downs; with fewer nothing walks
_PANELS: Mapping[str, Callable[[Steps], Array]] = {
    "impulse of a\ntouch-down [N s]": lambda steps: steps.impulse,
    "largest force\nin it [N]": lambda steps: steps.force,
    "speed towards\nthe ground [m/s]": lambda steps: steps.speed,
    "slip of the\nstep [mm]": lambda steps: 1e3 * steps.slip,
}
_STEP_NOTE = (
    f"A mark is a touch-down. Impulse and force are those along the normals in the {_WINDOW} from "
    "there on, the force as a mean over a row of the run: that of rigid contact grows as time "
    "steps become shorter, its impulse does not. Slip counts up to the next touch-down of the foot."
)


def step_figures(runs: Runs) -> list[Figure]:
    """Touch-downs over time, in every run; nothing for a robot that makes fewer than three."""
    walks = _walks(runs)
    feet: list[str] = runs.first.data["foot"].values.tolist() if walks else []
    own = [run for run in runs.runs if run.name in walks]
    marks = [_FOOT_MARKS[k % len(_FOOT_MARKS)] for k in range(len(feet))]
    looks = [{"linestyle": "", "marker": one, "markersize": 4.0, "alpha": 0.8} for one in marks]

    def of(foot: int, values: Callable[[Steps], Array], run: RunView) -> tuple[Array, Array]:
        steps = walks[run.name].of(foot)
        return steps.time, values(steps)

    def parts(values: Callable[[Steps], Array]) -> list[Part]:
        if len(walks) == 1:
            return [
                Curve(partial(of, k, values), foot, foot_colour(k), own, looks[k])
                for k, foot in enumerate(feet)
            ]
        # a colour for each run, and black marks that tell of feet
        lines = [Curve(partial(of, k, values), runs=own, look=looks[k]) for k in range(len(feet))]
        told = zip(feet, looks, strict=True)
        return [*lines, *(Line([], [], foot, {"color": "black", **look}) for foot, look in told)]

    plots = [Plot(label, parts(values)) for label, values in _PANELS.items()]
    title = "Touch-downs and slip, step by step"
    alt = f"Impulse, force and speed of every touch-down, and slip, for {listed(walks)}."
    return [curves(runs, title, plots, note=_STEP_NOTE, alt=alt, columns=2)] if walks else []


def step_tables(runs: Runs) -> list[Table]:
    """Steps of several runs side by side, a column each; nothing for one, or where none walks."""
    walks = _walks(runs)
    if len(walks) < 2:
        return []
    columns = [
        _column(run, runs.section.runs[run.name].metrics, walks[run.name])
        for run in runs.runs
        if run.name in walks
    ]
    rows = [(label, *texts) for label, *texts in zip(_ROWS, *columns, strict=True)]
    note = (
        f"Impulses are those along the normals in the {_WINDOW} from a touch-down on. The margin "
        "is the least distance of the zero-moment point to the edge of the support polygon."
    )
    return [Table("Steps side by side", ("", *walks), rows, note)]


_ROWS = (
    "touch-downs",
    "impulse of a touch-down, mean [N s]",
    "impulse of a touch-down, largest [N s]",
    "force of a touch-down, median of the largest [N]",
    "speed towards the ground, mean [m/s]",
    "slip of a step, largest [mm]",
    "torque or force of a joint, largest [N m or N]",
    "margin of the zero-moment point [mm]",
    "cost of transport",
)


def _column(run: RunView, metrics: Mapping[str, Metric], steps: Steps) -> list[str]:
    """Texts of the rows of a run."""
    known = steps.speed[np.isfinite(steps.speed)]
    efforts = metrics.get("peak_effort")
    values = (
        float(steps.impulse.mean()),
        float(steps.impulse.max()),
        float(np.median(steps.force)),
        float(known.mean()) if len(known) else np.nan,
        1e3 * float(np.concatenate(slip_of_steps(run.data)).max()),
        max(efforts.values(), default=np.nan) if isinstance(efforts, Mapping) else np.nan,
        1e3 * scalar(metrics, "zmp_margin"),
        scalar(metrics, "cost_of_transport"),
    )
    return [str(len(steps)), *(number(value, 3) for value in values)]


def _walks(runs: Runs) -> dict[str, Steps]:
    """Touch-downs of the runs that tell of feet, by name, if one of them walks."""
    if not all(run.has_feet for run in runs.runs):
        return {}
    walks = {run.name: steps_of(run.data) for run in runs.runs}
    walks = {name: steps for name, steps in walks.items() if len(steps)}
    return walks if any(len(steps) >= _LEAST for steps in walks.values()) else {}
