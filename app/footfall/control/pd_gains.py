"""Gains that a system of the user's declares for the drives of its actuators."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydrake.multibody.plant import MultibodyPlant
from pydrake.systems.framework import System

from footfall.errors import ModelError, ScenarioError
from footfall.plants.drives import PdGains, require_gains


@runtime_checkable
class DeclaresGains(Protocol):
    """A controller whose torques fall with kp and kd times position and velocity of each joint.

    pd_gains: kp and kd, each a number for all actuators or one for each (num_actuators,); see
    ``footfall.plants.drives``. ``actuation`` is the whole torque at the state that it sees.
    """

    pd_gains: tuple[npt.ArrayLike, npt.ArrayLike]


def declared_gains(system: System, plant: MultibodyPlant) -> PdGains | None:
    """Return the gains that a system declares, None without any.

    Raises ScenarioError, one line, for gains that are none.
    """
    if not isinstance(system, DeclaresGains):
        return None
    where = f"controller: {type(system).__name__}.pd_gains"
    given: Any = system.pd_gains
    if given is None:
        return None
    try:
        stiffness, damping = (np.array(part, dtype=np.float64) for part in given)
    except (TypeError, ValueError) as error:
        message = f"{where} is no pair of numbers or arrays: give (kp, kd)."
        raise ScenarioError(message) from error
    count = plant.num_actuators()
    each = [np.full(count, part) if part.ndim == 0 else part for part in (stiffness, damping)]
    gains = PdGains(each[0], each[1])
    try:
        require_gains(gains, plant)
    except ModelError as error:
        raise ScenarioError(f"{where}: {error}") from error
    return gains or None
