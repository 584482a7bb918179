"""What footfall knows of a published machine: its source, measures, claims and closed form."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from footfall.studies.claims import Claim
from footfall.studies.control import Reference
from footfall.trajectory import Trajectory

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ClosedFormRequest:
    """What a closed-form simulation needs of a scenario; SI, angles in radians."""

    initial_state: Array
    time_step: float
    duration: float
    slope: float
    mu: Array
    e_n: Array
    reference: Reference | None
    lookahead: float
    balanced: bool
    kp: float
    kd: float


@dataclass(frozen=True)
class Conditions:
    """What a run must share with a publication before its claims can be held against it.

    duration [s], slope_deg [degrees]; friction and restitution that all contacts share, else None.
    """

    duration: float
    slope_deg: float
    friction: float | None
    restitution: float | None


@dataclass(frozen=True)
class Study:
    """A machine's study. Functions that a machine does not have are None.

    measures(trajectory) gives the machine's own metrics by name, in SI, from any engine's
    trajectory; metrics says unit and meaning of each; claims(scenario, conditions, metrics) holds
    published statements against them; closed_form(request) simulates without Drake. requires: names
    of positions and contacts that a model must have to be this machine.
    """

    name: str
    title: str
    citation: str
    bibtex: str
    measures: Callable[[Trajectory], dict[str, float]]
    metrics: Mapping[str, tuple[str, str]]
    claims: Callable[[str, Conditions, dict[str, float]], Sequence[Claim]]
    closed_form: Callable[[ClosedFormRequest], Trajectory] | None = None
    requires: tuple[str, ...] = ()
