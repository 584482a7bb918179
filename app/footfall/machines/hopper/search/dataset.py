"""The labelled arrays of a search: histories, motions, margins, sensitivities, corners."""

import math
from dataclasses import dataclass

import numpy as np
import xarray as xr

from footfall.arrays import Array
from footfall.hybrid import HybridRun
from footfall.machines.hopper.closed_form.model import HopperParameters
from footfall.machines.hopper.constraint_margins import CONSTRAINTS
from footfall.machines.hopper.reference import SimulatedJump
from footfall.machines.hopper.search.design import (
    PARAMETERS,
    JumpDesign,
    borne,
    distance,
    distances,
    least_margins,
    sensitivity,
)
from footfall.machines.hopper.search.tasks import Found

_MOMENTS = 601
_GENERATIONS = 100
_PARTS = np.array([-0.10, -0.05, -0.01, 0.0, 0.01, 0.05, 0.10])
_UNITS = {"Q_above_P": "m", "R_above_Q": "m", "torque_above": "N m", "torque_below": "N m"}


@dataclass(frozen=True)
class Named:
    """A design and the jump that it is."""

    design: JumpDesign
    jump: SimulatedJump


def history_of(found: Found) -> tuple[Array, Array]:
    """Evaluations and the best distance so far [m] at generations of equal size."""
    marks = found["history"]
    if not marks:
        return np.full(_GENERATIONS, np.nan), np.full(_GENERATIONS, np.nan)
    counts, best = np.array(marks, dtype=np.float64).T
    at = np.linspace(0.0, counts[-1], _GENERATIONS)
    index = np.searchsorted(counts, at, side="right") - 1
    return at, np.where(index >= 0, best[np.maximum(index, 0)], np.nan)


def dataset(
    parameters: HopperParameters,
    designs: dict[str, Named],
    machines: list[HopperParameters],
    histories: dict[str, tuple[Array, Array]],
) -> xr.Dataset:
    """All arrays. machines: the corners of the robust jump, the machine itself first."""
    names = list(designs)
    motions = np.array([_motion(one) for one in designs.values()])  # design, quantity, moment
    table = {
        name: (("design", "moment"), motions[:, row], {"units": unit, "long_name": meaning})
        for row, (name, unit, meaning) in enumerate(_MOTION)
    }
    least = [least_margins(one.jump) for one in designs.values()]
    tables = {
        what: [distances(parameters, one.design, what, _PARTS) for one in designs.values()]
        for what in PARAMETERS
    }
    slopes = [
        [sensitivity(parameters, one.design, what) for what in PARAMETERS]
        for one in designs.values()
    ]
    parts = [
        [borne(parameters, one.design, what) for what in PARAMETERS] for one in designs.values()
    ]
    reached = [[distance(machine, one.design) for machine in machines] for one in designs.values()]
    searched = [*histories]
    evaluations = np.array([histories[name][0] for name in searched]).reshape(-1, _GENERATIONS)
    best = np.array([histories[name][1] for name in searched]).reshape(-1, _GENERATIONS)
    mu = np.array([one.mu for one in machines])
    mass = np.array([one.m for one in machines])
    metre = {"units": "m"}
    return xr.Dataset(
        {
            **table,
            "best_distance": (("search", "generation"), best, metre),
            "evaluations": (("search", "generation"), evaluations, {"units": "1"}),
            "distance_mu": (("design", "mu"), tables["mu"], metre),
            "distance_mass": (("design", "mass"), tables["mass"], metre),
            "distance_torque": (("design", "torque_scale"), tables["torque"], metre),
            "sensitivity": (("design", "parameter"), slopes, metre),
            "borne": (("design", "parameter"), parts, {"units": "1"}),
            "corner_mu": ("corner", mu, {"units": "1"}),
            "corner_mass": ("corner", mass, {"units": "kg"}),
            "corner_torque": ("corner", np.ones(len(machines)), {"units": "1"}),
            "corner_distance": (("design", "corner"), reached, metre),
            "smallest_margin": (
                ("design", "margin"),
                [[one[name] for name in CONSTRAINTS] for one in least],
            ),
            "margin_units": ("margin", [_UNITS.get(name, "rad") for name in CONSTRAINTS]),
        },
        {
            "design": names,
            "search": searched,
            "generation": np.arange(_GENERATIONS),
            "mu": ("mu", parameters.mu * (1.0 + _PARTS), {"units": "1"}),
            "mass": ("mass", parameters.m * (1.0 + _PARTS), {"units": "kg"}),
            "torque_scale": ("torque_scale", 1.0 + _PARTS, {"units": "1"}),
            "parameter": list(PARAMETERS),
            "margin": list(CONSTRAINTS),
        },
    )


# of a motion: name, unit, meaning
_MOTION = (
    ("design_time", "s", "time"),
    ("torque", "N m", "torque at the hinge"),
    ("x", "m", "place of P"),
    ("y", "m", "height of P"),
    ("theta1", "rad", "angle of link 1"),
    ("theta2", "rad", "angle from link 1 to link 2"),
)


def _motion(one: Named) -> Array:
    """Times, torques and coordinates at evenly spaced times until the end, (6, moments)."""
    times = np.linspace(0.0, one.jump.run.time, _MOMENTS)
    profile = one.design.profile
    torque = [float(profile.torque(profile.piece(t), t)) for t in times.tolist()]
    return np.vstack([times, torque, _states(one.jump.run, times)[:4]])


def _states(run: HybridRun, times: Array) -> Array:
    """States (8, k) at times of a run."""
    states = np.full((8, times.size), math.nan)
    for phase in run.segments:
        inside = (times >= phase.start) & (times <= phase.end)
        if inside.any():
            states[:, inside] = phase.path(times[inside])[:8]
    return states
