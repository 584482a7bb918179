"""The humanoid walker, registered: its metrics, claims, engines, controller and report."""

from footfall.machines.humanoid.claims import claims
from footfall.machines.humanoid.control import HumanoidWalk, without_power
from footfall.machines.humanoid.engine import (
    ENGINES,
    check_engine,
    gait,
    is_thesis_step,
    warm_up,
)
from footfall.machines.humanoid.ground_walk import FreedWalk, GroundWalk
from footfall.machines.humanoid.measures import METRICS, measures, references
from footfall.machines.humanoid.model import check_hinges
from footfall.registry.documents import Document, read_bibtex, read_misprints
from footfall.registry.machine import Machine
from footfall.registry.traced import TracedPoint

THESIS = Document(
    "G. Özyurt, 3-D humanoid gait simulation using an optimal predictive control, master's thesis, "
    "Middle East Technical University, 2005",
    read_bibtex(__package__),
)
MACHINE = Machine(
    name="humanoid",
    title="Humanoid walker under optimal predictive control",
    citation=THESIS.part("chapters 2 to 5"),
    bibtex=THESIS.bibtex,
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines=ENGINES,
    gait=gait,
    references=references,
    any_rows=True,
    baseline=without_power,
    check=check_hinges,
    check_engine=check_engine,
    published_step=is_thesis_step,
    warm_up=warm_up,
    traced=(TracedPoint("O1", "humanoid::hat"),),
    pressure_centre=True,
    controllers=(HumanoidWalk, FreedWalk, GroundWalk),
    functions={"trade_off": "footfall.machines.humanoid.trade_off:trade_off"},
    summary="footfall.machines.humanoid.trade_off:summary",
    report="footfall.machines.humanoid.report.page:REPORT",
    misprints=read_misprints(__package__),
)
