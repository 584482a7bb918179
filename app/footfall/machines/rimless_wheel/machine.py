"""The rimless wheel: what footfall knows of it."""

import math
from collections.abc import Mapping, Sequence

from footfall.machines.rimless_wheel.engine import closed_form, gait
from footfall.machines.rimless_wheel.measures import METRICS, measures
from footfall.machines.rimless_wheel.model import POSITIONS, wheel_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, judged
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, Machine

_CLOSE = 0.02  # of a multiplier of 0.57


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The law of the return map, for a roll that settles."""
    measured = scalar(metrics, "measured_multiplier")
    if not math.isfinite(measured) or (context.e_n > 0.0).any():
        return []
    wheel = wheel_of(context.model, context.contacts)
    return [
        judged(
            "multiplier of the squared rates is the square of the factor η of an impact",
            "1",
            measured,
            wheel.closed_form().eta ** 2,
            _CLOSE,
            source="McGeer 1990; Coleman 1998",
            reason=(
                "the sources give the law of the impact, not this wheel. The tolerance is what "
                "landings up to a millisecond late make of the slope of some steps"
            ),
        )
    ]


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
  title  = {A Stability Machine of a Three-Dimensional Passive-Dynamic Model of Human Gait},
  school = {Cornell University},
  year   = {1998}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    gait=gait,
    requires=POSITIONS,
    report="footfall.machines.rimless_wheel.report.page:REPORT",
)
