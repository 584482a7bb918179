"""Assemblies of PASIBOT that several test files share, and motions of them at random."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.machines.pasibot.closed_form.jets import Jet
from footfall.machines.pasibot.closed_form.linkage import LINKS, TEXT, bodies
from footfall.machines.pasibot.closed_form.motion import pose

ASSEMBLIES = [
    replace(TEXT, knee=knee, slot_end=end)
    for knee in ("forward", "rearward")
    for end in ("behind", "ahead")
]
LOADED = [
    replace(parameters, hip_load=load)
    for parameters, load in zip(ASSEMBLIES, (0.0, 5.0, 0.0, 15.0), strict=True)
]


def _each(assemblies):
    return pytest.mark.parametrize(
        "parameters", assemblies, ids=lambda p: f"knee {p.knee}, slot end {p.slot_end}"
    )


every_assembly, every_loaded_assembly = _each(ASSEMBLIES), _each(LOADED)


def motions(count, seed):
    """Angles all the way round, rates, accelerations and signed friction at random."""
    random = np.random.default_rng(seed)
    return (
        random.uniform(0.0, 2.0 * np.pi, count),
        random.uniform(-6.0, 6.0, count),
        random.uniform(-30.0, 30.0, count),
        random.uniform(-0.5, 0.5, count),
    )


def mass_centre(parameters, th8):
    """Mass centre of the machine in the ground frame, a complex jet in th8 [m]."""
    at, of = pose(parameters, th8).centres, bodies(parameters)
    share = np.array([of[name].mass for name in LINKS])
    share /= share.sum()
    return Jet(*(np.tensordot(share, row, axes=1) for row in (at.value, at.first, at.second)))
