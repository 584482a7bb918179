"""Summary of a sweep of shots: what is foretold of them, and how fast a shot the keeper saves.

Shots over x, y, speed and target are foretold all together, without any contact of bodies
(`prediction`).
"""

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from footfall.analysis.functions import PARAMETERS, labelled
from footfall.machines.goalkeeper.analyses.prediction import Prediction
from footfall.machines.goalkeeper.analyses.saved_shots import (
    CODES,
    OUTCOME,
    kicks_of,
    oracle_of,
)
from footfall.machines.goalkeeper.measures import PENALTY_MARK
from footfall.machines.goalkeeper.outcome import ShotOutcome
from footfall.registry.claims import Claim
from footfall.registry.context import MachineContext

_X, _Y, _SPEED, _TARGET = _AXES = tuple(f"{PARAMETERS}{n}" for n in ("x", "y", "speed", "target"))
_GOAL, _SAVED, _ON_THE_WAY = (
    CODES[one] for one in (ShotOutcome.GOAL, ShotOutcome.SAVED, ShotOutcome.ON_THE_WAY)
)


def summary(data: xr.Dataset, context: MachineContext) -> tuple[xr.Dataset, Sequence[Claim]]:
    """Outcomes that are foretold, shares, and the greatest speeds up to which all is saved.

    Nothing for a sweep of which the scene differs from shot to shot.
    """
    own = ("engine", *_AXES)
    if data.attrs["function"] != "shot" or not set(data["outcome"].dims) <= set(own):
        return xr.Dataset(), ()
    foretold = _foretold(data, context)
    found = foretold[["foretold"]].merge(_numbers(data, foretold))
    if _SPEED in data.dims:
        found["safe_speed"] = safe_speed(data["outcome"])
        found["foretold_safe_speed"] = safe_speed(foretold["foretold"])
        at = {_X: PENALTY_MARK[0], _Y: PENALTY_MARK[1]}
        if all(name in data.dims and np.isclose(data[name], at[name]).any() for name in at):
            mark = found["safe_speed"].isel(engine=0).sel(at, method="nearest", drop=True)
            about = "greatest speed of the sweep up to which all from the penalty mark are saved"
            found["mark_speed"] = mark.reset_coords(drop=True).assign_attrs(long_name=about)
    return found, ()


def _foretold(data: xr.Dataset, context: MachineContext) -> xr.Dataset:
    """Prediction of all shots: outcomes, and when and where the ball is touched."""
    given = json.loads(str(data.attrs["parameters"]))
    oracle = oracle_of(context, ready=given.get("ready", True))
    axes = xr.broadcast(
        *(data[name] if name in data.dims else xr.DataArray(given[name[11:]]) for name in _AXES)
    )
    rows = np.stack([one.to_numpy().ravel() for one in axes], axis=1)
    found = oracle.predict(kicks_of(oracle, rows))
    at = np.where(found.touched, 1.0, np.nan)
    columns = {
        "foretold": codes_of(found, oracle.law.goal_width),
        "touch_time": at * found.time,
        "touch_x": at * found.ball[:, 0],
        "touch_y": at * found.ball[:, 1],
    }
    told = xr.Dataset(
        {
            name: axes[0].copy(data=np.asarray(row).reshape(axes[0].shape))
            for name, row in columns.items()
        }
    )
    told["foretold"].attrs = {"units": OUTCOME[0], "long_name": f"foretold: {OUTCOME[1]}"}
    return told


def _numbers(data: xr.Dataset, foretold: xr.Dataset) -> xr.Dataset:
    outcome, expected = data["outcome"], foretold["foretold"]
    known, goals = outcome.notnull(), outcome == _GOAL
    away = data[["touch_time", "touch_x", "touch_y"]] - foretold
    touched = data["touch_time"].notnull()
    numbers: dict[str, tuple[Any, str, str]] = {
        "share_saved": ((outcome == _SAVED).sum() / known.sum(), "1", "share that is saved"),
        "share_goals": (goals.sum() / known.sum(), "1", "share of goals"),
        "undecided": ((outcome == _ON_THE_WAY).sum(), "1", "shots on their way at their end"),
        "agreement": ((outcome == expected).sum() / known.sum(), "1", "share as it is foretold"),
        "differences": (((outcome != expected) & known).sum(), "1", "shots that end otherwise"),
        "turned_in": ((goals & touched).sum(), "1", "shots that are touched, and goals"),
        "off_post": (data["post"].sum(), "1", "shots that touch a post"),
        "touch_distance": (
            _largest((away["touch_x"] ** 2 + away["touch_y"] ** 2) ** 0.5),
            "m",
            "largest distance of the ball at the first touch from the foretold place",
        ),
        "touch_delay": (
            _largest(abs(away["touch_time"])),
            "s",
            "largest time between the first touch and the foretold one",
        ),
    }
    return labelled(
        {name: (float(value), unit, words) for name, (value, unit, words) in numbers.items()}
    )


def codes_of(foretold: Prediction, width: float) -> npt.NDArray[np.int8]:
    """Return what is foretold, as codes (n,); width: distance of the posts [m]."""
    inside = np.abs(foretold.ball[:, 0]) < 0.5 * width
    arrives = np.isfinite(foretold.time)
    conditions = [foretold.touched, arrives & inside, arrives]
    choices = [CODES[one] for one in (ShotOutcome.SAVED, ShotOutcome.GOAL, ShotOutcome.MISSED)]
    return np.select(conditions, choices, CODES[ShotOutcome.ON_THE_WAY]).astype(np.int8)


def safe_speed(outcome: xr.DataArray) -> xr.DataArray:
    """Greatest of rising speeds up to which all targets are saved; NaN for none."""
    saved = outcome == _SAVED
    saved = saved.all(_TARGET) if _TARGET in saved.dims else saved
    saved = saved.transpose(..., _SPEED)
    count = np.logical_and.accumulate(saved.to_numpy(), axis=-1).sum(axis=-1)
    speed = saved[_SPEED].to_numpy()
    values = np.where(count > 0, speed[np.maximum(count - 1, 0)], np.nan)
    meaning = "greatest speed of the sweep up to which all targets are saved"
    attrs = {"units": "m/s", "long_name": meaning}
    return saved.isel({_SPEED: 0}, drop=True).copy(data=values).assign_attrs(attrs)


def _largest(values: xr.DataArray) -> float:
    return float(values.max()) if bool(values.notnull().any()) else math.nan
