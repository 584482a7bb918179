"""Problems of the vehicle's optimum that several test files share."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from footfall.machines.ugv.closed_form import tracks
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.optimum.grid import AngleGrid, grid_of
from footfall.machines.ugv.optimum.path_evaluation import EvaluatedPath, evaluate_path
from footfall.machines.ugv.optimum.problem import (
    CRITERIA,
    ENERGY,
    TORQUE_RANGE,
    Limits,
    Problem,
)
from footfall.machines.ugv.optimum.search import GridPath, Search

UGV = UgvParameters()
TRACKS = {
    "bump": tracks.bump(),
    "hill": tracks.bump(1.0),
    "step": tracks.steps([4.0], [0.12]),
    "waves": tracks.sine(),
}
STATIONS = 25
FAST = math.radians(100.0)  # rad/m


@cache
def curve_over(name: str) -> CentreCurve:
    return CentreCurve(TRACKS[name], UGV.r, -1.0, 9.0)


def problem_of(
    name: str = "bump",
    criterion: str = CRITERIA[0],
    *,
    begin: float = 1.5,
    end: float = 7.5,
    stations: int = STATIONS,
    **limits: object,
) -> Problem:
    """A problem with plenty of friction, legs of 100 degrees/m unless something else is said."""
    both = (2.0, 2.0) if criterion == ENERGY else None
    asked = {"rate": FAST, "friction": 2.0, "start": both, "end": both} | limits
    asked["end"] = asked.pop("finish", asked["end"])
    return Problem(UGV, curve_over(name), begin, end, stations, criterion, Limits(**asked))


@cache
def grid(name: str, criterion: str, angles: int = 8, stations: int = STATIONS) -> AngleGrid:
    problem = problem_of(name, criterion, stations=stations)
    if criterion in {TORQUE_RANGE, ENERGY}:
        return grid_of(problem, angles)
    # the other criteria ask nothing else of a grid
    return replace(grid(name, TORQUE_RANGE, angles, stations), problem=problem)


def driven(of: AngleGrid, found: GridPath) -> EvaluatedPath:
    """A path of a grid as it is driven."""
    return evaluate_path(of.problem, of.phi[:, found.nodes])


def best(of: AngleGrid) -> tuple[GridPath, EvaluatedPath]:
    found = Search(of).best()
    assert found is not None
    return found, driven(of, found)


def still(problem: Problem, angles: tuple[float, float]) -> npt.NDArray[np.float64]:
    return np.repeat(np.array(angles)[:, None], len(problem.stations), axis=1)
