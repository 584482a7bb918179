"""Supports of the walker by phase, points that are tracked, and the pendulum of its trunk."""

import math

import numpy as np

from footfall.machines.humanoid.closed_form.parameters import Numbers
from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.plants.support_motions import CUT
from footfall.plants.supports import Support
from footfall_controllers.swing_path import Sway
from footfall_controllers.tracked_points import TrackedPoint


def support(phase: GaitPhase, cut: float = CUT) -> Support:
    """Bodies that the ground holds in a phase, and the toes that do not move."""
    flat, other = SIDES[phase.side], SIDES[1 - phase.side]
    if phase.is_double:
        return Support((f"{flat}_foot", f"{other}_toe"), (f"{flat}_toe",), cut)
    return Support((f"{flat}_foot",), ("left_toe", "right_toe"), cut)


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
