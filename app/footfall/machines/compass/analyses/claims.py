"""Claims about the walkers' period doublings, held against an analysis."""

import math
from collections.abc import Mapping, Sequence

from footfall.machines.compass.claims import same_walker
from footfall.machines.compass.closed_form.model import GOSWAMI
from footfall.machines.compass.closed_form.simplest import FIRST_FLIP
from footfall.machines.compass.model import parameters_of
from footfall.metrics import Metric
from footfall.registry.claims import Claim, judged
from footfall.registry.context import MachineContext

_GARCIA = "Garcia, Chatterjee, Ruina & Coleman 1998"
_GOSWAMI = "Goswami, Thuilot & Espiau 1998, at second hand"
# degrees: first doubling of the compass with m_hip = 2 m and mass centres at mid-leg
GOSWAMI_FIRST_FLIP_DEG = 4.37


def slope_claims(
    walker: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """Claims about the doublings of a walker, "compass" or "simplest"."""
    slopes = metrics.get("period_doubling_slopes")
    if not isinstance(slopes, Sequence) or not slopes or not isinstance(slopes[0], float):
        return []
    first = slopes[0]
    if walker == "simplest":
        return [
            judged(
                "first period doubling of the simplest walker, gamma",
                "rad",
                first,
                FIRST_FLIP,
                5e-5,
                source=_GARCIA,
                reason="the paper gives three digits; the tolerance is half of the last one",
            )
        ]
    if not same_walker(parameters_of(context.model, context.contacts), GOSWAMI, on_any_slope=True):
        return []
    return [
        judged(
            "first period doubling of Goswami's compass",
            "degrees",
            math.degrees(first),
            GOSWAMI_FIRST_FLIP_DEG,
            0.005,
            source=_GOSWAMI,
            reason="the paper was not at hand, its number is quoted widely; it is read off long "
            "simulations, and near a doubling a gait settles slowly. Here it is where a multiplier "
            "is -1, to 1e-9 degrees",
        )
    ]
