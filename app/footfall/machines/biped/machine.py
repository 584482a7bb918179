"""The planar 4-link biped on a slope, as it is registered."""

from footfall.machines.biped.control import BipedGait
from footfall.machines.biped.engine import LAYOUT, closed_form
from footfall.machines.biped.gait.analysis import InternalGait
from footfall.machines.biped.measures import METRICS, claims, gait_period, measures
from footfall.registry.documents import TULIP, read_misprints
from footfall.registry.machine import CLOSED_FORM, Machine

MACHINE = Machine(
    name="biped",
    title="4-link biped on a slope with Coulomb friction",
    citation=TULIP.part(
        "part II: the 2-dimensional model of the 4-link biped robot with Coulomb friction"
    ),
    bibtex=TULIP.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    motored=(CLOSED_FORM,),
    requires=(*LAYOUT.position, *LAYOUT.contact),
    references=gait_period,
    controllers=(BipedGait,),
    analyses={
        InternalGait: "footfall.machines.biped.report.internal_gait:internal_gait_contents",
    },
    report="footfall.machines.biped.report.page:REPORT",
    misprints=read_misprints(__package__),
)
