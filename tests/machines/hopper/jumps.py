"""Runs of the shipped hopper that several tests look at, and rows made by hand."""

import functools

import numpy as np
import xarray as xr

from footfall.analyse import ScenarioFactory
from footfall.analysis.context import AnalysisContext
from footfall.contact import Mode
from footfall.machines.hopper.closed_form.model import CODE, TEXT
from footfall.machines.hopper.model import POINTS
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import dump_scenario, load_scenario
from footfall.trajectory import Event, Status, Trajectory

GRAVITY = {"report": TEXT, "report_as_run": CODE}


@functools.cache
def context(name, *settings):
    """A shipped scenario of the hopper as its machine sees it; must not be changed."""
    scenario = load_scenario(f"hopper/{name}", settings)
    return context_of(scenario, build_robot(scenario))


@functools.cache
def analysis(name):
    """Context for an analysis of a shipped scenario, which may simulate."""
    return AnalysisContext(factory=ScenarioFactory(dump_scenario(load_scenario(f"hopper/{name}"))))


def made(height, mode, *, time=None, x=None, speed=0.0, engine="moreau", events=()):
    """Rows by hand: height [m] and mode of P, its place and speed, an upright straight machine.

    height may hold values far below the ground, where Q is in it as well.
    """
    height, mode = np.array(height, dtype=float), np.array(mode)
    n = len(height)
    time = 1e-3 * np.arange(n) if time is None else np.array(time, dtype=float)
    q, v = np.zeros((n, 4)), np.zeros((n, 4))
    q[:, 0] = 0.0 if x is None else x
    q[:, 1], q[:, 2], v[:, 0] = height, 0.5 * np.pi, speed
    modes = np.zeros((n, 3), dtype=np.int8)
    modes[:, 0] = mode
    impulse = np.zeros((n, 3, 3))
    impulse[modes[:, 0] != int(Mode.OPEN), 0, :2] = 0.006, 0.001
    data = xr.Dataset(
        {
            "q": (("time", "position"), q),
            "v": (("time", "velocity"), v),
            "mode": (("time", "contact"), modes),
            "impulse": (("time", "contact", "axis"), impulse),
            "actuation": (("time", "actuator"), np.zeros((n, 1))),
            "actuator_work": ("time", np.zeros(n)),
        },
        {"time": time, "contact": list(POINTS), "axis": ["n", "t", "s"]},
        {"engine": engine},
    )
    return Trajectory(data, tuple(Event(t, kind, "") for t, kind in events), Status.DONE, "")
