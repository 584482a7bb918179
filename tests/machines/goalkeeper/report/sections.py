"""Sections of the goalkeeper that several tests look at."""

from tests.scenario.runs import run

from footfall.report import Section
from footfall.scenario.io import load_scenario

ARC, SHOT = "goalkeeper/arc", "goalkeeper/shot_rolling"
QUICK = ("controller.max_speed=1.5", "controller.max_acceleration=8.0")  # saves the shot


def section_of(name, *engines, settings=()):
    """A shipped scenario with its runs in engines."""
    runs = {engine: run(name, engine, *settings) for engine in engines}
    return Section(name, load_scenario(name, settings), runs)
