"""The compass walker: what footfall knows of it."""

import numpy as np
import numpy.typing as npt

from footfall.control.controller import Controller
from footfall.machines.compass.basin import Basin
from footfall.machines.compass.bifurcation import Bifurcation
from footfall.machines.compass.claims import claims
from footfall.machines.compass.closed_form.model import Compass
from footfall.machines.compass.control import HipEnergyShaping, law_of
from footfall.machines.compass.cycle import find_cycle
from footfall.machines.compass.exact import exact_parameters
from footfall.machines.compass.hybrid_engine import hybrid
from footfall.machines.compass.mass_ratio import MassRatio
from footfall.machines.compass.measures import METRICS, measures
from footfall.machines.compass.model import FEET, POSITIONS, parameters_of, state_of
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.registry.machine import HYBRID, Machine


def gait(
    model: Model, contacts: ContactSet, controller: Controller | None
) -> npt.NDArray[np.float64]:
    """[q; v] just after a heel strike of the periodic gait, foot 1 at the origin of the slope.

    Raises RunError for a walker without such a gait.
    """
    parameters = exact_parameters(model, contacts)
    cycle = find_cycle(parameters, law_of(controller, model, contacts))
    return state_of(Compass(parameters), 0, 0.0, cycle.after)


MACHINE = Machine(
    name="compass",
    title="Compass walker on a slope",
    citation=(
        "S. Roncagliolo, C. Vindolet, Dynamic modeling of a compass, Humanoid Robotics, master "
        "CORO-IMARO, Ecole Centrale de Nantes, 25 November 2020. For the walker with a heavy hip: "
        "A. Goswami, B. Thuilot, B. Espiau, A study of the passive gait of a compass-like biped "
        "robot: symmetry and chaos, International Journal of Robotics Research 17 (1998) 1282-1301."
    ),
    bibtex="""@techreport{roncagliolo2020compass,
  author      = {Roncagliolo, Serena and Vindolet, Camille},
  title       = {Dynamic modeling of a compass},
  institution = {Ecole Centrale de Nantes},
  type        = {Humanoid Robotics, master CORO-IMARO},
  year        = {2020}
}

@article{goswami1998study,
  author  = {Goswami, Ambarish and Thuilot, Benoit and Espiau, Bernard},
  title   = {A Machine of the Passive Gait of a Compass-Like Biped Robot: Symmetry and Chaos},
  journal = {The International Journal of Robotics Research},
  volume  = {17},
  number  = {12},
  pages   = {1282--1301},
  year    = {1998}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={HYBRID: hybrid},
    gait=gait,
    requires=(*POSITIONS, *FEET),
    check=parameters_of,
    controllers=(HipEnergyShaping,),
    analyses={
        Bifurcation: "footfall.machines.compass.report.bifurcation:bifurcation_contents",
        Basin: "footfall.machines.compass.report.basin:basin_contents",
        MassRatio: "footfall.machines.compass.report.mass_ratio:mass_ratio_contents",
    },
    report="footfall.machines.compass.report.page:REPORT",
)
