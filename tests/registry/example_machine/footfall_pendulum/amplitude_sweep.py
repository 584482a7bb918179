"""Period over amplitude, simulated and in closed form."""

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import xarray as xr

from footfall.analysis.context import AnalysisContext, AnalysisResult
from footfall.analysis.functions import CaseSimulation
from footfall.engines import ENGINES
from footfall.errors import ScenarioError
from footfall.registry.context import MachineContext
from footfall_pendulum.closed_form import period_ratio
from footfall_pendulum.measures import period, small_swings


@dataclass
class AmplitudeSweep:
    """Let the pendulum go from several amplitudes; ``!AmplitudeSweep`` in a scenario."""

    # Largest amplitude [rad], and how many there are up to it.
    to_amplitude: float = 2.5
    amplitudes: int = 5
    # Engine that simulates.
    engine: str = "moreau"

    def __post_init__(self) -> None:
        """Refuse what is no sweep."""
        if not (0.0 < self.to_amplitude < math.pi and self.amplitudes >= 1):
            message = "analysis: give amplitudes below pi rad, at least one."
            raise ScenarioError(message)
        if self.engine not in ENGINES:
            message = f"analysis.engine is '{self.engine}': choose one of {', '.join(ENGINES)}."
            raise ScenarioError(message)

    def metrics(self) -> dict[str, tuple[str, str]]:
        """Unit and meaning of every metric."""
        return {"period_error": ("1", "largest relative distance from the exact period")}

    def run(self, context: MachineContext, analysis: AnalysisContext) -> AnalysisResult:
        """Simulate every amplitude, each a task of the checkpoint."""
        if analysis.factory is None:
            raise ValueError("an analysis that simulates needs a factory")
        simulation = analysis.factory.simulation(self.engine)
        amplitudes = np.linspace(0.0, self.to_amplitude, self.amplitudes + 1)[1:]
        simulated = []
        for k, amplitude in enumerate(amplitudes.tolist()):
            what = f"amplitude {amplitude!r}"
            analysis.go_on(what, k / len(amplitudes))
            work = partial(_simulated_period, simulation, amplitude)
            simulated.append(analysis.checkpoint.result(what, work))
        small = 2.0 * math.pi / small_swings(context)
        exact = [small * period_ratio(amplitude) for amplitude in amplitudes]
        told = {"units": "s", "long_name": "period"}
        data = xr.Dataset(
            {"simulated": ("amplitude", simulated, told), "exact": ("amplitude", exact, told)},
            {"amplitude": ("amplitude", amplitudes, {"units": "rad"})},
        )
        error = float(abs(data["simulated"] / data["exact"] - 1.0).max())
        return AnalysisResult(data, {"period_error": error})


def _simulated_period(simulation: CaseSimulation, amplitude: float) -> float:
    rows = [(row.time, row.state) for row in simulation.rows(np.array([amplitude, 0.0]))]
    time, state = (np.array(column) for column in zip(*rows, strict=True))
    return period(time, state[:, 0])
