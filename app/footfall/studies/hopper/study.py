"""The two-link hopper as a study: what belongs together."""

from footfall.studies.hopper.claims import claims
from footfall.studies.hopper.hybrid_engine import hybrid
from footfall.studies.hopper.machine import POINTS, POSITIONS, parameters_of
from footfall.studies.hopper.measures import METRICS, measures
from footfall.studies.study import HYBRID, Study

STUDY = Study(
    name="hopper",
    title="Two-link robotic hopper",
    citation=(
        "J. Oh, X. Huang, Final project: hybrid dynamics of a robotic hopper, course 036087 Hybrid "
        "dynamics in mechanical systems, Technion, 2021."
    ),
    bibtex="""@techreport{oh2021hopper,
  author      = {Oh, Jonathan and Huang, Xingkun},
  title       = {Final Project: Hybrid Dynamics of a Robotic Hopper},
  institution = {Technion, course 036087 Hybrid Dynamics in Mechanical Systems},
  year        = {2021},
  url         = {https://github.com/garlicbutter/HybridDynamicsFinal}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={HYBRID: hybrid},
    requires=(*POSITIONS, *POINTS),
    traced=POINTS,
    check=parameters_of,
)
