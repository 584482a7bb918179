"""State that a Meshcat server would send to a browser that connects now."""

import struct

import numpy as np


def shown_pose(meshcat, path):
    """Transform of a path relative to its parent, (4, 4): 16 doubles end its packed message."""
    packed = meshcat._GetPackedTransform(path)
    assert packed, f"nothing was ever moved at {path}"
    numbers = [struct.unpack(">d", packed[-9 * k + 1 :][:8])[0] for k in range(16, 0, -1)]
    return np.array(numbers).reshape(4, 4, order="F")


def is_visible(meshcat, path):
    """Return whether a path is to be seen: true ends the packed message with 0xc3."""
    return meshcat._GetPackedProperty(path, "visible")[-1:] == b"\xc3"


def shown_scale(meshcat, path):
    """Scale of a path, (3,): three doubles end its packed message."""
    packed = meshcat._GetPackedProperty(path, "scale")
    return np.array([struct.unpack(">d", packed[-9 * k + 1 :][:8])[0] for k in (3, 2, 1)])
