"""The document's figures of PASIBOT: families of curves, in each of which one quantity varies.

Torque over a step at constant speed (11, 12), angle of the crank over time under a constant torque
from rest (13, 14), both on feet that are held; slip of the supporting feet at constant speed (17 to
19), by events.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.engines import ENGINES
from footfall.errors import ScenarioError
from footfall.machines.pasibot.analyses.curve import (
    ParameterCurve,
    angle_curve,
    slip_curve,
    torque_curve,
    varied,
)
from footfall.machines.pasibot.analyses.simulated_curves import CurveSimulator
from footfall.machines.pasibot.claims import constant_rate, constant_torque, is_text
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.model import parameters_of
from footfall.machines.pasibot.predictions import GROUPS
from footfall.machines.pasibot.statements import judged_statements
from footfall.metrics import Metric
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, HYBRID

VARIES = {
    "speed": ("rad/s", "speed of the crank"),
    "load": ("kg", "load on the hip"),
    "torque": ("N m", "torque of the motor"),
    "weight": ("kg", "mass of the machine"),
    "friction": ("1", "friction, static and kinetic"),
    "kinetic": ("1", "kinetic friction"),
}
"""Unit and meaning of what may vary."""

SHOWS = {
    "torque": ("N m", "torque of the motor"),
    "angle": ("rad", "angle of the crank from the start"),
    "slip": ("m", "slip of the supporting feet"),
}
"""Unit and meaning of what curves may show."""

# what may vary beside what is shown: quantities of a scenario, and how its claims are called
_FIGURES = {
    ("torque", "speed"): ("torque", ("linkage", "torque")),
    ("torque", "load"): ("load", ("load",)),
    ("torque", "weight"): ("", ()),
    ("angle", "torque"): ("start", ("scales",)),
    ("angle", "load"): ("", ()),
    ("angle", "weight"): ("weight", ()),
    ("slip", "friction"): ("slip_mu", ("scales", "slip")),
    ("slip", "speed"): ("slip_speed", ()),
    ("slip", "kinetic"): ("slip_kinetic", ("kinetic",)),
    ("slip", "load"): ("", ()),
    ("slip", "weight"): ("", ()),
}
_MOST = 100  # curves
_MOST_TORQUE = 20.0  # N m


@dataclass
class PasibotCurves:
    """A figure of the document: a curve for each value of what varies.

    The rest is the scenario's: speed of the crank motor or torque of the profile, friction, load.
    """

    # What the curves show: torque over a step, angle over time, or slip.
    show: str = "torque"
    # What differs from curve to curve: speed, load, torque, weight, friction or kinetic.
    vary: str = "speed"
    # Its values [rad/s, kg, N m or 1].
    values: list[float] = field(default_factory=lambda: [1.0, 2.0, 3.0, 4.0, 5.0])
    # Steps that a curve of slip lasts; one of torque lasts one, one of angle the scenario's time.
    steps: int = 2
    # Points of a curve, evenly spaced.
    points: int = 401
    # closed-form or hybrid: the foot is held, or slides by events if slip is shown; or an engine
    # that simulates every curve, whose floor touches both feet: moreau, drake and its like.
    engine: str = HYBRID

    def __post_init__(self) -> None:
        """Refuse what is no figure."""
        if (self.show, self.vary) not in _FIGURES:
            known = ", ".join(f"{vary} for {show}" for show, vary in _FIGURES)
            message = f"analysis.vary is '{self.vary}' for '{self.show}': choose among {known}."
            raise ScenarioError(message)
        fine = all(math.isfinite(value) for value in self.values)
        if not (fine and 1 <= len(self.values) == len(set(self.values)) <= _MOST):
            raise ScenarioError(f"analysis.values: give 1 to {_MOST} finite numbers, each once.")
        if self.vary in ("load", "friction", "kinetic") and min(self.values) < 0.0:
            raise ScenarioError(f"analysis.values: a {self.vary} must not be negative.")
        if self.vary == "torque" and max(abs(value) for value in self.values) > _MOST_TORQUE:
            raise ScenarioError(
                f"analysis.values: a torque beyond {_MOST_TORQUE:g} N m spins the crank through "
                "thousands of steps; give less."
            )
        if self.vary in ("speed", "weight") and min(self.values) <= 0.0:
            raise ScenarioError(f"analysis.values: a {self.vary} must be positive.")
        if not 1 <= self.steps <= _MOST:
            raise ScenarioError(f"analysis.steps is {self.steps}: give 1 to {_MOST}.")
        if not 3 <= self.points <= 100_000:
            raise ScenarioError(f"analysis.points is {self.points}: give 3 to 100000.")

        own = (HYBRID,) if self.show == "slip" else (CLOSED_FORM, HYBRID)
        if self.engine not in (*own, *ENGINES):
            known = ", ".join((*own, *ENGINES))
            raise ScenarioError(f"analysis.engine is '{self.engine}': choose one of {known}.")

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {
            "torque": {
                "peak_torques": ("N m", "largest torque of every curve"),
                "min_torques": ("N m", "smallest torque of every curve"),
                "frictions_needed": (
                    "1",
                    "friction that keeps the foot from sliding, of every one",
                ),
            },
            "angle": {
                "steps_made": ("1", "steps of every curve, with fractions"),
                "floor_until": ("s", "when the floor would first have to pull; the end if never"),
                "frictions_needed": ("1", "friction that the first step needs, of every curve"),
            },
            "slip": {
                "slip_distance_per_step": ("m", "slip of every curve in each of its whole steps"),
                "slip_intervals": ("1", "of every curve, phases at which slides begin and end"),
                "as_written_errors": (
                    "m",
                    "largest distance of the document's fixed steps, of time_step, of every curve",
                ),
            },
        }[self.show]

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """All curves; raises ScenarioError for a scenario that lacks what they share."""
        parameters = parameters_of(context.model, context.contacts)
        shared = self._shared(context)
        make = self._maker(parameters, shared, context, analysis)
        curves = []
        for number, value in enumerate(self.values):
            what = f"{self.show} at {self.vary} {value!r}"
            analysis.go_on(what, number / (len(self.values) + 1))
            work = partial(make, value)
            curves.append(ParameterCurve(*analysis.checkpoint.result(what, work)))
        analysis.go_on("claims", len(self.values) / (len(self.values) + 1))
        data = _dataset(self, curves, parameters, shared)
        return AnalysisResult(data, _metrics(self.show, curves), self._claims(parameters, analysis))

    def _shared(self, context: MachineContext) -> float:
        """Speed [rad/s] or torque [N m] of all curves; NaN where it varies."""
        if self.vary in ("speed", "torque"):
            return math.nan
        of = constant_torque if self.show == "angle" else constant_rate
        shared = of(context)
        if shared is None or not (shared > 0.0 or self.show == "angle"):
            wanted = (
                "a !TorqueProfile of motor, constant for the whole duration"
                if self.show == "angle"
                else "a !CrankMotor of one positive speed"
            )
            raise ScenarioError(f"analysis: curves of {self.show} need {wanted} as controller.")
        return shared

    def _maker(
        self,
        parameters: PasibotParameters,
        shared: float,
        context: MachineContext,
        analysis: AnalysisContext,
    ) -> Callable[[float], ParameterCurve]:
        """Return what makes the curve of a value."""
        if self.engine not in ENGINES:
            times = context.duration, context.time_step
            return partial(self._curve, parameters, shared, times)
        if analysis.factory is None:
            raise ValueError("an analysis that simulates needs a factory")
        simulated = CurveSimulator(
            analysis.factory, self.engine, parameters, self.show, self.vary, shared
        )
        steps = 1 if self.show == "torque" else self.steps
        return partial(simulated.curve, steps=steps, points=self.points)

    def _curve(
        self,
        parameters: PasibotParameters,
        shared: float,
        times: tuple[float, float],
        value: float,
    ) -> ParameterCurve:
        drive = value if self.vary in ("speed", "torque") else shared
        try:
            machine = varied(parameters, self.vary, value)
            if self.show == "torque":
                return torque_curve(machine, drive, self.points)
            if self.show == "angle":
                return angle_curve(machine, drive, times[0], self.points)
            return slip_curve(machine, drive, self.steps, self.points, times[1])
        except ValueError as error:
            raise ScenarioError(f"analysis: {self.vary} {value:g}: {error}.") from error

    def _claims(self, parameters: PasibotParameters, analysis: AnalysisContext) -> list[Claim]:
        """Return claims on the figure, of the document's machine under its conditions."""
        figure, groups = _FIGURES[self.show, self.vary]
        if not (groups and is_text(parameters)) or self.engine in ENGINES:
            return []
        values: dict[str, float] = {}
        for group in groups:
            values |= analysis.checkpoint.result(group, partial(GROUPS[group], parameters))
        return judged_statements(values, figure)


