"""Making a sound copy of a robot's URDF that Drake would refuse: hulls for meshes, inertias."""

from footfall.plants.mend.urdf import Mended, mend_urdf

__all__ = ["Mended", "mend_urdf"]
