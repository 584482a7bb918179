"""Contact laws: friction, restitution, impacts, modes."""

from footfall.contact.chatterjee import chatterjee_ruina
from footfall.contact.friction import combine_friction
from footfall.contact.modes import Mode, classify
from footfall.contact.poisson import expansion_problem, total_impulses
from footfall.contact.restitution import add_restitution
from footfall.contact.static_friction import break_away, catch_reversed, friction_at_start

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
