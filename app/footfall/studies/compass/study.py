"""The compass walker as a study: what belongs together."""

import numpy as np
import numpy.typing as npt

from footfall.analytic.compass import Compass
from footfall.plants.contacts import ContactSet
from footfall.plants.load import Model
from footfall.studies.compass.claims import claims
from footfall.studies.compass.control import law_of
from footfall.studies.compass.cycle import find_cycle
from footfall.studies.compass.exact import exact_parameters
from footfall.studies.compass.hybrid_engine import hybrid
from footfall.studies.compass.machine import FEET, POSITIONS, parameters_of, state_of
from footfall.studies.compass.measures import METRICS, measures
from footfall.studies.control import Controller
from footfall.studies.study import HYBRID, Study


def gait(
    model: Model, contacts: ContactSet, controller: Controller | None
) -> npt.NDArray[np.float64]:
    """[q; v] just after a heel strike of the periodic gait, foot 1 at the origin of the slope.

    Raises RunError for a walker without such a gait.
    """
    parameters = exact_parameters(model, contacts)
    cycle = find_cycle(parameters, law_of(controller, model, contacts))
    return state_of(Compass(parameters), 0, 0.0, cycle.after)


STUDY = Study(
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
  title   = {A Study of the Passive Gait of a Compass-Like Biped Robot: Symmetry and Chaos},
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
)
