"""Effect of the gears of its motors on the climb of the biped.

    python scripts/biped_gears.py                     gear ratios from 0 (no motors) to 3200
    python scripts/biped_gears.py --ratios 100 200    those of your own

A row is biped/climb_geared with another gear ratio: first with rotors that can have any torque,
then with all of the motor of motor/dc_line: its friction, current and voltage. Writes no files.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from footfall.cli.progress import progress_line
from footfall.errors import FootfallError
from footfall.metrics import scalar, short
from footfall.plants.motors import Motor
from footfall.run import Run, run_scenario
from footfall.scenario.io import load_scenario
from footfall.trajectory import Status

SCENARIO = "biped/climb_geared"
REAL = "motor/dc_line"
RATIOS = (0.0, 50.0, 100.0, 120.0, 155.0, 200.0, 300.0, 400.0, 500.0, 800.0, 1600.0, 3200.0)

COLUMNS = {
    "x_final": "x [m]",
    "foot_slip": "slip [m]",
    "swing_clearance": "clearance [m]",
    "contact_loss": "loss [J]",
    "tracking_error": "error [rad]",
    "joint_torque": "joint [N m]",
    "rotor_torque": "rotor [N m]",
}
"""Metrics by what stands above their column."""
LIMITED = ("x_final", "foot_slip", "tracking_error")


def main() -> None:
    """Simulate every ratio and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ratios", type=float, nargs="+", default=RATIOS, help="gear ratios")
    parser.add_argument("--duration", type=float, default=5.0, help="simulated time in s")
    arguments = parser.parse_args()
    try:
        sys.exit(sweep(arguments.ratios, arguments.duration))
    except FootfallError as error:
        parser.exit(2, f"biped_gears: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "biped_gears: interrupted\n")


def sweep(ratios: Sequence[float], duration: float) -> int:
    """Print a row a ratio; returns 1 if a run did not come to its end."""
    table = Table(title=f"{SCENARIO}, {duration:g} s", title_justify="left")
    for heading in ("n", "J n² [kg m²]", *COLUMNS.values()):
        table.add_column(heading, justify="right")
    for name in LIMITED:
        table.add_column(f"{REAL}: {COLUMNS[name]}", justify="right")
    (rotor,) = load_scenario(SCENARIO).motors.values()
    (real,) = load_scenario(REAL).motors.values()
    ended = True
    for ratio in ratios:
        motors = (rotor, real) if ratio else (rotor,)
        runs = [simulate(motor, ratio, duration) for motor in motors]
        ended &= all(run.trajectory.status is Status.DONE for run in runs)
        values = [(rotor.rotor_inertia or 0.0) * ratio**2]
        values += [scalar(runs[0].metrics, name) for name in COLUMNS]
        values += [scalar(run.metrics, name) for run in runs[1:] for name in LIMITED]
        table.add_row(f"{ratio:g}", *(short(value, 4) for value in values))
    Console(width=200).print(table)
    return 0 if ended else 1


def simulate(motor: Motor, ratio: float, duration: float) -> Run:
    """Climb with four such motors behind gears of a ratio; without any for 0."""
    scenario = load_scenario(SCENARIO, [f"duration={duration}"])
    scenario.motors = {"tau*": replace(motor, gear_ratio=ratio)} if ratio else {}
    with progress_line(f"n = {ratio:g}") as show:
        return run_scenario(scenario, SCENARIO, report=show)


if __name__ == "__main__":
    main()
