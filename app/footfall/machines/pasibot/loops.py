"""Loops of PASIBOT over a trajectory: how they close, and the image that the pantograph makes."""

import numpy as np

from footfall.arrays import Array
from footfall.machines.pasibot.closed_form.linkage import image_ratio
from footfall.plants.constraints import Ball
from footfall.plants.loading.load import Model
from footfall.trajectory import Trajectory

_LOOKED_AT = 100  # rows


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


def amplification(model: Model, trajectory: Trajectory) -> float:
    """Way of both ankles over that of their points C, the other way round, seen from the hip.

    NaN where the crank does not move.
    """
    plant, positions = model.plant, trajectory.data["q"].to_numpy()
    context, hip = plant.CreateDefaultContext(), plant.GetFrameByName("hip")
    ends = [[plant.GetFrameByName(f"{name}_{n}") for n in (1, 2)] for name in ("C", "foot")]
    rows = np.unique(np.linspace(0, len(positions) - 1, _LOOKED_AT).astype(int))
    ways = np.empty((2, 2, len(rows)), dtype=complex)
    for row, q in enumerate(positions[rows]):
        plant.SetPositions(context, q)
        for point, frames in enumerate(ends):
            for leg, frame in enumerate(frames):
                x, _, z = frame.CalcPose(context, hip).translation()
                ways[point, leg, row] = complex(x, z)
    ways -= ways.mean(axis=2, keepdims=True)
    return image_ratio(*ways.reshape(2, -1))
