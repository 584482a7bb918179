"""Claims of Oh and Huang (2021) on their hopper's jump, held against a run.

The document prints d and the torque; the initial angles, and that each segment of the torque has
its own time, are in the authors' public program, github.com/garlicbutter/HybridDynamicsFinal, as
commit 5d5016c has it: animation.m (phi = 54, inclined_theta = 55 degrees), tau_calc.m, and
lam_calc.m, which sets g = 9.8.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from functools import cache

import numpy as np

from footfall.machines.hopper.closed_form.model import CODE, TEXT, Hopper, HopperParameters
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.measures import MARGINS
from footfall.machines.hopper.model import ACTUATOR, parameters_of
from footfall.machines.hopper.motion import motion_from
from footfall.metrics import Metric, scalar
from footfall.registry.claims import Claim, read_statements
from footfall.registry.context import MachineContext
from footfall_controllers.piecewise import Segment
from footfall_controllers.torque_profile import TorqueProfile, TorqueProfileParameters

STATEMENTS = read_statements(__package__)
DISTANCE = STATEMENTS["jump_distance"].bound  # m
FURTHER = STATEMENTS["further"].bound  # "theoretically we can reach at least five times further"

# x = (x, y, theta1, theta2; rates), at rest with P at the origin
START = np.array([0.0, 0.0, math.radians(109.0), math.radians(-108.0), 0.0, 0.0, 0.0, 0.0])
START.flags.writeable = False

# f1 to f3 of item 5 [N m]; the first is 3.2 - 1500 (s - 0.04)^2
TORQUE = TorqueProfileParameters(
    (
        Segment(0.0, 0.06, (0.8, 120.0, -1500.0)),
        Segment(0.06, 0.25, (-0.6, 3.0)),
        Segment(0.25, 0.35, (0.9, -15.0)),
    )
)

# An earlier impact_law.m, that of commit 1c75c17, has (2/3)(6 c2 + 11), (6 c2 + 5)/3 and 5/3 of
# m l^2 for M_33, M_34 and M_44, where the text has (4/3)(3 c2 + 5), (2/3)(3 c2 + 2) and 4/3: the
# mass matrix of links with twice the inertia m l^2/3. animation.m of that commit starts from other
# angles; with the published ones, in commit 5d5016c, impact_law.m is right. No commit that could be
# read has both.
EARLY_IMPACT_INERTIA = 2.0


class OtherLinks(Hopper):
    """A hopper whose links have another inertia about their middles, as a multiple of m l^2/3."""

    def __init__(self, parameters: HopperParameters, inertia: float) -> None:
        super().__init__(parameters)
        self.turning += (inertia - 1.0) * parameters.m * parameters.l**2 / 3.0


@cache
def published_distance(parameters: HopperParameters, *, early_impact: bool = False) -> float:
    """Distance of the published inputs by the corrected equations [m].

    early_impact: with landings of a hopper of other links, as commit 1c75c17 has them.
    """
    landing = OtherLinks(parameters, EARLY_IMPACT_INERTIA) if early_impact else None
    machine, torque = Hopper(parameters), ProfileTorque(TORQUE)
    return motion_from(machine, torque, START, impact_machine=landing).jump.distance


_SAME = 1e-9
_LEAST = -1e-9  # rad, m or N m: a margin of a bound that is meant to be reached, within rounding
_STILL = 1e-9  # rounding, which grows as an inverted pendulum does


def claims(
    scenario: str, context: MachineContext, metrics: Mapping[str, Metric]
) -> Sequence[Claim]:
    """The published jump for runs of its inputs; what is said of the best one for that."""
    parameters = parameters_of(context.model, context.contacts)
    if not any(_same(parameters, one) for one in (TEXT, CODE)):
        return []
    if stands_still(context, Hopper(parameters)):
        return _at_rest(Hopper(parameters), metrics)
    jumped = scalar(metrics, "jump_distance")
    if is_published(context) and math.isfinite(scalar(metrics, "end_time")):
        return [_distance(jumped), *_in_words(metrics, parameters.mu, context.time_step)]
    if not math.isfinite(jumped):
        return []
    least = metrics.get("constraint_margins")
    if scenario.rpartition("/")[2] == "best" and isinstance(least, Sequence):
        by_name = dict(zip(MARGINS, least, strict=True))
        return [_further(jumped, {name: scalar(by_name, name) for name in MARGINS})]
    return []


def is_published(context: MachineContext) -> bool:
    """Return whether a run starts and is driven as the published one."""
    segments = _played(context)
    return (
        bool(np.allclose(context.initial_state, START, rtol=0.0, atol=_SAME))
        and len(segments) == len(TORQUE.segments)
        and all(_same(one, other) for one, other in zip(segments, TORQUE.segments, strict=True))
    )


def stands_still(context: MachineContext, machine: Hopper) -> bool:
    """Return True for a start in an equilibrium on P that the torque keeps: M q'' = 0 in stick."""
    x, segments = context.initial_state, _played(context)
    if not segments:
        return False
    held = segments[0]
    _, _, lean, bend = machine.gravity(x).tolist()
    return (
        held.end >= context.duration
        and len(held.coefficients) == 1
        and abs(held.coefficients[0] - bend) <= _SAME
        and abs(lean) <= _SAME
        and abs(x[1]) <= _SAME
        and not x[4:].any()
    )


def _played(context: MachineContext) -> tuple[Segment, ...]:
    """The torque that a run prescribes; nothing where it is driven otherwise."""
    law = context.controller
    if not isinstance(law, TorqueProfile) or set(law.torques) != {ACTUATOR}:
        return ()
    return law.profiles_of(context.model.plant)[ACTUATOR].segments


def _at_rest(machine: Hopper, metrics: Mapping[str, Metric]) -> list[Claim]:
    """Statics, which is none of the document's claims: its G of item 1 alone."""
    weight = machine.mass * machine.parameters.g
    force, moved = (STATEMENTS[name] for name in ("standing_force", "standing_motion"))
    return [
        force.of(scalar(metrics, "standing_force"), bound=weight, tolerance=_STILL * weight),
        moved.of(scalar(metrics, "standing_motion")),
    ]


