"""The rimless wheel as a study: what belongs together."""

from collections.abc import Mapping, Sequence

from footfall.metrics import Metric
from footfall.studies.claims import Claim
from footfall.studies.passive.wheel import POSITIONS
from footfall.studies.passive.wheel_engine import closed_form, gait
from footfall.studies.passive.wheel_measures import METRICS, measures
from footfall.studies.study import Setting, Study


def _claims(_scenario: str, _setting: Setting, _metrics: Mapping[str, Metric]) -> Sequence[Claim]:
    """None: the sources give formulas, which are the closed form here, and no wheel like it."""
    return []


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
    claims=_claims,
    engines={"closed-form": closed_form},
    gait=gait,
    requires=POSITIONS,
)
