"""Pushes of a run: what acted on which link when, kept beside the rows of its trajectory.

Frames: W world, B the link, Q the point of B where a push acts. A half-sine of length T and largest
value F gives the impulse 2/pi F T.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

STEP, HALF_SINE = "step", "half_sine"
SHAPES = (STEP, HALF_SINE)
WORLD, LINK = "world", "link"
FRAMES = (WORLD, LINK)

_DIM = "push"
_TEXTS = ("link", "shape", "frame")
# unit and meaning of the fields of a push
_FIELDS = {
    "link": ("1", "link that is pushed"),
    "shape": ("1", "course over time"),
    "frame": ("1", "axes of the push"),
    "start": ("s", "when the push begins"),
    "end": ("s", "when the push ends"),
    "p_BQ": ("m", "point of the link where the force acts, in the link's frame"),
    "force": ("N", "largest force"),
    "torque": ("N m", "largest torque"),
}


@dataclass(frozen=True)
class LinkPush:
    """A push as a run carries it out.

    link: full name, ``model::link``. p_BQ: in the link's frame [m]. start, end [s]; the end may be
    infinite. force [N], torque [N m]: the largest values, in W or in B as frame says.
    """

    link: str
    p_BQ: tuple[float, ...]
    start: float
    end: float
    force: tuple[float, ...]
    torque: tuple[float, ...]
    shape: str = STEP
    frame: str = WORLD

    def share(self, time: float) -> float:
        """Share of the largest force that acts at a time [s] between start and end."""
        if self.shape == STEP:
            return 1.0
        return max(0.0, math.sin(math.pi * (time - self.start) / (self.end - self.start)))

    def mean_share(self, begin: float, end: float) -> float:
        """Mean of the share from begin to end [s], 0 where nothing acts."""
        first, last = max(begin, self.start), min(end, self.end)
        if first >= last:
            return 0.0
        if self.shape == STEP:
            return (last - first) / (end - begin)
        length = self.end - self.start
        turn = math.pi / length
        # cos a - cos b as a product: the difference would lose digits where a step is short
        middle, half = 0.5 * (first + last) - self.start, 0.5 * (last - first)
        return 2.0 * math.sin(turn * middle) * math.sin(turn * half) / (turn * (end - begin))

    def impulse(self, begin: float, end: float) -> float:
        """Magnitude of the force integrated from begin to end [N s]."""
        return math.hypot(*self.force) * self.mean_share(begin, end) * (end - begin)


def with_pushes(data: xr.Dataset, pushes: tuple[LinkPush, ...]) -> xr.Dataset:
    """A trajectory's data with the pushes on a dimension of their own; the same where none are."""
    if not pushes:
        return data
    names = np.array([f"push {k}" for k in range(1, len(pushes) + 1)], dtype=np.str_)
    more = xr.Dataset(coords={_DIM: (_DIM, names, {"units": "1", "long_name": "push"})})
    for field, (units, long_name) in _FIELDS.items():
        values = np.array([getattr(push, field) for push in pushes])
        dims = (_DIM, "xyz")[: values.ndim]
        more[f"push_{field}"] = (dims, values, {"units": units, "long_name": long_name})
    return data.merge(more.set_coords([f"push_{field}" for field in _TEXTS]))


def pushes_of(data: xr.Dataset) -> tuple[LinkPush, ...]:
    """Pushes that a trajectory's data keep."""
    if _DIM not in data.dims:
        return ()
    columns = [data[f"push_{field}"].to_numpy().tolist() for field in _FIELDS]
    pushes = []
    for values in zip(*columns, strict=True):
        plain = (tuple(value) if isinstance(value, list) else value for value in values)
        fields: dict[str, Any] = dict(zip(_FIELDS, plain, strict=True))
        pushes.append(LinkPush(**fields))
    return tuple(pushes)
