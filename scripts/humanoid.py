"""The humanoid of the thesis walks by optimal predictive control, by its equations and by Drake's.

    python scripts/humanoid.py                                  at 0.6 and 0.2 m/s
    python scripts/humanoid.py --double 0.3 --single 0.3        at the same speed in both supports

Writes a run folder for every simulation and one report.html that compares them: the figures of the
thesis's chapter 5, and whether ground could give what the walk takes. The thesis's equations come
first, against which Drake's are held.
"""

import argparse
import sys
from pathlib import Path

from footfall.cli.simulation import simulate_all
from footfall.errors import FootfallError
from footfall.metrics import scalar
from footfall.run import Run
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario

ENGINES = ("closed-form", "hybrid")


def main() -> None:
    """Simulate, print a short table, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--double", type=float, default=0.6, help="m/s in double support")
    parser.add_argument("--single", type=float, default=0.2, help="m/s in single support")
    parser.add_argument("--lift", type=float, default=0.06, help="height of the swinging heel in m")
    parser.add_argument("--duration", type=float, default=2.5, help="time to walk in s")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    settings = [
        f"controller.speed={{double: {arguments.double}, single: {arguments.single}}}",
        f"controller.lift={arguments.lift}",
        f"duration={arguments.duration}",
    ]
    try:
        scenarios = {"humanoid/opc": load_scenario("humanoid/opc", settings)}
        sys.exit(simulate_all("humanoid", scenarios, ENGINES, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"humanoid: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "humanoid: interrupted\n")


def tell(_scenario: Scenario, run: Run) -> None:
    """Say how far it came, what torque that took, and whether ground could have held it."""
    cycles, progress, torque, feasible = (
        scalar(run.metrics, name)
        for name in ("cycles", "progress", "largest_joint_torque", "feasible")
    )
    result = (
        f"{cycles:.0f} gait cycles, {progress:.3f} m, up to {torque:.0f} N m; ground could give it "
        f"for {feasible:.0%} of the time"
    )
    print(f"{run.engine}: {run.trajectory.message or result}")


if __name__ == "__main__":
    main()
