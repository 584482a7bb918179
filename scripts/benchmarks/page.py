"""Pages of runs: how large they are and of what, what they cost, and how soon they are open.

    python scripts/benchmarks/page.py                          all runs that ship, and some robots
    python scripts/benchmarks/page.py biped/climb a1           scenarios and robots that are named
    python scripts/benchmarks/page.py --duration 5 --write     5 s of each; docs/reference/pages.md

Each is simulated in a process of its own with compiled kernels, in its own engine: start-up is all
up to a run of two steps, the simulation what the whole run takes, the page what ``footfall report``
adds, imports of its own included; processor time. A page is open when Chromium has drawn its
charts and its first animation can be played; the least of several times by the clock. Robots are
those of makers, from the extra ``robots``, which fall for a second, repaired if footfall refuses
them; without the extra they are left out. Opening needs the extra ``test`` and Chromium.
"""

import argparse
import dataclasses
import datetime as dt
import gc
import importlib.metadata
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import jinja2
from computer import computer, versions
from opening import Opener
from page_parts import PARTS, parts_of

from footfall.errors import FootfallError
from footfall.plants.repair import repair_urdf
from footfall.provenance import collect_provenance
from footfall.scenario.drop import drop_scenario
from footfall.scenario.io import load_scenario
from footfall.scenario.names import scenario_names
from footfall.scenario.schema import Scenario

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "pages.md"
ROBOTS = (
    "a1",
    "anymal",
    "bolt",
    "g1_29dof_rev_1_0",
    "go1",
    "go2",
    "hyq_no_sensors",
    "icub",
    "solo12",
    "talos_full_v2",
)
SIZES = {False: 2.0, True: 4.0}  # MB: of a machine, of a robot with meshes
LONGEST, SLOWEST = 1.0, 2.0  # s: to open, and of the processor to make
_OF_RUN = 5.0  # s: for a longer run it may take as much longer
_FALL = 1.0  # s


@dataclass(frozen=True)
class Cost:
    """Times [s] of a run and its page, by processor but for opened; bytes of the page by part."""

    name: str
    is_robot: bool
    simulated: float
    start_up: float
    simulation: float
    page: float
    parts: dict[str, int]
    opened: float = math.nan

    @property
    def size(self) -> float:
        """Size of the page [MB]."""
        return 1e-6 * sum(self.parts.values())

    @property
    def misses(self) -> list[str]:
        """Return the measures that are beyond their limits, in words."""
        allowed = SLOWEST * max(1.0, self.simulated / _OF_RUN)
        found = []
        if self.size > SIZES[self.is_robot]:
            largest = max(self.parts, key=lambda part: self.parts[part])
            found.append(f"{self.size:.2f} MB, most of it {largest}")
        if self.page > allowed:
            found.append(f"{self.page:.1f} s to make, of {allowed:.1f}")
        if self.opened > LONGEST:
            found.append(f"{self.opened:.2f} s to open")
        return found


