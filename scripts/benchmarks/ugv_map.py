"""Time of the vehicle's map and its optimum: positions, forces, clearance, paths, bound.

Usage: python scripts/benchmarks/ugv_map.py [--stations 60] [--angles 20] [--repeats 3]
"""

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from footfall.analysis.nonlinear_programme import Effort
from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.criteria import clearance
from footfall.machines.ugv.closed_form.forces import forces
from footfall.machines.ugv.closed_form.parameters import UgvParameters
from footfall.machines.ugv.closed_form.position import pose
from footfall.machines.ugv.closed_form.tracks import bump
from footfall.machines.ugv.optimum.grid import grid_of
from footfall.machines.ugv.optimum.path_evaluation import evaluate_path
from footfall.machines.ugv.optimum.problem import TORQUE_RANGE, Limits, Problem
from footfall.machines.ugv.optimum.programme import refined
from footfall.machines.ugv.optimum.search import Search
from footfall.machines.ugv.optimum.solver import bound


def main() -> None:
    """Print seconds of every part, medians of several runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stations", type=int, default=60)
    parser.add_argument("--angles", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    for what, work in parts(asked.stations, asked.angles).items():
        work()  # compiles
        print(f"{what:32}{median(seconds(work) for _ in range(asked.repeats)):9.3f} s")


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one call, which other programs disturb less than the clock."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def parts(stations: int, angles: int) -> dict[str, Callable[[], object]]:
    """Calls by what they do, over the document's bump with legs of 100 degrees/m."""
    vehicle, track = UgvParameters(), bump()
    curve = CentreCurve(track, vehicle.r, -1.0, 7.5)
    limits = Limits(rate=np.radians(100.0), friction=0.8)
    problem = Problem(vehicle, curve, 1.5, 7.5, stations, TORQUE_RANGE, limits)
    grid = grid_of(problem, angles)
    at = pose(vehicle, curve, problem.stations[:, None], *grid.phi)
    found = Search(grid).best()
    if found is None:
        raise SystemExit("no path keeps the limits: ask for more angles or fewer stations")
    path = grid.phi[:, found.nodes]
    return {
        "positions": lambda: pose(vehicle, curve, problem.stations[:, None], *grid.phi),
        "forces": lambda: forces(vehicle, at),
        "clearance": lambda: clearance(vehicle, track, at),
        "the whole map": lambda: grid_of(problem, angles),
        "best path over it": lambda: Search(grid).best(),
        "bound of the grid": lambda: bound(grid),
        "refinement": lambda: refined(problem, path, Effort(iterations=300)),
        "a passage": lambda: evaluate_path(problem, path),
    }


if __name__ == "__main__":
    main()
