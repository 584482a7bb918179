"""Contact laws: friction, restitution, impacts, modes."""

from footfall.contact.friction import (
    break_away,
    catch_reversed,
    combine_friction,
    friction_at_start,
)
from footfall.contact.modes import Mode, classify
from footfall.contact.restitution import (
    add_restitution,
    chatterjee_ruina,
    expansion_problem,
    total_impulses,
)

__all__ = [
    "Mode",
    "add_restitution",
    "break_away",
    "catch_reversed",
    "chatterjee_ruina",
    "classify",
    "combine_friction",
    "expansion_problem",
    "friction_at_start",
    "total_impulses",
]
