"""Bounds on what the expressions and macros of one xacro file may take: a model never hangs."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from footfall.errors import ModelError

XacroValue: TypeAlias = Any
"""Value of an expression, or a node, table or function of xacro."""

MOST_CHARACTERS = 100_000  # of a text
ITEM = 10  # characters that an item of a list counts for: those of a set may all have one hash
_MOST_BITS = 10_000  # of a whole number
_MOST_WORK = 2_000_000  # a robot of a thousand links needs a twentieth
_ELEMENT = 20  # work of an element, in nodes of an expression
_CHARACTERS = 50  # that are one unit of work


class Refused(ModelError):
    """A file asks for what a model does not get; the place goes in front of the message."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}. A model file is data: correct it, or use --trust (in Python trust=True) if "
            "you trust who wrote it."
        )


@dataclass
class Budget:
    """Work that is left for one file."""

    left: int = _MOST_WORK

    def spend(self, work: int = 1) -> None:
        """Take work away; raises Refused where nothing is left."""
        self.left -= work
        if self.left < 0:
            raise Refused("the file asks for more computing than any robot needs")

    def spend_element(self) -> None:
        """Take the work of an element away."""
        self.spend(_ELEMENT)

    def bounded(self, value: object) -> object:
        """Return a value whose size, in all its parts, is paid for; raises Refused if too large."""
        require_items(self._size(value, MOST_CHARACTERS))
        return value

    def _size(self, value: object, most: int) -> int:
        """Characters and items of a value; counts no further than to the first beyond the most."""
        self.spend()
        if isinstance(value, str):
            self.spend(len(value) // _CHARACTERS)
            return len(value)
        if isinstance(value, int):
            require_bits(value.bit_length())
            return 1 + value.bit_length() // 4
        if isinstance(value, dict):
            value = [part for item in dict.items(value) for part in item]
        if not isinstance(value, list | tuple | set | frozenset):
            return 1
        size = ITEM * len(value)
        for part in value:
            if size > most:
                break
            size += self._size(part, most - size)
        return size


def require_items(size: float) -> None:
    """Raise Refused for a text of too many characters, or a list of too many ITEM."""
    if size > MOST_CHARACTERS:
        raise Refused(
            f"a value is longer than {MOST_CHARACTERS} characters, or {MOST_CHARACTERS // ITEM} "
            "items"
        )


def require_bits(bits: float) -> None:
    """Raise Refused for a whole number of too many bits."""
    if bits > _MOST_BITS:
        raise Refused(f"a whole number has more than {_MOST_BITS} bits")
