"""The errors that footfall answers with: each prints as one line, what, where and how to mend."""

import re

_LONG_WORD = re.compile(r"(\S{60})\S{240,}(\S{20})")  # longer than the path of any file of a robot


class FootfallError(Exception):
    """Base of every fault that footfall explains; ``str(error)`` is the line for the user."""

    def __str__(self) -> str:
        """Return the line, without the middle of what no screen can show."""
        return _LONG_WORD.sub(r"\1...\2", super().__str__())


class ModelError(FootfallError):
    """A model file is missing, broken or unphysical."""


class ScenarioError(FootfallError):
    """A scenario or an override asks for something that does not exist or makes no sense."""


class RunError(FootfallError):
    """A run could not go on: a diverging state, a NaN, a port that is taken."""
