"""Figure and table of a robot's steps: every touch-down in every run beside the others."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.feet.gait import WINDOW, Steps, slip_of_steps, steps_of
from footfall.metrics import Metric, scalar
from footfall.report.contents import Table
from footfall.report.figure import Figure, draw
from footfall.report.foot_panels import foot_colour, has_feet
from footfall.report.panels import finish_time_panels
from footfall.report.section import RunLike, Section
from footfall.report.wording import listed, number
from footfall.show.colours import run_colour

_LEAST = 3  # touch-downs; with fewer nothing walks
_MARKS = "osD^vP*X"  # of the feet
_WINDOW = f"{1e3 * WINDOW:g} ms"
_PANELS: tuple[tuple[str, Callable[[Steps], Array]], ...] = (
    ("impulse of a\ntouch-down [N s]", lambda steps: steps.impulse),
    ("largest force\nin it [N]", lambda steps: steps.force),
    ("speed towards\nthe ground [m/s]", lambda steps: steps.speed),
    ("slip of the\nstep [mm]", lambda steps: 1e3 * steps.slip),
)
_NOTE = (
    f"A mark is a touch-down. Impulse and force are those along the normals in the {_WINDOW} from "
    "there on, the force as a mean over a row of the run: that of rigid contact grows as time "
    "steps become shorter, its impulse does not. Slip counts up to the next touch-down of the foot."
)


def step_figures(section: Section) -> list[Figure]:
    """Touch-downs over time, in every run; nothing for a robot that makes fewer than three."""
    found = _walks(section)
    if not found:
        return []
    feet: list[str] = section.first.trajectory.data["foot"].values.tolist()
    alone = len(found) == 1
    order = list(section.runs)

    def plot(axes: npt.NDArray[Any]) -> None:
        for panel, (label, values) in zip(axes.ravel(), _PANELS, strict=True):
            for name, steps in found.items():
                for k, foot in enumerate(feet):
                    own = steps.of(k)
                    colour = foot_colour(k) if alone else run_colour(order.index(name))
                    style = {"color": colour, "markersize": 4.0, "alpha": 0.8}
                    style["label"] = foot if alone else None
                    panel.plot(own.time, values(own), _mark(k), **style)
            panel.set_ylabel(label)
        if not alone:
            for name in found:
                colour = run_colour(order.index(name))
                axes[0, 0].plot([], [], color=colour, linewidth=4.0, label=name)
            for k, foot in enumerate(feet):
                axes[0, 0].plot([], [], _mark(k), color="black", markersize=4.0, label=foot)
        finish_time_panels(axes, axes.size)

    title = "Touch-downs and slip, step by step"
    alt = f"Impulse, force and speed of every touch-down, and slip, for {listed(found)}."
    return [draw(title, alt, (2, 2), plot, note=_NOTE, row_height=2.2)]


def step_tables(section: Section) -> list[Table]:
    """Steps of several runs side by side, a column each; nothing for one, or where none walks."""
    found = _walks(section)
    if len(found) < 2:
        return []
    columns = [_column(section.runs[name], steps) for name, steps in found.items()]
    rows = [(label, *texts) for label, *texts in zip(_ROWS, *columns, strict=True)]
    note = (
        f"Impulses are those along the normals in the {_WINDOW} from a touch-down on. The margin "
        "is the least distance of the zero-moment point to the edge of the support polygon."
    )
    return [Table("Steps side by side", ("", *found), rows, note)]


def _mark(foot: int) -> str:
    return _MARKS[foot % len(_MARKS)]


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


def _column(run: RunLike, steps: Steps) -> list[str]:
    """Texts of the rows of a run."""
    slips = np.concatenate(slip_of_steps(run.trajectory.data))
    values = (
        float(steps.impulse.mean()),
        float(steps.impulse.max()),
        float(np.median(steps.force)),
        _mean(steps.speed),
        1e3 * float(slips.max()),
        _largest(run.metrics.get("peak_effort")),
        1e3 * scalar(run.metrics, "zmp_margin"),
        scalar(run.metrics, "cost_of_transport"),
    )
    return [str(len(steps)), *(number(value, 3) for value in values)]


def _mean(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else np.nan


def _largest(metric: Metric | None) -> float:
    """Largest of numbers by name; NaN without any."""
    values: Sequence[float] = list(metric.values()) if isinstance(metric, dict) else []
    return max(values, default=np.nan)


def _walks(section: Section) -> dict[str, Steps]:
    """Touch-downs of the runs that tell of feet, if one of them walks."""
    if not all(has_feet(run) for run in section.runs.values()):
        return {}
    found = {name: steps_of(run.trajectory.data) for name, run in section.runs.items()}
    found = {name: steps for name, steps in found.items() if len(steps)}
    return found if any(len(steps) >= _LEAST for steps in found.values()) else {}
