"""Runs of the humanoid read as walks: their phases, gait cycles and demands on the ground."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from footfall.arrays import Array
from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.ground_forces import Audit, audit
from footfall.machines.humanoid.measures import hinge_loads
from footfall.registry.context import MachineContext
from footfall.report.run_view import RunView, RunViews, read_runs
from footfall.report.section import Section
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
