"""Failure criteria of a traversal: slip, lift-off, and the body on the ground."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.machines.ugv.closed_form.forces import Forces
from footfall.machines.ugv.closed_form.offsets import corners_of
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import VehiclePose, body_positions
from footfall.machines.ugv.closed_form.tracks import Track

_SAMPLES = 33  # of each line of the underside
_GRAIN = 5e-3  # m: distance of the samples among which hills are found
_STRETCH = 0.02  # m: of the ground, of whose hills the highest counts
_MOST = 200_000  # samples of the ground


class Verdict(NamedTuple):
    """Verdict at some poses; flags of one shape, and the clearance [m] that decides one.

    possible: there is a pose at all. slips: a wheel needs more friction than there is. rolls_over:
    the ground would have to hold a wheel down: it lifts, and the vehicle turns about the other one.
    bottoms: body or legs reach into the ground. fine: nothing of these.
    """

    possible: Flags
    slips: Flags
    rolls_over: Flags
    bottoms: Flags
    clearance: Array

    @property
    def fine(self) -> Flags:
        """Return whether the vehicle passes."""
        return self.possible & ~(self.slips | self.rolls_over | self.bottoms)


def required_friction(of: Forces) -> Array:
    """Coefficient that keeps both wheels from slipping; infinite where one has to be held down."""
    return np.maximum(friction_at(of.friction, of.normal_r), friction_at(of.friction, of.normal_f))


def friction_at(friction: Array, normal: Array) -> Array:
    """|F|/N of a wheel, infinite where N is not positive."""
    pressed = normal > 0.0
    ratio = np.abs(friction) / np.where(pressed, normal, 1.0)
    found = np.where(pressed, ratio, np.inf)
    return np.where(np.isnan(normal), np.nan, found)


def least_normal(of: Forces) -> Array:
    """The smaller of the two normal forces [N]."""
    return np.minimum(of.normal_r, of.normal_f)


def clearance(parameters: UgvParameters, track: Track, at: VehiclePose) -> Array:
    """Least vertical distance of the underside from the ground [m], negative inside it.

    The underside is the belly, half_height below the line of the hips, and the legs from hip to
    axle, but for what the wheels cover. Where the ground is smooth the least is found by Newton's
    method from samples of each line and from what is highest of each short stretch of ground, at
    its corners exactly.
    """
    where = body_positions(parameters, at)
    down = -1j * parameters.half_height * np.exp(1j * at.psi)
    lines = (
        (where.hip_r + down, where.hip_f + down),
        (where.hip_r, where.wheel_r),
        (where.hip_f, where.wheel_f),
    )
    tops = _tops(
        track, np.concatenate([np.real(end).reshape(-1) for line in lines for end in line])
    )
    gaps = [_gap(track, tops, begin, end) for begin, end in lines]
    return np.minimum.reduce(gaps)


def verdict(
    parameters: UgvParameters, track: Track, at: VehiclePose, of: Forces, friction: float
) -> Verdict:
    """Hold every criterion against poses and their forces; friction: coefficient of the ground."""
    possible = np.isfinite(at.psi)
    rolls_over = possible & (least_normal(of) <= 0.0)
    least = clearance(parameters, track, at)
    return Verdict(
        possible=possible,
        slips=possible & ~rolls_over & (required_friction(of) > friction),
        rolls_over=rolls_over,
        bottoms=possible & (least < 0.0),
        clearance=least,
    )


def _tops(track: Track, x: Array) -> Array:
    """Abscissas (k,) of hills between given ones, the highest of each few centimetres [m]."""
    x = x[np.isfinite(x)]
    if x.size == 0:
        return x
    grain = max(min([_GRAIN, *(segment.grain for segment in track.segments)]), np.ptp(x) / _MOST)
    at = np.arange(x.min(), x.max(), grain)
    z = track.profile(at).height
    tops = 1 + np.flatnonzero((z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:]))
    tops = tops[np.argsort(z[tops])]  # the highest is the last
    kept = dict(zip((at[tops] // _STRETCH).tolist(), at[tops].tolist(), strict=True))
    return np.array(sorted(kept.values()))


def _gap(
    track: Track,
    tops: Array,
    begin: npt.NDArray[np.complex128],
    end: npt.NDArray[np.complex128],
) -> Array:
    """Least height of a line over the track."""
    span = end - begin
    share = np.linspace(0.0, 1.0, _SAMPLES).reshape(-1, *([1] * begin.ndim))
    x = begin.real + share * span.real
    height = begin.imag + share * span.imag - track.profile(x).height
    lowest = np.argmin(np.where(np.isnan(height), np.inf, height), axis=0)
    at = np.take_along_axis(np.broadcast_to(share, height.shape), lowest[None], axis=0)[0]
    least = np.nanmin(np.where(np.isnan(height), np.inf, height), axis=0)
    steep = np.where(span.real == 0.0, 1.0, span.real)
    for x_t, z_t in zip(tops, track.profile(tops).height, strict=True):
        share_t = (x_t - begin.real) / steep
        over_t = begin.imag + share_t * span.imag - z_t
        lower = (share_t >= 0.0) & (share_t <= 1.0) & (span.real != 0.0) & (over_t < least)
        at, least = np.where(lower, share_t, at), np.where(lower, over_t, least)
    for _ in range(2):
        ground = track.profile(begin.real + at * span.real)
        slope = span.imag - ground.slope * span.real
        bend = -ground.bend * span.real**2
        step = np.where(bend > 0.0, slope / np.where(bend > 0.0, bend, 1.0), 0.0)
        at = np.clip(at - np.clip(step, -1.0 / _SAMPLES, 1.0 / _SAMPLES), 0.0, 1.0)
        there = track.profile(begin.real + at * span.real).height
        least = np.fmin(least, begin.imag + at * span.imag - there)
    for x_c, z_c in corners_of(track):
        share_c = (x_c - begin.real) / steep
        over = (share_c >= 0.0) & (share_c <= 1.0) & (span.real != 0.0)
        least = np.where(over, np.minimum(least, begin.imag + share_c * span.imag - z_c), least)
    return np.where(np.isfinite(span), least, np.nan)
