"""Report of the rimless wheel: its roll, and notes."""

from footfall.machines.rimless_wheel.report.roll import roll_figures
from footfall.registry.machine import CLOSED_FORM
from footfall.report.figure import Figure
from footfall.report.figures import coordinate_figures
from footfall.report.machine_report import MachineReport
from footfall.report.section import Section

_WHEEL = (
    "A wheel without its rim is a pendulum over the foot that stands, and at an impact keeps its "
    "angular momentum about the foot that comes down. So the square of the rate of turn before an "
    "impact obeys a linear map: gravity adds the same in every step, and the factor η² of the "
    "impact is its multiplier. Feet neither slide nor lift in closed-form, whatever the friction: "
    "what coefficient that needs is measured."
)
_WHEEL_STEPPED = (
    "In the engines that step through time a foot comes down up to a step late and stands that "
    "much too deep, at chance: the errors of single steps scatter, and go down with the time step."
)
_WHEEL_DRAKE = (
    "Drake's contact is compliant, so that its wheel bounces a little on each foot that has come "
    "down: the friction that a stance needs is that of the bouncing. Its impact is given 20 ms, "
    "and the impulse counts the weight in that time."
)


def figures(section: Section) -> list[Figure]:
    """Portrait and return map, then the coordinates."""
    return [*roll_figures(section), *coordinate_figures(section)]


def notes(section: Section) -> list[str]:
    """Return what a reader should know of the rimless wheel, a paragraph each."""
    found = [_WHEEL]
    if set(section.runs) != {CLOSED_FORM}:
        found.append(_WHEEL_STEPPED)
    if any(name.startswith("drake") for name in section.runs):
        found.append(_WHEEL_DRAKE)
    return found


REPORT = MachineReport(figures, notes)
