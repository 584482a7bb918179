"""Time of a step with piles of bodies, in microseconds, and how it grows with their number.

    python scripts/benchmarks/piles.py                    bricks and spheres, as they lie
    python scripts/benchmarks/piles.py boxes --loose      bricks that land on each other

Processor time, the engines in turn in every round; medians, and the exponent of a line through
their logarithms. All bricks of a wall and all spheres of a heap are in one island of contacts.

Bricks lie in a wall, each across two; spheres at rest, one on four that touch, and so many of
these side by side. A heap is of spheres in square layers with gaps, each in the hollow of four
below, and runs apart. A loose pile starts with everything a little apart, so that all of it lands.
"""

import argparse
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import AddModel, ModelDirective
from stepping import median_times, simulated

from footfall.scenario.schema import InitialState, Scenario

SIZES = {"boxes": (6, 10, 21, 55, 105), "spheres": (5, 20, 40, 80), "heap": (5, 14, 30, 55)}
ENGINES = ("moreau", "drake-lagged", "drake-sap")
ROUNDS, STEPS, SETTLING = 10, 10, 100
DT = 1e-3
_RADIUS = 0.05  # m
_BRICK = (0.2, 0.1, 0.06)  # m
_DENSITY = 1000.0
_PRESSED = 1e-6  # m: all that touches does so in every step
_ASIDE = 2e-3  # m between neighbours of a layer
_LOOSE = 5e-3  # m between layers of a loose pile


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=" or ".join(SIZES))
    parser.add_argument("--loose", action="store_true", help="begin with everything apart")
    arguments = parser.parse_args()
    print(f"{'us a step of 1 ms':20}" + "".join(f"{engine:>14}" for engine in ENGINES))
    for kind in arguments.kinds or SIZES:
        table = []
        for count in SIZES[kind]:
            table.append(_times(kind, count, loose=arguments.loose))
            print(f"{kind + ' ' + str(count):20}" + "".join(f"{t:14.0f}" for t in table[-1]))
        logs = np.log(np.array(table))
        slopes = [np.polyfit(np.log(SIZES[kind]), column, 1)[0] for column in logs.T]
        print(f"{'exponent':20}" + "".join(f"{slope:14.2f}" for slope in slopes))


def _times(kind: str, count: int, *, loose: bool) -> list[float]:
    """Median time of a step in each engine [us]; NaN from the moment when one gives up."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = pile(kind, count, Path(folder), loose=loose)
        steppers = [simulated(scenario, engine) for engine in ENGINES]
    return median_times(steppers, SETTLING, ROUNDS, STEPS)


def pile(kind: str, count: int, folder: Path, *, loose: bool = False) -> Scenario:
    """A scenario of so many bodies of a kind, its models written into a folder."""
    places = {"boxes": _bricks, "spheres": _fives, "heap": _heap}[kind](count)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{kind}.urdf"
    file.write_text(box(_BRICK) if kind == "boxes" else _sphere())
    initial = InitialState()
    directives = []
    for k, (layer, x, y, z) in zip(range(count), places, strict=False):
        lifted = z + (layer + 1) * (_LOOSE if loose else -_PRESSED)
        for key, value in {"qw": 1.0, "x": x, "y": y, "z": lifted}.items():
            initial.positions[f"b{k}_body_{key}"] = value
        directives.append(ModelDirective(add_model=AddModel(name=f"b{k}", file=str(file))))
    return Scenario(time_step=DT, directives=directives, friction=0.6, initial=initial)


def _fives(count: int) -> Iterator[tuple[int, float, float, float]]:
    """Layer and place of spheres that lie on four each, the fours side by side."""
    side, far = 2.0 * _RADIUS - _PRESSED, 6.0 * _RADIUS
    across = math.ceil(math.sqrt(count / 5.0))
    for k in range(math.ceil(count / 5.0)):
        x, y = far * (k // across), far * (k % across)
        for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
            yield 0, x + a * side, y + b * side, _RADIUS
        yield 1, x + 0.5 * side, y + 0.5 * side, _RADIUS + side * math.sqrt(0.5)


def _heap(count: int) -> Iterator[tuple[int, float, float, float]]:
    """Layer and place of the spheres of a pyramid with a square base."""
    base = next(n for n in range(1, count + 1) if n * (n + 1) * (2 * n + 1) // 6 >= count)
    apart = 2.0 * _RADIUS + _ASIDE
    rise = (4.0 * _RADIUS**2 - 0.5 * apart**2) ** 0.5
    for layer in range(base):
        for row in range(base - layer):
            for column in range(base - layer):
                x, y = apart * (row + 0.5 * layer), apart * (column + 0.5 * layer)
                yield layer, x, y, _RADIUS + layer * rise


def _bricks(count: int) -> Iterator[tuple[int, float, float, float]]:
    """Layer and place of the bricks of a wall that is no higher than it is long."""
    base = next(n for n in range(1, count + 1) if n * (n + 1) // 2 >= count)
    apart = _BRICK[0] + _ASIDE
    for layer in range(base):
        for k in range(base - layer):
            yield layer, apart * (k + 0.5 * layer), 0.0, _BRICK[2] * (layer + 0.5)


def _sphere() -> str:
    mass = _DENSITY * 4.0 / 3.0 * math.pi * _RADIUS**3
    moment = 0.4 * mass * _RADIUS**2
    return _body(mass, (moment,) * 3, f'<sphere radius="{_RADIUS}"/>')


def box(size: tuple[float, float, float]) -> str:
    """URDF of a box of stone with these sides [m]."""
    a, b, c = size
    mass = _DENSITY * a * b * c
    moments = tuple(mass / 12.0 * (p**2 + q**2) for p, q in ((b, c), (a, c), (a, b)))
    return _body(mass, moments, f'<box size="{a} {b} {c}"/>')


def _body(mass: float, moments: tuple[float, ...], shape: str) -> str:
    ixx, iyy, izz = moments
    return (
        f'<robot name="body"><link name="body"><inertial><mass value="{mass}"/><inertia '
        f'ixx="{ixx}" ixy="0" ixz="0" iyy="{iyy}" iyz="0" izz="{izz}"/></inertial>'
        f'<collision name="shape"><geometry>{shape}</geometry></collision></link></robot>'
    )


if __name__ == "__main__":
    main()
