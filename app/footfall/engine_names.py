"""Names of the engines, known without loading any of them."""

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean

CONTINUOUS = "drake-continuous"
"""The engine that integrates in continuous time; the others step."""

ENGINES = ("moreau", "drake", "drake-sap", "drake-lagged", "drake-similar", CONTINUOUS)
"""Engines for any robot, which have the ports of a plant."""

CLOSED_FORM, HYBRID = "closed-form", "hybrid"
"""Engines that a machine may have of its own: its paper's formulas, motion event by event."""

MACHINE_ENGINES = (CLOSED_FORM, HYBRID)
"""Simulations that a machine brings along, without Drake."""

ENGINE_NAMES = (*ENGINES, *MACHINE_ENGINES)


def require_engine(name: str) -> None:
    """Raise ScenarioError for an engine that does not exist."""
    if name not in ENGINE_NAMES:
        raise ScenarioError(f"there is no engine '{name}'; {did_you_mean(name, ENGINE_NAMES)}")
