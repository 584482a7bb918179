"""The goalkeeper as a study: what belongs together."""

from footfall.studies.dashed import DashedLine
from footfall.studies.goalkeeper.claims import claims
from footfall.studies.goalkeeper.closed_form import closed_form
from footfall.studies.goalkeeper.measures import METRICS, measures
from footfall.studies.goalkeeper.reading import POSITIONS
from footfall.studies.study import Study

STUDY = Study(
    name="goalkeeper",
    title="Global trajectory of a humanoid goalkeeper",
    citation=(
        "J. Kanehara, report of the Open Space Project in project TUlip (Dutch Robotics, "
        "Teen-Size Humanoid League), "
        "TU Eindhoven, 2009, part I.i: global trajectory of TUlip as a goalkeeper."
    ),
    bibtex="""@techreport{kanehara2009tulip,
  author      = {Kanehara, Junichi},
  title       = {Report of the Open Space Project in project {TUlip}: goalkeeper, gearbox and a
                 4-link biped robot with {Coulomb} friction},
  institution = {Eindhoven University of Technology, Dutch Robotics},
  year        = {2009}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={"closed-form": closed_form},
    requires=POSITIONS,
    dashed=(
        DashedLine((-1.3, 0.0, 0.0), "ball::ball"),
        DashedLine((1.3, 0.0, 0.0), "ball::ball"),
        DashedLine("keeper::keeper", "ball::ball"),
    ),
)
