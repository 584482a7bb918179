"""The goalkeeper as a study: what belongs together."""

from footfall.studies.dashed import DashedLine
from footfall.studies.documents import TULIP
from footfall.studies.goalkeeper.claims import claims
from footfall.studies.goalkeeper.closed_form import closed_form
from footfall.studies.goalkeeper.measures import METRICS, measures
from footfall.studies.goalkeeper.reading import POSITIONS
from footfall.studies.study import CLOSED_FORM, Study

STUDY = Study(
    name="goalkeeper",
    title="Global trajectory of a humanoid goalkeeper",
    citation=TULIP.part("part I.i: global trajectory of TUlip as a goalkeeper"),
    bibtex=TULIP.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    requires=POSITIONS,
    dashed=(
        DashedLine((-1.3, 0.0, 0.0), "ball::ball"),
        DashedLine((1.3, 0.0, 0.0), "ball::ball"),
        DashedLine("keeper::keeper", "ball::ball"),
    ),
)
