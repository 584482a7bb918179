"""PASIBOT as a study: what belongs together."""

from footfall.studies.documents import MECHANISMS
from footfall.studies.pasibot.claims import claims
from footfall.studies.pasibot.control import gait
from footfall.studies.pasibot.coordinates import CRANK
from footfall.studies.pasibot.engines import closed_form, hybrid
from footfall.studies.pasibot.machine import parameters_of
from footfall.studies.pasibot.measures import METRICS, measures
from footfall.studies.study import CLOSED_FORM, HYBRID, Study
from footfall.studies.traced import TracedPoint

STUDY = Study(
    name="pasibot",
    title="PASIBOT, a walking mechanism with one motor",
    citation=MECHANISMS.part("sections 1 to 7"),
    bibtex=MECHANISMS.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form, HYBRID: hybrid},
    gait=gait,
    requires=(CRANK,),
    check=parameters_of,
    traced=(
        TracedPoint("C", "pasibot::C_1"),
        TracedPoint("ankle 1", "pasibot::foot_1"),
        TracedPoint("ankle 2", "pasibot::foot_2"),
    ),
    friction_cones=True,
)
