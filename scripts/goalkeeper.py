"""The goalkeeper of the TUlip report keeps its goal against a ball on a path, or a shot.

    python scripts/goalkeeper.py        the listing's arc: its own keeper, and engines
    python scripts/goalkeeper.py --keeper-speed 2.5 --keeper-acceleration 8    a quicker keeper
    python scripts/goalkeeper.py --kick 2.5 --start 0.5 2.4 --target -0.8    a ball that rolls

Writes a run folder for every simulation and one report.html that compares them. The listing itself
is the engine closed-form, in which the keeper is where it should be at once; it has no free ball.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from footfall.cli.simulation import simulate_all
from footfall.errors import FootfallError
from footfall.metrics import scalar
from footfall.run import Run
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario

PATH, PATH_ENGINES = "goalkeeper/arc", ("closed-form", "moreau", "drake")
SHOT, SHOT_ENGINES = "goalkeeper/shot_rolling", ("moreau", "drake-lagged", "drake-sap")
MARK, CORNER = (0.0, 1.8), -1.0  # m: from the penalty mark, beside the post


def main() -> None:
    """Simulate, print short tables, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keeper-speed", type=float, help="largest speed of the keeper in m/s")
    parser.add_argument("--keeper-acceleration", type=float, help="its largest one in m/s^2")
    parser.add_argument("--kick", type=float, help="speed of a shot in m/s, instead of the path")
    parser.add_argument("--start", type=float, nargs=2, help="place of the shot in m")
    parser.add_argument("--target", type=float, help="its aim on the goal line in m")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    name, engines, settings = PATH, PATH_ENGINES, []
    if arguments.kick is not None:
        start, target = arguments.start or MARK, arguments.target
        if not start[1] > 0.0:
            parser.error(f"--start: y is {start[1]:g}, give a place before the goal line")
        name, engines = SHOT, SHOT_ENGINES
        settings = shot(arguments.kick, start, CORNER if target is None else target)
    elif arguments.start is not None or arguments.target is not None:
        parser.error("--start and --target are those of a shot: give --kick with them")
    for bound in ("speed", "acceleration"):
        value = getattr(arguments, f"keeper_{bound}")
        if value is not None:
            settings.append(f"controller.max_{bound}={value}")
    try:
        scenarios = {name: load_scenario(name, settings)}
        sys.exit(simulate_all("goalkeeper", scenarios, engines, arguments.out, tell))
    except FootfallError as error:
        parser.exit(2, f"goalkeeper: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "goalkeeper: interrupted\n")


def shot(speed: float, start: Sequence[float], target: float) -> list[str]:
    """Settings for a ball that is kicked at start (x, y) towards the target on the goal line."""
    x, y = start
    distance = math.hypot(target - x, y)
    return [
        f"initial.positions.ball_ball_x={x}",
        f"initial.positions.ball_ball_y={y}",
        f"initial.velocities.ball_ball_vx={speed * (target - x) / distance}",
        f"initial.velocities.ball_ball_vy={-speed * y / distance}",
    ]


def tell(scenario: Scenario, run: Run) -> None:
    """Say what became of the ball, or how far the keeper fell behind it."""
    became = [word for word in ("goal", "saved", "missed") if scalar(run.metrics, word) == 1.0]
    result = became[0] if became else f"keeper up to {scalar(run.metrics, 'keeper_lag'):.3f} m late"
    print(f"{scenario.name} {run.engine}: {run.trajectory.message or result}")


if __name__ == "__main__":
    main()
