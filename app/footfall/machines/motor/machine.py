"""The motor, registered: its metrics, claims, engine and report."""

from footfall.machines.motor.measures import METRICS, claims, measures
from footfall.machines.motor.model import LOAD, closed_form, motor_of
from footfall.registry.documents import TULIP, read_misprints
from footfall.registry.machine import CLOSED_FORM, Machine

MACHINE = Machine(
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
    summary="footfall.machines.motor.measures:summary",
    report="footfall.machines.motor.report.page:REPORT",
    misprints=read_misprints(__package__),
)
