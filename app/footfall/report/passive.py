"""What a report says of the two passive walkers that are known in closed form."""

from footfall.metrics import scalar
from footfall.report import compass
from footfall.report.figures import coordinate_figures
from footfall.report.picture import Picture
from footfall.report.rimless_wheel import roll_figures
from footfall.report.section import Section
from footfall.report.wording import number
from footfall.studies.study import CLOSED_FORM, HYBRID

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


def wheel_figures(section: Section) -> list[Picture]:
    """Portrait and return map, then the coordinates."""
    return [*roll_figures(section), *coordinate_figures(section)]


def wheel_notes(section: Section) -> list[str]:
    """What a reader should know of the rimless wheel, a paragraph each."""
    found = [_WHEEL]
    if set(section.runs) != {CLOSED_FORM}:
        found.append(_WHEEL_STEPPED)
    if any(name.startswith("drake") for name in section.runs):
        found.append(_WHEEL_DRAKE)
    return found


def simplest_figures(section: Section) -> list[Picture]:
    """Those of the compass, which the model is."""
    return compass.figures(section)


def simplest_notes(section: Section) -> list[str]:
    """What a reader should know of the simplest walker, a paragraph each."""
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
