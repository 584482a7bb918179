"""Memory of results that are asked for many times, while what they depend on stays the same."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_MOST = 1000  # results that are kept

Result = TypeVar("Result")


class Memory(Generic[Result]):
    """Last results of a computation, by all that they depend on."""

    def __init__(self) -> None:
        """Begin empty."""
        self._found: dict[Hashable, Result] = {}

    def get(self, of: Hashable, work_out: Callable[[], Result]) -> Result:
        """Return the result of what it depends on; nobody may change it."""
        result = self._found.get(of)
        if result is None:
            if len(self._found) >= _MOST:
                self._found.clear()
            result = self._found[of] = work_out()
        return result
