"""The rimless wheel, as it is registered."""

from footfall.machines.rimless_wheel.engine import closed_form, gait_state
from footfall.machines.rimless_wheel.measures import METRICS, claims, measures
from footfall.machines.rimless_wheel.model import POSITIONS
from footfall.registry.machine import CLOSED_FORM, Machine

MACHINE = Machine(
    name="rimless_wheel",
    title="Rimless wheel on a slope",
    citation=(
        "T. McGeer, Passive dynamic walking, International Journal of Robotics Research 9 (1990) "
        "62-82. M. J. Coleman, A stability study of a three-dimensional passive-dynamic model of "
        "human gait, PhD thesis, Cornell University, 1998."
    ),
    bibtex="""@article{mcgeer1990passive,
  author  = {McGeer, Tad},
  title   = {Passive Dynamic Walking},
  journal = {The International Journal of Robotics Research},
  volume  = {9},
  number  = {2},
  pages   = {62--82},
  year    = {1990}
}

@phdthesis{coleman1998stability,
  author = {Coleman, Michael J.},
  title  = {A Stability Study of a Three-Dimensional Passive-Dynamic Model of Human Gait},
  school = {Cornell University},
  year   = {1998}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    gait=gait_state,
    requires=POSITIONS,
    report="footfall.machines.rimless_wheel.report.page:REPORT",
)
