"""Walks of the humanoid under the conditions that they are to bear, as a table in Markdown.

Usage: python scripts/benchmarks/walks.py [--engines moreau,drake-sap] [--only stairs]
                                         [--duration 6]

Slip is that of a foot from touch-down to touch-down, the largest of all steps; the pressure is the
least distance of the zero-moment point to the edge of the support polygon, of means over 20 ms,
negative outside.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from footfall.feet.gait import slip_of_steps
from footfall.metrics import scalar
from footfall.run import Run, run_scenario
from footfall.scenario.io import load_scenario

_QUICK = ("controller.walk.swing=0.45", "controller.walk.overlap=0.1")
_SLIPPERY = ("friction=0.3", "controller.friction=0.25")
_LOADED = ('mass_scale={"humanoid::hat": 1.2}', "controller.knows_mass_scale=false")
_NOISY = ("sensors={encoders: {velocity_noise: 0.05}}",)
_SIXTY = (*_QUICK, "controller.walk.steps=60", "duration=34.5")
CONDITIONS: dict[str, tuple[str, Sequence[str]]] = {
    "60 steps at 0.3 m/s": ("humanoid/walk", _SIXTY),
    "30 steps at 0.6 m/s": ("humanoid/walk_fast", ()),
    "60 steps by (3.136)": ("humanoid/walk_opc", _SIXTY),
    "20 steps at 0.5 m/s, heel and toe": ("humanoid/walk_heel_toe", ()),
    "20 steps at 0.5 m/s, flat": ("humanoid/walk_heel_toe", ("controller.walk.roll=null",)),
    "friction 0.3": ("humanoid/walk", (*_QUICK, *_SLIPPERY)),
    "friction 0.2": ("humanoid/slippery", ()),
    "trunk a fifth heavier than known": ("humanoid/walk", (*_QUICK, *_LOADED)),
    "noise of 0.05 rad/s": ("humanoid/walk", (*_QUICK, *_NOISY)),
    "friction 0.3, load and noise at once": (
        "humanoid/walk",
        (*_QUICK, *_SLIPPERY, *_LOADED, *_NOISY),
    ),
    "20 N s ahead, 15 N s aside": ("humanoid/push", ()),
    "ramps of 8 degrees": ("humanoid/slope", ()),
    "stairs of 8 cm": ("humanoid/stairs", ()),
}
_HEADS = ("condition", "engine", "ends", "landings", "tilt", "slip of a step", "pressure", "torque")
_UNITS = ("", "", "", "", "deg", "mm", "mm", "N m")


def main() -> None:
    """Walk under each condition in each engine, and print a row each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", default="moreau,drake-sap")
    parser.add_argument("--only", default="", help="conditions that have this in their words")
    parser.add_argument("--duration", type=float, help="of each walk, in place of its own [s]")
    asked = parser.parse_args()
    heads = [
        f"{head} [{unit}]" if unit else head for head, unit in zip(_HEADS, _UNITS, strict=True)
    ]
    print(_row(heads), _row(["---"] * len(heads)), sep="\n")
    for words, (name, changes) in CONDITIONS.items():
        if asked.only not in words:
            continue
        for engine in asked.engines.split(","):
            more = () if asked.duration is None else (f"duration={asked.duration}",)
            scenario = load_scenario(name, [*changes, *more])
            found = measured(run_scenario(scenario, name, engine))
            print(_row([words, engine, *found]), flush=True)


def measured(run: Run) -> list[str]:
    """Return how a walk ended, its landings, and its largest tilt, slip, pressure and torque."""
    data = run.trajectory.data
    x, y = data["q"].to_numpy()[:, 1:3].T
    tilt = np.degrees(np.arccos(np.clip(1.0 - 2.0 * (x**2 + y**2), -1.0, 1.0))).max()
    slips = np.concatenate(slip_of_steps(data))
    torque = np.abs(data["actuation"].to_numpy()).max()
    landings = int((np.diff(data["foot_contact"].to_numpy(), axis=0) > 0.0).sum())
    return [
        run.trajectory.status.value,
        f"{landings}",
        f"{tilt:.2f}",
        f"{1e3 * slips.max():.2f}",
        f"{1e3 * scalar(run.metrics, 'zmp_margin'):.1f}",
        f"{torque:.0f}",
    ]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
