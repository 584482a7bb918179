"""Runs of the humanoid read as walks, with tables of phases, loads and demands on the ground."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array, Flags
from footfall.machines.humanoid.closed_form.phases import PHASE_NAMES, GaitPhase
from footfall.machines.humanoid.ground_forces import Audit, audit
from footfall.machines.humanoid.measures import hinge_loads
from footfall.registry.context import MachineContext
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
from footfall.report.tables import NONE, Table, number
from footfall.scenario.context import context_of

_SHOWN_CYCLES = 2  # of a walk: as many as the thesis shows


@dataclass(frozen=True)
class PhaseRows:
    """A phase of a walk: its rows, and when it begins and ends [s]."""

    phase: GaitPhase
    rows: slice
    begin: float
    end: float

    @property
    def middle(self) -> int:
        """Its middle row."""
        return (self.rows.start + self.rows.stop - 1) // 2


@dataclass(frozen=True, eq=False)
class HumanoidRun(RunView):
    """A run; what tells of phases is there where its engine knows any."""

    context: MachineContext

    @property
    def walks(self) -> bool:
        """True of a run that knows phases of a gait."""
        return "gait_phase" in self.data

    @property
    def is_held(self) -> bool:
        """True of an engine whose ground holds the feet, and tells what that takes."""
        return "reaction" in self.data

    @cached_property
    def phase(self) -> npt.NDArray[np.int8]:
        """Phases of the rows, (N,)."""
        return np.asarray(self.data["gait_phase"].to_numpy(), dtype=np.int8)

    @cached_property
    def phases(self) -> list[PhaseRows]:
        """Phases in their order; none of a run that knows none."""
        if not self.walks:
            return []
        begins = np.flatnonzero(np.diff(self.phase, prepend=-1) != 0).tolist()
        times = np.append(self.time, self.time[-1])
        return [
            PhaseRows(GaitPhase(self.phase[a]), slice(a, b), float(times[a]), float(times[b]))
            for a, b in pairwise([*begins, len(self.time)])
        ]

    @property
    def cycles(self) -> list[int]:
        """Places among the phases at which gait cycles begin."""
        return [k for k, each in enumerate(self.phases) if each.phase == GaitPhase.LEFT_DOUBLE]

    @cached_property
    def shown(self) -> slice:
        """Rows of the first two gait cycles, or of all where fewer are complete."""
        if len(self.cycles) <= _SHOWN_CYCLES:
            return slice(0, len(self.time))
        return slice(0, self.phases[self.cycles[_SHOWN_CYCLES]].rows.start + 1)

    @property
    def second_cycle(self) -> list[PhaseRows]:
        """Phases of the second gait cycle; of the first, or of what there is, where there is none.

        The first begins at rest.
        """
        start = self.cycles[1] if len(self.cycles) > 1 else 0
        return self.phases[start : start + 4]

    @cached_property
    def audit(self) -> Audit:
        """Demands on the ground."""
        return audit(self.trajectory, self.context)

    @cached_property
    def loads(self) -> tuple[Array, Array]:
        """Forces in the hinges [N], and moments across their axes [N m], (N, 12) each."""
        return hinge_loads(self.data)

    @property
    def joints(self) -> list[str]:
        """Names of the hinges in the order of the loads."""
        names: list[str] = self.data["joint"].values.tolist()
        return names

    @property
    def largest_power(self) -> Array:
        """Largest power of a joint in every row, (N,) [W]."""
        rate = self.data["v"].to_numpy() @ self.context.model.plant.MakeActuationMatrix()
        largest: Array = np.abs(self.data["actuation"].to_numpy() * rate).max(axis=1)
        return largest


HumanoidRuns = RunViews[HumanoidRun]


def read_humanoid(section: Section) -> HumanoidRuns:
    """Read all runs of a section."""
    context = context_of(section.scenario, section.robot)
    return RunViews(
        section, read_runs(section, lambda run: HumanoidRun(**vars(run), context=context))
    )


_MOST = 8  # rows for a run
_PARTS = ("flat foot", "toe behind")
_SUPPORTS = ("single support", "double support", "whole walk")


def change_table(walks: HumanoidRuns) -> Table:
    """Changes of phase of every run."""
    rows: list[tuple[str, ...]] = []
    for run in walks.runs:
        count = run.data.sizes["phase_change"]
        rows += [_change(run, k) for k in range(min(count, _MOST))]
        if count > _MOST or not count:
            left = f"{count - _MOST} more" if count else "no change"
            rows.append((run.name, NONE, left, *[NONE] * 3))
    headings = ("run", "at [s]", "then", "angle jumps [deg]", "rate [rad/s]", "energy [J]")
    note = (
        "Phases by the foot that is flat. Angles and rates are set anew by inverse kinematics "
        "(3.5), the largest jumps are given. Energy: what the change gives the walker."
    )
    return Table("Changes of phase", headings, rows, note)


def _change(run: HumanoidRun, k: int) -> tuple[str, ...]:
    one = run.data.isel(phase_change=k)
    angles = np.degrees(one["change_angles"].to_numpy())
    largest = int(np.abs(angles).argmax())
    return (
        run.name,
        f"{float(one['change_time']):.3f}",
        _words(PHASE_NAMES[int(one["change_phase"])]),
        f"{number(float(angles[largest]), 3)}, {_words(run.joints[largest])}",
        number(float(one["change_rate"]), 3),
        _small(float(one["change_energy"])),
    )


def load_table(walks: HumanoidRuns) -> Table:
    """Largest loads of every hinge, in both kinds of support of the second cycle and at all."""
    rows: list[tuple[str, ...]] = []
    for run in walks.runs:
        shown = slice(run.second_cycle[0].rows.start, run.second_cycle[-1].rows.stop)
        single = run.phase[shown] % 2 == 1
        for k, name in enumerate(run.joints):
            parts = [
                part
                for load in run.loads
                for part in (load[shown, k][single], load[shown, k][~single], load[:, k])
            ]
            largest = [_small(float(part.max())) if part.size else NONE for part in parts]
            rows.append((run.name, _words(name), *largest))
    headings = (
        "run",
        "joint",
        *(f"force, {support} [N]" for support in _SUPPORTS),
        *(f"moment, {support} [N m]" for support in _SUPPORTS),
    )
    note = (
        "Single and double support of the second gait cycle. Moments are those across the axis of "
        "the hinge; along it the motor acts."
    )
    return Table("Largest reactions in the joints", headings, rows, note)


def demand_table(walks: HumanoidRuns) -> Table | None:
    """Demands that ground cannot meet, by part; None where there are none."""
    rows = []
    for run in walks.runs:
        asked, on = run.audit, np.isfinite(run.audit.force[:, :, 2])
        demands = {
            "the centre of pressure is outside of what touches": asked.outside,
            "the ground would have to pull it down": asked.pulls,
            "the ground would have to pull at the end that is lifted": _lifted(run),
            f"more friction than {number(asked.mu, 3)} is needed": asked.slips,
        }
        rows += [
            (
                run.name,
                part,
                words,
                number(100.0 * float(flags[on[:, k], k].mean()), 3),
                f"{first_time(run, flags[:, k]):.2f}",
            )
            for k, part in enumerate(_PARTS)
            for words, flags in demands.items()
            if flags[:, k].any()
        ]
    headings = ("run", "part", "what it takes", "share [%]", "first at [s]")
    note = (
        "Shares of the time for which the part is on the ground: the toe behind in double support."
    )
    return Table("What the ground could not give", headings, rows, note) if rows else None


def _lifted(run: HumanoidRun) -> Flags:
    """Rows in which the torque of the toe behind turns its tip upwards, (N, 2)."""
    up, ahead = run.audit.force[:, :, 2], run.audit.pressure[:, :, 0]
    return np.isfinite(up) & (up * ahead < 0.0) & np.array([False, True])


def first_time(run: HumanoidRun, flags: Flags) -> float:
    """The time of the first row of some flags (N,) [s]."""
    return float(run.time[int(np.argmax(flags))])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _small(value: float) -> str:
    """Three digits; what is below a thousandth is rounding or nothing to speak of."""
    return number(value, 3) if abs(value) >= 1e-3 else "0"
