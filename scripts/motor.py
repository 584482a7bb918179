"""A motor turns a load through a gear: its response to a torque, in every engine.

    python scripts/motor.py                           friction, none, and the line of the motor
    python scripts/motor.py --ratio 100 --torque 0.01  another gear, another torque of the rotor

Writes a run folder for every simulation and one report.html that compares them. The closed form
comes first, against which the others are held. The best gear is `footfall run motor/ratio_sweep`.
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

ENGINES = ("closed-form", "moreau", "drake", "drake-continuous")
RESPONSES = ("motor/step", "motor/step_frictionless", "motor/dc_line")


def main() -> None:
    """Simulate, print short tables, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ratio", type=float, help="turns of the rotor for one of the load")
    parser.add_argument("--torque", type=float, help="torque of the rotor in N m")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    settings = []
    if arguments.ratio is not None:
        settings.append(f"motors.motor.gear_ratio={arguments.ratio}")
    if arguments.torque is not None:
        settings.append(f"controller.torques.motor.0.coefficients=[{arguments.torque}]")
    try:
        scenarios = {name: load_scenario(name, settings) for name in RESPONSES}
        sys.exit(simulate_all("motor", scenarios, ENGINES, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"motor: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "motor: interrupted\n")


def tell(scenario: Scenario, run: Run) -> None:
    """Say how fast the load is at the end, and how far that is from the closed form."""
    speed, error = (scalar(run.metrics, name) for name in ("end_speed", "speed_error"))
    result = f"{speed:.6f} rad/s at the end, at most {error:.1e} rad/s from the closed form"
    print(f"{scenario.name} {run.engine}: {run.trajectory.message or result}")


if __name__ == "__main__":
    main()
