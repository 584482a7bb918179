"""Analyses of the vehicle's shipped scenarios, with settings; each machine is built once."""

from functools import cache

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
    told = ", ".join(f"{{rear: {rear}, front: {front}}}" for rear, front in angles)
    return f"analysis.angles=[{told}]"
