"""Points on which a robot stands, few of them for each link."""

import numpy as np

from footfall.arrays import Array
from footfall.feet import Feet
from footfall.plants.dynamics import Dynamics
from footfall.scenario.assemble import Robot

_SHORT = 0.1  # of the height of the mass centre
_NEAR = 2e-3  # m above the lowest point of a foot: what stands with it


def standing_points(robot: Robot, feet: Feet) -> dict[str, list[list[float]]]:
    """Return points (x, y, z) in the frame of their link [m] by link, those at a foot's outline.

    Of the contact points of a foot those near its lowest one count; of many the outermost four,
    which hold the foot as all of them do. A foot that is short beside the robot, as the corners of
    a rounded one make it, stands on one point in their middle: it can turn.
    """
    plant, dynamics = robot.plant, Dynamics(robot.model, robot.contacts)
    dynamics.set_state(robot.initial_state)
    gaps, places = dynamics.gaps()
    reported = robot.contacts.reported_as
    foot, body = feet.of_contact[reported], feet.ground.body[reported]
    short = _SHORT * float(plant.CalcCenterOfMassPositionInWorld(dynamics.context)[2])
    found: dict[str, list[list[float]]] = {}
    for number, links in enumerate(feet.links):
        own = np.flatnonzero(foot == number)
        low = own[gaps[own] <= gaps[own].min() + _NEAR]
        for link in links:
            of_link = low[body[low] == int(link.index())]
            if len(of_link):
                X_WB = plant.EvalBodyPoseInWorld(dynamics.context, link)
                p_W = places[_outermost(places, of_link)]
                if np.ptp(p_W, axis=0).max() < short:
                    p_W = p_W.mean(axis=0, keepdims=True)
                p_B = X_WB.inverse().multiply(p_W.T).T
                found[link.name()] = np.round(p_B, 5).tolist()
    return found


def _outermost(places: Array, rows: Array) -> list[int]:
    """Rows of the points farthest along the diagonals of the ground, each once."""
    directions = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    ends = rows[np.argmax(places[rows, :2] @ directions.T, axis=0)]
    return [int(row) for row in dict.fromkeys(ends.tolist())]
