"""States of simulations as they are saved: arrays by name, in memory or a file."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydrake.systems.framework import Context

from footfall.arrays import Array
from footfall.errors import RunError, reason_of, refusing
from footfall.files import replacing
from footfall.trajectory.pushes import LinkPush


@dataclass(frozen=True, eq=False)
class SavedState:
    """State of a simulation after so many steps, of a scenario that ``scenario`` is a digest of.

    arrays: of the context, by name. pushes: that the simulation had by then.
    """

    scenario: str
    steps: int
    arrays: Mapping[str, Array]
    pushes: tuple[LinkPush, ...] = ()

    def write(self, path: str | Path) -> Path:
        """Write an ``.npz`` file, exact to the bit; raises RunError where it cannot be written."""
        pushes = json.dumps([asdict(push) for push in self.pushes])
        own: dict[str, Any] = {"scenario": self.scenario, "steps": self.steps, "pushes": pushes}
        with replacing(Path(path)) as temporary, temporary.open("wb") as file:
            np.savez(file, **(own | dict(self.arrays)))
        return Path(path)

    @classmethod
    def read(cls, path: str | Path) -> "SavedState":
        """Read what ``write`` wrote; raises RunError, one line, for another file."""
        told = f"restore: {path} holds no state that save wrote: "
        with refusing(RunError, lambda error: f"{told}{reason_of(error)}."):
            with np.load(path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            scenario, steps = str(arrays.pop("scenario")), int(arrays.pop("steps"))
            pushes = [_push_of(each) for each in json.loads(str(arrays.pop("pushes")))]
            return cls(scenario, steps, arrays, tuple(pushes))


def _push_of(given: dict[str, Any]) -> LinkPush:
    vectors = {name: tuple(given[name]) for name in ("p_BQ", "force", "torque")}
    return LinkPush(**(given | vectors))


def arrays_of(context: Context) -> dict[str, Array]:
    """Return copies of the discrete and continuous state of a context by name."""
    discrete = context.get_discrete_state()
    found = {
        f"discrete{k}": discrete.get_vector(k).CopyToVector() for k in range(discrete.num_groups())
    }
    return found | {"continuous": context.get_continuous_state_vector().CopyToVector()}


def put_arrays(context: Context, arrays: Mapping[str, Array]) -> None:
    """Put what ``arrays_of`` returned into a context of the same diagram."""
    for k in range(context.num_discrete_state_groups()):
        context.SetDiscreteState(k, arrays[f"discrete{k}"])
    if context.num_continuous_states():
        context.SetContinuousState(arrays["continuous"])
