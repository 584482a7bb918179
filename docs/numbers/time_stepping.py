"""Numbers of docs/theory/time_stepping.md, see scripts/page_numbers.py."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from computed import ran
from passage import Passage

from footfall.api.running import run
from footfall.arrays import Array
from footfall.engines.moreau_config import MoreauConfig
from footfall.plants.contacts.solids import NEAR
from footfall.scenario.drop import drop_scenario
from footfall.trajectory import Trajectory
from footfall.trajectory.energy_watch import FAILED, REPORTED
from footfall.verify.cases import CASES

_MIDPOINT = "moreau.scheme=implicit-midpoint"
_SCHEMES = (("time_step=1e-3",), ("time_step=1e-3", _MIDPOINT))


def _energy(trajectory: Trajectory) -> Array:
    data = trajectory.data
    return np.asarray(data["kinetic_energy"] + data["potential_energy"])


def _errors(scenario: str, quantity: str, scale: float = 1.0) -> Callable[[], Sequence[float]]:
    """Error of a quantity of a problem, in the step of first order and in that of second."""
    (case,) = (case for case in CASES if case.name == scenario)
    (asked,) = (one for one in case.quantities if one.name == quantity)

    def values() -> Sequence[float]:
        runs = (ran(f"verify/{scenario}", "moreau", *scheme) for scheme in _SCHEMES)
        return [scale * abs(asked.measure(one.trajectory) - asked.exact) for one in runs]

    return values


def _lost() -> Sequence[float]:
    """Energy that the top loses in the step of first order [mJ], and in that of second [uJ]."""
    first, second = _errors("top", "energy lost")()
    return [1e3 * first, 1e6 * second]


def _tilts() -> Sequence[float]:
    """Error of the coin's tilt in the step of first order [mrad], and in that of second [urad]."""
    first, second = _errors("coin", "tilt after 1 s")()
    return [1e3 * first, 1e6 * second]


def _five_seconds() -> Sequence[float]:
    """Kinetic energy [J] of the linkage at the start; how much of it is lost, and is off [%]."""
    first, second = (
        ran("verify/four_bar", "moreau", *scheme, "duration=5").trajectory for scheme in _SCHEMES
    )
    moving, left, kept = float(first.data["kinetic_energy"][0]), _energy(first), _energy(second)
    return [moving, *(100.0 / moving * one for one in (left[0] - left[-1], _range(kept)))]


def _range(energy: Array) -> float:
    """Largest distance from the start."""
    return float(np.abs(energy - energy[0]).max())


# 0.2 m x 0.1 m x 0.04 m; it spins about its middle axis, where it turns over
_BRICK = """<robot name="brick"><link name="brick"><inertial><origin xyz="{}"/><mass value="1.2"/>
<inertia ixx="0.00116" iyy="0.00416" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial><collision>
<geometry><box size="0.2 0.1 0.04"/></geometry></collision></link></robot>"""
_SPIN = "initial.velocities={brick_wy: 300.0, brick_wx: 3.0}"


def _tumbled(origin: str, duration: float, *settings: str) -> float:
    """Largest share of its kinetic energy that a brick gains or loses as it tumbles in flight."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "brick.urdf"
        file.write_text(_BRICK.format(origin), encoding="utf-8")
        dropped = drop_scenario(
            str(file), height=9.0, duration=duration, settings=("time_step=1e-3", _SPIN, *settings)
        )
        flown = run(dropped.scenario, "moreau").trajectory
    return _range(_energy(flown)) / float(flown.data["kinetic_energy"][0])


def _off_centre() -> Sequence[float]:
    """The same of a brick whose origin is off its centre: first order [%], then second."""
    first, second = (_tumbled("0.1 0.05 -0.03", 0.2, *scheme) for scheme in ((), (_MIDPOINT,)))
    return [100.0 * first, second]


PASSAGES = (
    Passage("more than {:.0f} % of the radius of gyration", lambda: [100.0 * REPORTED]),
    Passage("and more than {:.0f} % fails the run", lambda: [100.0 * FAILED]),
    Passage(
        "about the origin of its link so keeps its energy to {:.0e} in",
        lambda: [_tumbled("0 0 0", 0.5)],
        bound=True,
    ),
    Passage(
        "crank after 0.6 s | {:.3f} rad off | {:.0e} rad off |",
        _errors("four_bar", "angle of the crank after 0.6 s"),
    ),
    Passage("over 5 s, of the {:.1f} J of motion", lambda: _five_seconds()[:1], slow=True),
    Passage("at the start | {:.0f} % lost |", lambda: _five_seconds()[1:2], slow=True),
    Passage("within {:.3f} %, no trend", lambda: _five_seconds()[2:], slow=True, bound=True),
    Passage(
        "gap of its loop | {:.0e} m | {:.0e} m |",
        _errors("four_bar", "largest gap of the loop"),
        bound=True,
    ),
    Passage("tilt after 1 s | {:.1f} mrad off | {:.0f} µrad off |", _tilts, slow=True),
    Passage("energy lost in 1 s | {:.0f} mJ | {:.0f} µJ |", _lost, slow=True),
    Passage("of its motion | within {:.0f} % | within {:.0e} |", _off_centre, bound=True),
    Passage(
        "`moreau.release_gap`, {:.0e} m unless it is set", lambda: [MoreauConfig().release_gap]
    ),
    Passage("separates by more than {:.0f} mm", lambda: [1e3 * NEAR]),
)
"""Words of the page, with what computes their numbers."""

GIVEN = {
    "bounds of app/footfall/engines/moreau_midpoint.py": (
        "velocities change by less than 1e-10 of",
    ),
    "chosen or assumed": (
        "tumbles at 300 rad/s about",
        "in half a second at 1 ms",
        "| at 1 ms |",
        "angle of the crank after 0.6 s",
        "energy over 5 s",
        "tilt after 1 s",
        "energy lost in 1 s",
        "at 300 rad/s: energy over 0.2 s",
        "With 1e-6 m a corner",
    ),
}
"""Words of the page whose numbers are published, parameters or chosen, by where they are from."""
