"""Summary of a jump that was found: its motion, its margins, and how it bears differences.

A jump is its design: angles to begin with and segments of torque. `footfall.machines.hopper
.reference` judges the design itself, event by event; its neighbours, which are many, are simulated
by fixed steps of a tenth of a millisecond.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper, HopperParameters
from footfall.machines.hopper.constraint_margins import CONSTRAINTS
from footfall.machines.hopper.control import ProfileTorque
from footfall.machines.hopper.reference import SimulatedJump, jump
from footfall.machines.hopper.rollout.simulator import RolloutSimulator
from footfall.machines.hopper.search.torques import pieces_of, rows_of_segments, segments_of
from footfall_controllers.piecewise import Segment
from footfall_controllers.torque_profile import TorqueProfileParameters

_FINE = 1e-4  # s
# of times in s, torques in N m and angles in rad: what is rounded at the start of a fall is a
# million times as large after a second and a half
_DIGITS = 12
_INSIDE = 1e-11  # N m that rounding may take
# of a parameter, for derivatives: a jump from a long fall is one for its nearest neighbours only
_DIFFERENCES = (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
# of a parameter, whether a jump bears them
_BORNE = (*(a * 10.0**b for b in range(-11, -1) for a in (1.0, 2.0, 5.0)), 0.1)
PARAMETERS = ("mu", "mass", "torque")
# s: times that scenarios last are so round, and so much longer for engines whose steps end later
_ROUND, _LATER = 0.01, 0.03


@dataclass(frozen=True)
class JumpDesign:
    """A jump as a scenario tells it: angles [rad] and segments of torque."""

    theta1: float
    theta2: float
    segments: tuple[Segment, ...]

    @property
    def start(self) -> Array:
        """State to begin with, (8,)."""
        return np.array([0.0, 0.0, self.theta1, self.theta2, 0.0, 0.0, 0.0, 0.0])

    @property
    def profile(self) -> TorqueProfileParameters:
        """The torque, 0 after its end."""
        return TorqueProfileParameters(self.segments)


def design_of(parameters: HopperParameters, y: Array) -> JumpDesign:
    """The design of torques y in round numbers, its torques within their bound after that, too."""
    angles = np.round(y[:2], _DIGITS).tolist()
    inside = y.copy()
    pieces = pieces_of(inside)
    limit = parameters.tau_max - _INSIDE
    pieces[:, 1:] = np.clip(pieces[:, 1:], -limit, limit)
    return JumpDesign(angles[0], angles[1], segments_of(inside, _DIGITS))


def judged_jump(parameters: HopperParameters, design: JumpDesign) -> SimulatedJump:
    """The jump, event by event; raises ScenarioError for a start that is none."""
    return jump(Hopper(parameters), ProfileTorque(design.profile), design.start)


def least_margins(found: SimulatedJump) -> dict[str, float]:
    """Least margins until the end by the names of Margins, heights left out [m, rad, N m].

    NaN for that of the point whose landing ends the jump, in the phase that it ends.
    """
    least = {}
    ended = "Q_above_P" if found.run.events[-1].guard.startswith("Q") else "R_above_Q"
    for name in CONSTRAINTS:
        phases = found.margin_history.least[:-1] if name == ended else found.margin_history.least
        least[name] = min((getattr(one, name) for one in phases), default=math.nan)
    return least


def changed(parameters: HopperParameters, what: str, part: float) -> HopperParameters:
    """The machine with mu or mass changed by a part; of the torque see `distance`."""
    if what == "mu":
        return replace(parameters, mu=parameters.mu * (1.0 + part))
    if what == "mass":
        return replace(parameters, m=parameters.m * (1.0 + part))
    return parameters


def distance(parameters: HopperParameters, design: JumpDesign, scale: float = 1.0) -> float:
    """Distance [m] with the torque scaled; NaN where it is no jump, whatever its margins are."""
    rows = rows_of_segments(design.segments)
    rows[:, 2:] *= scale
    found = RolloutSimulator(Hopper(parameters), _FINE).jump((design.theta1, design.theta2), rows)
    return found.distance if found.jumps else math.nan


def distances(
    parameters: HopperParameters, design: JumpDesign, what: str, parts: Array
) -> list[float]:
    """Distances [m] where one of PARAMETERS is changed by parts."""
    return [
        distance(changed(parameters, what, part), design, 1.0 + part if what == "torque" else 1.0)
        for part in parts.tolist()
    ]


def sensitivity(parameters: HopperParameters, design: JumpDesign, what: str) -> float:
    """Derivative of the distance by the logarithm of a parameter [m], by central differences.

    NaN where neighbours on one side are no jumps, however near they are.
    """
    slope = math.nan
    for part in _DIFFERENCES:
        below, above = distances(parameters, design, what, np.array([-part, part]))
        slope = (above - below) / (2.0 * part)
        if math.isfinite(slope):
            break
    return slope


def borne(parameters: HopperParameters, design: JumpDesign, what: str) -> float:
    """The largest part, of 1e-11 to 0.1, by which a parameter may differ either way: still a jump.

    And a jump with all smaller ones; 0 where there is none.
    """
    most = 0.0
    for part in _BORNE:
        if not np.isfinite(distances(parameters, design, what, np.array([-part, part]))).all():
            break
        most = part
    return most


def settings_of(design: JumpDesign, end: float) -> list[str]:
    """Settings that make a scenario run this jump, as ``--set`` takes it; end [s] of the jump."""
    torques = ", ".join(
        f"{{start: {one.start!r}, end: {one.end!r}, coefficients: "
        f"[{', '.join(_without_last_zeros(one.coefficients))}]}}"
        for one in design.segments
    )
    return [
        f"duration={math.ceil((end + _LATER) / _ROUND) * _ROUND:.2f}",
        f"initial={{positions: {{theta1: {design.theta1!r}, theta2: {design.theta2!r}}}}}",
        f"controller=!TorqueProfile {{torques: {{hinge: [{torques}]}}}}",
    ]


def _without_last_zeros(coefficients: tuple[float, ...]) -> list[str]:
    """Coefficients in full; of a straight line in the form of a cubic only two."""
    count = max((k for k, a in enumerate(coefficients) if a != 0.0), default=0) + 1
    return [repr(a) for a in coefficients[:count]]
