"""The rimless wheel, as it is registered."""

from footfall.machines.rimless_wheel.engine import closed_form, gait_state
from footfall.machines.rimless_wheel.measures import METRICS, claims, measures
from footfall.machines.rimless_wheel.model import POSITIONS
from footfall.registry.documents import read_bibtex
from footfall.registry.machine import CLOSED_FORM, Machine

MACHINE = Machine(
    name="rimless_wheel",
    title="Rimless wheel on a slope",
    citation=(
        "T. McGeer, Passive dynamic walking, International Journal of Robotics Research 9 (1990) "
        "62-82. M. J. Coleman, A stability study of a three-dimensional passive-dynamic model of "
        "human gait, PhD thesis, Cornell University, 1998."
    ),
    bibtex=read_bibtex(__package__),
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    gait=gait_state,
    requires=POSITIONS,
    report="footfall.machines.rimless_wheel.report.page:REPORT",
)
