"""PASIBOT walks, on feet that hold and on feet that slide, in every engine.

    python scripts/pasibot.py                             at 3 rad/s, friction 0.2 and 0.05
    python scripts/pasibot.py --speed 4 --friction 0.1    another speed of the crank, another floor

Writes a run folder for every simulation and one report.html that compares them. The event-driven
engine comes first, against which the others are held. The document's figures are scenarios of their
own: `footfall run pasibot/slip_mu`.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from footfall.cli.simulation import simulate_all
from footfall.errors import FootfallError
from footfall.metrics import scalar
from footfall.run import Run
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario

ENGINES = ("hybrid", "moreau", "drake")
FRICTIONS = (0.2, 0.05)


def main() -> None:
    """Simulate, print short tables, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--speed", type=float, default=3.0, help="speed of the crank in rad/s")
    parser.add_argument("--friction", type=float, help="coefficient of friction of the floor")
    parser.add_argument("--duration", type=float, default=2.1, help="time to walk in s")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    settings = [
        f"controller.speeds=[{{time: 0.0, speed: {arguments.speed}}}]",
        f"duration={arguments.duration}",
    ]
    frictions = FRICTIONS if arguments.friction is None else (arguments.friction,)
    try:
        scenarios = {
            f"pasibot/walk_{mu:g}": load_scenario("pasibot/walk", [*settings, f"friction={mu}"])
            for mu in frictions
        }
        sys.exit(simulate_all("pasibot", scenarios, ENGINES, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"pasibot: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "pasibot: interrupted\n")


def tell(scenario: Scenario, run: Run) -> None:
    """Say how many steps were made, and how far the feet slid in each."""
    steps = scalar(run.metrics, "steps_made")
    slips = 1e3 * np.ravel(np.asarray(run.metrics.get("slip_distance_per_step", []), dtype=float))
    slid = ", ".join(f"{slip:.2f}" for slip in slips) or "none made"
    result = f"{steps:.2f} steps, slip of each [mm]: {slid}"
    print(f"mu = {scenario.friction:g} {run.engine}: {run.trajectory.message or result}")


if __name__ == "__main__":
    main()
