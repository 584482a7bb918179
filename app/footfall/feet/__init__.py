"""Feet of a robot: contact forces by foot, gait events, balance, cost of transport."""

from footfall.feet.detection import Feet, find_feet
from footfall.feet.metrics import METRICS, robot_metrics
from footfall.feet.observables import with_feet

__all__ = ["METRICS", "Feet", "find_feet", "robot_metrics", "with_feet"]
