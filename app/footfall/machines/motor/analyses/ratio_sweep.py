"""Sweep of gear ratios: accelerations and times of simulations, and their optima.

An optimum is found by a search among simulations (Brent's, on the logarithm of the ratio) and then
held against the closed form, which takes no part in the search.
"""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import xarray as xr
from scipy.optimize import minimize_scalar

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.arrays import Array
from footfall.control.torque_profile import TorqueProfile
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import RunError, ScenarioError
from footfall.machines.motor.analyses.gears import Gears
from footfall.machines.motor.model import motor_of, torque_of
from footfall.metrics import Metric
from footfall.plants.actuators import actuator_names
from footfall.registry.claims import Claim, checked
from footfall.registry.context import MachineContext
from footfall.textbook.motor import GearedMotor, best_ratio
from footfall.textbook.motor_response import SpeedResponse, best_ratio_to_turn

VARIANTS = ("as it is", "without line and friction")
_MOST = 500  # ratios
_SEARCH = 20  # simulations that a search takes, about
_FOUND = 1e-7  # of the logarithm of the ratio: where the search ends
_EDGE = 1e-5  # likewise: a search that ends this near to an end of the range was kept there by it
_CLOSE = 1e-4  # a hill is flat: 1e-8 of its height is this far from its top


@dataclass
class RatioSweep:
    """Acceleration of the load and time to turn it, over the gear ratio."""

    # Ratios, evenly on a logarithmic scale.
    from_ratio: float = 20.0
    to_ratio: float = 500.0
    ratios: int = 43
    # Speeds of the load at which the accelerations are compared [rad/s].
    speeds: list[float] = field(default_factory=lambda: [0.0, 2.0, 4.0, 8.0])
    # Angle that the load turns by from rest [rad].
    angle: float = 0.7853981633974483
    # Engine that simulates.
    engine: str = CONTINUOUS

    def __post_init__(self) -> None:
        """Refuse what is no sweep."""
        if not 0.0 < self.from_ratio < self.to_ratio < math.inf:
            raise ScenarioError(
                f"analysis: from_ratio is {self.from_ratio}, to_ratio {self.to_ratio}: give two "
                "positive numbers, the smaller one first."
            )
        if not 3 <= self.ratios <= _MOST:
            raise ScenarioError(f"analysis.ratios is {self.ratios}: give 3 to {_MOST}.")
        fine = all(0.0 <= speed < math.inf for speed in self.speeds)
        if not (fine and 1 <= len(self.speeds) == len(set(self.speeds))):
            message = "analysis.speeds: give at least one, each once, in rad/s and not below 0."
            raise ScenarioError(message)
        if not 0.0 < self.angle < math.inf:
            message = f"analysis.angle is {self.angle}: give a positive number of radians."
            raise ScenarioError(message)
        if self.engine not in ENGINES:
            message = f"analysis.engine is '{self.engine}': choose one of {', '.join(ENGINES)}."
            raise ScenarioError(message)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        over = "at the speeds of the sweep"
        variants = " and ".join(VARIANTS)
        inside = "; none at an edge of the range"
        return {
            "best_ratios": ("1", f"simulated: ratios of the largest acceleration, {over}{inside}"),
            "exact_ratios": ("1", f"closed form: the same, {over}"),
            "best_accelerations": (
                "rad/s^2",
                f"simulated: the largest accelerations, {over}{inside}",
            ),
            "acceleration_error": (
                "1",
                "largest distance from the closed form over the largest value",
            ),
            "turn_ratios": ("1", f"simulated: ratios of the quickest turn, {variants}{inside}"),
            "exact_turn_ratios": ("1", "closed form: the same"),
            "turn_times": ("s", "simulated: the shortest times, likewise"),
            "turn_error": ("1", "largest distance of a time from the closed form, likewise"),
        }

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """All ratios and the searches; raises ScenarioError for a torque that is not the rotor's.

        So for a rotor without inertia; RunError where the load does not turn so far in the
        scenario's duration.
        """
        work = _Work(self, context, analysis)
        ratios = np.geomspace(self.from_ratio, self.to_ratio, self.ratios)
        data = xr.merge([work.accelerations(ratios), work.turns(ratios)])
        for name, meaning in _MEANINGS.items():
            data[name].attrs.update(units=meaning[0], long_name=meaning[1])
        data["speed"].attrs.update(units="rad/s", long_name="speed of the load")
        data["ratio"].attrs.update(units="1", long_name="gear ratio")
        data.attrs.update(engine=self.engine, angle=self.angle, own_ratio=work.motor.n)
        return AnalysisResult(data, _metrics(data), _claims(data, work.motor))


