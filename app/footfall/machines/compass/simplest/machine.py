"""The simplest walker, as it is registered.

Its model is the compass with all mass of its legs at the feet; the little mass that they have there
keeps it from the limit.
"""

from footfall.machines.compass.exact_cycle import find_exact_cycle
from footfall.machines.compass.model import FEET, POSITIONS, parameters_of
from footfall.machines.compass.simplest.claims import claims
from footfall.machines.compass.simplest.hybrid_engine import gait_state, hybrid
from footfall.machines.compass.simplest.measures import METRICS, measures
from footfall.registry.machine import HYBRID, Machine

MACHINE = Machine(
    name="simplest_walker",
    title="The simplest walking model",
    citation=(
        "M. Garcia, A. Chatterjee, A. Ruina, M. Coleman, The simplest walking model: stability, "
        "complexity, and scaling, ASME Journal of Biomechanical Engineering 120 (1998) 281-288."
    ),
    bibtex="""@article{garcia1998simplest,
  author  = {Garcia, Mariano and Chatterjee, Anindya and Ruina, Andy and Coleman, Michael},
  title   = {The Simplest Walking Model: Stability, Complexity, and Scaling},
  journal = {Journal of Biomechanical Engineering},
  volume  = {120},
  number  = {2},
  pages   = {281--288},
  year    = {1998}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={HYBRID: hybrid},
    gait=gait_state,
    requires=(*POSITIONS, *FEET),
    check=parameters_of,
    references=find_exact_cycle,
    report="footfall.machines.compass.simplest.report.page:REPORT",
)
