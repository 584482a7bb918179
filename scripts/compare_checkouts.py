"""Hold the metrics and claims of every shipped scenario against those of another checkout.

    python scripts/compare_checkouts.py ../reference --runs /elsewhere/runs
    python scripts/compare_checkouts.py ../reference --runs /elsewhere/runs --only 'motor/*'

Each scenario runs once in either checkout, with the engine and the values that its file names. Runs
that the folder of runs already has are taken as they are, so that an interrupted comparison goes on
where it was. Names are those of the reference, which this checkout must still know. What says how
fast a run was is left out. Ends with status 1 where anything differs by more than the tolerance.
"""

import argparse
import fnmatch
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
OF_SPEED = {"realtime_factor"}


def main() -> None:
    """Run what is missing in either checkout, compare, print a line a scenario."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference", type=Path, help="folder of the other checkout")
    parser.add_argument("--runs", type=Path, required=True, help="folder that keeps the runs")
    parser.add_argument("--only", default="*", help="pattern of scenarios, as in 'compass/*'")
    parser.add_argument("--tolerance", type=float, default=1e-12, help="relative")
    parser.add_argument("--reference-only", action="store_true", help="run the reference, no more")
    arguments = parser.parse_args()
    checkouts = {"reference": arguments.reference.resolve()}
    if not arguments.reference_only:
        checkouts["here"] = HERE
    different = 0
    for name in names(checkouts["reference"]):
        if not fnmatch.fnmatch(name, arguments.only):
            continue
        found = [
            results(root, name, arguments.runs.resolve() / label)
            for label, root in checkouts.items()
        ]
        if len(found) == 2:
            worst, where = difference(*found)
            different += not worst <= arguments.tolerance
            print(f"{name:<32} {worst:9.2g}  {where}", flush=True)
    sys.exit(1 if different else 0)


def names(root: Path) -> list[str]:
    """Scenarios that a checkout lists."""
    listed = footfall(root, "list").stdout.splitlines()
    return [line.split()[0] for line in listed if "/" in line.partition(" ")[0]]


def footfall(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a checkout's command line with this interpreter."""
    paths = os.pathsep.join(str(root / folder) for folder in ("app", "controllers"))
    return subprocess.run(
        [sys.executable, "-m", "footfall", *arguments],
        env=os.environ | {"PYTHONPATH": paths, "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
    )


def results(root: Path, name: str, runs: Path) -> dict[str, float | str]:
    """Return the results of a run: its status, and every number of its metrics and claims."""
    folder = runs / name
    metrics = folder / "metrics.json"
    if not metrics.is_file():
        done = footfall(root, "run", name, "--out", str(folder))
        if not metrics.is_file():
            return {"status": f"no run: {done.stderr.strip()[-300:]}"}
    saved = json.loads(metrics.read_text(encoding="utf-8"))
    where = {key: value for key, value in saved["metrics"].items() if key not in OF_SPEED}
    claims = {claim["name"]: [claim["value"], claim["verdict"]] for claim in saved["claims"]}
    kept = {
        "status": saved["status"],
        "engine": saved["engine"],
        "metrics": where,
        "claims": claims,
    }
    return dict(leaves(kept, ""))


def leaves(value: object, path: str) -> Iterator[tuple[str, float | str]]:
    """Every number and text in nested groups and lists, by its path."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}.{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, f"{path}.{index}")
    else:
        yield path.lstrip("."), value if isinstance(value, int | float) else str(value)


def difference(
    reference: dict[str, float | str], here: dict[str, float | str]
) -> tuple[float, str]:
    """The largest relative difference of two runs' numbers, infinite for another text; where."""
    worst, where = 0.0, f"{len(reference)} values, the same bit for bit"
    for path in {**reference, **here}:
        one, other = reference.get(path, "absent"), here.get(path, "absent")
        if one == other:
            continue
        numbers = isinstance(one, int | float) and isinstance(other, int | float)
        apart = abs(one - other) / max(abs(one), abs(other)) if numbers else math.inf
        if apart > worst:
            worst, where = apart, f"{path}: {one} in the reference, {other} here"
    return worst, where


if __name__ == "__main__":
    main()
