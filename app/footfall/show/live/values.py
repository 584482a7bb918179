"""Values of a simulation under way by name, and the plots of them that grow with it.

Names are those of ``footfall export``, as far as a value is known while the run goes on:
coordinates (``theta1``, ``q.theta1``, ``v.theta1``), actuators, feet (``foot_normal_force.left``,
``foot_force`` for all of them), ``com.z``, ``com_velocity.x``, ``kinetic_energy``, and
``normal_force``, the sum over all contacts.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array
from footfall.errors import RunError
from footfall.feet import Feet
from footfall.plants.dynamics import mass_matrix
from footfall.plants.layout import layout_of
from footfall.scenario.assemble import Robot
from footfall.show.live.controls import Controls
from footfall.wording import did_you_mean

_ALIASES = {"foot_force": "foot_normal_force"}
_DEGREE = math.degrees(1.0)
_PERIOD = 1.0 / 50.0  # s, simulated, between two rows at most
_CLOSEST = 1.0 / 500.0  # s, simulated, between two rows at least, as when it is stepped


@dataclass(frozen=True, eq=False)
class Moment:
    """State of a run at one time: q, v, efforts, contact forces (n, 3) in [n, t, s] [N]."""

    q: Array
    v: Array
    effort: Array
    force: Array


@dataclass(frozen=True, eq=False)
class Value:
    """One number over time: its name, unit, and how it follows from a moment."""

    name: str
    unit: str
    read: Callable[[Moment], float]


class Values:
    """The values that a robot has while it is simulated, by name."""

    def __init__(self, robot: Robot, feet: Feet | None) -> None:
        """Take a robot and its feet."""
        self._plant = robot.plant
        self._context = robot.plant.CreateDefaultContext()
        layout = layout_of(robot.plant, robot.contacts)
        names = feet.names if feet is not None else ()
        of_foot = feet.of_contact if feet is not None else np.zeros(0, dtype=np.int64)
        centre, speed = self._centre, self._centre_velocity
        known = [
            *_each("q", layout.position, layout.position_units, lambda at: at.q),
            *_each("v", layout.velocity, layout.velocity_units, lambda at: at.v),
            *_each("actuation", layout.actuator, layout.actuator_units, lambda at: at.effort),
            *_each("com", "xyz", ["m"] * 3, centre),
            *_each("com_velocity", "xyz", ["m/s"] * 3, speed),
            *_each(
                "foot_normal_force",
                names,
                ["N"] * len(names),
                lambda at: np.array([at.force[of_foot == k, 0].sum() for k in range(len(names))]),
            ),
            Value("kinetic_energy", "J", self._kinetic_energy),
            Value("normal_force", "N", lambda at: float(at.force[:, 0].sum())),
        ]
        self._known = {value.name: value for value in known}

    def find(self, names: Sequence[str]) -> list[Value]:
        """Return the values of names, several where one means several, as ``foot_force`` does.

        Raises RunError, one line with the nearest name, for what is not known while a run goes on.
        """
        by_name: dict[str, Value] = {}
        for name in names:
            for value in self._called(_ALIASES.get(name, name)):
                by_name[value.name] = value
        return list(by_name.values())

    def _called(self, name: str) -> list[Value]:
        if name in self._known:
            return [self._known[name]]
        group = [value for full, value in self._known.items() if full.startswith(f"{name}.")]
        if group:
            return group
        for variable in ("q", "actuation", "foot_normal_force", "v"):
            if f"{variable}.{name}" in self._known:
                return [self._known[f"{variable}.{name}"]]
        short = [full.partition(".")[2] or full for full in self._known]
        hint = did_you_mean(name, list(dict.fromkeys((*short, *self._known))))
        raise RunError(f"--plot: there is no '{name}' while a run goes on; {hint}")

    def _set(self, moment: Moment) -> None:
        state = np.concatenate((moment.q, moment.v))
        self._plant.SetPositionsAndVelocities(self._context, state)

    def _centre(self, moment: Moment) -> Array:
        self._set(moment)
        centre: Array = self._plant.CalcCenterOfMassPositionInWorld(self._context)
        return centre

    def _centre_velocity(self, moment: Moment) -> Array:
        self._set(moment)
        velocity: Array = self._plant.CalcCenterOfMassTranslationalVelocityInWorld(self._context)
        return velocity

    def _kinetic_energy(self, moment: Moment) -> float:
        self._set(moment)
        return float(0.5 * moment.v @ mass_matrix(self._plant, self._context) @ moment.v)


def _each(
    group: str, names: Sequence[str], units: Sequence[str], read: Callable[[Moment], Array]
) -> Iterator[Value]:
    """Give a value for each name of a group; angles in degrees, as plots have them."""
    for k, (name, unit) in enumerate(zip(names, units, strict=True)):
        angle = unit.startswith("rad")
        shown = unit.replace("rad", "°") if angle else unit

        def value(moment: Moment, k: int = k, factor: float = _DEGREE if angle else 1.0) -> float:
            return factor * float(read(moment)[k])

        yield Value(f"{group}.{name}", shown, value)


class GrowingPlots:
    """Rows of values for a page; a row has the forces of the step that ended last."""

    def __init__(self, controls: Controls, values: Sequence[Value], time_step: float) -> None:
        """Begin the plots of a page anew, for a run with steps of so long [s]."""
        self._controls, self.values, self._dt = controls, tuple(values), time_step
        self._every = max(1, round(_PERIOD / time_step))
        self._last = -math.inf
        controls.put_rows([])

    def steps_left(self, done: int) -> float:
        """Return the steps until the next row is due, of so many done; infinite without values."""
        return self._every - done % self._every if self.values else math.inf

    def is_due(self, done: int) -> bool:
        """Return whether a row must not be missed after so many steps."""
        return bool(self.values) and done % self._every == 0 and self.may_add(done)

    def may_add(self, done: int) -> bool:
        """Return whether a row after so many steps is far enough from the last one."""
        return bool(self.values) and (done - self._last) * self._dt >= _CLOSEST * (1.0 - 1e-9)

    def add(self, done: int, moment: Moment) -> None:
        """Add the row of a moment after so many steps."""
        self._last = done
        if not (np.isfinite(moment.q).all() and np.isfinite(moment.v).all()):
            return  # of a run that diverges, which its engine ends
        row = [value.read(moment) for value in self.values]
        self._controls.add_row([done * self._dt, *row])
