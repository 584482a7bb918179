"""The compass walker, as it is registered."""

from footfall.machines.compass.analyses.bifurcation import Bifurcation
from footfall.machines.compass.claims import claims
from footfall.machines.compass.control import HipEnergyShaping
from footfall.machines.compass.hybrid_engine import gait_state, hybrid
from footfall.machines.compass.measures import METRICS, find_exact_cycle, measures
from footfall.machines.compass.model import FEET, POSITIONS, parameters_of
from footfall.registry.documents import read_bibtex, read_misprints
from footfall.registry.machine import HYBRID, Machine

MACHINE = Machine(
    name="compass",
    title="Compass walker on a slope",
    citation=(
        "S. Roncagliolo, C. Vindolet, Dynamic modeling of a compass, Humanoid Robotics, master "
        "CORO-IMARO, Ecole Centrale de Nantes, 25 November 2020. For the walker with a heavy hip: "
        "A. Goswami, B. Thuilot, B. Espiau, A study of the passive gait of a compass-like biped "
        "robot: symmetry and chaos, International Journal of Robotics Research 17 (1998) 1282-1301."
    ),
    bibtex=read_bibtex(__package__),
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={HYBRID: hybrid},
    gait=gait_state,
    requires=(*POSITIONS, *FEET),
    check=parameters_of,
    references=find_exact_cycle,
    controllers=(HipEnergyShaping,),
    analyses={
        Bifurcation: "footfall.machines.compass.report.bifurcation:bifurcation_contents",
    },
    functions={
        "gait": "footfall.machines.compass.analyses.gait:gait",
        "basin": "footfall.machines.compass.analyses.basin:basin",
    },
    summary="footfall.machines.compass.analyses.gait:summary",
    report="footfall.machines.compass.report.page:REPORT",
    misprints=read_misprints(__package__),
)
