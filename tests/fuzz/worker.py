"""Process that loads mutated files, a seed a line, and says what became of each."""

import os
import re
import sys
import time
import traceback
from pathlib import Path

from tests.fuzz.mutations import mutated

from footfall.errors import FootfallError

_INSIDES = re.compile(
    r"\.cc:|\.cxx|\.h:\d|Failure at|0x[0-9a-f]{6}|condition '|std::|Traceback|pydrake"
)


# seeds of no case, by which the test sees that it would see such a one
FAULTS = {-1: os.abort, -2: lambda: time.sleep(1e6)}


def load(path: Path, held: str) -> None:
    """Make of a file what a command makes of it before it simulates."""
    from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective

    from footfall.scenario.assemble import build_robot
    from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario
    from footfall.scenario.schema import Scenario

    if path.suffix == ".yaml":
        scenario = load_scenario(str(path))
    else:
        model = AddModel(name="m", file=str(path))
        directives = [ModelDirective(add_model=model)]
        if held:
            weld = AddWeld(parent="terrain", child=f"m::{held}")
            directives.append(ModelDirective(add_weld=weld))
        scenario = Scenario(directives=directives)
    build_robot(scenario)
    parse_scenario(dump_scenario(scenario))


def outcome(seed: int, folder: Path) -> str:
    """`sound`, `refused`, or what is wrong, in one line."""
    if seed in FAULTS:
        FAULTS[seed]()
    ending, text, held = mutated(seed)
    path = folder / f"case{ending}"
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        load(path, held)
    except FootfallError as error:
        line = str(error)
        if "\n" in line or len(line) > 1500 or _INSIDES.search(line):
            return f"MESSAGE {line!r}"
        return f"refused {line}"
    except BaseException as error:  # noqa: BLE001 (all that is none of ours is a fault)
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        return f"FAULT {place} {' '.join(repr(error).split())[:300]}"
    return "sound"


def main() -> None:
    """Answer every seed on stdin with a line on the stdout that was given."""
    folder = Path(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        answers.write(outcome(int(line), folder) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