def main() -> None:
    """Measure and print; write the page of the documents if that is wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SCENARIO|ROBOT")
    parser.add_argument("--duration", type=float, default=math.inf, help="simulate no more [s]")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="docs/reference/pages.md")
    parser.add_argument("--one", metavar="FILE", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(dataclasses.asdict(_made(asked.names[0], asked.duration, asked.one))))
        return
    heads = ("run [s]", "start [s]", "simul. [s]", "page [s]", "open [s]", "MB")
    print(f"{'':30}" + "".join(f"{head:>11}" for head in (*heads, *PARTS)))
    costs = []
    for cost in _measured(asked.names or _all(), asked.duration, asked.rounds):
        costs.append(cost)
        _print(cost)
    for cost in costs:
        for miss in cost.misses:
            print(f"missed: {cost.name}: {miss}")
    if asked.write:
        PAGE.write_text(_table(costs, asked.duration), encoding="utf-8")
        print(PAGE)


def _all() -> list[str]:
    """Every scenario that ships and is no analysis, and the robots that are there."""
    shipped = [name for name in scenario_names() if load_scenario(name).analysis is None]
    return shipped + [name for name in ROBOTS if _file_of(name) is not None]


def _measured(names: Sequence[str], duration: float, rounds: int) -> Iterator[Cost]:
    """Yield what each costs, with medians of rounds; one that cannot be simulated says so."""
    with tempfile.TemporaryDirectory() as folder, Opener(Path(folder) / "browser") as opener:
        page = Path(folder) / "report.html"
        for name in names:
            try:
                made = [_in_process(name, duration, page) for _ in range(rounds)]
            except subprocess.CalledProcessError as error:
                print(f"{name}: {error.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                continue
            times = {
                part: median(getattr(one, part) for one in made)
                for part in ("start_up", "simulation", "page")
            }
            yield dataclasses.replace(made[-1], **times, opened=opener.seconds(page))


def _in_process(name: str, duration: float, page: Path) -> Cost:
    limit = [] if math.isinf(duration) else ["--duration", str(duration)]
    command = [sys.executable, __file__, name, *limit, "--one", str(page)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Cost(**json.loads(told.splitlines()[-1]))


def _made(name: str, duration: float, page: str) -> Cost:
    """Simulate and write the page, in this process, which is set up as `footfall` is."""
    from footfall.run import run_scenario

    gc.set_threshold(100_000, *gc.get_threshold()[1:])
    with tempfile.TemporaryDirectory() as folder:
        is_robot = "/" not in name
        scenario = _falling(name, Path(folder)) if is_robot else load_scenario(name)
        scenario.duration = min(scenario.duration, duration)
        whole, scenario.duration = scenario.duration, 2.0 * scenario.time_step
        run_scenario(scenario, scenario.name, scenario.engine)
        scenario.duration = whole
        begun = time.process_time()
        run = run_scenario(scenario, scenario.name, scenario.engine)
        simulated = time.process_time()
        from footfall.report import Section, write_reports

        section = Section(scenario.name, scenario, {run.engine: run}, collect_provenance(0))
        write_reports([section], page)
        done = time.process_time()
    data = run.trajectory.data["time"]
    span = float(data[-1] - data[0])
    parts = parts_of(Path(page).read_text(encoding="utf-8"))
    return Cost(name, is_robot, span, begun, simulated - begun, done - simulated, parts)


def _falling(name: str, folder: Path) -> Scenario:
    """The scenario in which a maker's robot falls; repaired into a folder if it is refused."""
    file = _file_of(name)
    if file is None:
        raise SystemExit(f"no robot {name}.urdf is there: pip install 'footfall[robots]'")
    try:
        return drop_scenario(str(file), duration=_FALL).scenario
    except FootfallError:
        repaired = repair_urdf(file, folder).file
        return drop_scenario(str(repaired), duration=_FALL).scenario


def _file_of(name: str) -> Path | None:
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((Path(str(f.locate())) for f in files if f.name == f"{name}.urdf"), None)


def _print(cost: Cost) -> None:
    times = (cost.simulated, cost.start_up, cost.simulation, cost.page, cost.opened, cost.size)
    shares = "".join(f"{1e-3 * cost.parts[part]:9.0f}kB" for part in PARTS)
    print(f"{cost.name:30}" + "".join(f"{t:11.2f}" for t in times) + shares, flush=True)


def _table(costs: Sequence[Cost], duration: float) -> str:
    """The page of the documents."""
    template = jinja2.Template((HERE / "page.md.j2").read_text(), trim_blocks=True)
    return template.render(
        date=dt.datetime.now(tz=dt.UTC).date(),
        computer=computer(),
        versions=versions("drake", "numba", "matplotlib"),
        costs=costs,
        parts=PARTS,
        duration=duration if math.isfinite(duration) else None,
        sizes=SIZES,
        longest=LONGEST,
        slowest=SLOWEST,
        fall=_FALL,
    )


if __name__ == "__main__":
    main()
