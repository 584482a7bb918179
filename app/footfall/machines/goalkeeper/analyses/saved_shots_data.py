"""Dataset and metrics of the map of saved shots."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.arrays import Array
from footfall.machines.goalkeeper.analyses.prediction import Prediction
from footfall.machines.goalkeeper.analyses.shots import Shot
from footfall.machines.goalkeeper.measures import PENALTY_MARK
from footfall.machines.goalkeeper.outcome import ShotOutcome
from footfall.metrics import Metric

Codes = npt.NDArray[np.int8]

GRID = ("origin_x", "origin_y", "speed", "target")
LINE = ("line_x", "line_speed", "target")

CODES = {outcome: code for code, outcome in enumerate(ShotOutcome)}
"""How outcomes are written down."""

_FLAGS: dict[str, Any] = {
    "units": "1",
    "flag_values": np.array(list(CODES.values()), dtype=np.int8),
    "flag_meanings": " ".join(outcome.value.replace(" ", "_") for outcome in CODES),
}
_M, _S, _SPEED, _ONE = ({"units": unit} for unit in ("m", "s", "m/s", "1"))

METRICS: dict[str, tuple[str, str]] = {
    "shots": ("1", "shots that were simulated"),
    "share_saved": ("1", "share of them that the keeper saves"),
    "share_goals": ("1", "share of them that are goals"),
    "agreement": ("1", "share of the shots of which is foretold what becomes of them"),
    "differences": ("1", "shots of which something else is foretold"),
    "turned_in": ("1", "shots that touch the keeper and are goals all the same"),
    "off_post": ("1", "shots that touch a post"),
    "touch_distance": (
        "m",
        "largest distance of the ball's place at the first touch from the foretold one",
    ),
    "touch_delay": ("s", "largest time between the first touch and the foretold one"),
    "mark_speed": (
        "m/s",
        "largest speed in the grid up to which all shots from the penalty mark are saved",
    ),
    "foretold_mark_speed": ("m/s", "the same, as it is foretold on a finer grid of speeds"),
}


@dataclass(frozen=True, eq=False)
class Axes:
    """Of the grid: x, y [m], speed [m/s], target: share of the goal's width."""

    x: Array
    y: Array
    speed: Array
    target: Array

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Counts of each."""
        return len(self.x), len(self.y), len(self.speed), len(self.target)


@dataclass(frozen=True, eq=False)
class Finer:
    """Predictions at finer speeds [m/s], from a little below the grid's to a little above.

    line: codes (x, speed, target) of shots from places at x [m] on a line at y [m]. safe (origin x,
    origin y): greatest speed up to which all targets are saved from an origin of the grid [m/s].
    """

    speed: Array
    x: Array
    y: float
    line: Codes
    safe: Array


def codes_of(foretold: Prediction, width: float) -> Codes:
    """Return what is foretold, as codes (n,); width: distance of the posts [m]."""
    inside = np.abs(foretold.ball[:, 0]) < 0.5 * width
    arrives = np.isfinite(foretold.time)
    conditions = [foretold.touched, arrives & inside, arrives]
    choices = [CODES[one] for one in (ShotOutcome.SAVED, ShotOutcome.GOAL, ShotOutcome.MISSED)]
    return np.select(conditions, choices, CODES[ShotOutcome.ON_THE_WAY]).astype(np.int8)


def safe_speed(codes: Codes, speed: Array) -> Array:
    """Greatest of rising speeds up to which all is saved, NaN for none; codes (..., s, target)."""
    saved = (codes == CODES[ShotOutcome.SAVED]).all(axis=-1)
    count = np.logical_and.accumulate(saved, axis=-1).sum(axis=-1)
    return np.where(count > 0, speed[np.maximum(count - 1, 0)], np.nan)


def dataset(
    axes: Axes,
    shots: Sequence[Shot],
    foretold: Prediction,
    finer: Finer,
    attributes: Mapping[str, Any],
) -> xr.Dataset:
    """Labelled arrays of shots in the order of the grid; attributes: those of the whole."""
    codes = np.array([CODES[ShotOutcome(shot["outcome"])] for shot in shots], dtype=np.int8)
    touch = np.array([shot["ball"] for shot in shots])
    touched = np.where(foretold.touched, 1.0, np.nan)
    arrays = {
        "outcome": (codes, _FLAGS, "what becomes of a shot"),
        "decided_time": ([shot["time"] for shot in shots], _S, "when that is decided"),
        "touch_time": (
            [shot["touch_time"] for shot in shots],
            _S,
            "when the ball touches the keeper",
        ),
        "touch_x": (touch[:, 0], _M, "x of the ball then"),
        "touch_y": (touch[:, 1], _M, "y of the ball then"),
        "touch_keeper": ([shot["keeper"] for shot in shots], _M, "x of the keeper then"),
        "post": (np.array([shot["post"] for shot in shots], dtype=np.int8), _ONE, "touches a post"),
        "foretold": (codes_of(foretold, attributes["goal_width"]), _FLAGS, "what is foretold"),
        "foretold_time": (foretold.time * touched, _S, "when it is to touch the keeper"),
        "foretold_x": (foretold.ball[:, 0] * touched, _M, "x of the ball then"),
        "foretold_y": (foretold.ball[:, 1] * touched, _M, "y of the ball then"),
        "foretold_keeper": (foretold.keeper * touched, _M, "x of the keeper then"),
    }
    data = xr.Dataset(
        {
            name: (GRID, np.asarray(values).reshape(axes.shape), {**units, "long_name": about})
            for name, (values, units, about) in arrays.items()
        },
        {
            "origin_x": (GRID[0], axes.x, _M | {"long_name": "x of the ball at the kick"}),
            "origin_y": (GRID[1], axes.y, _M | {"long_name": "distance from the goal line"}),
            "speed": (GRID[2], axes.speed, _SPEED | {"long_name": "speed of the kick"}),
            "target": (GRID[3], axes.target, _ONE | {"long_name": "share of the goal's width"}),
            "line_x": (LINE[0], finer.x, _M),
            "line_speed": (LINE[1], finer.speed, _SPEED),
        },
        dict(attributes) | {"line_y": finer.y},
    )
    safe = _SPEED | {"long_name": "greatest speed up to which all targets are saved"}
    grid_safe = safe_speed(data["outcome"].to_numpy(), axes.speed)
    data["safe_speed"] = GRID[:2], grid_safe, safe
    data["foretold_safe_speed"] = GRID[:2], finer.safe, safe
    data["line"] = LINE, finer.line, _FLAGS | {"long_name": "what is foretold from y = line_y"}
    return data


def metrics_of(data: xr.Dataset) -> dict[str, Metric]:
    """METRICS of the arrays."""
    outcome, foretold = data["outcome"].to_numpy(), data["foretold"].to_numpy()
    touched = np.isfinite(data["touch_time"].to_numpy())
    goals, saved = (outcome == CODES[one] for one in (ShotOutcome.GOAL, ShotOutcome.SAVED))
    x, y, delay = (
        (data[f"touch_{name}"] - data[f"foretold_{name}"]).to_numpy() for name in ("x", "y", "time")
    )
    return {
        "shots": float(outcome.size),
        "share_saved": float(saved.mean()),
        "share_goals": float(goals.mean()),
        "agreement": float((outcome == foretold).mean()),
        "differences": float((outcome != foretold).sum()),
        "turned_in": float((goals & touched).sum()),
        "off_post": float(data["post"].sum()),
        "touch_distance": _largest(np.hypot(x, y)),
        "touch_delay": _largest(np.abs(delay)),
        "mark_speed": _at_mark(data["safe_speed"]),
        "foretold_mark_speed": _at_mark(data["foretold_safe_speed"]),
    }


def _largest(values: Array) -> float:
    """The largest number among them; NaN where there is none."""
    known = values[np.isfinite(values)]
    return float(known.max()) if known.size else math.nan


def _at_mark(speed: xr.DataArray) -> float:
    """The value at the penalty mark, NaN where the grid has none there."""
    x, y = (np.isclose(speed[name], at) for name, at in zip(GRID, PENALTY_MARK, strict=False))
    return float(speed.to_numpy()[x][:, y][0, 0]) if x.any() and y.any() else math.nan
