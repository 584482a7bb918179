"""The two-link hopper: what footfall knows of it."""

from footfall.machines.hopper.claims import claims
from footfall.machines.hopper.control import AngleTracking
from footfall.machines.hopper.hybrid_engine import hybrid
from footfall.machines.hopper.measures import METRICS, measures
from footfall.machines.hopper.model import POINTS, POSITIONS, parameters_of
from footfall.registry.documents import read_bibtex, read_misprints
from footfall.registry.machine import HYBRID, Machine

MACHINE = Machine(
    name="hopper",
    title="Two-link robotic hopper",
    citation=(
        "J. Oh, X. Huang, Final project: hybrid dynamics of a robotic hopper, course 036087 Hybrid "
        "dynamics in mechanical systems, Technion, 2021."
    ),
    bibtex=read_bibtex(__package__),
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={HYBRID: hybrid},
    requires=(*POSITIONS, *POINTS),
    traced=POINTS,
    check=parameters_of,
    controllers=(AngleTracking,),
    report="footfall.machines.hopper.report.page:REPORT",
    misprints=read_misprints(__package__),
)
