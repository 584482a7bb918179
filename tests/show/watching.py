"""A run that is watched without a page: drawn into Meshcat, as fast as it can be."""

import math

from footfall.run import run_scenario
from footfall.show import View, start_meshcat
from footfall.show.live.controls import Controls
from footfall.show.live.display import Display
from footfall.show.live.run import LiveRun


def conductor(meshcat, view=None, controls=None):
    """Conductor of a run that is drawn into Meshcat."""
    view = view if view is not None else View()
    live = LiveRun(meshcat, controls or Controls(), Display(meshcat, view), view)
    live.clock.speed = math.inf
    return live


def watched(scenario, engine, view=None, meshcat=None):
    """Meshcat and the run of a scenario that was drawn into it to its end."""
    meshcat = meshcat if meshcat is not None else start_meshcat()
    run = run_scenario(
        scenario, scenario.name or "scene", engine, conductor=conductor(meshcat, view)
    )
    return meshcat, run
