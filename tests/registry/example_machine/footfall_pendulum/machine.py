"""The pendulum as a machine: what belongs together."""

import math
from collections.abc import Mapping, Sequence

from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, judged
from footfall.registry.context import MachineContext
from footfall.registry.machine import CLOSED_FORM, Machine
from footfall_pendulum.amplitude_sweep import AmplitudeSweep
from footfall_pendulum.damper import Damper
from footfall_pendulum.engine import closed_form
from footfall_pendulum.measures import METRICS, measures

_RIGHT_ANGLE = 1.854074677301372 * 2.0 / math.pi  # K(m = 1/2) of table 17.1


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The published period at 90 degrees, for a free swing from there."""
    amplitude, rate = context.initial_state.tolist()
    if context.controller is not None or (round(amplitude, 6), rate) != (1.570796, 0.0):
        return []
    return [
        judged(
            "period at 90 degrees over that of small swings",
            "1",
            scalar(metrics, "period_ratio"),
            _RIGHT_ANGLE,
            1e-5,
            source="Abramowitz and Stegun 1964, table 17.1",
            reason="passages are interpolated in proportion between rows 1 ms apart",
        )
    ]


MACHINE = Machine(
    name="pendulum",
    title="Pendulum that swings from rest",
    citation=(
        "M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, National Bureau of "
        "Standards, 1964."
    ),
    bibtex="""@book{abramowitz1964handbook,
  author    = {Abramowitz, Milton and Stegun, Irene A.},
  title     = {Handbook of Mathematical Functions},
  publisher = {National Bureau of Standards},
  year      = {1964}
}""",
    measures=measures,
    metrics=METRICS,
    claims=claims,
    engines={CLOSED_FORM: closed_form},
    requires=("swing",),
    controllers=(Damper,),
    analyses={AmplitudeSweep: "footfall_pendulum.report:sweep_contents"},
    report="footfall_pendulum.report:REPORT",
)
