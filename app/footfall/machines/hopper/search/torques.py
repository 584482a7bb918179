"""Jumps as torques of time: cubic pieces, from a planned jump, and as segments of a profile.

A jump is y = (theta1, theta2, then of every piece its duration and its torque at four places). The
places are those of Chebyshev and Lobatto on the piece, so that what is between them stays near.
"""

import math
from itertools import pairwise

import numpy as np

from footfall.arrays import Array
from footfall.machines.hopper.closed_form.model import Hopper
from footfall.machines.hopper.rollout.simulator import Record, RolloutSimulator
from footfall.machines.hopper.search.parametrization import JumpParametrization
from footfall.machines.hopper.search.trust_region import SearchSpace
from footfall_controllers.piecewise import Segment

DEGREE = 3
_WIDTH = DEGREE + 2  # numbers of a piece
PLACES = 0.5 * (1.0 - np.cos(np.pi * np.arange(DEGREE + 1) / DEGREE))
_TO_COEFFICIENTS = np.linalg.inv(np.vander(PLACES, DEGREE + 1, increasing=True))
_BETWEEN = np.vander(np.linspace(0.0, 1.0, 17), DEGREE + 1, increasing=True) @ _TO_COEFFICIENTS
_SHORTEST = 1.5e-3  # s of a piece
_FINE = 2.5e-4  # s: steps that are recorded
_MOST_NODES = 20_000
_HALVED_ABOVE = 0.008  # s: no piece shorter than that is divided
_BELOW = 1e-3  # N m by which a torque stays below its bound


def pieces_of(y: Array) -> Array:
    """Duration and torques of every piece, (k, 5), a view."""
    return y[2:].reshape(-1, _WIDTH)


def rows_of(y: Array) -> Array:
    """Pieces for `rollout`, with nothing after the last."""
    pieces = pieces_of(y)
    rows = np.zeros((len(pieces) + 1, 8))
    rows[:-1, 1], rows[-1, 1] = pieces[:, 0], 1.0
    powers = pieces[:, :1] ** np.arange(DEGREE + 1)
    rows[:-1, 2 : 3 + DEGREE] = pieces[:, 1:] @ _TO_COEFFICIENTS.T / powers
    return rows


def rows_of_segments(segments: tuple[Segment, ...]) -> Array:
    """As `rows_of`, of segments of at most six coefficients."""
    rows = np.zeros((len(segments) + 1, 8))
    for row, segment in zip(rows, segments, strict=False):
        row[1] = segment.end - segment.start
        row[2 : 2 + len(segment.coefficients)] = segment.coefficients
    rows[-1, 1] = 1.0
    return rows


def segments_of(y: Array, digits: int) -> tuple[Segment, ...]:
    """The torque as segments; times in 10^-digits s, torques to 10^-digits N m."""
    ends = np.round(np.concatenate([[0.0], np.cumsum(pieces_of(y)[:, 0])]), digits)
    rounded = y.copy()
    pieces_of(rounded)[:, 0] = np.diff(ends)  # the torques at the places stay what they are
    found = []
    for row, (start, end) in zip(rows_of(rounded), pairwise(ends.tolist()), strict=False):
        # of a coefficient that many digits count as make a difference at the end of the piece
        coarser = [math.ceil(power * math.log10(end - start)) for power in range(DEGREE + 1)]
        coefficients = [
            round(float(a), digits + less)
            for a, less in zip(row[2 : 3 + DEGREE], coarser, strict=True)
        ]
        found.append(Segment(start, end, tuple(coefficients)))
    return tuple(found)


def search_space_of(y: Array, machine: Hopper) -> SearchSpace:
    """Ranges, scales and the bound of the torque for a search from y."""
    count, most = len(pieces_of(y)), machine.parameters.tau_max - _BELOW
    one = np.ones(DEGREE + 1)
    scale = np.concatenate([[0.1, 0.1], np.tile([0.01, *one], count)])
    lower = np.concatenate([[0.0, -3.0], np.tile([_SHORTEST / 2.0, *(-most * one)], count)])
    upper = np.concatenate([[3.0, 3.0], np.tile([0.5, *(most * one)], count)])
    A = np.zeros((count, 2, len(_BETWEEN), y.size))
    for piece in range(count):
        first = 3 + piece * _WIDTH
        A[piece, 0, :, first : first + DEGREE + 1] = _BETWEEN
        A[piece, 1, :, first : first + DEGREE + 1] = -_BETWEEN
    rows = A.reshape(-1, y.size)
    return SearchSpace(scale, lower, upper, rows, np.full(len(rows), most), 1e-6)


def as_torques(machine: Hopper, plan: JumpParametrization, z: Array, most: int) -> Array:
    """The jump of a plan's numbers as torques y of time, in at most so many pieces or few more."""
    angles, rows = plan.rows(z)
    simulator = RolloutSimulator(machine, _FINE)
    record = simulator.jump(angles, rows, plan.stages, most_recorded=_MOST_NODES).record
    tolerance = 0.02
    while True:
        pieces = _fitted(record, machine.parameters.tau_max, tolerance)
        if len(pieces) <= most or tolerance > 1.0:
            return np.array([*angles, *np.ravel(pieces)])
        tolerance *= 1.5


def _fitted(record: Record, bound: float, tolerance: float) -> list[list[float]]:
    """Cubic pieces through recorded torques, to a tolerance [N m] where they are smooth."""
    t, torque = record.time, record.torque
    key = 2.0 * record.piece + (np.abs(torque) > bound - 1e-9)
    pieces: list[list[float]] = []
    for first, last in record.spans(key, lambda _, first, end: bool(end - t[first] < _SHORTEST)):
        span = (t[first], record.end(last))
        pieces += _divided(t[first:last], torque[first:last], span, tolerance)
    limit = bound - 2.0 * _BELOW
    return [[piece[0], *np.clip(piece[1:], -limit, limit)] for piece in pieces]


def _divided(
    t: Array, torque: Array, span: tuple[float, float], tolerance: float
) -> list[list[float]]:
    """Pieces of a span, halved until the torque is met."""
    begin, end = span
    if end - begin < 1e-6:
        return []
    inside = (t >= begin - 1e-12) & (t <= end + 1e-12)
    part, values = (t[inside] - begin) / (end - begin), torque[inside]
    if values.size <= 2 * DEGREE:
        known = values if values.size else np.zeros(1)
        at = part if values.size else np.zeros(1)
        return [[end - begin, *np.interp(PLACES, at, known)]]
    fit = np.polynomial.polynomial.polyfit(part, values, DEGREE)
    error = np.abs(np.polynomial.polynomial.polyval(part, fit) - values).max()
    if error > tolerance and end - begin > _HALVED_ABOVE:
        middle = 0.5 * (begin + end)
        left = _divided(t, torque, (begin, middle), tolerance)
        return left + _divided(t, torque, (middle, end), tolerance)
    return [[end - begin, *np.polynomial.polynomial.polyval(PLACES, fit)]]


def y_of_segments(angles: tuple[float, float], segments: tuple[Segment, ...]) -> Array:
    """The jump of given segments as y; raises ValueError for one of a higher degree than three."""
    y = list(angles)
    for one in segments:
        if len(one.coefficients) > DEGREE + 1:
            raise ValueError(f"a search knows torques up to the degree {DEGREE}")
        y += [one.end - one.start, *one.value(one.start + PLACES * (one.end - one.start))]
    return np.array(y)
