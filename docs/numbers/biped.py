"""Numbers of what was checked in docs/machines/biped.md, see scripts/page_numbers.py."""

from collections.abc import Sequence

import numpy as np
from passage import Passage

from footfall.api.running import run
from footfall.metrics import scalar
from footfall.scenario.io import load_scenario


def _moved() -> Sequence[float]:
    """Millimetres by which half the time step moves the end of both climbs."""
    found = []
    for name in ("biped/climb", "biped/climb_corrected"):
        ends = [
            run(load_scenario(name, [f"time_step={step}"]), "moreau").metrics["x_final"]
            for step in (1e-3, 5e-4)
        ]
        found.append(1e3 * abs(ends[1] - ends[0]))  # type: ignore[operator] # numbers
    return found


def _orders() -> Sequence[float]:
    """Orders of the hip's place and of the step's own energy in the report's stepper."""
    steps = 1e-3 / 2.0 ** np.arange(6)
    scenarios = [
        load_scenario("biped/climb_corrected", ["duration=0.3", f"time_step={step}"])
        for step in steps
    ]
    metrics = [run(scenario, "closed-form").metrics for scenario in scenarios]
    found = []
    for name in ("x_final", "energy_drift"):
        errors = np.abs(np.diff([scalar(one, name) for one in metrics]))
        found.append(float(np.polyfit(np.log(steps[:-1]), np.log(errors), 1)[0]))
    return found


PASSAGES = (
    Passage(
        "the place of the hip converges with order {:.2f} and the energy that the step itself "
        "gains or loses with {:.2f}",
        _orders,
        slow=True,
    ),
    Passage(
        "moves the end of `biped/climb` by {:.2f} mm and that of `biped/climb_corrected` by "
        "{:.1f} mm",
        _moved,
        slow=True,
    ),
)
"""Words of the page, with what computes their numbers; of the rest of the page nothing is said."""
