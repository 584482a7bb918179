"""PASIBOT as a study: what belongs together."""

from footfall.studies.pasibot.claims import claims
from footfall.studies.pasibot.control import gait
from footfall.studies.pasibot.coordinates import CRANK
from footfall.studies.pasibot.engines import CLOSED_FORM, HYBRID, closed_form, hybrid
from footfall.studies.pasibot.machine import parameters_of
from footfall.studies.pasibot.measures import METRICS, measures
from footfall.studies.study import Study
from footfall.studies.traced import TracedPoint

STUDY = Study(
    name="pasibot",
    title="PASIBOT, a walking mechanism with one motor",
    citation=(
        "E. Corral, J. Meneses, J. C. Garcia-Prada, Forward and inverse dynamics and quasi-static "
        "analysis of mechanizes with MATLAB, InTech 2016, doi 10.5772/63372, sections 1 to 7."
    ),
    bibtex="""@incollection{corral2016forward,
  author    = {Corral, E. and Meneses, J. and Garc{\\'i}a-Prada, J. C.},
  title     = {Forward and Inverse Dynamics and Quasi-Static Analysis of Mechanizes with {MATLAB}},
  publisher = {InTech},
  year      = {2016},
  doi       = {10.5772/63372}
}""",
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
