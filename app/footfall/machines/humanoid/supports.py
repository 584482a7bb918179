"""Supports of the walker by phase, points that are tracked, and postures on both feet."""

import math

import numpy as np

from footfall.arrays import Array
from footfall.errors import ScenarioError
from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import (
    ANKLE_PITCH,
    ANKLE_ROLL,
    HIP_PITCH,
    HIP_ROLL,
    KNEE,
    NUM_ANGLES,
    SIDES,
    GaitPhase,
)
from footfall.machines.humanoid.closed_form.walker import Ground
from footfall.machines.humanoid.model import TRUNK
from footfall.plants.support_motions import CUT
from footfall.plants.supports import Support
from footfall_controllers.swing_path import Sway
from footfall_controllers.tracked_points import TrackedPoint

_FOLDED = math.radians(150.0)  # a knee bends so far


def stride(
    p: Numbers, phase: int, height: float, ahead: float, behind: float, left: float = 0.0
) -> Array:
    """Angles (12,) of a walker with level trunk and feet, one ahead of it and one behind [m].

    phase: whose flat foot is ahead. height: of O1; left: of O1 to the left of the middle [m].
    Raises ScenarioError for legs that are too short.
    """
    if not height > p.a10:
        message = f"controller.height is {height:.4g} m: give more than the ankles' {p.a10:.4g} m."
        raise ScenarioError(message)
    angle = np.zeros(NUM_ANGLES)
    flat, below = phase // 2, height - p.a10
    roll = math.atan2(-left, below)
    for side, x in ((flat, ahead), (1 - flat, -behind)):
        pitches = [2 * joint + side for joint in (HIP_PITCH, KNEE, ANKLE_PITCH)]
        angle[pitches] = _leg(p, x, math.hypot(left, below))
        angle[[2 * HIP_ROLL + side, 2 * ANKLE_ROLL + side]] = roll, -roll
    return angle


def stride_ground(p: Numbers, phase: int, ahead: float, behind: float) -> Ground:
    """Ground of that walker, its trunk above the origin."""
    flat = phase // 2
    side = 0.5 * p.a1 * (1.0 - 2.0 * flat)
    return Ground(
        int(phase), np.array([ahead, side, p.a10]), np.array([p.d10 - behind, -side, 0.0])
    )


def require_lift(p: Numbers, height: float, lift: float) -> None:
    """Raise ScenarioError for a heel so high below the hip that its knee would have to fold."""
    shortest = math.sqrt(p.a4**2 + p.a6**2 + 2.0 * p.a4 * p.a6 * math.cos(_FOLDED))
    most = height - p.a10 - shortest
    if lift > most > 0.0:
        message = (
            f"controller.lift is {lift} m: with the hips at {height} m the knee would bend by more "
            f"than {math.degrees(_FOLDED):.0f} degrees: give at most {most:.3g} m."
        )
        raise ScenarioError(message)


def _leg(p: Numbers, ahead: float, below: float) -> tuple[float, float, float]:
    """Pitch of the hip, angle of the knee, pitch of the ankle of a leg to a level foot."""
    square = ahead**2 + below**2
    bend = (square - p.a4**2 - p.a6**2) / (2.0 * p.a4 * p.a6)
    if not -1.0 < bend < 1.0:
        message = (
            f"controller: legs of {p.a4 + p.a6:.4g} m do not reach a foot {abs(ahead):.4g} m "
            f"ahead or behind and {below:.4g} m below the hip: give a smaller height or step."
        )
        raise ScenarioError(message)
    knee = math.acos(bend)
    hip = math.atan2(-ahead, below) - math.atan2(p.a6 * math.sin(knee), p.a4 + p.a6 * bend)
    return hip, knee, -(hip + knee)


def support(phase: GaitPhase, cut: float = CUT) -> Support:
    """Bodies that the ground holds in a phase, and the toes that do not move."""
    flat, other = SIDES[phase.side], SIDES[1 - phase.side]
    if phase.is_double:
        return Support((f"{flat}_foot", f"{other}_toe"), (f"{flat}_toe",), cut)
    return Support((f"{flat}_foot",), ("left_toe", "right_toe"), cut)


def tracked_points(p: Numbers) -> tuple[TrackedPoint, ...]:
    """Points O1 and G1 of the trunk, and the heels of the left and the right foot."""
    return TrackedPoint(TRUNK), TrackedPoint(TRUNK, (0.0, 0.0, p.c1)), *heels(p)


def heels(p: Numbers) -> tuple[TrackedPoint, TrackedPoint]:
    """Points A10 and A11, below the ankles."""
    left, right = (TrackedPoint(f"{side}_foot", (0.0, 0.0, -p.a10)) for side in SIDES)
    return left, right


def ankles() -> tuple[TrackedPoint, TrackedPoint]:
    """Origins of the feet, above the heels."""
    left, right = (TrackedPoint(f"{side}_foot") for side in SIDES)
    return left, right


def pendulum(p: Numbers, height: float, pressure: float) -> Sway:
    """Pendulum of a walker whose legs lean with its trunk, straight enough for this."""
    legs = 2.0 * np.array([p.m4, p.m6, p.foot_m])
    heights = np.array([p.a10 + p.a6 + p.a4 - p.c4, p.a10 + p.a6 - p.c6, 0.0])
    mass = p.m1 + legs.sum()
    centre = (p.m1 * (height + p.c1) + legs @ heights) / mass
    lean = (p.m1 + legs @ heights / height) / mass
    return Sway(pressure, math.sqrt(p.g / centre), 1.0 / lean)
