"""All of it in one run and on one page: machines, piles and robots beside Drake and MuJoCo.

    python scripts/benchmarks/side_by_side.py            some ten minutes; docs/reference/speed.md
    python scripts/benchmarks/side_by_side.py FOLDER     the page and its pictures elsewhere

Processor time on a machine that should do nothing else; the engines take turns in every round, and
a number is a median. Needs the extras ``robots`` and ``mujoco``.
"""

import argparse
import datetime as dt
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import batches
import jinja2
import matplotlib.pyplot as plt
import numpy as np
from accuracy import SCHEMES, at_rest, energies
from computer import computer, versions
from machines import scenario_of
from parts import parts_of_a_step
from peers import ENGINES, MOREAU, MUJOCO, SAP, stepper_of
from piles import SIZES, pile
from robots import ROBOTS, standing
from stepping import median_call, median_times, recorded, rolled

from footfall.scenario.schema import Scenario

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
MACHINES = ("biped", "quadruped", "humanoid")
ROUNDS, SETTLING = 10, 100
STEPS = 64  # of a round: as many as Moreau's engine makes at once, which in others would be no work
ROLLED = 200  # steps of a round in compiled code
COLOURS = dict(zip(SCHEMES, ("C0", "C4", "C1", "C2", "C3"), strict=False))


@dataclass
class Rolled:
    """Median time of a step [us] of a case in a rollout, recorded, and by mj_step (or NaN)."""

    name: str
    rollout: float
    recorded: float
    mujoco: float


@dataclass
class Row:
    """Median time of a step [us] of a case, by engine as in ENGINES."""

    name: str
    times: list[float]
    real_time: float

    @property
    def ratio(self) -> float:
        """Moreau's engine over Drake's sap."""
        return self.times[ENGINES.index(MOREAU)] / self.times[ENGINES.index(SAP)]


