"""The errors that footfall answers with: each prints as one line, what, where and how to mend."""


class FootfallError(Exception):
    """Base of every fault that footfall explains; ``str(error)`` is the line for the user."""


class ModelError(FootfallError):
    """A model file is missing, broken or unphysical."""


class ScenarioError(FootfallError):
    """A scenario or an override asks for something that does not exist or makes no sense."""


class RunError(FootfallError):
    """A run could not go on: a diverging state, a NaN, a port that is taken."""
