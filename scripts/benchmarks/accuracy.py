"""Errors of each engine at rest and in free motion, where the exact answer is known.

    python scripts/benchmarks/accuracy.py

A wall of 21 bricks stands: a brick that sinks does so by penetration. A block sticks to a slope of
15 degrees with a coefficient of friction of 0.5: it should not creep. A double pendulum without
friction swings for two seconds: its energy should stay. MuJoCo takes part where it is installed;
``midpoint`` is Moreau's engine with its scheme of second order.
"""

import math
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from peers import ENGINES, MIDPOINT, MOREAU, stepper_of
from piles import box, pile
from pydrake.multibody.parsing import AddModel, AddWeld, ModelDirective
from stepping import Stepper

from footfall.arrays import Array
from footfall.plants.terrain import Terrain
from footfall.scenario.assemble import build_robot
from footfall.scenario.schema import InitialState, Scenario

SCHEMES = (MOREAU, MIDPOINT, *ENGINES[1:])
STEPS = (4e-3, 2e-3, 1e-3, 5e-4)  # s
BRICKS = 21
SINKING, CREEP = "bricks of a wall sink [mm]", "a block creeps down a slope [mm/s]"
_SLOPE, _FRICTION = 15.0, 0.5  # degrees
_SETTLING, _WATCHED, _SWING = 0.5, 1.0, 2.0  # s
_PRESSED = 1e-6  # m
_BLOCK = (0.2, 0.1, 0.06)  # m
_MASS, _LENGTH, _GRAVITY = 1.0, 0.5, 9.81  # of a link of the pendulum


def main() -> None:
    """Measure and print."""
    print(f"{'at 1 ms':36}" + "".join(f"{engine:>14}" for engine in SCHEMES))
    for name, values in at_rest().items():
        print(f"{name:36}" + "".join(f"{v:14.2g}" for v in values))
    print("energy that a double pendulum gains in 2 s, of that with which it swings")
    for dt, values in energies():
        print(f"{f'  step {1e3 * dt:g} ms':36}" + "".join(f"{v:14.1e}" for v in values))


def at_rest() -> dict[str, list[float]]:
    """Sinking of a wall and creep of a block, by engine as in SCHEMES."""
    with tempfile.TemporaryDirectory() as folder:
        wall = pile("boxes", BRICKS, Path(folder) / "wall")
        return {
            SINKING: _measured(wall, _sinking),
            CREEP: _measured(_block(Path(folder)), _creep),
        }


def energies() -> Iterator[tuple[float, list[float]]]:
    """Steps [s] and the energy gained, by engine as in SCHEMES."""
    with tempfile.TemporaryDirectory() as folder:
        for dt in STEPS:
            yield dt, _measured(_pendulum(Path(folder), dt), _gained)


def _measured(scenario: Scenario, measure: Callable[[Scenario, Stepper], float]) -> list[float]:
    values = []
    for engine in SCHEMES:
        stepper = stepper_of(scenario, engine)
        stepper.start()
        values.append(measure(scenario, stepper))
    return values


def _sinking(scenario: Scenario, stepper: Stepper) -> float:
    """The farthest that a brick went down [mm]."""
    before = stepper.state()
    stepper.advance(round(_SETTLING / scenario.time_step))
    return 1e3 * float((before - stepper.state())[6 : 7 * BRICKS : 7].max())


def _creep(scenario: Scenario, stepper: Stepper) -> float:
    """Speed after it has settled [mm/s]."""
    stepper.advance(round(_SETTLING / scenario.time_step))
    before = stepper.state()[4:7]
    stepper.advance(round(_WATCHED / scenario.time_step))
    return 1e3 * float(np.linalg.norm(stepper.state()[4:7] - before)) / _WATCHED


def _gained(scenario: Scenario, stepper: Stepper) -> float:
    """Energy gained, of the energy that swings."""
    plant = build_robot(scenario).plant
    context = plant.CreateDefaultContext()

    def energy(state: Array) -> float:
        plant.SetPositionsAndVelocities(context, state)
        return float(plant.CalcKineticEnergy(context) + plant.CalcPotentialEnergy(context))

    before = energy(stepper.state())
    stepper.advance(round(_SWING / scenario.time_step))
    swings = 2.0 * _MASS * _GRAVITY * _LENGTH  # from level to hanging
    return (energy(stepper.state()) - before) / swings


def _block(folder: Path) -> Scenario:
    """A block on a slope, at rest."""
    file = folder / "block.urdf"
    file.write_text(box(_BLOCK))
    half, up = 0.5 * math.radians(_SLOPE), 0.5 * _BLOCK[2] - _PRESSED
    place = {"qw": math.cos(half), "qy": -math.sin(half)}
    place |= {"x": -up * math.sin(2.0 * half), "z": up * math.cos(2.0 * half)}
    return Scenario(
        time_step=1e-3,
        directives=[ModelDirective(add_model=AddModel(name="block", file=str(file)))],
        terrain=Terrain(slope_deg=_SLOPE),
        friction=_FRICTION,
        initial=InitialState(positions={f"body_{k}": v for k, v in place.items()}),
    )


def _pendulum(folder: Path, dt: float) -> Scenario:
    """Two rods that begin level, and swing."""
    file = folder / "pendulum.urdf"
    moment = _MASS * _LENGTH**2 / 12.0
    links = "".join(
        f'<link name="{name}"><inertial><origin xyz="0 0 {-0.5 * _LENGTH}"/>'
        f'<mass value="{_MASS}"/><inertia ixx="{moment}" iyy="{moment}" izz="1e-3" ixy="0" '
        f'ixz="0" iyz="0"/></inertial></link>'
        for name in ("upper", "lower")
    )
    joints = "".join(
        f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 {z}"/><axis xyz="0 1 0"/></joint>'
        for name, parent, child, z in (
            ("shoulder", "base", "upper", 0.0),
            ("elbow", "upper", "lower", -_LENGTH),
        )
    )
    file.write_text(f'<robot name="pendulum"><link name="base"/>{links}{joints}</robot>')
    return Scenario(
        time_step=dt,
        directives=[
            ModelDirective(add_model=AddModel(name="pendulum", file=str(file))),
            ModelDirective(add_weld=AddWeld(parent="world", child="pendulum::base")),
        ],
        initial=InitialState(positions={"shoulder": 0.5 * math.pi}),
    )


if __name__ == "__main__":
    main()
