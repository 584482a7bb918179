"""Claims of Kanehara (2009), part I.i, on the goalkeeper, held against a run."""

import math
from collections.abc import Mapping, Sequence

from footfall.machines.goalkeeper.closed_form.bisector import GOAL_WIDTH, SATURATION
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, stated
from footfall.registry.context import MachineContext

SOURCE = "Kanehara 2009, part I.i"

_PLACE = 1e-9  # m: rounding, and what a ball that is carried is off its path
_ANGLE = 1e-9  # rad: rounding over the distance of the ball, which may be small
_ITSELF = 1e-9  # m: a keeper that is nowhere farther from where its law wants it is the law
_BOUNDED = (
    "; the source's keeper is where it should be at once, this one has a bounded speed "
    "(max_speed) and acceleration, which are assumed; goalkeeper/listing has bounds that never bind"
)


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The report's statements, for runs with its goal and bound and a ball on a path."""
    control = context.controller
    if not isinstance(control, Goalkeeping) or control.path is None:
        return []
    if control.saturation != SATURATION:
        return []
    judged = []
    if scalar(metrics, "wanted_speed") > 0.0:  # else the bisector stays in the middle of the goal
        judged.append(_halves(*(scalar(metrics, f"bisector_{e}") for e in ("error", "step_error"))))
    offset = scalar(metrics, "mark_offset")
    if math.isfinite(offset):
        judged.append(_centre(offset))
    # the listing's own keeper is put where its bound holds it: that is not judged by itself
    if scalar(metrics, "saturated_share") > 0.0 and scalar(metrics, "keeper_lag") > _ITSELF:
        judged.append(_bound(scalar(metrics, "keeper_reach")))
    return judged


def _halves(error: float, own_error: float) -> Claim:
    return stated(
        "the keeper halves the angle of the posts (largest difference of BAD and CAD)",
        "rad",
        error,
        0.0,
        tolerance=_ANGLE,
        own_error=own_error,
        source=f"{SOURCE}, Figure 2",
        reason="by the angles themselves, not by BD:DC = AB:AC that follows" + _BOUNDED,
    )


def _centre(offset: float) -> Claim:
    return stated(
        "the keeper is at the centre of the goal when the ball is at the penalty spot",
        "m",
        offset,
        0.0,
        tolerance=_PLACE,
        source=SOURCE,
        reason="rounding" + _BOUNDED,
    )


def _bound(reach: float) -> Claim:
    return stated(
        "the displacement of the keeper is saturated (largest one)",
        "m",
        reach,
        0.5 * SATURATION * GOAL_WIDTH,
        "at most",
        _PLACE,
        source=f"{SOURCE}, listing Goalkeeper_position.m",
        reason="0.7 of half of the goal's 2.6 m" + _BOUNDED,
    )
