"""The vehicle, registered: its metrics, claims, engine, controllers, analyses and report."""

from footfall.machines.ugv.engine import closed_form
from footfall.machines.ugv.ground import standing_state
from footfall.machines.ugv.measures import METRICS, claims, measures
from footfall.machines.ugv.model import COORDINATES, WHEELS, WheelLegDrive, parameters_of
from footfall.machines.ugv.optimum.analysis import LegAngles
from footfall.registry.documents import MECHANISMS, read_misprints
from footfall.registry.machine import CLOSED_FORM, Machine
from footfall.registry.traced import TracedPoint

MACHINE = Machine(
    name="ugv",
    title="A half vehicle on wheels at legs that move, over tracks",
    citation=MECHANISMS.part("section 8"),
    bibtex=MECHANISMS.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    models={".track": "footfall.machines.ugv.track_models:make_track"},
    engines={CLOSED_FORM: closed_form},
    gait=standing_state,
    requires=(*COORDINATES, *WHEELS),
    check=parameters_of,
    traced=(TracedPoint("rear axle", WHEELS[0]), TracedPoint("front axle", WHEELS[1])),
    friction_cones=True,
    controllers=(WheelLegDrive,),
    analyses={
        LegAngles: "footfall.machines.ugv.report.leg_angles:leg_angles_contents",
    },
    functions={
        "traversed": "footfall.machines.ugv.balance:traversed",
        "balance": "footfall.machines.ugv.balance:balance",
    },
    summary="footfall.machines.ugv.balance:summary",
    report="footfall.machines.ugv.report.page:REPORT",
    misprints=read_misprints(__package__),
)
