"""Statements of the thesis's chapter 5, held against a walk.

Weights, the width of the feet, the initial posture and the path of the swinging heel are not in the
thesis: what was chosen for a statement is fitted, what then follows is predicted.
"""

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
from footfall.registry.claims import Claim, judged, stated
from footfall.registry.context import MachineContext
from footfall.registry.machine import BASELINE

SOURCE = "Özyurt 2005, chapter 5"
STEP, LIFT, TOE_OFF = 0.4, 0.06, 0.03545  # m
SPEEDS = {"double": 0.6, "single": 0.2}  # m/s
TWO_CYCLES, RUN_TIME = 1.77, 12.67  # s
_DIGIT = {"step": 0.05, "lift": 0.005, "toe_off": 5e-6, "speed": 0.05, "time": 0.005, "run": 0.005}
_SOFT = 0.1  # m/s: ours
_CONTINUOUS = math.radians(0.5)  # ours: what a line of a figure does not show
_LITTLE = math.radians(5.0)  # ours
_SMALL = 1.0  # N or N m: ours
_SWAYS = 0.01  # m: ours
_FEWEST_STEPS = 4  # of a walk: two cycles
_CHOSEN = "weights H, R, S and W are not in the thesis, those here were chosen for it to walk"


def claims(
    _scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """Judge what a run of the thesis's walker under its control can tell of."""
    control = context.controller
    if not is_thesis_body(context):
        return []
    if isinstance(control, FreedWalk) and is_thesis_gait(replace(control.gait, moving=False)):
        return [_without_weld(context, metrics)]
    if isinstance(control, (GroundWalk, WholeBody)):
        statements = (
            _on_ground(context, metrics) if scalar(metrics, "landings") >= _FEWEST_STEPS else []
        )
        return [claim for claim in statements if math.isfinite(claim.value)]
    if not isinstance(control, HumanoidWalk):
        return []
    if control.feedback is not None or "cycles" not in metrics:
        return []
    statements = _any_walk(context, metrics)
    if f"{BASELINE}cycle_work" in metrics:
        statements.append(_energy(metrics))
    if is_thesis_gait(control) and scalar(metrics, "cycles") >= 1.0:
        statements += [*_gait(control, metrics), *_touch_down(metrics), *_torques(metrics)]
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


def _without_weld(context: MachineContext, metrics: Mapping[str, Metric]) -> Claim:
    """Return the statement on how long the walk lasts, of feet that nothing holds."""
    duration = scalar(metrics, "duration")
    return _statement(
        "the walk goes on for as long as it is simulated, on ground that only pushes (1)",
        duration >= context.duration - 1.5 * context.time_step,
        f"it falls at {duration:.2f} s. The trunk is led straight ahead between the feet: on one "
        "foot the ground would have to push from beside the sole, so the robot tips over its inner "
        "edge, whatever the control. The thesis welds that foot and does not say that ground "
        "could hold it",
        source="Özyurt 2005, chapter 4: it may run forever",
        about_end=True,
    )


def _on_ground(context: MachineContext, metrics: Mapping[str, Metric]) -> list[Claim]:
    """Return statements on a walk whose feet nothing holds."""
    duration, steps = scalar(metrics, "duration"), scalar(metrics, "landings")
    sways = scalar(metrics, "sway_G1")
    return [
        _statement(
            "the walk goes on for as long as it is simulated, on ground that only pushes (1)",
            duration >= context.duration - 1.5 * context.time_step,
            f"{steps:.0f} steps in {duration:.4g} s, on references that ground can bear and that "
            "are not the thesis's, whose trunk goes straight ahead",
            source="Özyurt 2005, chapter 4: it may run forever",
            fitted=True,
            about_end=True,
        ),
        _statement(
            "the trunk oscillates about its straight line (1)",
            sways >= _SWAYS,
            f"G1 goes {1e3 * sways:.0f} mm to either side, led over the foot that stands; the "
            "thesis says that it does so with no enforcement",
            fitted=True,
        ),
        *_compared(metrics, "foot"),
    ]


def _any_walk(context: MachineContext, metrics: Mapping[str, Metric]) -> list[Claim]:
    """Return statements on any walk."""
    lasts = scalar(metrics, "duration") >= context.duration - 1.5 * context.time_step
    return [
        _statement(
            "the walk goes on for as long as it is simulated (1)",
            lasts,
            f"to {context.duration:g} s here; {_CHOSEN}",
            source="Özyurt 2005, chapter 4: it may run forever",
            fitted=True,
            about_end=True,
        ),
        _statement(
            "forces and moments of all joints come out, as knees and hips are designed by (1)",
            scalar(metrics, "reaction_residual") < _SMALL,
            f"with them every body balances to {scalar(metrics, 'reaction_residual'):.1g} N or N m "
            f"(less than {_SMALL:g} is asked here): {_loads(metrics)}. The thesis prints none",
            source="Özyurt 2005, abstract, tables 3.1 to 3.4 and chapter 5",
        ),
        _at_most(
            "angles go on from double into single support: their largest jump, toes aside",
            "rad",
            scalar(metrics, "toe_off_angle"),
            _CONTINUOUS,
            "the toe that left the ground, which the thesis has no longer, is set straight",
        ),
    ]


def _energy(metrics: Mapping[str, Metric]) -> Claim:
    """Return the statement on a walk whose predicted power is weighed."""
    work, without = (scalar(metrics, f"{of}cycle_work") for of in ("", BASELINE))
    return stated(
        "mechanical energy in the performance measure lets it walk with less: work of the torques "
        "while they drive, over that of the same walk without it",
        "1",
        work / without,
        1.0,
        "at most",
        source="Özyurt 2005, chapter 6, future work 2",
        reason=f"{work:.3g} J and {without:.3g} J in a gait cycle; the weight is chosen",
        fitted=True,
    )


def _toe_off(control: HumanoidWalk) -> str:
    """Say what leads the heel behind in double support."""
    if control.track_toe:
        return "the toe behind is led there by a seventh output, which the thesis does not have"
    return (
        "the six outputs and five commands of (3.154) to (3.156) do not lead it: it follows from "
        "the loop, which on two level feet leaves one motion more than is commanded, the heel's. "
        "The least accelerations are taken there, and track_toe adds an output and a command for it"
    )


def _gait(control: HumanoidWalk, metrics: Mapping[str, Metric]) -> list[Claim]:
    """Cycles, steps and speeds."""
    printed = control.printed_path
    path = "the heel is led by (4.4)" if printed else "the path that replaces (4.1) is chosen so"
    statements = [
        _statement(
            "two successive gait cycles are sustained (1)",
            scalar(metrics, "cycles") >= 2.0,
            _CHOSEN,
            fitted=True,
        ),
        judged(
            "two gait cycles take",
            "s",
            scalar(metrics, "two_cycles_time"),
            TWO_CYCLES,
            _DIGIT["time"],
            source=SOURCE,
            reason="1.77 s are the four single supports alone: the trunk goes 0.0887 m in each, as "
            "long as the printed path of the heel (4.4) lasts, and 4 x 0.0887 m / 0.2 m/s = 1.774 "
            "s. With the double supports, the rest of 0.2 m at 0.6 m/s, two cycles take 2.51 s on "
            "the references",
        ),
        judged(
            "step: travel of the swinging heel",
            "m",
            scalar(metrics, "heel_travel"),
            STEP,
            _DIGIT["step"],
            source=SOURCE,
            reason=f"{path}; it is counted from the toe-off, when the heel is already ahead of "
            "where it stood",
            fitted=not printed,
        ),
        judged(
            "height of the heel behind at toe-off",
            "m",
            scalar(metrics, "heel_rise"),
            TOE_OFF,
            _DIGIT["toe_off"],
            source="Özyurt 2005, chapter 4, (4.2)",
            reason=_toe_off(control),
            fitted=control.track_toe,
        ),
        judged(
            "largest height of the swinging heel",
            "m",
            scalar(metrics, "lift"),
            LIFT,
            _DIGIT["lift"],
            source=SOURCE,
            reason="the path that replaces (4.2), which cannot be recovered, is chosen so; the "
            "rest is the error of tracking",
            fitted=True,
        ),
    ]
    for support, published in SPEEDS.items():
        name = f"speed of the trunk in {support} support"
        speed = scalar(metrics, f"speed_{support}")
        reason = "mean over the phase; the trunk is still speeding up or slowing down in it"
        digit = _DIGIT["speed"]
        statements.append(
            judged(name, "m/s", speed, published, digit, source=SOURCE, reason=reason)
        )
    sways = scalar(metrics, "sway_G1")
    statements.append(
        _statement(
            "the trunk oscillates about its straight line like a person's, with no enforcement (1)",
            sways >= _SWAYS,
            f"G1 does oscillate with the steps, by {1e3 * sways:.2f} mm to either side; a person's "
            "trunk goes over the standing foot, by centimetres (a centimetre is asked here). The "
            "weld of the foot takes that need away",
        )
    )
    return statements


def _touch_down(metrics: Mapping[str, Metric]) -> list[Claim]:
    """Statements on the landing of the foot."""
    energy = scalar(metrics, "touch_down_energy")
    return [
        _at_most(
            "a soft touch: speed of the heel downwards at a touch-down",
            "m/s",
            scalar(metrics, "landing_speed"),
            _SOFT,
            "what is soft is not said, 0.1 m/s is ours. The chosen path ends without speed, "
            "but the foot counts as landed from 1 mm on, where it still has some; the jump of the "
            f"rates gives or takes {energy:.2g} J at most",
        ),
        _at_most(
            "angles deviate a little where single support ends: their largest jump",
            "rad",
            scalar(metrics, "touch_down_angle"),
            _LITTLE,
            "a little is not said, 5 degrees are ours. The sole that lands is made level at once "
            "(3.5): the ankle's pitch jumps by all that the sole was inclined",
        ),
    ]


def _torques(metrics: Mapping[str, Metric]) -> list[Claim]:
    """Statements on torques, on the weight that legs share, and on the time of computing."""
    first, second = (scalar(metrics, f"{name}_cycle_torque") for name in ("first", "second"))
    speed = scalar(metrics, "realtime_factor")
    statements = _compared(metrics, "toe")
    if math.isfinite(second):
        reason = f"largest of the first cycle {first:.0f} N m, of the second {second:.0f} N m"
        name = "starting from rest takes higher torques than the second cycle (1)"
        statements.append(_statement(name, first > second, reason))
    statements.append(
        judged(
            "time of computing for a second of walking",
            "s",
            1.0 / speed if speed > 0.0 else math.nan,
            RUN_TIME / TWO_CYCLES,
            _DIGIT["run"],
            source=f"{SOURCE}: 12.67 s for 1.77 s",
            reason="another computer, other code; the first run of all compiles as well",
        )
    )
    return statements


def _compared(metrics: Mapping[str, Metric], part: str) -> list[Claim]:
    """Statements on torques in both supports, and on the weight that legs share.

    part: of the leg behind, which is on the ground.
    """
    peak, rms = (
        tuple(scalar(metrics, f"{kind}_torque_{support}") for support in ("double", "single"))
        for kind in ("peak", "rms")
    )
    behind = scalar(metrics, "load_behind")
    return [
        _statement(
            "torques are smaller in double than in single support: largest and rms (1)",
            peak[0] < peak[1] and rms[0] < rms[1],
            f"largest {peak[0]:.0f} and {peak[1]:.0f} N m, rms {rms[0]:.1f} and {rms[1]:.1f} N m",
        ),
        _statement(
            "the weight is shared between two legs in double support (1)",
            0.25 <= behind <= 0.75,
            f"the {part} behind carries {behind:.0%} in the mean; a quarter at least is asked "
            "here. What is chosen of the redundant torques decides it, by (3.135) in the thesis",
        ),
    ]


def _loads(metrics: Mapping[str, Metric]) -> str:
    """Say the largest loads of hips and knees."""
    return ", ".join(
        f"in a {joint} up to {scalar(metrics, f'{joint}_force'):.0f} N, and "
        f"{scalar(metrics, f'{joint}_moment'):.0f} N m across its axis"
        for joint in ("hip", "knee")
    )


def _statement(
    name: str,
    holds: bool,
    reason: str,
    *,
    source: str = SOURCE,
    fitted: bool = False,
    about_end: bool = False,
) -> Claim:
    """A statement without a number, which holds (1) or not."""
    return stated(
        name,
        "1",
        float(holds),
        1.0,
        source=source,
        reason=reason,
        fitted=fitted,
        about_end=about_end,
    )


def _at_most(name: str, unit: str, value: float, most: float, reason: str) -> Claim:
    """A statement that a number is small, with the bound that is ours."""
    return stated(name, unit, abs(value), most, "at most", source=SOURCE, reason=reason)
