"""Tracks and poses that the vehicle's tests share."""

import numpy as np

from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, pose
from footfall.machines.ugv.closed_form.tracks import Track

UGV = UgvParameters()
TRACKS = {
    "bump": tracks.bump(),
    "steep": tracks.bump(0.45, 4.0, 0.7),
    "step": tracks.steps([4.0], [0.12]),
    "stairs": tracks.steps([3.6, 4.1], [0.1, 0.15]),
    "down": tracks.steps([4.0], [-0.12]),
    "tight": tracks.sine(0.3, 1.0, 3.0, 3),  # hollows of radius 0.17 m
}


def curve_over(track: Track, r: float = UGV.r) -> CentreCurve:
    """The curve of the centres over all that the tests use."""
    return CentreCurve(track, r, -1.0, 9.0)


def random_poses(curve: CentreCurve, count: int, seed: int) -> VehiclePose:
    """Poses at seeded places and angles, where each exists."""
    generator = np.random.default_rng(seed)
    s = generator.uniform(2.0, 7.0, count)
    phi_r, phi_f = generator.uniform(np.radians(90.0), np.radians(165.0), (2, count))
    return pose(UGV, curve, s, phi_r, phi_f)
