"""The 4-link biped of the TUlip report climbs its slope with friction and slides down it without.

    python scripts/biped.py                 the whole comparison: mu = 1 and mu = 0 in every engine
    python scripts/biped.py --friction 0.4  one friction coefficient of your own

Writes a run folder for every simulation and one report.html that compares them.
"""

import argparse
from pathlib import Path

from footfall.cli.progress import progress_line
from footfall.cli.tables import print_runs
from footfall.errors import FootfallError
from footfall.provenance import collect_provenance
from footfall.report import Section, write_reports
from footfall.run import run_scenario
from footfall.run_folder import RunFolder, make_run_folder
from footfall.saved import save_run
from footfall.scenario.io import load_scenario

ENGINES = ("moreau", "drake", "closed-form")


def main() -> None:
    """Simulate, print a short table, write the report and say where it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--friction", type=float, help="friction coefficient (without it: 1 and 0)")
    parser.add_argument("--duration", type=float, default=5.0, help="simulated time in s")
    parser.add_argument("--out", type=Path, help="folder to write to")
    arguments = parser.parse_args()

    cases = {"biped/climb": 1.0, "biped/slide": 0.0}
    if arguments.friction is not None:
        cases = {"biped/climb": arguments.friction}
    try:
        folder = make_run_folder("biped", "script", arguments.out)
        sections = [simulate(folder, name, mu, arguments.duration) for name, mu in cases.items()]
        write_reports(sections, folder.report)
    except FootfallError as error:
        parser.exit(2, f"biped: {error}\n")
    print(f"report: {folder.report}")


def simulate(folder: RunFolder, name: str, friction: float, duration: float) -> Section:
    """Run one scenario in every engine and keep the runs."""
    scenario = load_scenario(name, [f"friction={friction}", f"duration={duration}"])
    runs = {}
    for engine in ENGINES:
        with progress_line(f"{name} {engine}") as show:
            runs[engine] = run_scenario(scenario, name, engine, report=show)
        own = make_run_folder(name, engine, folder.path / name / engine)
        save_run(own, name, scenario, runs[engine])
    print_runs(f"{name}, mu = {friction:g}, {duration:g} s", runs)
    return Section(name, scenario, runs, collect_provenance(scenario.seed))


if __name__ == "__main__":
    main()
