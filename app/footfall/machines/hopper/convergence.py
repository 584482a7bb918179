"""Convergence of the jump of engines with time steps to the event-driven one.

Where in a step an event falls looks like chance, so that single errors jump by a factor. The error
at a nominal step is therefore the root mean square over several steps beside it, and an order is
the slope of a straight line through the logarithms of these.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.factory import SimulationFactory
from footfall.arrays import Array
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import RunError, ScenarioError
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.measures import landing_impulse
from footfall.machines.hopper.model import parameters_of
from footfall.machines.hopper.observables import jump_of, states_of
from footfall.metrics import Metric
from footfall.registry.context import MachineContext
from footfall.textbook.convergence import observed_order
from footfall.trajectory import Trajectory

# what is compared: unit and meaning
QUANTITIES = {
    "reach": ("m", "X_end - X_start"),
    "separation_time": ("s", "when P leaves the ground"),
    "landing_time": ("s", "when P lands"),
    "end_time": ("s", "when Q or R lands"),
    "spin": ("kg m^2/s", "angular momentum in flight"),
    "landing_impulse_t": ("N s", "tangential impulse of P's landing"),
    "landing_impulse_n": ("N s", "normal impulse of P's landing"),
}
_STEPPING = tuple(engine for engine in ENGINES if engine != CONTINUOUS)
_SPREAD = 0.11  # of a nominal step: those beside it lie evenly within so much
_MOST = 1000  # simulations


@dataclass
class JumpConvergence:
    """Errors of the time-stepping engines over the time step, against the event-driven jump."""

    # Nominal time steps [s].
    time_steps: list[float] = field(
        default_factory=lambda: [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4, 6.25e-5]
    )
    # How many steps beside each nominal one are simulated.
    samples: int = 5
    # Engines to compare.
    engines: list[str] = field(
        default_factory=lambda: ["moreau", "drake-sap", "drake-lagged", "drake-similar"]
    )

    def __post_init__(self) -> None:
        """Refuse steps of which no order follows, and engines that there are not."""
        steps = self.time_steps
        if not 2 <= len(steps) == len(set(steps)) or not all(0.0 < s < math.inf for s in steps):
            message = "analysis.time_steps: give at least two, in seconds, each once and above 0."
            raise ScenarioError(message)
        if not 1 <= len(self.engines) == len(set(self.engines)):
            message = f"analysis.engines: give at least one of {', '.join(_STEPPING)}, each once."
            raise ScenarioError(message)
        if self.samples < 1 or self.samples * len(steps) * len(self.engines) > _MOST:
            message = f"analysis.samples is {self.samples}: give 1 or more, below {_MOST} runs."
            raise ScenarioError(message)
        for engine in self.engines:
            if engine not in _STEPPING:
                message = f"analysis.engines: '{engine}': choose from {', '.join(_STEPPING)}."
                raise ScenarioError(message)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        found = {
            f"order_{name}": ("1", f"order in the time step of Moreau's engine: {meaning}")
            for name, (_, meaning) in QUANTITIES.items()
        }
        return found | {f"exact_{name}": one for name, one in QUANTITIES.items()}

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """All engines at all steps; raises ScenarioError for a scenario that is no valid jump."""
        if analysis.factory is None:
            raise ValueError("there is no factory to simulate with")
        exact = _read(context, hybrid(context))
        if context.controller is None or not all(math.isfinite(value) for value in exact):
            message = "the analysis needs a jump: in the event-driven engine this is none."
            raise ScenarioError(message)
        shape = (len(QUANTITIES), len(self.engines), len(self.time_steps))
        error, count = np.full(shape, np.nan), 0
        for e, engine in enumerate(self.engines):
            for s, nominal in enumerate(self.time_steps):
                values = []
                for step in beside(nominal, self.samples):
                    name = f"{engine} at {step:.6g} s"
                    analysis.go_on(name, count / (shape[1] * shape[2] * self.samples))
                    values.append(
                        analysis.checkpoint.result(
                            name, partial(_at, context, analysis.factory, engine, step)
                        )
                    )
                    count += 1
                away = np.array(values, dtype=np.float64) - exact
                error[:, e, s] = np.sqrt((away**2).mean(axis=0))
        data = self._dataset(error, np.array(exact))
        return AnalysisResult(data, self._metrics(data))

    def _dataset(self, error: Array, exact: Array) -> xr.Dataset:
        steps, units = self.time_steps, [unit for unit, _ in QUANTITIES.values()]
        orders = [[fitted_order(steps, row) for row in of_engines] for of_engines in error]
        return xr.Dataset(
            {
                "error": (
                    ("quantity", "engine", "time_step"),
                    error,
                    {"units": "see quantity_units", "long_name": "rms error beside a time step"},
                ),
                "fitted_order": (("quantity", "engine"), orders, {"units": "1"}),
                "exact": ("quantity", exact, {"units": "see quantity_units"}),
            },
            {
                "quantity": list(QUANTITIES),
                "quantity_units": ("quantity", units),
                "engine": self.engines,
                "time_step": ("time_step", steps, {"units": "s", "long_name": "time step"}),
            },
        )

    def _metrics(self, data: xr.Dataset) -> dict[str, Metric]:
        found: dict[str, Metric] = {}
        for name in QUANTITIES:
            one = data.sel(quantity=name)
            found[f"exact_{name}"] = float(one["exact"])
            if "moreau" in self.engines:
                found[f"order_{name}"] = float(one["fitted_order"].sel(engine="moreau"))
        return found


def beside(nominal: float, samples: int) -> list[float]:
    """Time steps [s] evenly beside a nominal one, whose mean it is."""
    places = (np.arange(samples) + 0.5) / samples - 0.5
    return [float(step) for step in nominal * (1.0 + 2.0 * _SPREAD * places)]


def fitted_order(steps: Sequence[float], errors: Array) -> float:
    """Observed order of convergence; NaN where an error is zero or not a number."""
    if not (np.isfinite(errors) & (errors > 0.0)).all():
        return math.nan
    return observed_order(steps, errors)


def _at(
    context: MachineContext, factory: SimulationFactory, engine: str, time_step: float
) -> list[float]:
    """Quantities of one simulation; NaN for what it does not come to."""
    try:
        simulation = factory.simulation(engine, {"time_step": time_step})
        return _read(context, simulation.trajectory())
    except RunError:  # an engine that cannot take so long a step
        return [math.nan] * len(QUANTITIES)


def _read(context: MachineContext, trajectory: Trajectory) -> list[float]:
    """Quantities of a trajectory in their order."""
    machine, data = Hopper(parameters_of(context.model, context.contacts)), trajectory.data
    jump = jump_of(trajectory, machine)
    along = up = angular_momentum = math.nan
    if math.isfinite(jump.impact):
        along, up = landing_impulse(data, jump)
        angular_momentum = float(
            machine.centroidal_angular_momentum(states_of(data)[:, jump.flight[0].rows.start])
        )
    return [jump.reach, jump.separation, jump.impact, jump.end, angular_momentum, along, up]
