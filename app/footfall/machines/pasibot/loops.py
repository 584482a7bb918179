"""Gaps of the loops of a plant over a trajectory."""

import numpy as np

from footfall.arrays import Array
from footfall.plants.constraints import Ball
from footfall.plants.load import Model
from footfall.trajectory import Trajectory


def loop_gap(model: Model, trajectory: Trajectory) -> float:
    """Largest distance [m] of two points that a ball constraint joins, over all rows."""
    return float(loop_gaps(model, trajectory.data["q"].to_numpy()).max(initial=0.0))


def loop_gaps(model: Model, positions: Array) -> Array:
    """The same at each of positions (N, nq), (N,) [m]."""
    plant = model.plant
    context, world = plant.CreateDefaultContext(), plant.world_frame()
    balls = [ball for ball in model.constraints if isinstance(ball, Ball)]
    ends = [
        (plant.GetFrameByName(name.rpartition("::")[2]), np.array(point))
        for ball in balls
        for name, point in ((ball.a, ball.p_AP), (ball.b, ball.p_BQ))
    ]
    largest = np.zeros(len(positions))
    for row, q in enumerate(positions):
        plant.SetPositions(context, q)
        points = np.array(
            [plant.CalcPointsPositions(context, frame, at, world)[:, 0] for frame, at in ends]
        )
        gaps: Array = np.linalg.norm(points[::2] - points[1::2], axis=1)
        largest[row] = gaps.max(initial=0.0)
    return largest
