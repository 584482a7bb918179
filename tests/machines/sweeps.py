"""Sweeps of shipped scenarios, in this process."""

from footfall.analyse import analyse_scenario
from footfall.analysis.checkpoint import Checkpoint
from footfall.scenario.io import load_scenario
from footfall.workers import Workers


def over(**axes):
    """Setting of the axes of a sweep, values by names with __ for dots."""
    given = {name.replace("__", "."): values for name, values in axes.items()}
    return (
        f"analysis.over={{{', '.join(f'{k}: !Values {{values: {v}}}' for k, v in given.items())}}}"
    )


def swept(name, *settings, checkpoint=None):
    """Result of a sweep."""
    scenario = load_scenario(name, settings)
    silent = lambda _what, _share: None  # noqa: E731
    return analyse_scenario(scenario, checkpoint or Checkpoint(), silent, Workers(1)).result
