"""The motor as a study: what belongs together."""

from footfall.studies.biped import STUDY as BIPED
from footfall.studies.motor.claims import claims
from footfall.studies.motor.engine import ENGINE, closed_form
from footfall.studies.motor.machine import LOAD, motor_of
from footfall.studies.motor.measures import METRICS, measures
from footfall.studies.study import Study

STUDY = Study(
    name="motor",
    title="Motor that turns a load through a gear",
    citation=(
        "J. Kanehara, report of the Open Space Project in project TUlip (Dutch Robotics, "
        "Teen-Size Humanoid League), TU Eindhoven, 2009, part I.ii: implementing the DC motor and "
        "the gearbox."
    ),
    bibtex=BIPED.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={ENGINE: closed_form},
    motored=(ENGINE,),
    requires=(LOAD,),
    check=motor_of,
)
