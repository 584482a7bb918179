"""Table of the humanoid's changes of phase: their jumps, impulses and energy."""

import numpy as np

from footfall.machines.humanoid.closed_form.phases import GaitPhase
from footfall.machines.humanoid.report.runs import HumanoidRun, HumanoidRuns
from footfall.report.tables import NONE, Table, number

_MOST = 8  # rows for a run


def change_table(runs: HumanoidRuns) -> Table:
    """Changes of phase of every run."""
    rows: list[tuple[str, ...]] = []
    for run in runs.walks:
        times = run.data["change_time"].to_numpy()
        rows += [_change(run, k) for k in range(min(len(times), _MOST))]
        if len(times) > _MOST:
            rows.append((run.name, NONE, f"{len(times) - _MOST} more", *[NONE] * 6))
        elif not len(times):
            rows.append((run.name, NONE, "no change", *[NONE] * 6))
    headings = (
        "run",
        "at [s]",
        "then",
        "angle jumps [deg]",
        "rate [rad/s]",
        "impulse of ground [N s]",
        "of joints [N m s]",
        "energy [J]",
        "plastic [J]",
    )
    note = (
        "Phases by the foot that is flat. Angles and rates are set anew by inverse kinematics "
        "(3.5), the largest jumps are given. Impulses: of the ground on the flat foot, and the "
        "largest in a joint, that would make the jump of the rates; an impact has none in joints. "
        "Energy: what the change gives the walker; plastic: what an impact on the same feet would."
    )
    return Table("Changes of phase", headings, rows, note)


def _change(run: HumanoidRun, k: int) -> tuple[str, ...]:
    one = run.data.isel(phase_change=k)
    angles = one["change_angles"].to_numpy()
    largest = int(np.abs(angles).argmax())
    joint = str(run.data["joint"].to_numpy()[largest]).replace("_", " ")
    impulse = float(np.linalg.norm(one["change_impulse"].to_numpy()[0]))
    return (
        run.name,
        f"{float(one['change_time']):.3f}",
        _named(GaitPhase(int(one["change_phase"]))),
        f"{number(float(np.degrees(angles[largest])), 3)}, {joint}",
        number(float(one["change_rate"]), 3),
        *(small(value) for value in (impulse, float(one["change_torque"]))),
        *(small(float(one[name])) for name in ("change_energy", "change_plastic")),
    )


def _named(phase: GaitPhase) -> str:
    return phase.name.lower().replace("_", " ")


def small(value: float) -> str:
    """Three digits; what is below a thousandth is rounding or nothing to speak of."""
    return number(value, 3) if abs(value) >= 1e-3 else "0"