def _same(one: HopperParameters | Segment, other: HopperParameters | Segment) -> bool:
    """Return whether two dataclasses of numbers agree."""
    first, second = np.hstack(astuple(one)), np.hstack(astuple(other))
    return first.shape == second.shape and bool(np.allclose(first, second, rtol=_SAME, atol=_SAME))


def _distance(jumped: float) -> Claim:
    exact = {"text": published_distance(TEXT), "code": published_distance(CODE)}
    early = published_distance(CODE, early_impact=True)
    return STATEMENTS["jump_distance"].of(jumped, early=early, **exact)


def _in_words(metrics: Mapping[str, Metric], mu: float, step: float) -> list[Claim]:
    """Judge what items 4 and 5 say of the published jump; step: of time, to which rows know [s]."""
    late = scalar(metrics, "push_time") - scalar(metrics, "separation_time")
    share = scalar(metrics, "flight_work") / scalar(metrics, "take_off_work")
    return [
        STATEMENTS["flights"].of(scalar(metrics, "flights")),
        STATEMENTS["friction_ratio"].of(scalar(metrics, "friction_ratio"), bound=mu),
        STATEMENTS["push_time"].of(late, own_error=step),
        STATEMENTS["flight_work"].of(share),
        *(STATEMENTS[name].of(scalar(metrics, name)) for name in ("push_torque", "flight_torque")),
    ]


def _further(distance: float, least: Mapping[str, float]) -> Claim:
    """The authors' estimate beside an optimised jump; distance [m], least: margins by their names.

    Reached, it is fitted: torque and start were optimised for it. A shorter jump proves nothing.
    """
    lost = [name for name, margin in least.items() if not margin >= _LEAST]
    if lost:
        why = f"this jump does not keep the document's constraints: {', '.join(lost)}"
    elif distance / DISTANCE < FURTHER:
        why = "no longer jump was found here; that there is none is not shown"
    else:
        why = (
            "the authors estimate so from the conservation of energy and show no such jump; torque "
            "and start of this one were optimised here for distance within the document's "
            "constraints: the estimate can be met, and nothing is said of the longest jump there is"
        )
    claim = STATEMENTS["further"].of(distance / DISTANCE, why=why)
    return replace(claim, verdict="differs") if lost else claim
