"""Contact laws: friction of a pair, restitution, modes."""

from footfall.contact.friction import combine_friction
from footfall.contact.modes import Mode, classify
from footfall.contact.restitution import newton

__all__ = ["Mode", "classify", "combine_friction", "newton"]
