"""A scenario as its machine's code sees it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from pydrake.systems.analysis import SimulatorConfig

from footfall.arrays import Array
from footfall.plants.contacts import ContactSet
from footfall.plants.load import EARTH, Model
from footfall_controllers.controller import Controller, Reference


@dataclass(frozen=True)
class Conditions:
    """Conditions that a run must share with a publication to be held against its claims.

    duration [s], slope_deg [degrees], gravity [m/s^2]; friction and restitution that all contacts
    share, else None.
    """

    duration: float
    slope_deg: float
    friction: float | None
    restitution: float | None
    gravity: float = EARTH


@dataclass(frozen=True, eq=False)  # its arrays and models have no equality of their own
class MachineContext:
    """A scenario as a machine's code sees it; SI, angles in radians.

    model: continuous, with its contacts. slope: of the terrain, positive where x goes up.
    controller: as the scenario has it, with the reference that it tracks, if any. simulator: of
    engines that integrate by Drake's. on_row(time, state [q; v], efforts): what an engine that
    computes row by row calls after each, for whoever watches; raises KeyboardInterrupt for the end.
    """

    model: Model
    contacts: ContactSet
    slope: float
    controller: Controller | None
    reference: Reference | None
    initial_state: Array
    time_step: float
    duration: float
    seed: int
    simulator: SimulatorConfig = field(default_factory=SimulatorConfig)
    on_row: Callable[[float, Array, Array], None] = lambda _time, _state, _efforts: None

    @property
    def mu(self) -> Array:
        """Coefficients of friction of the contacts of surfaces."""
        return self.contacts.mu[: self.contacts.num_touching]

    @property
    def e_n(self) -> Array:
        """Coefficients of restitution of the contacts of surfaces."""
        return self.contacts.restitution[: self.contacts.num_touching]

    @property
    def gravity(self) -> float:
        """Gravity [m/s^2]."""
        return float(-self.model.plant.gravity_field().gravity_vector()[2])

    @property
    def conditions(self) -> Conditions:
        """Return what a publication may have fixed."""
        return Conditions(
            duration=self.duration,
            slope_deg=round(math.degrees(self.slope), 9),  # as a person gave it
            friction=_shared(self.mu),
            restitution=_shared(self.e_n),
            gravity=self.gravity,
        )


def _shared(values: Array) -> float | None:
    """The value that all have in common, if there is one."""
    return float(values[0]) if len(values) > 0 and np.ptp(values) == 0.0 else None
