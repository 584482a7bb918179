"""Numbers of docs/theory/contact_laws.md, see scripts/page_numbers.py."""

from collections.abc import Sequence

import numpy as np
from passage import Passage

from footfall.energy.verdict import EnergyVerdict
from footfall.engines.moreau_step import MODE_TOLERANCE
from footfall.errors import ScenarioError
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import load_scenario
from footfall.scenario.names import scenario_names
from footfall.trajectory.energy_watch import COLUMNS, FAILED, LASTING, LIFT, REPORTED

_ENGINES = ("moreau", "drake-sap")
_FREE = ("verify/tumbling", "drake-sap")
_FLAILS = ("hopper/best", "moreau")


def _share(name: str, engine: str) -> float | None:
    """Largest share of the energy in play that a run gains or loses; None without one."""
    scenario = load_scenario(name)
    verdict = EnergyVerdict(scenario, build_robot(scenario), engine)
    try:
        data = run_scenario(scenario, name, engine).trajectory.data
    except ScenarioError:  # one that only an engine of its machine's own can run
        return None
    columns = {column: data[column].to_numpy() for column in COLUMNS}
    verdict.look(data["time"].to_numpy(), columns, last=True)
    return max(verdict.largest)


def _gained() -> Sequence[float]:
    """Largest of these shares, and the one that most of them, half at least, stay below [%]."""
    names = [name for name in scenario_names() if load_scenario(name).analysis is None]
    runs = [(name, engine) for name in names for engine in _ENGINES]
    found = [_share(*run) for run in runs if run not in (_FREE, _FLAILS)]
    shares = [share for share in found if share is not None]
    return [100.0 * max(shares), 100.0 * float(np.median(shares))]


def _of_free() -> Sequence[float]:
    """Share of the brick that turns freely [%]."""
    share = _share(*_FREE)
    return [] if share is None else [100.0 * share]


PASSAGES = (
    Passage("(|gamma_AT| <= {:.0e} m/s)", lambda: [MODE_TOLERANCE]),
    Passage("is a gain if it lasts {:.0f} steps", lambda: [LASTING]),
    Passage("and {:.1f} J for each kilogram", lambda: [LIFT]),
    Passage("More than {:.0f} % leaves an event", lambda: [100.0 * REPORTED]),
    Passage("A gain of more than {:.0f} % ends the run", lambda: [100.0 * FAILED]),
    Passage(
        "the share stays below {:.0f} %, mostly below {:.1f} %,",
        _gained,
        minutes=True,
        bound=True,
    ),
    Passage("gives {:.1f} % to", _of_free),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {"the thesis": ("in Euler steps of 10 ms",)}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
