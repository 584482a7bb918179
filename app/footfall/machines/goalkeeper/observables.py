"""Observables of a run of the goalkeeper: places of ball and keeper, and their touches.

Frame of the field: `closed_form.bisector`; z up.
"""

from dataclasses import dataclass

import numpy as np

from footfall.arrays import Array, Flags
from footfall.trajectory import Trajectory

KEEPER = "keeper_x"
POSITIONS = (KEEPER, "ball_ball_x", "ball_ball_y")
"""Positions that keeper and ball have in a model, whether the ball is free or guided."""

_HEIGHT = "ball_ball_z"  # of a free ball


@dataclass(frozen=True, eq=False)
class FieldObservables:
    """A run, row by row (N): time [s]; keeper: x of the keeper [m] and keeper_speed [m/s].

    ball, ball_velocity (N, 2): over the field [m], [m/s]; height (N,): of its centre [m]; touching
    (N,): whether it touches the keeper. free: whether the ball is free, else it is guided.
    """

    time: Array
    keeper: Array
    keeper_speed: Array
    ball: Array
    ball_velocity: Array
    height: Array
    touching: Flags
    free: bool


def observables_of(trajectory: Trajectory) -> FieldObservables:
    """Read a trajectory of any engine."""
    data = trajectory.data
    names = data["position"].to_numpy().tolist()
    free = _HEIGHT in names
    rates = ["ball_ball_vx", "ball_ball_vy"] if free else list(POSITIONS[1:])
    time = data["time"].to_numpy()
    return FieldObservables(
        time=time,
        keeper=data["q"].sel(position=KEEPER).to_numpy(),
        keeper_speed=data["v"].sel(velocity=KEEPER).to_numpy(),
        ball=data["q"].sel(position=list(POSITIONS[1:])).to_numpy(),
        ball_velocity=data["v"].sel(velocity=rates).to_numpy(),
        height=data["q"].sel(position=_HEIGHT).to_numpy() if free else np.zeros_like(time),
        touching=_touching(trajectory),
        free=free,
    )


def _touching(trajectory: Trajectory) -> Flags:
    """Return whether ball and keeper have touched in the step that ends at each row, (N,)."""
    data = trajectory.data
    pairs = [
        name
        for name in data["contact"].to_numpy().tolist()
        if "|" in name and "keeper::" in name and "ball::" in name
    ]
    closed: Flags = (data["mode"].sel(contact=pairs) > 0).any("contact").to_numpy()
    return closed
