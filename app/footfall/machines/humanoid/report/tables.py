"""Tables of a walk on held feet: changes of phase, loads of joints, what ground could not give."""

import numpy as np

from footfall.arrays import Flags
from footfall.machines.humanoid.closed_form.phases import PHASE_NAMES
from footfall.machines.humanoid.report.runs import HumanoidRun, HumanoidRuns
from footfall.report.tables import NONE, Table, number

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
