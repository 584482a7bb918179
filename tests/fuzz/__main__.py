"""The command that fuzzes: `python -m tests.fuzz --models 2000 --scenarios 2000 --seed 7`.

Prints every case that ends otherwise than sound or refused in one line, and the counts; exits 1 if
there is one. Such a case is made again by `tests.fuzz.mutations.mutated`.
"""

import argparse
import collections
import sys

from tests.fuzz.mutations import MODEL, SCENARIO
from tests.fuzz.workers import outcomes


def main() -> int:
    """Load cases, and say what became of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--scenarios", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first case of each kind")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print what is refused, too")
    asked = parser.parse_args()
    counted: collections.Counter[str] = collections.Counter()
    counts = {MODEL: asked.models, SCENARIO: asked.scenarios}
    cases = [
        (what, seed)
        for what, count in counts.items()
        for seed in range(asked.seed, asked.seed + count)
    ]
    for (what, seed), found in outcomes(cases, asked.processes):
        kind = found.partition(" ")[0]
        counted[f"{what}s {kind}"] += 1
        if asked.verbose or kind not in {"sound", "refused"}:
            print(f"{what} {seed}: {found}", flush=True)  # noqa: T201 (what it is asked for)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counted.items())))  # noqa: T201
    return int(any(not kind.endswith(("sound", "refused")) for kind in counted))


if __name__ == "__main__":
    sys.exit(main())
