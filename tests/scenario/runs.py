"""Runs of shipped scenarios that several tests look at, each simulated once."""

import functools

from footfall.run import Run, run_scenario
from footfall.scenario.io import load_scenario


@functools.cache
def run(name: str, engine: str, *settings: str) -> Run:
    """Run a shipped scenario with an engine and overrides; the run must not be changed."""
    return run_scenario(load_scenario(name, settings), name, engine)


def run_climb(engine: str, *settings: str) -> Run:
    """Run biped/climb."""
    return run("biped/climb", engine, *settings)
