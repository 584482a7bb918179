"""The motor as a study: what belongs together."""

from footfall.studies.documents import TULIP
from footfall.studies.motor.claims import claims
from footfall.studies.motor.engine import closed_form
from footfall.studies.motor.machine import LOAD, motor_of
from footfall.studies.motor.measures import METRICS, measures
from footfall.studies.study import CLOSED_FORM, Study

STUDY = Study(
    name="motor",
    title="Motor that turns a load through a gear",
    citation=TULIP.part("part I.ii: implementing the DC motor and the gearbox"),
    bibtex=TULIP.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    motored=(CLOSED_FORM,),
    requires=(LOAD,),
    check=motor_of,
)
