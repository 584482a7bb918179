"""Claims about the rimless wheel: the law of its return map, held against a run."""

import math
from collections.abc import Mapping, Sequence

from footfall.machines.rimless_wheel.model import wheel_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, checked
from footfall.registry.context import MachineContext

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
        checked(
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