def main() -> None:
    """Measure, and write the page with its pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="instead of that of the documents")
    folder = parser.parse_args().folder
    page, pictures = (folder, folder) if folder else (DOCS / "reference", DOCS / "images")
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        machines = list(_rows(MACHINES, lambda name: scenario_of(name, Path(scratch))))
        parts = {name: _parts(scenario_of(name, Path(scratch))) for name in MACHINES}
        robots = list(_rows(ROBOTS, lambda name: _falling(name, Path(scratch))))
        rolls = [_rolled(name, scenario_of(name, Path(scratch))) for name in MACHINES]
        rolls += [_rolled(name, _falling(name, Path(scratch))) for name in ROBOTS]
        worlds = [batches.measured(name, Path(scratch)) for name in MACHINES]
        piles = {kind: list(_piles(kind, Path(scratch))) for kind in SIZES}
    rest, swings = at_rest(), list(energies())
    _draw_piles(piles, pictures / "speed_piles.svg")
    _draw_machines([*machines, *robots], pictures / "speed_machines.svg")
    _draw_energy(swings, pictures / "speed_energy.svg")
    template = jinja2.Template((HERE / "side_by_side.md.j2").read_text(), trim_blocks=True)
    text = template.render(
        date=dt.datetime.now(tz=dt.UTC).date(),
        computer=computer(),
        versions=versions("drake", "numba", "mujoco"),
        engines=ENGINES,
        schemes=SCHEMES,
        machines=machines,
        parts=parts,
        robots=robots,
        rolls=rolls,
        batches=batches,
        worlds=worlds,
        piles=piles,
        exponents={kind: _exponents(kind, rows) for kind, rows in piles.items()},
        rest=rest,
        rounds=ROUNDS,
        swings=swings,
        pictures="" if folder else "../images/",
    )
    (page / "speed.md").write_text(text + "\n")
    print(page / "speed.md")


def _rows(names: Sequence[str], scenario: Callable[[str], Scenario]) -> Iterator[Row]:
    for name in names:
        yield _measured(name, scenario(name))


def _piles(kind: str, folder: Path) -> Iterator[Row]:
    for count in SIZES[kind]:
        yield _measured(str(count), pile(kind, count, folder / kind))


def _measured(name: str, scenario: Scenario) -> Row:
    steppers = [stepper_of(scenario, engine) for engine in ENGINES]
    times = median_times(steppers, SETTLING, ROUNDS, STEPS)
    row = Row(name, times, 1e6 * scenario.time_step / times[ENGINES.index(MOREAU)])
    print(f"{name:16}" + "".join(f"{t:12.0f}" for t in times), flush=True)
    return row


def _rolled(name: str, scenario: Scenario) -> Rolled:
    peers = [stepper_of(scenario, MUJOCO)] if MUJOCO in ENGINES else []
    times = median_times([rolled(scenario), recorded(scenario), *peers], SETTLING, ROUNDS, ROLLED)
    print(f"{name:16}" + "".join(f"{t:12.1f}" for t in times), flush=True)
    return Rolled(name, *times[:2], times[2] if peers else float("nan"))


def _parts(scenario: Scenario) -> dict[str, float]:
    """Time of the parts of a Moreau step [us]."""
    return {
        name: median_call(part, ROUNDS, STEPS) for name, part in parts_of_a_step(scenario).items()
    }


def _falling(name: str, folder: Path) -> Scenario:
    scenario = standing(name, folder / name)
    scenario.controller = None
    return scenario


def _exponents(kind: str, rows: list[Row]) -> list[float]:
    """Slopes of the logarithms of time over those of the number of bodies."""
    logs = np.log(np.array([row.times for row in rows]))
    return [float(np.polyfit(np.log(SIZES[kind]), column, 1)[0]) for column in logs.T]


def _draw_piles(piles: dict[str, list[Row]], file: Path) -> None:
    figure, panels = plt.subplots(1, len(piles), figsize=(10, 3.6), sharey=True, layout="tight")
    for panel, (kind, rows) in zip(panels, piles.items(), strict=True):
        for k, engine in enumerate(ENGINES):
            times = [row.times[k] for row in rows]
            panel.loglog(SIZES[kind], times, "o-", color=COLOURS[engine], label=engine)
        panel.set(title=kind, xlabel="bodies", xticks=SIZES[kind])
        panel.set_xticklabels([str(count) for count in SIZES[kind]])
        panel.minorticks_off()
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("a step of 1 ms [µs]")
    panels[1].legend(loc="upper left")
    figure.savefig(file)
    plt.close(figure)


def _draw_machines(rows: list[Row], file: Path) -> None:
    figure, panel = plt.subplots(figsize=(10, 3.6), layout="tight")
    places, width = np.arange(len(rows)), 0.8 / len(ENGINES)
    for k, engine in enumerate(ENGINES):
        times = [row.times[k] for row in rows]
        panel.bar(places + (k + 0.5) * width - 0.4, times, width, color=COLOURS[engine])
        panel.plot([], [], "s", color=COLOURS[engine], label=engine)
    panel.axhline(1000.0, color="0.4", lw=0.8, ls="--")
    panel.text(len(rows) - 0.5, 1000.0, "real time", ha="right", va="bottom", color="0.4")
    panel.set(yscale="log", ylabel="a step of 1 ms [µs]", ylim=(None, 3e4))
    panel.set_xticks(places, [row.name for row in rows])
    panel.legend(loc="upper left", ncols=len(ENGINES))
    figure.savefig(file)
    plt.close(figure)


def _draw_energy(swings: list[tuple[float, list[float]]], file: Path) -> None:
    figure, panel = plt.subplots(figsize=(6, 3.6), layout="tight")
    for k, scheme in enumerate(SCHEMES):
        errors = [abs(values[k]) for _, values in swings]
        marker = "osv^x"[k]
        panel.loglog(
            [1e3 * dt for dt, _ in swings],
            errors,
            f"{marker}-",
            color=COLOURS[scheme],
            label=scheme,
        )
    panel.set(xlabel="time step [ms]", ylabel="relative error of the energy")
    panel.set_xticks([1e3 * dt for dt, _ in swings], [f"{1e3 * dt:g}" for dt, _ in swings])
    panel.minorticks_off()
    panel.grid(alpha=0.3)
    panel.legend()
    figure.savefig(file)
    plt.close(figure)


if __name__ == "__main__":
    main()
