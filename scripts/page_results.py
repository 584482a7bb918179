"""Run what the pages of the documents show, and store its metrics and claims for them.

    python scripts/page_results.py                  everything: a quarter of an hour on two cores
    python scripts/page_results.py 'motor/*'        scenarios that match
    python scripts/page_results.py --missing        only what is not stored

Tables of metrics and claims in the pages are made of docs/results/*.json when the site is built;
tests/docs/test_results.py holds these files to runs. What no page asks for any more is dropped.
"""

import argparse
import fnmatch
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))

import results  # noqa: E402 (beside the pages)

from footfall.analyse import analyse_scenario  # noqa: E402
from footfall.analysis.checkpoint import Checkpoint  # noqa: E402
from footfall.run import run_scenario  # noqa: E402
from footfall.scenario.io import load_scenario  # noqa: E402

OF_THE_COMPUTER = "time of computing"
"""Prefix of claims about the computer and not the machine."""


def main() -> None:
    """Run what is asked for and write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("patterns", nargs="*", default=["*"], metavar="SCENARIO")
    parser.add_argument("--missing", action="store_true", help="only what is not stored")
    arguments = parser.parse_args()
    asked = wanted()
    results.STORE.mkdir(exist_ok=True)
    for head in sorted({name.partition("/")[0] for name, _ in asked}):
        ours = {run: request for run, request in asked.items() if run[0].startswith(f"{head}/")}
        before = results.stored(head)
        kept: dict[str, dict[str, Any]] = {}
        for (name, engine), (metrics, digits) in ours.items():
            old = before.get(name, {}).get(engine)
            if old is not None:  # of which no more is kept than pages ask for
                known = {each: old["metrics"][each] for each in metrics if each in old["metrics"]}
                old |= {"metrics": known, "digits": digits}
                kept.setdefault(name, {})[engine] = old
        for (name, engine), (metrics, digits) in ours.items():
            old = kept.get(name, {}).get(engine)
            whole = old is not None and set(metrics) <= set(old["metrics"])
            chosen = any(fnmatch.fnmatch(name, one) for one in arguments.patterns)
            if chosen and not (whole and arguments.missing):
                run = measured(name, engine, metrics, digits)
                kept.setdefault(name, {})[engine] = run
                print(f"{name} in {engine}: {run['seconds']} s", flush=True)
                write(head, kept)
        write(head, kept)


def write(head: str, runs: dict[str, dict[str, Any]]) -> None:
    """Write the file of a machine, in the order of names."""
    ordered = {name: dict(sorted(runs[name].items())) for name in sorted(runs) if runs[name]}
    text = json.dumps(ordered, indent=1)
    (results.STORE / f"{head}.json").write_text(text + "\n", encoding="utf-8")


def wanted() -> dict[tuple[str, str], tuple[list[str], int | None]]:
    """Names of metrics, and digits if few are asked for, by the scenario and engine of a run."""
    found: dict[tuple[str, str], tuple[list[str], int | None]] = {}
    for request in results.requests():
        for run in request.runs():
            metrics, digits = found.get(run, ([], None))
            least = min((one for one in (digits, request.digits) if one), default=None)
            found[run] = (list(dict.fromkeys([*metrics, *request.metrics])), least)
    return found


def measured(name: str, engine: str, metrics: list[str], digits: int | None) -> dict[str, Any]:
    """Run a scenario; return its claims and the metrics that are asked for."""
    scenario = load_scenario(name)
    # an analysis shares its work among processes
    clock = time.perf_counter if engine == results.ANALYSIS else time.process_time
    started = clock()
    if engine == results.ANALYSIS:
        run: Any = analyse_scenario(scenario, Checkpoint(), lambda _what, _share: None).result
    else:
        run = run_scenario(scenario, name, engine)
    seconds = clock() - started
    absent = [metric for metric in metrics if metric not in run.metrics]
    if absent:
        raise ValueError(f"{name} in {engine} has no {', '.join(absent)}")
    return {
        "seconds": float(f"{seconds:.2g}"),
        "digits": digits,
        "metrics": {metric: run.metrics[metric] for metric in metrics},
        "claims": [
            asdict(claim) for claim in run.claims if not claim.name.startswith(OF_THE_COMPUTER)
        ],
    }


if __name__ == "__main__":
    main()
