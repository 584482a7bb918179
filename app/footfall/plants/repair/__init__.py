"""Making a sound copy of a robot's URDF that Drake would refuse: hulls for meshes, inertias."""

from footfall.plants.repair.urdf import RepairedModel, repair_urdf

__all__ = ["RepairedModel", "repair_urdf"]
