"""The 4-link biped of the TUlip report climbs its slope with friction and slides down it without.

    python scripts/biped.py                 the whole comparison: mu = 1 and mu = 0 in every engine
    python scripts/biped.py --friction 0.4  one friction coefficient of your own

What motors and their gears change is in scripts/biped_gears.py.
Writes a run folder for every simulation and one report.html that compares them.
"""

import argparse
import sys
from pathlib import Path

from footfall.cli.progress import progress_line
from footfall.cli.tables import print_runs
from footfall.errors import FootfallError
from footfall.report import section_of, write_reports
from footfall.run import Run, run_scenario
from footfall.run_folder import RunFolder, make_run_folder
from footfall.saved import save_run
from footfall.scenario.io import load_scenario
from footfall.scenario.schema import Scenario
from footfall.trajectory import Status

ENGINES = ("moreau", "drake", "closed-form")


def main() -> None:
    """Simulate, print short tables, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--friction", type=float, help="friction coefficient (without it: 1 and 0)")
    parser.add_argument("--duration", type=float, default=5.0, help="simulated time in s")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()
    try:
        sys.exit(compare(arguments.friction, arguments.duration, arguments.out))
    except FootfallError as error:
        parser.exit(2, f"biped: {error}\n")
    except KeyboardInterrupt:
        parser.exit(1, "biped: interrupted\n")


def compare(friction: float | None, duration: float, out: Path | None) -> int:
    """Run the cases and write their report; returns 1 if one of them did not come to its end."""
    cases = {"biped/climb": 1.0, "biped/slide": 0.0}
    if friction is not None:
        cases = {"biped/climb": friction}
    scenarios = {
        name: load_scenario(name, [f"friction={mu}", f"duration={duration}"])
        for name, mu in cases.items()
    }
    folder = make_run_folder("biped", "script", out)
    sections = []
    for name, scenario in scenarios.items():
        runs = simulate(folder, name, scenario)
        print_runs(f"{name}, mu = {cases[name]:g}, {duration:g} s", scenario, runs)
        sections.append(section_of(scenario, runs, name))
        if any(run.trajectory.status is Status.INTERRUPTED for run in runs.values()):
            break
    write_reports(sections, folder.report)
    print(f"report: {folder.report}")
    ended = [run.trajectory.status for section in sections for run in section.runs.values()]
    return 0 if all(status is Status.DONE for status in ended) else 1


def simulate(folder: RunFolder, name: str, scenario: Scenario) -> dict[str, Run]:
    """Run one scenario in every engine, each run kept as soon as it ends, until Ctrl-C."""
    runs: dict[str, Run] = {}
    for engine in ENGINES:
        with progress_line(f"{name} {engine}") as show:
            runs[engine] = run_scenario(scenario, name, engine, report=show)
        save_run(
            make_run_folder(name, engine, folder.path / name / engine), name, scenario, runs[engine]
        )
        if runs[engine].trajectory.status is Status.INTERRUPTED:
            break
    return runs


if __name__ == "__main__":
    main()
