"""The short tables that commands print."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from footfall.compare import Difference
    from footfall.run import Run

# metrics whose unit is not 1; names ending so
UNITS = {
    "duration": "s",
    "x_final": "m",
    "mass_centre_velocity_min": "m/s",
    "foot_slip": "m",
    "swing_clearance": "m",
    "joint_clearance": "m",
    "min_gap": "m",
    "energy_drift": "J",
}


def metrics_table(title: str, runs: Mapping[str, "Run"]) -> Table:
    """One row a metric, one column a run."""
    table = Table(title=title, title_justify="left")
    table.add_column("metric")
    table.add_column("unit")
    for label in runs:
        table.add_column(label, justify="right")
    names = list(dict.fromkeys(name for run in runs.values() for name in run.metrics))
    table.add_row("status", "", *(run.trajectory.status.value for run in runs.values()))
    for name in names:
        values = (run.metrics.get(name, float("nan")) for run in runs.values())
        table.add_row(name, UNITS.get(name, ""), *(f"{value:.5g}" for value in values))
    return table


def claims_table(runs: Mapping[str, "Run"]) -> Table | None:
    """Published values beside ours, or None where nothing is claimed."""
    table = Table(title="claims", title_justify="left")
    for heading in ("engine", "claim", "published", "ours", "tolerance", "unit", "verdict"):
        table.add_column(heading)
    for label, run in runs.items():
        for claim in run.claims:
            numbers = (
                f"{number:.5g}" for number in (claim.published, claim.value, claim.tolerance)
            )
            table.add_row(label, claim.name, *numbers, claim.unit, claim.verdict)
    return table if table.row_count else None


def differences_table(title: str, rows: Sequence["Difference"]) -> Table:
    """What differs between two runs over time."""
    table = Table(title=title, title_justify="left")
    for heading in ("quantity", "unit", "largest", "rms", "final"):
        table.add_column(heading, justify="left" if heading in ("quantity", "unit") else "right")
    for row in rows:
        table.add_row(
            row.quantity, row.unit, f"{row.maximum:.3g}", f"{row.rms:.3g}", f"{row.final:.3g}"
        )
    return table


def print_runs(title: str, runs: Mapping[str, "Run"]) -> None:
    """Print the metrics and claims of runs, as wide as they need when nobody watches."""
    console = Console()
    console.print(metrics_table(title, runs))
    claims = claims_table(runs)
    if claims is not None:
        console.print(claims)