_MEANINGS = {
    "acceleration": ("rad/s^2", "simulated acceleration of the load"),
    "exact_acceleration": ("rad/s^2", "acceleration of the load in closed form"),
    "best_ratio": ("1", "simulated: ratio of the largest acceleration"),
    "best_acceleration": ("rad/s^2", "simulated: the largest acceleration"),
    "exact_ratio": ("1", "closed form: ratio of the largest acceleration"),
    "turn_time": ("s", "simulated time of the turn"),
    "exact_turn_time": ("s", "time of the turn in closed form"),
    "turn_ratio": ("1", "simulated: ratio of the quickest turn"),
    "best_turn_time": ("s", "simulated: time of the quickest turn"),
    "exact_turn_ratio": ("1", "closed form: ratio of the quickest turn"),
}


class _Work:
    """Tasks of a sweep, each through the checkpoint."""

    def __init__(
        self, sweep: RatioSweep, context: MachineContext, analysis: AnalysisContext
    ) -> None:
        law = context.controller
        self._asked = torque_of(context)
        if not (isinstance(law, TorqueProfile) and law.at_rotor and self._asked > 0.0):
            raise ScenarioError(
                "the analysis needs one positive torque of the rotor, whatever the gear: give a "
                "controller !TorqueProfile with at_rotor: true."
            )
        if analysis.factory is None:
            raise ValueError("an analysis that simulates needs a factory")
        self.motor = motor_of(context.model, context.contacts)
        if self.motor.J_m == 0.0:
            raise ScenarioError(
                "the analysis needs a rotor with inertia, without which every larger gear ratio is "
                "better: give the motor a rotor_inertia."
            )
        (actuator,) = actuator_names(context.model.plant)
        self._gears = Gears(analysis.factory, sweep.engine, actuator, self.motor)
        free = replace(self.motor, B=0.0, stall=math.inf, no_load=math.inf)
        self._variants = [self._gears, replace(self._gears, motor=free)]
        self._start, self._sweep, self._analysis = float(context.initial_state[0]), sweep, analysis
        searches = _SEARCH * (len(sweep.speeds) + len(VARIANTS))
        self._done, self._pieces = 0, sweep.ratios * (1 + len(VARIANTS)) + searches

    def accelerations(self, ratios: Array) -> xr.Dataset:
        """Accelerations over ratio and speed, and the best of them."""
        speeds = self._sweep.speeds
        table = np.array([self._accelerations(speeds, n) for n in ratios]).T
        exact = [
            [float(self.motor.with_ratio(n).acceleration(self._asked, v)) for n in ratios]
            for v in speeds
        ]
        best = [self._best(partial(self._acceleration, v), -1.0) for v in speeds]
        found = [best_ratio(self.motor, self._asked, v) for v in speeds]
        return xr.Dataset(
            {
                "acceleration": (("speed", "ratio"), table),
                "exact_acceleration": (("speed", "ratio"), np.array(exact)),
                "best_ratio": ("speed", [n for n, _ in best]),
                "best_acceleration": ("speed", [a for _, a in best]),
                "exact_ratio": ("speed", found),
            },
            {"speed": speeds, "ratio": ratios},
        )

    def turns(self, ratios: Array) -> xr.Dataset:
        """Times to turn over the ratio, as it is and without line and friction."""
        places, angle = range(len(VARIANTS)), self._sweep.angle
        motors = [gears.motor for gears in self._variants]
        table = np.array([[self._time(k, n) for n in ratios] for k in places])
        exact = [
            [SpeedResponse(motor.with_ratio(n), self._asked).time_to(angle) for n in ratios]
            for motor in motors
        ]
        best = [self._best(partial(self._time, k), 1.0) for k in places]
        found = [best_ratio_to_turn(motor, self._asked, angle) for motor in motors]
        return xr.Dataset(
            {
                "turn_time": (("variant", "ratio"), table),
                "exact_turn_time": (("variant", "ratio"), np.array(exact)),
                "turn_ratio": ("variant", [n for n, _ in best]),
                "best_turn_time": ("variant", [t for _, t in best]),
                "exact_turn_ratio": ("variant", found),
            },
            {"variant": list(VARIANTS), "ratio": ratios},
        )

    def _acceleration(self, speed: float, ratio: float) -> float:
        return self._accelerations([speed], ratio)[0]

    def _accelerations(self, speeds: list[float], ratio: float) -> list[float]:
        meaning = ", ".join(f"{speed:g}" for speed in speeds)
        what = f"acceleration at {meaning} rad/s"
        work = partial(self._gears.accelerations, ratio, self._start, speeds)
        found: list[float] = self._piece(what, ratio, work)
        return found

    def _time(self, variant: int, ratio: float) -> float:
        gears, angle = self._variants[variant], self._sweep.angle
        work = partial(gears.time_to, ratio, self._start, angle)
        time = float(self._piece(f"turn {VARIANTS[variant]}", ratio, work))
        if math.isnan(time):
            raise RunError(
                f"behind a gear of {ratio:g} the load does not turn by {angle:g} rad in the "
                "scenario's duration: lengthen it, or narrow the range of ratios."
            )
        return time

    def _piece(self, what: str, ratio: float, work: Callable[[], Any]) -> Any:  # noqa: ANN401 (what JSON can hold)
        self._analysis.go_on(f"{what}, ratio {ratio:.4g}", min(0.99, self._done / self._pieces))
        self._done += 1
        return self._analysis.checkpoint.result(f"{what}, ratio {float(ratio)!r}", work)

    def _best(self, value: Callable[[float], float], sign: float) -> tuple[float, float]:
        """Ratio of the least sign * value within the sweep, and the value there.

        NaN both where it is at an edge, which is no optimum.
        """
        ends = math.log(self._sweep.from_ratio), math.log(self._sweep.to_ratio)
        found = minimize_scalar(
            lambda log: sign * value(math.exp(log)),
            bounds=ends,
            method="bounded",
            options={"xatol": _FOUND},
        )
        log = float(found.x)
        if min(log - ends[0], ends[1] - log) < _EDGE:
            return math.nan, math.nan
        return math.exp(log), sign * float(found.fun)


