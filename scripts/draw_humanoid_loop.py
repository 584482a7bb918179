"""Draw the humanoid's closed loop out of its Drake diagram into docs/images/humanoid_loop.svg.

Systems, ports and wires are those of the diagram that a run of humanoid/opc simulates. Systems
stand in a row, in the order with the least wire that goes back, the plant last. A signal has one
colour and one level, above the systems where it goes ahead, below them where it goes back.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from pydrake.systems.framework import Diagram

from footfall.machines.humanoid.constrained_plant import newton_euler
from footfall.machines.humanoid.engine import walking_diagram
from footfall.machines.humanoid.model import exact_parameters
from footfall.registry.machine import CLOSED_FORM
from footfall.scenario.assemble import build_robot
from footfall.scenario.context import context_of
from footfall.scenario.io import load_scenario

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "humanoid_loop.svg"
SCENARIO = "humanoid/opc"
STATE = "state"  # output of the plant
BACK = 3.0  # how much worse a wire is that goes back
BOX, PORT, HEAD, MARGIN, LANE, LEVEL = 142, 19, 40, 20, 9, 13  # pixels
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#B08D00",
    "#56B4E9",
    "#444444",
    "#7B5BA6",
    "#8C2D04",
    "#41AB5D",
)
STYLE = """
  text { font: 10px "DejaVu Sans", Verdana, sans-serif; fill: #1b1f2a; }
  .name { font-weight: bold; font-size: 10.5px; text-anchor: middle; }
  .kind { font-size: 9px; fill: #5a6072; text-anchor: middle; }
  .out { text-anchor: end; }
  rect { stroke: #3f51b5; stroke-width: 1.2; fill: #e8eaf6; }
  .plant rect { stroke: #c98a00; fill: #fff3d6; }
  .wire { fill: none; stroke-width: 1.5; }
"""


@dataclass(frozen=True)
class System:
    """A system: its name, its class, its ports in their order."""

    name: str
    kind: str
    inputs: Sequence[str]
    outputs: Sequence[str]


@dataclass(frozen=True)
class Signal:
    """An output port (system, index) and its name, the input ports it goes to, and its size."""

    name: str
    source: tuple[str, int]
    sinks: Sequence[tuple[str, int]]
    size: int


def read_diagram(diagram: Diagram) -> tuple[list[System], list[Signal]]:
    """Return the systems and the signals of a diagram."""
    systems = [
        System(
            each.get_name(),
            type(each).__name__,
            [each.get_input_port(k).get_name() for k in range(each.num_input_ports())],
            [each.get_output_port(k).get_name() for k in range(each.num_output_ports())],
        )
        for each in diagram.GetSystems()
    ]
    sinks: dict[tuple[str, int], list[tuple[str, int]]] = {}
    ports = {}
    for (target, index), (source, port) in diagram.connection_map().items():
        key = (source.get_name(), int(port))
        sinks.setdefault(key, []).append((target.get_name(), int(index)))
        ports[key] = source.get_output_port(int(port))
    signals = [
        Signal(ports[key].get_name(), key, sorted(sinks[key]), ports[key].size())
        for key in sorted(sinks)
    ]
    return systems, signals


def in_order(systems: Sequence[System], signals: Sequence[Signal]) -> list[System]:
    """Return the systems in the order of shortest wires, those that go back counted more.

    The plant, whose state is fed back, is the last.
    """
    plant = next(each for each in systems if STATE in each.outputs)
    others = [each for each in systems if each is not plant]

    def length(order: tuple[System, ...]) -> float:
        place = {each.name: k for k, each in enumerate(order)}
        ways = [place[s] - place[one.source[0]] for one in signals for s, _ in one.sinks]
        return sum(way if way > 0 else -BACK * way for way in ways)

    return list(min(((*order, plant) for order in permutations(others)), key=length))


def draw(systems: Sequence[System], signals: Sequence[Signal]) -> str:
    """Return the picture as SVG."""
    order = in_order(systems, signals)
    column = {each.name: k for k, each in enumerate(order)}
    lanes = _lanes(signals, column)
    edges = _edges(len(order), lanes)
    above = [one for one in signals if _ahead(one, column)]
    below = [one for one in signals if _back(one, column)]
    top = MARGIN + LEVEL * (len(above) + 1)
    tallest = max(_height(each) for each in order)
    bottom = top + tallest + LEVEL
    level_above = {one.source: MARGIN + LEVEL * k for k, one in enumerate(above)}
    level_below = {one.source: bottom + LEVEL * k for k, one in enumerate(below)}
    width, height = edges[-1] + MARGIN, bottom + LEVEL * len(below) + MARGIN
    boxes = {each.name: (edges[column[each.name]], top) for each in order}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>Closed loop of {SCENARIO}</title><style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" style="fill:#fff;stroke:none"/>',
    ]
    for k, one in enumerate(signals):
        parts.append(
            _wires(one, COLOURS[k % len(COLOURS)], boxes, lanes, (level_above, level_below))
        )
    parts += [_box(each, *boxes[each.name]) for each in order]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ahead(one: Signal, column: Mapping[str, int]) -> bool:
    """Return True for a signal that goes ahead past a system."""
    return any(column[name] > column[one.source[0]] + 1 for name, _ in one.sinks)


def _back(one: Signal, column: Mapping[str, int]) -> bool:
    return any(column[name] <= column[one.source[0]] for name, _ in one.sinks)


def _lanes(
    signals: Sequence[Signal], column: Mapping[str, int]
) -> dict[tuple[int, tuple[str, int]], int]:
    """Lane of each signal in every gap, which is left of the column of its number, that it uses."""
    found: dict[tuple[int, tuple[str, int]], int] = {}
    used: dict[int, int] = {}
    for one in signals:
        gaps = {column[one.source[0]] + 1} | {column[name] for name, _ in one.sinks}
        for gap in sorted(gaps):
            found[gap, one.source] = used.setdefault(gap, 0)
            used[gap] += 1
    return found


def _edges(count: int, lanes: Mapping[tuple[int, tuple[str, int]], int]) -> list[int]:
    """Left edges of the columns, and the right edge of the last gap."""
    edges, x = [], MARGIN
    for gap in range(count + 1):
        x += LANE * (1 + sum(1 for number, _ in lanes if number == gap)) + LANE
        edges.append(x)
        x += BOX
    return edges


def _height(each: System) -> int:
    return HEAD + PORT * max(len(each.inputs), len(each.outputs)) + 6


def _port(top: int, index: int) -> int:
    return top + HEAD + PORT * index + PORT // 2


def _wires(
    one: Signal,
    colour: str,
    boxes: Mapping[str, tuple[int, int]],
    lanes: Mapping[tuple[int, tuple[str, int]], int],
    levels: tuple[Mapping[tuple[str, int], int], Mapping[tuple[str, int], int]],
) -> str:
    """Return the wires of a signal, along a level where it goes farther than to the next."""
    names = sorted(boxes, key=lambda name: boxes[name][0])
    column = {name: k for k, name in enumerate(names)}
    name, index = one.source
    x, top = boxes[name]
    out = x + BOX
    y = _port(top, index)
    lane = out + LANE * (1 + lanes[column[name] + 1, one.source])
    paths = [f"M{out} {y}H{lane}"]
    for target, port in one.sinks:
        left, into = boxes[target]
        end = _port(into, port)
        if column[target] == column[name] + 1:
            paths.append(f"M{lane} {y}V{end}H{left}")
            continue
        level = levels[0 if column[target] > column[name] else 1][one.source]
        number = lanes[column[target], one.source]
        before = names[column[target] - 1] if column[target] else None
        start = boxes[before][0] + BOX if before else MARGIN
        turn = start + LANE * (1 + number)
        paths.append(f"M{lane} {y}V{level}H{turn}V{end}H{left}")
    arrows = "".join(
        f'<path d="M{boxes[t][0]} {_port(boxes[t][1], p)}l-6 -3v6z" fill="{colour}"/>'
        for t, p in one.sinks
    )
    title = f"{one.name} of {name}: {one.size} numbers"
    return (
        f'<g id="{name}-{index}"><title>{title}</title>'
        f'<path class="wire" stroke="{colour}" d="{"".join(paths)}"/>{arrows}</g>'
    )


def _box(each: System, x: int, y: int) -> str:
    """Return a system with its name, its class and its ports."""
    plant = ' class="plant"' if STATE in each.outputs else ""
    texts = [
        f'<text class="name" x="{x + BOX / 2}" y="{y + 16}">{each.name}</text>',
        f'<text class="kind" x="{x + BOX / 2}" y="{y + 29}">{each.kind}</text>',
    ]
    for k, port in enumerate(each.inputs):
        texts.append(f'<text x="{x + 5}" y="{_port(y, k) + 4}">{port}</text>')
    for k, port in enumerate(each.outputs):
        texts.append(f'<text class="out" x="{x + BOX - 5}" y="{_port(y, k) + 4}">{port}</text>')
    box = f'<rect x="{x}" y="{y}" width="{BOX}" height="{_height(each)}" rx="5"/>'
    return f"<g{plant}>{box}{''.join(texts)}</g>"


def closed_loop() -> Diagram:
    """Return the diagram of the scenario."""
    scenario = load_scenario(SCENARIO)
    context = context_of(scenario, build_robot(scenario))
    numbers = exact_parameters(context.model, context.contacts).numbers()
    builder, _ = walking_diagram(context, numbers, newton_euler(numbers), CLOSED_FORM)
    return builder.Build()


def main() -> None:
    """Write the picture."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    PICTURE.write_text(draw(*read_diagram(closed_loop())), encoding="utf-8")
    print(f"picture: {PICTURE.relative_to(PICTURE.parents[2])}")


if __name__ == "__main__":
    main()
