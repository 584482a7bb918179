"""Names of the engines, and what each of them can do, known without loading any of them."""

import importlib.util
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footfall.errors import ScenarioError
from footfall.wording import did_you_mean

CONTINUOUS = "drake-continuous"
"""The engine that integrates in continuous time; the others step."""

MUJOCO = "mujoco"
"""The engine that needs the extra of this name."""

CENIC = "drake-cenic"
"""The engine that integrates within its steps, to an accuracy."""

INTEGRATING = (CONTINUOUS, CENIC)
"""Engines of Drake's plant in continuous time."""

_OF_DRAKE = ("drake", "drake-sap", "drake-lagged", "drake-similar", CENIC, CONTINUOUS)
ENGINES = ("moreau", *_OF_DRAKE, MUJOCO)
"""Engines for any robot, which have the ports of a plant."""

CLOSED_FORM, HYBRID = "closed-form", "hybrid"
"""Engines that a machine may have of its own: its paper's formulas, motion event by event."""

MACHINE_ENGINES = (CLOSED_FORM, HYBRID)
"""Simulations that a machine brings along, without Drake."""

ENGINE_NAMES = (*ENGINES, *MACHINE_ENGINES)

LOG = "log"
"""Name that a log has among the engines of runs."""

STEPPING = tuple(engine for engine in ENGINES if engine not in INTEGRATING)
"""Engines for any robot that take one solve a step."""

_TAKING_TURNS = tuple(engine for engine in STEPPING if engine != MUJOCO)


class Ability(NamedTuple):
    """Something that a scenario may ask for: the engines that can, and how to do without it."""

    engines: Sequence[str]
    without: str


ABILITIES: Mapping[str, Ability] = {
    "a controller of your own": Ability(ENGINES, "take it out"),
    "a solver or law of your own": Ability(("moreau",), "take the !Python out of moreau"),
    "changes": Ability(ENGINES, "take them out (changes=[])"),
    "sensors": Ability(ENGINES, "take them out (sensors=null)"),
    "actuators": Ability(ENGINES, "take them out (actuators=null)"),
    "pushes": Ability(ENGINES, "take them out (pushes=[], random_pushes=null)"),
    "record_every": Ability(ENGINES, "leave it at 1"),
    "ground that is no plane": Ability(ENGINES, "take the tag of terrain out"),
    "motors": Ability(ENGINES, "take them out"),  # and engines of machines that say so
    "feet that take turns": Ability((*_TAKING_TURNS, *MACHINE_ENGINES), "let all of them touch"),
    "closed loops and gears": Ability((*STEPPING, *MACHINE_ENGINES), "take them out"),
    "stops at joint limits": Ability((*STEPPING, CENIC, *MACHINE_ENGINES), "take the limits out"),
}
"""Abilities in which engines differ; what a scenario has besides, all of them know."""


def require_engine(name: str) -> None:
    """Raise ScenarioError for an engine that does not exist, or is not installed."""
    if name not in ENGINE_NAMES:
        raise ScenarioError(f"there is no engine '{name}'; {did_you_mean(name, ENGINE_NAMES)}")
    if name == MUJOCO and importlib.util.find_spec("mujoco") is None:
        raise ScenarioError(
            "engine mujoco: MuJoCo is not installed: pip install 'footfall[mujoco]', or choose "
            "another engine."
        )


def require_abilities(engine: str, asked: Mapping[str, bool]) -> None:
    """Raise ScenarioError, one line, for the first ability asked for that an engine lacks."""
    for name, is_asked in asked.items():
        able, without = ABILITIES[name]
        if is_asked and engine not in able:
            raise ScenarioError(
                f"engine {engine}: it knows no {name.removeprefix('a ')}: {without}, or choose one "
                f"of {', '.join(each for each in able if each in ENGINES)}."
            )
