"""A shot as a function for sweeps: simulated in an engine until it is decided."""

import numpy as np
import xarray as xr

from footfall.analysis.functions import Case, labelled
from footfall.arrays import Array
from footfall.engines import CONTINUOUS, ENGINES
from footfall.errors import ScenarioError
from footfall.machines.goalkeeper.analyses.kicks import Kicks
from footfall.machines.goalkeeper.analyses.prediction import SEMI_AXES, Grass, Oracle
from footfall.machines.goalkeeper.analyses.shots import PLACES, shoot
from footfall.machines.goalkeeper.control import Goalkeeping
from footfall.machines.goalkeeper.observables import KEEPER
from footfall.machines.goalkeeper.outcome import RADIUS, ShotOutcome
from footfall.plants.contacts import ContactSet
from footfall.plants.coordinates import coordinate_names
from footfall.registry.context import MachineContext
from footfall_controllers.goalkeeper import BALL

# the one that integrates in continuous time tells contacts at the ends of steps only, and a ball
# may touch the keeper for less than a step
_ENGINES = tuple(engine for engine in ENGINES if engine != CONTINUOUS)
_FIELD = 2.0  # m: half the width of the field
_NEAREST, _FARTHEST = 0.3, 6.0  # m from the goal line: clear of the keeper, the other goal
_FASTEST = 50.0  # m/s: nobody kicks a ball so fast
_SLOWEST = 0.1  # m/s: one that is slower does not arrive

CODES = {outcome: code for code, outcome in enumerate(ShotOutcome)}
"""Spelling of the outcomes in a dataset."""

OUTCOME = ("1", ", ".join(f"{code}: {outcome.value}" for outcome, code in CODES.items()))


def shot(
    case: Case, *, x: float, y: float, speed: float, target: float, ready: bool = True
) -> xr.Dataset:
    """Outcome of a kick of a ball that lies on the grass, with keeper, posts and grass in contact.

    x along the goal line and y from it [m]; speed [m/s]; target: place on the goal line that the
    ball is sent to, as the share of the way from the post at negative x to the other. ready:
    whether the keeper stands where its law wants it for the ball that lies there; else it stands
    where the scenario starts it. Raises ScenarioError for another scene, or a ball that would pass
    the keeper between two steps.
    """
    _require("x", x, -_FIELD, _FIELD, "metres on the field")
    _require("y", y, _NEAREST, _FARTHEST, "metres from the goal line")
    _require("speed", speed, _SLOWEST, _FASTEST, "metres per second")
    _require("target", target, 0.0, 1.0, "a share of the goal's width")
    if case.engine not in _ENGINES:
        raise ScenarioError(f"shots have no engine {case.engine}: choose {', '.join(_ENGINES)}.")
    oracle = oracle_of(case.context, ready=ready)
    depth, distance = 2.0 * (RADIUS + SEMI_AXES[1]), speed * case.context.time_step
    if distance > depth:
        raise ScenarioError(
            f"a ball of {speed:g} m/s goes {distance:g} m in a step, farther than ball and keeper "
            f"are deep, {depth:g} m: give a shorter time_step or slower kicks."
        )
    kicks = kicks_of(oracle, np.array([[x, y, speed, target]]))
    (found,) = shoot(case.factory, case.engine, kicks, oracle.keepers(kicks).tolist())
    outcome = ShotOutcome(found["outcome"])
    values = {
        "outcome": (CODES[outcome], *OUTCOME),
        "saved": (float(outcome is ShotOutcome.SAVED), "1", "1 where the keeper saves it"),
        "decided_time": (found["time"], "s", "when the outcome is decided"),
        "touch_time": (found["touch_time"], "s", "when the ball touches the keeper"),
        "touch_x": (found["ball"][0], "m", "x of the ball then"),
        "touch_y": (found["ball"][1], "m", "y of the ball then"),
        "touch_keeper": (found["keeper"], "m", "x of the keeper then"),
        "post": (float(found["post"]), "1", "1 where the ball touches a post"),
    }
    return labelled(values)


def kicks_of(oracle: Oracle, rows: Array) -> Kicks:
    """Kicks of rows (n, 4) of x, y, speed and target."""
    return Kicks(rows[:, :2], rows[:, 2], oracle.law.goal_width * (rows[:, 3] - 0.5))


def oracle_of(context: MachineContext, *, ready: bool) -> Oracle:
    """Return the predictor of a scenario's shots; raises ScenarioError for one of other shots."""
    positions, control = coordinate_names(context.model.plant)[0], context.controller
    free = set(PLACES) <= set(positions)
    if not isinstance(control, Goalkeeping) or control.path is not None or not free:
        raise ScenarioError(
            "shots need a keeper and a ball that is free: give the controller !Goalkeeping without "
            "a path, and the model ball.sdf."
        )
    if context.slope != 0.0:
        raise ScenarioError("shots are on level grass: set terrain.slope_deg to 0.")
    keeper = None if ready else float(context.initial_state[positions.index(KEEPER)])
    grass = Grass(friction_of(context.contacts), context.gravity)
    return Oracle(control.law(), grass, keeper, context.time_step, context.duration)


def friction_of(contacts: ContactSet) -> float:
    """Coefficient of friction of ball and grass."""
    return float(contacts.mu[contacts.reported_as == contacts.names.index(BALL)][0])


def _require(name: str, value: float, least: float, most: float, what: str) -> None:
    """Raise ScenarioError unless a parameter is within its range."""
    if not least <= value <= most:
        raise ScenarioError(f"parameters.{name} is {value}: give {what}, {least:g} to {most:g}.")