def _metrics(data: xr.Dataset) -> dict[str, Metric]:
    def off(name: str) -> float:
        exact = data[f"exact_{name}"]
        return float((abs(data[name] - exact) / abs(exact).max("ratio")).max())

    return {
        "best_ratios": data["best_ratio"].to_numpy().tolist(),
        "exact_ratios": data["exact_ratio"].to_numpy().tolist(),
        "best_accelerations": data["best_acceleration"].to_numpy().tolist(),
        "acceleration_error": off("acceleration"),
        "turn_ratios": data["turn_ratio"].to_numpy().tolist(),
        "exact_turn_ratios": data["exact_turn_ratio"].to_numpy().tolist(),
        "turn_times": data["best_turn_time"].to_numpy().tolist(),
        "turn_error": off("turn_time"),
    }


def _claims(data: xr.Dataset, motor: GearedMotor) -> list[Claim]:
    """The optimum that the report's formula has, held against the search among simulations."""
    if 0.0 not in data["speed"]:
        return []
    best = float(data["best_ratio"].sel(speed=0.0))
    if math.isnan(best):
        return []
    exact = math.sqrt(motor.J_l / motor.J_m)
    return [
        checked(
            "the gear of the largest acceleration from rest is sqrt(J_load / J_motor)",
            "1",
            best,
            exact,
            _CLOSE * exact,
            source="TUlip report, part I.ii: where the derivative of its acceleration is 0",
            reason=(
                "the report prints the acceleration and neither numbers nor the optimum, which "
                "follows from it by calculus; here a search among simulations finds it. The "
                "acceleration is flat there: rounding hides the place, to the root of itself"
            ),
        )
    ]
