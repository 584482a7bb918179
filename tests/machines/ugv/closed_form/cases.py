"""Tracks and poses that the vehicle's tests share."""

import numpy as np

from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.position import UgvParameters, VehiclePose, pose
from footfall.machines.ugv.closed_form.tracks import Track, TrackProfile, TrackSegment

UGV = UgvParameters()
TRACKS = {
    "bump": tracks.Bump().track(),
    "steep": tracks.Bump(0.45, 4.0, 0.7).track(),
    "step": tracks.Steps([4.0], [0.12]).track(),
    "stairs": tracks.Steps([3.6, 4.1], [0.1, 0.15]).track(),
    "down": tracks.Steps([4.0], [-0.12]).track(),
    "tight": tracks.Sine(0.3, 1.0, 3.0, 3).track(),  # hollows of radius 0.17 m
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


def mirrored(track: Track, place: float) -> Track:
    """The track as seen in a mirror at x = place [m]."""

    def turned(segment: TrackSegment) -> TrackSegment:
        def profile(x):
            height, slope, bend = segment.profile(2.0 * place - x)
            return TrackProfile(height, -slope, bend)

        ends = 2.0 * place - segment.end, 2.0 * place - segment.begin
        return TrackSegment(*ends, profile, segment.grain)

    return Track(f"{track.label}, mirrored", tuple(map(turned, reversed(track.segments))))
