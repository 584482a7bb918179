"""Legged machines in hard contact: one model file, several engines, the closed form beside them.

    import footfall as ff

    run = ff.load("biped/climb", friction=0.8).run(engine="moreau")
    run.metrics
    run.plot("theta1")

A name is imported when it is used first: ``import footfall`` alone loads neither Drake nor numpy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footfall.api.comparing import Comparison, compare
    from footfall.api.envs import Env, VectorEnv
    from footfall.api.html import Animation
    from footfall.api.loading import LoadedScenario, load
    from footfall.api.logs import read_log
    from footfall.api.problems import problem
    from footfall.api.replaying import replay
    from footfall.api.result import RunResult
    from footfall.api.rolling import rollout
    from footfall.api.simulation import Simulation
    from footfall.api.sweeping import sweep
    from footfall.errors import FootfallError

_HOMES = {
    "Animation": "footfall.api.html",
    "Comparison": "footfall.api.comparing",
    "Env": "footfall.api.envs",
    "FootfallError": "footfall.errors",
    "LoadedScenario": "footfall.api.loading",
    "RunResult": "footfall.api.result",
    "Simulation": "footfall.api.simulation",
    "VectorEnv": "footfall.api.envs",
    "compare": "footfall.api.comparing",
    "load": "footfall.api.loading",
    "problem": "footfall.api.problems",
    "read_log": "footfall.api.logs",
    "replay": "footfall.api.replaying",
    "rollout": "footfall.api.rolling",
    "sweep": "footfall.api.sweeping",
}

__all__ = [
    "Animation",
    "Comparison",
    "Env",
    "FootfallError",
    "LoadedScenario",
    "RunResult",
    "Simulation",
    "VectorEnv",
    "compare",
    "load",
    "problem",
    "read_log",
    "replay",
    "rollout",
    "scenarios",
    "sweep",
]


def scenarios(beginning: str = "") -> dict[str, str]:
    """Return the line of every scenario that ships by its name, or of those that begin so."""
    from footfall.scenario.names import scenario_descriptions

    found = scenario_descriptions()
    return {name: line for name, line in found.items() if name.startswith(beginning)}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    if name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
        globals()[name] = found
        return found
    # looked up on demand: reading the metadata costs more than the rest of this import
    if name == "__version__":
        from importlib.metadata import version

        return version("footfall")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
