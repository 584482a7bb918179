"""Analyses of the vehicle's shipped scenarios, with settings; each machine is built once."""

from functools import cache

import numpy as np
from tests.machines.sweeps import swept

from footfall.analysis.context import AnalysisContext
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario


@cache
def analysed(name, *settings):
    """AnalysisResult of a scenario of the vehicle, computed once; it must not be changed."""
    return analyse(name, *settings)


def analyse(name, *settings, tell=lambda _what, _share: None):
    """AnalysisResult of a scenario of the vehicle, computed anew."""
    others = tuple(one for one in settings if not one.startswith("analysis."))
    analysis = load_scenario(f"ugv/{name}", settings).analysis
    return analysis.run(_setting(name, others), AnalysisContext(tell=tell))


@cache
def _setting(name, settings):
    scenario = load_scenario(f"ugv/{name}", settings)
    return context_of(scenario, build_robot(scenario))


def pairs(*angles):
    """The setting of pairs of angles in degrees."""
    told = ", ".join(
        f'"{rear} / {front}": ["parameters.rear={rear}", "parameters.front={front}"]'
        for rear, front in angles
    )
    return f"analysis.variants={{{told}}}"


def track(text):
    """The setting of a track."""
    return f"analysis.parameters.track='{text}'"


@cache
def traversed(name, *settings):
    """Sweep of pairs of angles: a dataset of each with its own stations, and the whole."""
    result = swept(f"ugv/{name}", *settings)
    whole = result.data.isel(engine=0)
    each = [
        whole.isel(variant=k).dropna("station", subset=["torque"])
        for k in range(whole.sizes["variant"])
    ]
    return each, whole


@cache
def charted(name, angles, *settings):
    """Sweep of a map over so many angles of each leg, (phi_r, phi_f, station), and its numbers."""
    low, high = {"torque_map": (80.0, 175.0), "steep_map": (60.0, 180.0)}[name]
    leg = f"!Range {{begin: {low}, end: {high}, count: {angles}}}"
    over = f"analysis.over={{parameters.rear: {leg}, parameters.front: {leg}}}"
    result = swept(f"ugv/{name}", over, *settings)
    legs = {"parameters.rear": "phi_r", "parameters.front": "phi_f"}
    data = result.data.isel(engine=0).rename(legs).transpose("phi_r", "phi_f", "station")
    radians = {name: np.radians(data[name].to_numpy()) for name in legs.values()}
    return data.assign_coords(radians).rename(friction_needed="required_friction"), result.metrics
