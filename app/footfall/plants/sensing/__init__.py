"""Sensors between a machine and its controller, actuators between the controller and the machine.

Both take samples at multiples of a time and hand them on after a delay, with errors that follow
from a seed.
"""

from footfall.plants.sensing.config import Encoders, Imu, Sensors
from footfall.plants.sensing.sensors import Actuators, ActuatorSystem, SensorSystem

__all__ = ["ActuatorSystem", "Actuators", "Encoders", "Imu", "SensorSystem", "Sensors"]
