"""Steps of a robot's feet, read off a run: landing impulses, and slip from step to step."""

from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array, Indices
from footfall.feet.gait import WINDOW


@dataclass(frozen=True, eq=False)
class Steps:
    """Touch-downs of all feet, in the order of time, with what followed each.

    foot (k,): place among the feet. time (k,): end of the step of time in which the foot met the
    ground [s]. speed (k,): of its lowest point towards the ground just before, exact where every
    step of time is recorded [m/s]. impulse (k,): of the ground along the normals, from the
    touch-down on, over ``WINDOW`` [N s]; force (k,): the largest in it, mean over a row [N]. slip
    (k,): distance slid under load up to the next touch-down of the foot, or to the end of the run
    [m].
    """

    foot: Indices
    time: Array
    speed: Array
    impulse: Array
    force: Array
    slip: Array

    def __len__(self) -> int:
        """Count the touch-downs."""
        return len(self.time)

    def of(self, foot: int) -> "Steps":
        """Touch-downs of one foot."""
        own = self.foot == foot
        return Steps(**{name: getattr(self, name)[own] for name in self.__dataclass_fields__})


def steps_of(data: xr.Dataset) -> Steps:
    """Collect the touch-downs of a run that tells of feet.

    A foot that stands at the start of the run has not touched down. A touch-down in the first rows
    has no speed (NaN).
    """
    time, contact = data["time"].to_numpy(), data["foot_contact"].to_numpy()
    slip, normal = data["foot_slip"].to_numpy(), data["foot_normal_force"].to_numpy()
    clearance = data["foot_clearance"].to_numpy()
    row, foot = np.nonzero(np.diff(contact.astype(np.int8), axis=0) == 1)
    row += 1
    # the rigid engine measures gaps amid a step, up to the impulse that closes the contact
    early = 0 if data.attrs.get("engine") == "moreau" else 1
    found = np.full((len(row), 4), np.nan)
    for k, (here, own) in enumerate(zip(row.tolist(), foot.tolist(), strict=True)):
        last = int(np.searchsorted(time, time[here - 1] + WINDOW * (1.0 + 1e-9), side="right")) - 1
        span = slice(here, max(last, here) + 1)
        force = np.nan_to_num(normal[span, own])
        lengths = np.diff(time[here - 1 : span.stop])
        if here > 2:
            before = slice(here - 1 - early, here + 1 - early)
            (fall,), (length,) = -np.diff(clearance[before, own]), np.diff(time[before])
            found[k, 0] = fall / length if length > 0.0 else np.nan
        found[k, 1:3] = force @ lengths, force.max()
        later = row[(foot == own) & (row > here)]
        end = int(later[0]) - 1 if len(later) else len(time) - 1
        found[k, 3] = slip[end, own] - slip[here - 1, own]
    speed, impulse, force, slid = found.T
    return Steps(foot.astype(np.int64), time[row], speed, impulse, force, slid)


def slip_of_steps(data: xr.Dataset) -> list[Array]:
    """Slip of each foot between touch-downs, before the first and after the last as well [m]."""
    found = []
    slips, contacts = data["foot_slip"].to_numpy(), data["foot_contact"].to_numpy()
    for so_far, touches in zip(slips.T, contacts.T, strict=True):
        landed = np.flatnonzero(np.diff(touches.astype(np.int8)) == 1)  # rows before
        found.append(np.diff(so_far[[0, *landed, -1]]))
    return found
