"""What footfall knows of a published machine: its source, measures, claims and own engines."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from footfall.metrics import Metric
from footfall.plants.contacts import ContactSet
from footfall.plants.load import EARTH, Model
from footfall.studies.claims import Claim
from footfall.studies.control import Controller, Reference
from footfall.studies.dashed import DashedLine
from footfall.studies.traced import Traced
from footfall.trajectory import Trajectory

Array = npt.NDArray[np.float64]

CLOSED_FORM, HYBRID = "closed-form", "hybrid"
"""The engines that a study may have of its own: its paper's formulas, and motion event by event."""


@dataclass(frozen=True)
class Conditions:
    """What a run must share with a publication before its claims can be held against it.

    duration [s], slope_deg [degrees], gravity [m/s^2]; friction and restitution that all contacts
    share, else None.
    """

    duration: float
    slope_deg: float
    friction: float | None
    restitution: float | None
    gravity: float = EARTH


@dataclass(frozen=True, eq=False)  # its arrays and models have no equality of their own
class Setting:
    """A scenario as a study sees it; SI, angles in radians.

    model: continuous, with its contacts. slope: of the terrain, positive where x goes up.
    controller: as the scenario has it, with the reference that it tracks, if any.
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
        """What a publication may have fixed."""
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


@dataclass(frozen=True)
class Study:
    """A machine's study.

    measures(trajectory, setting) gives the machine's own metrics by name, in SI, from any engine's
    trajectory; metrics says unit and meaning of each; claims(scenario, setting, metrics) holds
    published statements against them. engines: simulations without Drake by the name of the engine,
    CLOSED_FORM or HYBRID; motored: those of them that know motors. gait(model, contacts,
    controller) gives a state [q; v] on the machine's periodic gait, where it has one. requires:
    names of positions and contacts that a model must have to be this machine; check(model,
    contacts) raises ModelError for one that has them and is another machine all the same. traced:
    points whose paths an animation shows, contacts by their names. dashed: lines that it draws on
    the ground. friction_cones: whether it draws the cone of friction of every contact with the
    ground while that is pressed.
    """

    name: str
    title: str
    citation: str
    bibtex: str
    measures: Callable[[Trajectory, Setting], dict[str, Metric]]
    metrics: Mapping[str, tuple[str, str]]
    claims: Callable[[str, Setting, Mapping[str, Metric]], Sequence[Claim]]
    engines: Mapping[str, Callable[[Setting], Trajectory]] = field(default_factory=dict)
    motored: tuple[str, ...] = ()
    gait: Callable[[Model, ContactSet, Controller | None], Array] | None = None
    requires: tuple[str, ...] = ()
    check: Callable[[Model, ContactSet], object] | None = None
    traced: tuple[Traced, ...] = ()
    dashed: tuple[DashedLine, ...] = ()
    friction_cones: bool = False
