"""Studies: one module a published machine, with its parameters, measures, claims and wiring."""

from footfall.errors import ScenarioError
from footfall.measures import METRICS
from footfall.studies.biped import STUDY as BIPED
from footfall.studies.compass.study import STUDY as COMPASS
from footfall.studies.goalkeeper.study import STUDY as GOALKEEPER
from footfall.studies.hopper.study import STUDY as HOPPER
from footfall.studies.motor.study import STUDY as MOTOR
from footfall.studies.pasibot.study import STUDY as PASIBOT
from footfall.studies.passive.rimless_wheel import STUDY as RIMLESS_WHEEL
from footfall.studies.passive.simplest_walker import STUDY as SIMPLEST_WALKER
from footfall.studies.study import Study
from footfall.studies.ugv.study import STUDY as UGV

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        *(BIPED, COMPASS, HOPPER, RIMLESS_WHEEL, SIMPLEST_WALKER, GOALKEEPER, MOTOR, PASIBOT),
        UGV,
    )
}


def known_metrics() -> dict[str, tuple[str, str]]:
    """Unit and meaning of every metric that a run may have, by name."""
    known = dict(METRICS)
    for study in STUDIES.values():
        known.update(study.metrics)
    return known


def get_study(name: str) -> Study | None:
    """Return the study of a name, or None for the empty one; raises ScenarioError for others."""
    if not name:
        return None
    if name not in STUDIES:
        message = (
            f"study is '{name}': choose one of {', '.join(STUDIES)}, "
            "or leave it empty for a machine of your own."
        )
        raise ScenarioError(message)
    return STUDIES[name]
