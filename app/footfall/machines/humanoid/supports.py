"""Supports of the walker: what the ground holds in each phase."""

from footfall.machines.humanoid.closed_form.phases import SIDES, GaitPhase
from footfall.plants.support_motions import CUT
from footfall.plants.supports import Support


def support(phase: GaitPhase, cut: float = CUT) -> Support:
    """Bodies that the ground holds in a phase, and the toes that do not move."""
    flat, other = SIDES[phase.side], SIDES[1 - phase.side]
    if phase.is_double:
        return Support((f"{flat}_foot", f"{other}_toe"), (f"{flat}_toe",), cut)
    return Support((f"{flat}_foot",), ("left_toe", "right_toe"), cut)
