"""Report of the rimless wheel: phase portrait, return map in squared rates, notes."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.machines.rimless_wheel.measures import feet_of, impacts
from footfall.machines.rimless_wheel.model import WheelModel, wheel_of
from footfall.registry.documents import read_notes
from footfall.registry.machine import CLOSED_FORM
from footfall.report.curves import Curve, Line, Plot, curves
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.return_map import EXACT, return_map
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.report.tables import number

_NOTES = read_notes(__package__)

_POINTS = 101  # of a stance
_LEAST_SPAN = 0.3  # of a squared rate: the map's lines are to be seen even in a steady roll


@dataclass(frozen=True, eq=False)
class Roll(RunView):
    """A run of a wheel."""

    wheel: WheelModel

    @cached_property
    def squares(self) -> Array:
        """Squared rates before impacts, (impacts,) [rad^2/s^2]."""
        return np.array([impact.rate**2 for impact in impacts(self.data, self.wheel)])

    def portrait(self) -> tuple[Array, Array]:
        """Angle of the standing spoke from the normal [deg], rate [rad/s]; NaN between stances."""
        foot, rate = feet_of(self.data).standing, self.states[5]
        pairs = zip(foot.tolist(), self.states[2].tolist(), strict=True)
        lean = np.array([self.wheel.lean(k, turn) if k >= 0 else math.nan for k, turn in pairs])
        cuts = np.flatnonzero(np.diff(foot)) + 1
        return np.degrees(np.insert(lean, cuts, np.nan)), np.insert(rate, cuts, np.nan)


def read_rolls(section: Section) -> RunViews[Roll]:
    """Read a section's runs; raises ModelError for a model that is no wheel."""
    wheel = wheel_of(section.robot.model, section.robot.contacts)
    return RunViews(section, read_runs(section, lambda run: Roll(**vars(run), wheel=wheel)))


def figures(rolls: RunViews[Roll]) -> list[Figure]:
    """Portrait and return map, then the coordinates."""
    wheel = rolls.first.wheel
    rate, steady, law = math.nan, [], None
    note = (
        "Left: the standing spoke's angle from the slope's normal, forward positive, against the "
        "rate of turn; a stance goes from left to right. Right: squared rates before impacts, one "
        "against the next. "
    )
    try:
        exact, rate = wheel.closed_form(), wheel.steady_rate()
    except RunError:
        pass  # it does not roll on
    else:
        lean = np.linspace(-exact.alpha, exact.alpha, _POINTS)
        speed = exact.speed(exact.gamma + lean, exact.eta * rate)
        steady = [Line(np.degrees(lean), speed, "steady roll", EXACT)]
        note += (
            "Grey: the steady roll, and the exact map, whose slope is the multiplier η² = "
            f"{number(exact.eta**2, 3)}. The cross is its fixed point, on the line of identity."
        )

        def law(squares: Array) -> Array:
            return exact.eta**2 * squares + exact.gain

    across = "angle from the normal [deg]"
    plots = [Plot("rate of turn [rad/s]", [*steady, Curve(Roll.portrait)], across=across)]
    if steady or any(len(roll.squares) for roll in rolls.runs):
        plots.append(
            return_map(
                rolls,
                "ω²",
                "rad²/s²",
                lambda roll: roll.squares,
                rate**2,
                law=law,
                impact="impact",
                least=_LEAST_SPAN,
            )
        )
    title = "Phase portrait and return map"
    portrait = curves(rolls, title, plots, note=note, columns=2, row_height=3.8)
    return [portrait, *coordinate_figures(rolls)]


def notes(rolls: RunViews[Roll]) -> list[str]:
    """Return what a reader should know of the rimless wheel, a paragraph each."""
    section = rolls.section
    paragraphs = [_NOTES["wheel"]]
    if set(section.runs) != {CLOSED_FORM}:
        paragraphs.append(_NOTES["wheel_stepped"])
    if any(name.startswith("drake") for name in section.runs):
        paragraphs.append(_NOTES["wheel_drake"])
    return paragraphs


REPORT = MachineReport(figures, notes, read=read_rolls)
