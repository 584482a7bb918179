"""Gaits of PASIBOT by simulations, in engines with a floor that touches both feet."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from footfall.analysis.functions import Case
from footfall.machines.pasibot.closed_form.bodies import total_mass
from footfall.machines.pasibot.closed_form.parameters import PasibotParameters
from footfall.machines.pasibot.observables import (
    WalkObservables,
    observables_of,
    slides,
    slip_of_steps,
)
from footfall.machines.pasibot.predictions import SHOWN

_CARRIES = 0.1  # of the weight, below which a ratio of forces tells nothing


class GaitNumbers(NamedTuple):
    """Friction that was used, when the floor first did not push [s], slip of steps, slides."""

    friction: float
    floor_until: float
    slip_of_steps: list[float]
    slides: list[list[float]]


def simulated_gait(
    case: Case, machine: PasibotParameters, rate: float, steps: int
) -> WalkObservables:
    """Simulate a machine for so many steps at a rate [rad/s]; 0 steps: for the scenario's time.

    Raises ScenarioError, RunError and ContactNotSolved as a run does.
    """
    changes: dict[str, object] = {"arguments.pasibot.density": machine.density}
    if steps:
        changes["duration"] = steps * math.pi / rate + 0.01
    simulation = case.factory.simulation(case.engine, changes)
    return observables_of(simulation.trajectory(), machine)


def summarize(gait: WalkObservables, machine: PasibotParameters) -> GaitNumbers:
    """Return the numbers of a gait."""
    weight = total_mass(machine) * machine.g
    carried = ~gait.rubbing & (gait.up > _CARRIES * weight)
    used = np.abs(gait.along[carried]) / gait.up[carried]
    intervals = slides(gait, SHOWN * 8.0 * machine.l8)
    # rows in a row without a force: one of them may be a bounce
    off = [k for k, pair in enumerate(pairwise(np.isnan(gait.up[1:]))) if all(pair)]
    return GaitNumbers(
        float(used.max(initial=0.0)),
        float(gait.time[off[0]] if off else gait.time[-1]),
        slip_of_steps(gait),
        [list(ends) for ends in intervals],
    )
