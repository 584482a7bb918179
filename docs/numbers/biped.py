"""Numbers of what was checked in docs/machines/biped.md, see scripts/page_numbers.py."""

from collections.abc import Sequence

from passage import Passage

from footfall.api.running import run
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


PASSAGES = (
    Passage(
        "moves the end of `biped/climb` by {:.2f} mm and that of `biped/climb_corrected` by "
        "{:.1f} mm",
        _moved,
        slow=True,
    ),
)
"""Words of the page, with what computes their numbers; of the rest of the page nothing is said."""
