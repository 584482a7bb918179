"""Process that loads mutated files, a seed a line, and says what became of each."""

import os
import re
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path

from tests.fuzz.mutations import mutated

from footfall.errors import FootfallError, ModelError

_INSIDES = re.compile(
    r"\.cc:|\.cxx|\.h:\d|Failure at|0x[0-9a-f]{6}|condition '|std::|Traceback|pydrake"
)
_STEPS = 3  # of a simulation

# seeds of no case, by which the test sees that it would see such a one
FAULTS = {-1: os.abort, -2: lambda: time.sleep(1e6)}


def load(path: Path, held: str, seed: int) -> None:
    """Make of a file what the commands make of it, a few steps of a simulation among it."""
    from footfall.run import run_scenario
    from footfall.scenario.io import dump_scenario, load_scenario, parse_scenario

    if path.suffix == ".yaml":
        settings = ["gravity=3.7"] if seed % 2 else []
        scenario = load_scenario(str(path), settings)
        engine = scenario.engine
    else:
        scenario, engine = of_model(path, held), ("moreau", "drake-sap")[seed % 2]
    parse_scenario(dump_scenario(scenario))
    short = replace(scenario, analysis=None, duration=_STEPS * scenario.time_step)
    run_scenario(short, "fuzz", engine)


def of_model(path: Path, held: str):
    """A scenario of a model; one that cannot be loaded is repaired, if it can be, as `new` does."""
    from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective

    from footfall.plants.repair import repair_urdf
    from footfall.scenario.assemble import build_robot
    from footfall.scenario.schema import Scenario

    directives = [ModelDirective(add_model=AddModel(name="m", file=str(path)))]
    if held:
        directives.append(ModelDirective(add_weld=AddWeld(parent="terrain", child=f"m::{held}")))
    scenario = Scenario(directives=directives)
    try:
        build_robot(scenario)
    except ModelError:
        if path.suffix == ".urdf":
            repair_urdf(path, path.parent / "repaired")
        raise
    return scenario


def outcome(what: str, seed: int, folder: Path) -> str:
    """`sound`, `refused`, or what is wrong, in one line."""
    if seed in FAULTS:
        FAULTS[seed]()
    ending, content, held = mutated(what, seed)
    path = folder / f"case{ending}"
    path.write_bytes(content)
    try:
        load(path, held, seed)
    except FootfallError as error:
        line = str(error)
        if "\n" in line or len(line) > 1500 or _INSIDES.search(line):
            return f"MESSAGE {line!r}"
        return f"refused {line}"
    except BaseException as error:  # noqa: BLE001 (all that is none of ours is a fault)
        where = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in where if "footfall" in frame.filename] or where
        place = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
        return f"FAULT {place} {' '.join(repr(error).split())[:300]}"
    return "sound"


def main() -> None:
    """Answer every kind and seed on stdin with a line on the stdout that was given."""
    folder = Path(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        what, seed = line.split()
        answers.write(outcome(what, int(seed), folder) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
