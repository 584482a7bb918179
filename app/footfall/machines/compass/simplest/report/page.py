"""Report of the simplest walker: a compass, and how far it is from its limit."""

from footfall.machines.compass.report.page import figures
from footfall.metrics import scalar
from footfall.registry.machine import HYBRID
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section
from footfall.report.tables import number

_LIMIT = (
    "The simplest walker is a limit: its feet have no mass, and what they do does not move the "
    "hip. The engine hybrid simulates this limit; of the model's masses it takes only the hip's. "
    "All other engines, and the exact cycle, have the model itself, with legs of {ratio} of the "
    "hip's mass in its feet."
)
_CYCLE = (
    "By that mass the exact cycle is {away} away from the limit (rad, and rates over √(g/l)), in "
    "proportion to it; so hybrid stays beside the exact cycle of the pictures below."
)
_GENTLE = (
    "On so gentle a slope a step has little energy to spend, and a foot that lands a little deep, "
    "because a time step ended late, takes a share of it: engines that step through time need "
    "short steps."
)


def notes(section: Section) -> list[str]:
    """Return what a reader should know of the simplest walker, a paragraph each."""
    found = []
    for run in section.runs.values():
        if "cycle_from_limit" in run.metrics:
            ratio, away = (
                number(scalar(run.metrics, name), 3) for name in ("mass_ratio", "cycle_from_limit")
            )
            found.append(f"{_LIMIT.format(ratio=ratio)} {_CYCLE.format(away=away)}")
    if set(section.runs) != {HYBRID}:
        found.append(_GENTLE)
    return found


REPORT = MachineReport(figures, notes)
