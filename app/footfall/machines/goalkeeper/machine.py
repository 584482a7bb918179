"""The goalkeeper, registered: its metrics, claims, engine, controllers, analyses and report."""

from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.engine import closed_form
from footfall.machines.goalkeeper.measures import METRICS, POSITIONS, claims, measures
from footfall.registry.dashed import DashedLine
from footfall.registry.documents import TULIP, read_misprints
from footfall.registry.machine import CLOSED_FORM, Machine

MACHINE = Machine(
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
    controllers=(Goalkeeping,),
    functions={"shot": "footfall.machines.goalkeeper.saved_shots:shot"},
    summary="footfall.machines.goalkeeper.saved_shots:summary",
    report="footfall.machines.goalkeeper.report.page:REPORT",
    misprints=read_misprints(__package__),
)
