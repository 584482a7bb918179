"""The UGV as a study: what belongs together."""

from footfall.studies.documents import MECHANISMS
from footfall.studies.study import CLOSED_FORM, Study
from footfall.studies.traced import TracedPoint
from footfall.studies.ugv.claims import claims
from footfall.studies.ugv.closed_form import closed_form
from footfall.studies.ugv.machine import COORDINATES, WHEELS, parameters_of
from footfall.studies.ugv.measures import METRICS, measures
from footfall.studies.ugv.start import gait

STUDY = Study(
    name="ugv",
    title="A half vehicle on wheels at legs that move, over tracks",
    citation=MECHANISMS.part("section 8"),
    bibtex=MECHANISMS.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    gait=gait,
    requires=(*COORDINATES, *WHEELS),
    check=parameters_of,
    traced=(TracedPoint("rear axle", WHEELS[0]), TracedPoint("front axle", WHEELS[1])),
    friction_cones=True,
)
