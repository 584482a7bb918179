"""Statements of the thesis's chapter 5, which stand in claims.md, held against a walk."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from footfall.control.whole_body import WholeBody
from footfall.errors import ModelError
from footfall.machines.humanoid.closed_form.parameters import HumanoidParameters
from footfall.machines.humanoid.control import HumanoidWalk
from footfall.machines.humanoid.ground_walk import FreedWalk, GroundWalk
from footfall.machines.humanoid.model import parameters_of
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall.registry.machine import BASELINE

STATEMENTS = read_statements(__package__)
TWO_CYCLES, RUN_TIME = 1.77, 12.67  # s
_CONTINUOUS = math.radians(0.5)  # ours: what a line of a figure does not show
_LITTLE = math.radians(5.0)  # ours
_SMALL = 1.0  # N or N m: ours
_SWAYS = 0.01  # m: ours
_FEWEST_STEPS = 4  # of a walk: two cycles


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """Judge what a run of the thesis's walker under its control can tell of."""
    control = context.controller
    if not is_thesis_body(context):
        return []
    lasts = scalar(metrics, "duration") >= context.duration - 1.5 * context.time_step
    if isinstance(control, FreedWalk) and is_thesis_gait(replace(control.gait, moving=False)):
        return [STATEMENTS["freed"].of(lasts, duration=scalar(metrics, "duration"))]
    if isinstance(control, (GroundWalk, WholeBody)):
        long = scalar(metrics, "landings") >= _FEWEST_STEPS
        statements = _on_ground(metrics, lasts=lasts) if long else []
        return [claim for claim in statements if math.isfinite(claim.value)]
    if not isinstance(control, HumanoidWalk):
        return []
    if control.feedback is not None or "cycles" not in metrics:
        return []
    residual = scalar(metrics, "reaction_residual")
    balanced = {"residual": residual, "least": _SMALL, "loads": _loads(metrics)}
    statements = [
        STATEMENTS["lasts"].of(lasts, duration=context.duration),
        STATEMENTS["reaction_residual"].of(residual < _SMALL, **balanced),
        _size(metrics, "toe_off_angle", bound=_CONTINUOUS),
    ]
    if f"{BASELINE}cycle_work" in metrics:
        work, without = (scalar(metrics, f"{of}cycle_work") for of in ("", BASELINE))
        statements.append(STATEMENTS["cycle_work"].of(work / without, work=work, without=without))
    if is_thesis_gait(control) and scalar(metrics, "cycles") >= 1.0:
        statements += [
            *_gait(control, metrics),
            _size(metrics, "landing_speed", energy=scalar(metrics, "touch_down_energy")),
            _size(metrics, "touch_down_angle", bound=_LITTLE),
            *_torques(metrics),
        ]
    return [claim for claim in statements if math.isfinite(claim.value)]


def is_thesis_body(context: MachineContext) -> bool:
    """Return True for the bodies of the thesis's tables, with its mass, height and mass centre."""
    try:
        parameters = parameters_of(context.model, hip_yaw=True)
    except ModelError:
        return False
    own = HumanoidParameters(toe_share=parameters.toe_share, toe_length=parameters.toe_length)
    return parameters == own


def is_thesis_gait(control: HumanoidWalk) -> bool:
    """Return True for the thesis's references, whatever the weights and horizons."""
    own = HumanoidWalk()
    free = ("position_weight", "velocity_weight", "acceleration_weight", "torque_weights")
    chosen = (*free, "horizon", "patience", "friction", "half_width", "track_toe", "printed_path")
    return replace(control, **{name: getattr(own, name) for name in chosen}) == own


def _on_ground(metrics: Mapping[str, Metric], *, lasts: bool) -> list[Claim]:
    """Return statements on a walk whose feet nothing holds."""
    duration, steps = scalar(metrics, "duration"), scalar(metrics, "landings")
    sways = scalar(metrics, "sway_G1")
    return [
        STATEMENTS["on_ground"].of(lasts, duration=duration, steps=steps),
        STATEMENTS["sways_on_ground"].of(sways >= _SWAYS, sways=1e3 * sways),
        *_compared(metrics, "foot"),
    ]


def _gait(control: HumanoidWalk, metrics: Mapping[str, Metric]) -> list[Claim]:
    """Cycles, steps and speeds."""
    travel = "heel_travel_printed" if control.printed_path else "heel_travel"
    rise = "heel_rise_tracked" if control.track_toe else "heel_rise"
    sways = scalar(metrics, "sway_G1")
    return [
        STATEMENTS["cycles"].of(scalar(metrics, "cycles") >= 2.0),
        STATEMENTS["two_cycles_time"].of(scalar(metrics, "two_cycles_time")),
        STATEMENTS[travel].of(scalar(metrics, "heel_travel")),
        STATEMENTS[rise].of(scalar(metrics, "heel_rise")),
        *(STATEMENTS[k].of(scalar(metrics, k)) for k in ("lift", "speed_double", "speed_single")),
        STATEMENTS["sway_G1"].of(sways >= _SWAYS, sways=1e3 * sways),
    ]


def _torques(metrics: Mapping[str, Metric]) -> list[Claim]:
    """Statements on torques, on the weight that legs share, and on the time of computing."""
    first, second = (scalar(metrics, f"{name}_cycle_torque") for name in ("first", "second"))
    speed = scalar(metrics, "realtime_factor")
    statements = _compared(metrics, "toe")
    if math.isfinite(second):
        higher = STATEMENTS["second_cycle_torque"]
        statements.append(higher.of(first > second, first=first, second=second))
    computing = 1.0 / speed if speed > 0.0 else math.nan
    took = STATEMENTS["realtime_factor"].of(computing, bound=RUN_TIME / TWO_CYCLES)
    return [*statements, took]


def _compared(metrics: Mapping[str, Metric], part: str) -> list[Claim]:
    """Statements on torques in both supports, and on the weight that legs share.

    part: of the leg behind, which is on the ground.
    """
    peak, rms = (
        tuple(scalar(metrics, f"{kind}_torque_{support}") for support in ("double", "single"))
        for kind in ("peak", "rms")
    )
    behind, less = scalar(metrics, "load_behind"), peak[0] < peak[1] and rms[0] < rms[1]
    if math.isclose(*peak, rel_tol=1e-6):  # of the limit, where there is one
        less = rms[0] < rms[1]
    return [
        STATEMENTS["torques_by_support"].of(less, peak=peak, rms=rms),
        STATEMENTS["load_behind"].of(0.25 <= behind <= 0.75, behind=behind, part=part),
    ]


def _loads(metrics: Mapping[str, Metric]) -> str:
    """Say the largest loads of hips and knees."""
    return ", ".join(
        f"in a {joint} up to {scalar(metrics, f'{joint}_force'):.0f} N, and "
        f"{scalar(metrics, f'{joint}_moment'):.0f} N m across its axis"
        for joint in ("hip", "knee")
    )


def _size(metrics: Mapping[str, Metric], name: str, **given: float) -> Claim:
    """The statement that a metric is small, whatever its sign."""
    return STATEMENTS[name].of(abs(scalar(metrics, name)), **given)
