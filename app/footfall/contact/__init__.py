"""Contact laws: friction of a pair, restitution, modes."""

from footfall.contact.friction import combine_friction
from footfall.contact.modes import Mode, classify
from footfall.contact.restitution import add_restitution

__all__ = ["Mode", "add_restitution", "classify", "combine_friction"]
