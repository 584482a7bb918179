"""The tracks that ship, and how finely each is cut.

A facet turns by a hundredth of the steepest slope, which is what the torque on it errs by, at most.
"""

from footfall.machines.ugv.closed_form.tracks import Track, bump, sine, steps
from footfall.machines.ugv.facets import Faceting

SHIPPED: dict[str, tuple[Track, Faceting]] = {
    "bump": (bump(), Faceting(turn=1e-3)),
    "steep": (bump(height=0.45, width=0.7), Faceting(turn=5e-3)),
    "hill": (bump(height=1.0), Faceting(turn=7e-3)),
    "step": (steps((4.0,), (0.12,)), Faceting()),
    "sine": (sine(), Faceting(turn=2e-3)),
}
"""By the name of the file, in sdf/tracks."""
