"""Distances of the published inputs, which a run of these inputs carries for its report."""

import xarray as xr

from footfall.machines.hopper.authors import published_distance
from footfall.machines.hopper.claims import is_published
from footfall.machines.hopper.closed_form.model import CODE, TEXT
from footfall.registry.context import MachineContext
from footfall.trajectory import Trajectory

TEXT_DISTANCE, CODE_DISTANCE, EARLY_DISTANCE = (
    "published_distance_text",
    "published_distance_code",
    "published_distance_early",
)


def published_distances(_trajectory: Trajectory, context: MachineContext) -> xr.Dataset:
    """Return the distances that the equations give for the published inputs; else nothing."""
    if not is_published(context):
        return xr.Dataset()
    found = {
        TEXT_DISTANCE: (published_distance(TEXT), "with the text's gravity"),
        CODE_DISTANCE: (published_distance(CODE), "with the gravity of the authors' program"),
        EARLY_DISTANCE: (
            published_distance(CODE, early_impact=True),
            "with that and the impact of the program's early version",
        ),
    }
    return xr.Dataset(
        {
            name: ((), value, {"units": "m", "long_name": f"distance of the jump {how}"})
            for name, (value, how) in found.items()
        }
    )