def _dataset(
    curves: PasibotCurves, found: list[ParameterCurve], parameters: PasibotParameters, shared: float
) -> xr.Dataset:
    over = "time" if curves.show == "angle" else "phase"
    unit, meaning = SHOWS[curves.show]
    vary_unit, vary_meaning = VARIES[curves.vary]
    x_attrs = {
        "time": {"units": "s", "long_name": "time"},
        "phase": {"units": "1", "long_name": "steps from the start"},
    }[over]
    own = {"units": vary_unit, "long_name": vary_meaning}
    rows = np.array([curve.y for curve in found])
    return xr.Dataset(
        {curves.show: ((curves.vary, over), rows, {"units": unit, "long_name": meaning})},
        {over: (over, found[0].x, x_attrs), curves.vary: (curves.vary, curves.values, own)},
        {
            "show": curves.show,
            "vary": curves.vary,
            "shared": shared,
            "mu_s": parameters.mu_s,
            "mu_k": parameters.mu_k,
            "step": 8.0 * parameters.l8,
            "engine": curves.engine,
        },
    )


def _metrics(show: str, found: list[ParameterCurve]) -> dict[str, Metric]:
    if show == "slip":
        metrics: dict[str, Metric] = {
            "slip_distance_per_step": [curve.summary["steps"] for curve in found],
            "slip_intervals": [curve.summary["slides"] for curve in found],
        }
        written = [curve.summary["written"] for curve in found if "written" in curve.summary]
        return metrics | ({"as_written_errors": written} if written else {})
    needed = [curve.summary["friction"] for curve in found]
    if show == "torque":
        return {
            "peak_torques": [max(curve.y) for curve in found],
            "min_torques": [min(curve.y) for curve in found],
            "frictions_needed": needed,
        }
    return {
        "steps_made": [curve.y[-1] / math.pi for curve in found],
        "floor_until": [curve.summary["floor_until"] for curve in found],
        "frictions_needed": needed,
    }
