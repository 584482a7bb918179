"""Feet of a robot: contact forces by foot, gait events, balance, cost of transport."""

from footfall.feet.detection import Feet, find_feet
from footfall.feet.machine_feet import MachineFeet, SupportChange, friction_demand
from footfall.feet.metrics import METRICS, robot_metrics
from footfall.feet.observables import foot_forces, with_feet

__all__ = [
    "METRICS",
    "Feet",
    "MachineFeet",
    "SupportChange",
    "find_feet",
    "foot_forces",
    "friction_demand",
    "robot_metrics",
    "with_feet",
]
