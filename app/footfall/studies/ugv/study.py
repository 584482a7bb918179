"""The UGV as a study: what belongs together."""

from footfall.studies.pasibot.study import STUDY as PASIBOT
from footfall.studies.study import Study
from footfall.studies.traced import TracedPoint
from footfall.studies.ugv.claims import claims
from footfall.studies.ugv.closed_form import closed_form
from footfall.studies.ugv.machine import COORDINATES, WHEELS, parameters_of
from footfall.studies.ugv.measures import METRICS, measures
from footfall.studies.ugv.reading import CLOSED_FORM
from footfall.studies.ugv.start import gait

STUDY = Study(
    name="ugv",
    title="A half vehicle on wheels at legs that move, over tracks",
    citation=PASIBOT.citation.replace("sections 1 to 7", "section 8"),
    bibtex=PASIBOT.bibtex,  # another section of the same chapter
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
