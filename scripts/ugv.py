"""The vehicle of document 002 over its bump: quasi-static, and driven in both engines.

    python scripts/ugv.py                                 at 0.2 m/s, both legs at 115 degrees
    python scripts/ugv.py --speed 0.5 --rear 90 --front 130   another speed, other angles

Writes a run folder for every simulation and one report.html that compares them. The closed form
comes first, against which the others are held. What angles are best is `footfall run ugv/optimum`.
"""

import argparse
import math
import sys
from pathlib import Path

from footfall.cli.simulation import simulate_all
from footfall.errors import FootfallError
from footfall.metrics import scalar
from footfall.run import Run
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario

ENGINES = ("closed-form", "moreau", "drake")
START, WAY = 2.4, 4.32  # m: of the front wheel; both wheels then are as far behind the bump
RAMP = 1.0  # s


def main() -> None:
    """Simulate, print a short table, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--speed", type=float, default=0.2, help="speed of the wheels' rims in m/s")
    parser.add_argument("--rear", type=float, default=115.0, help="angle of the rear leg, degrees")
    parser.add_argument("--front", type=float, default=115.0, help="of the front leg, degrees")
    parser.add_argument("--friction", type=float, default=0.8, help="coefficient of friction")
    parser.add_argument("--duration", type=float, help="in s; over the bump unless given")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    duration = arguments.duration
    if duration is None:
        if not (math.isfinite(arguments.speed) and arguments.speed > 0.0):
            parser.exit(2, f"ugv: --speed is {arguments.speed}: give a positive number of m/s.\n")
        duration = round(WAY / arguments.speed + 0.5 * RAMP, 1)
    station = f"{{position: {START}, rear: {arguments.rear}, front: {arguments.front}}}"
    settings = [
        f"controller.speed={arguments.speed}",
        f"controller.ramp={RAMP}",
        f"controller.stations=[{station}]",
        f"friction={arguments.friction}",
        f"duration={duration}",
    ]
    try:
        scenarios = {"ugv/drive": load_scenario("ugv/drive", settings)}
        sys.exit(simulate_all("ugv", scenarios, ENGINES, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"ugv: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "ugv: interrupted\n")


def tell(_scenario: Scenario, run: Run) -> None:
    """Say what torque and friction the passage took, and how far it is from the balance."""
    least, most, error, needed = (
        scalar(run.metrics, name)
        for name in ("torque_min", "torque_max", "torque_error", "required_friction")
    )
    result = (
        f"torque {least:.2f} to {most:.2f} N m, at most {error:.2%} of the peak from the balance, "
        f"friction of {needed:.3f} needed"
    )
    if not math.isfinite(error):
        result = "which is too short to tell a torque: the drive has not had its speed for a second"
    distance = scalar(run.metrics, "front_way")
    print(f"{run.engine}: {distance:.3f} m, {run.trajectory.message or result}")


if __name__ == "__main__":
    main()
