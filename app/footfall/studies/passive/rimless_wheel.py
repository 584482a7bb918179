"""The rimless wheel as a study: what belongs together."""

import math
from collections.abc import Mapping, Sequence

from footfall.metrics import Metric, scalar
from footfall.studies.claims import Claim, judged
from footfall.studies.passive.wheel import POSITIONS, wheel_of
from footfall.studies.passive.wheel_engine import closed_form, gait
from footfall.studies.passive.wheel_measures import METRICS, measures
from footfall.studies.study import CLOSED_FORM, Setting, Study

_CLOSE = 0.02  # of a multiplier of 0.57


def claims(_scenario: str, setting: Setting, metrics: Mapping[str, Metric]) -> Sequence[Claim]:
    """The law of the return map, for a roll that settles."""
    measured = scalar(metrics, "measured_multiplier")
    if not math.isfinite(measured) or (setting.e_n > 0.0).any():
        return []
    wheel = wheel_of(setting.model, setting.contacts)
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


STUDY = Study(
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
    gait=gait,
    requires=POSITIONS,
)
