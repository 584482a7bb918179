"""Pushes and changes that somebody asks for on the page, read out of its commands."""

import math

import numpy as np

from footfall.errors import ScenarioError
from footfall.plants.pushes import Push
from footfall.scenario.changes import Change
from footfall.show.live.controls import Command

_DURATION = 0.1  # s, of a push that does not say


def push_of(command: Command) -> Push:
    """Return the push that a command asks for; raises ScenarioError for what is none."""
    force, torque = (command.numbers(name, 3, math.nan) for name in ("force", "torque"))
    given = [name for name in ("force", "torque") if name in command.values]
    push = Push(
        link=command.text("link"),
        duration=command.number(
            "duration", math.nan if "duration" in command.values else _DURATION
        ),
        force=force if "force" in given else None,
        torque=torque if "torque" in given else None,
    )
    if not any(push.force or ()) and not any(push.torque or ()):
        raise ScenarioError("the push has neither force nor torque: give one.")
    return push


def change_of(command: Command) -> Change:
    """Return the change that a command asks for; raises ScenarioError for what is none."""
    values = command.values
    parameter = command.text("parameter")
    change = Change(
        friction=command.number("friction", math.nan) if "friction" in values else None,
        gravity=command.number("gravity", math.nan) if "gravity" in values else None,
        controller={parameter: command.number("value", math.nan)} if parameter else {},
    )
    if change.is_empty:
        raise ScenarioError("the change changes nothing.")
    return change


def push_in_words(push: Push) -> str:
    """Return a line for the page about a push."""
    parts = [
        f"{np.linalg.norm(value):.3g} {unit}"
        for value, unit in ((push.force, "N"), (push.torque, "N m"))
        if value is not None
    ]
    return f"push on {push.link}, {' and '.join(parts)} for {push.duration:.3g} s"
