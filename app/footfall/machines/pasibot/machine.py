"""PASIBOT, registered: its metrics, claims, engines, controllers and report."""

from footfall.machines.pasibot.claims import claims
from footfall.machines.pasibot.control import CrankMotor, gait
from footfall.machines.pasibot.engine import closed_form, hybrid
from footfall.machines.pasibot.measures import METRICS, measures
from footfall.machines.pasibot.model import CRANK, parameters_of
from footfall.registry.documents import MECHANISMS, read_misprints
from footfall.registry.machine import CLOSED_FORM, HYBRID, Machine
from footfall.registry.traced import TracedPoint

MACHINE = Machine(
    name="pasibot",
    title="PASIBOT, a walking mechanism with one motor",
    citation=MECHANISMS.part("sections 1 to 7"),
    bibtex=MECHANISMS.bibtex,
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
    controllers=(CrankMotor,),
    functions={
        **{
            name: f"footfall.machines.pasibot.analyses.gait_curves:{name}"
            for name in ("torque", "start", "slip")
        },
        "calibrated": "footfall.machines.pasibot.analyses.calibration:calibrated",
    },
    summary="footfall.machines.pasibot.analyses.calibration:summary",
    report="footfall.machines.pasibot.report.page:REPORT",
    misprints=read_misprints(__package__),
)
