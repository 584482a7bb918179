"""Curves of PASIBOT's figures by simulations, in engines with a floor that touches both feet."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from footfall.analysis.factory import SimulationFactory
from footfall.machines.pasibot.analyses.curve import ParameterCurve, varied
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.observables import (
    WalkObservables,
    observables_of,
    slides,
    slip_of_steps,
)
from footfall.machines.pasibot.predictions import SHOWN
from footfall.metrics import Metric

_CARRIES = 0.1  # of the weight, below which a ratio of forces tells nothing


@dataclass(frozen=True)
class CurveSimulator:
    """Makes curves in an engine; parameters: of the scenario's machine; show, vary as a figure's.

    rate: speed of the crank [rad/s], NaN where it varies or is none.
    """

    factory: SimulationFactory
    engine: str
    parameters: PasibotParameters
    show: str
    vary: str
    rate: float

    def curve(self, value: float, steps: int, points: int) -> ParameterCurve:
        """The curve of a value; raises ScenarioError, RunError and ContactNotSolved as a run does.

        steps: that it lasts, but for an angle, which lasts the scenario's time.
        """
        changes = self._changes(value)
        rate = value if self.vary == "speed" else self.rate
        if self.show != "angle":
            changes["duration"] = steps * math.pi / rate + 0.01
        simulation = self.factory.simulation(self.engine, changes)
        machine = varied(self.parameters, self.vary, value)
        gait = observables_of(simulation.trajectory(), machine)
        if self.show == "angle":
            x = np.linspace(0.0, float(gait.time[-1]), points)
            y = np.interp(x, gait.time, math.pi * gait.phase)
            return ParameterCurve(x.tolist(), y.tolist(), _summarize(gait, machine))
        x = np.linspace(0.0, float(steps), points)
        values = gait.torque if self.show == "torque" else gait.slide
        y = np.interp(x, gait.phase, values)
        return ParameterCurve(x.tolist(), y.tolist(), _summarize(gait, machine))

    def _changes(self, value: float) -> dict[str, object]:
        """Return the values of the scenario's fields that make it that of a value."""
        machine = varied(self.parameters, self.vary, value)
        changes: dict[str, dict[str, object]] = {
            "speed": {"controller.speeds.0.speed": value},
            "load": {"arguments.pasibot.hip_load": value},
            "torque": {"controller.torques.motor.0.coefficients": [value]},
            "weight": {"arguments.pasibot.density": machine.density},
            "friction": {"friction": value, "static_friction": None},
            "kinetic": {"friction": value, "static_friction": machine.mu_s},
        }
        return changes[self.vary]


def _summarize(gait: WalkObservables, machine: PasibotParameters) -> dict[str, Metric]:
    weight = total_mass(machine) * machine.g
    carried = ~gait.rubbing & (gait.up > _CARRIES * weight)
    used = np.abs(gait.along[carried]) / gait.up[carried]
    intervals = slides(gait, SHOWN * 8.0 * machine.l8)
    # rows in a row without a force: one of them may be a bounce
    off = [k for k, pair in enumerate(pairwise(np.isnan(gait.up[1:]))) if all(pair)]
    return {
        "friction": float(used.max(initial=0.0)),
        "floor_until": float(gait.time[off[0]] if off else gait.time[-1]),
        "steps": slip_of_steps(gait),
        "slides": [list(ends) for ends in intervals],
    }
