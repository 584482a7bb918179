"""The hopper jumps: the published torque, in every engine.

    python scripts/hopper.py                        with the text's gravity, and with the program's
    python scripts/hopper.py --theta1 105 --mu 0.5  from another pose, on other ground

Writes a run folder for every simulation and one report.html that compares them. The event-driven
engine comes first, against which the others are held. `drake` has the approximation that the
scenarios ask for, lagged; drake-sap, which throws off what slides, shows why.
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

ENGINES = ("hybrid", "moreau", "drake", "drake-sap")
JUMPS = ("hopper/report", "hopper/report_as_run")


def main() -> None:
    """Simulate, print short tables, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--theta1", type=float, help="angle of link 1 from the ground in degrees")
    parser.add_argument("--theta2", type=float, help="angle from link 1 to link 2 in degrees")
    parser.add_argument("--mu", type=float, help="coefficient of friction of the ground")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    settings = [
        f"initial.positions.{name}={math.radians(value)}"
        for name, value in (("theta1", arguments.theta1), ("theta2", arguments.theta2))
        if value is not None
    ]
    if arguments.mu is not None:
        settings.append(f"friction={arguments.mu}")
    names = JUMPS[:1] if settings else JUMPS
    try:
        scenarios = {name: load_scenario(name, settings) for name in names}
        sys.exit(simulate_all("hopper", scenarios, ENGINES, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"hopper: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "hopper: interrupted\n")


def tell(scenario: Scenario, run: Run) -> None:
    """Say how far a run went, whether as a jump, and how it ended."""
    reach = scalar(run.metrics, "reach")
    valid = math.isfinite(scalar(run.metrics, "jump_distance"))
    result = f"jumped {reach:.4f} m" if math.isfinite(reach) else "no jump"
    if not valid and math.isfinite(reach):
        flights = scalar(run.metrics, "flights")
        result += f", which is no valid jump: P flew {flights:.0f} times"
    print(f"{scenario.name} {run.engine}: {run.trajectory.message or result}")


if __name__ == "__main__":
    main()
