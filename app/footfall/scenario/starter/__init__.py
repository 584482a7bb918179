"""A folder to start from with a robot of one's own: scenario, controller and a few words."""

from footfall.scenario.starter.write import Starter, write_starter

__all__ = ["Starter", "write_starter"]
