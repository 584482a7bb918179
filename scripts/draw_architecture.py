"""Draw the packages of footfall and what they import into docs/images/architecture.svg.

Floors come from the contracts of pyproject.toml, arrows from the imports in the code. An arrow is
left out where a path over other packages implies it, as cli -> report -> show implies cli -> show.
The title of a box, which a browser shows when the picture is opened by itself, lists all imports.
"""

import argparse
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "architecture.svg"
APP = ROOT / "app" / "footfall"
CONTROLLERS = "footfall_controllers"
MACHINES = "machines"
DOOR = "__main__"  # holds nothing but a call of cli

WIDTH, MARGIN, HEIGHT, GAP, STOREY = 1080, 24, 36, 10, 68
ROOF, SWAY = 70, 90.0  # height of the frame of machines; how far single boxes leave the middle
STYLE = """
  text { font: 12px "DejaVu Sans", Verdana, sans-serif; text-anchor: middle; fill: #1b1f2a; }
  .name { font-weight: bold; font-size: 11.5px; }
  .lines, .note { fill: #5a6072; font-size: 10px; }
  .note { text-anchor: start; }
  rect { stroke: #3f51b5; stroke-width: 1.2; fill: #e8eaf6; }
  .pure rect { fill: #e3f3e5; stroke: #3c8d45; }
  .machine rect { fill: #fff3d6; stroke: #c98a00; }
  .import { stroke: #8b93a7; stroke-width: 1; fill: none; marker-end: url(#tip); }
  .entry { stroke: #c98a00; stroke-width: 1.6; fill: none; stroke-dasharray: 6 4;
           marker-end: url(#entry-tip); }
"""
_MACHINES = (
    "machines ({:,} lines): one package each, registered by entry point; others come from other "
    "distributions"
)
_LEGEND = (
    "Arrow: imports; one that a longer path implies is left out. Dashed: loads by entry point. "
    "Green: knows no Drake and draws nothing."
)


@dataclass(frozen=True)
class Architecture:
    """Packages and modules by floor from the roof down, their imports, machines, and pure ones."""

    floors: Sequence[Sequence[str]]
    imports: Mapping[str, frozenset[str]]
    machines: Sequence[str]
    pure: frozenset[str]

    @cached_property
    def arrows(self) -> Sequence[tuple[str, str]]:
        """Imports of lower floors that no path over other packages implies."""
        lower = {name: self._lower(name) for name in self.imports}
        reached: dict[str, frozenset[str]] = {}
        for name in sorted(lower, key=self._floor, reverse=True):
            reached[name] = lower[name].union(*(reached[each] for each in lower[name]))
        return [
            (name, target)
            for name in sorted(lower)
            for target in sorted(lower[name])
            if not any(target in reached[between] for between in lower[name] - {target})
        ]

    def upward(self) -> Iterator[tuple[str, str]]:
        """Imports of higher floors, of which there should be none."""
        for name, targets in sorted(self.imports.items()):
            for target in sorted(targets - self._lower(name)):
                yield name, target

    def _lower(self, name: str) -> frozenset[str]:
        here = self._floor(name)
        return frozenset(each for each in self.imports[name] if self._floor(each) > here)

    def _floor(self, name: str) -> int:
        return next(k for k, names in enumerate(self.floors) if name in names)


def read_architecture() -> Architecture:
    """Return the architecture as the contracts and the code have it."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {each["id"]: each for each in project["tool"]["importlinter"]["contracts"]}
    layers = (re.findall(r"\w+", layer) for layer in contracts["floors"]["layers"])
    floors = [names for names in layers if names != [DOOR]]
    floors.insert(floors.index(_floor_of("control", floors)) + 1, [CONTROLLERS])
    sources = {name.split(".")[1] for name in contracts["pure"]["source_modules"]}
    graph = grimp.build_graph("footfall", CONTROLLERS)
    imports: dict[str, set[str]] = {name: set() for floor in floors for name in floor}
    for module in sorted(graph.modules):
        for target in graph.find_modules_directly_imported_by(module):
            from_, to = _package_of(module), _package_of(target)
            if from_ != to and {from_, to} <= imports.keys():
                imports[from_].add(to)
    folders = (APP / MACHINES).iterdir()
    return Architecture(
        floors,
        {name: frozenset(targets) for name, targets in imports.items()},
        sorted(path.name for path in folders if (path / "__init__.py").is_file()),
        frozenset(sources - {MACHINES}),
    )


def _floor_of(name: str, floors: Sequence[list[str]]) -> list[str]:
    return next(floor for floor in floors if name in floor)


def _package_of(module: str) -> str:
    parts = module.split(".")
    return parts[0] if parts[0] == CONTROLLERS or len(parts) == 1 else parts[1]


def lines_of(path: Path) -> int:
    """Lines of a module, or of all modules of a package."""
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


@dataclass(frozen=True)
class _Box:
    """A rectangle with a name, lines of code below it, and what it imports; lengths in pixels."""

    name: str
    lines: int
    kind: str
    x: float
    y: float
    width: float
    imports: Sequence[str] | None = None  # None: not told

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def svg(self) -> str:
        x, y = self.middle, self.y
        return (
            f'<g class="{self.kind}" id="{self.name}">{self.title()}{self.rectangle(HEIGHT)}'
            f'<text class="name" x="{x:.1f}" y="{y + 15:.1f}">{self.name}</text>'
            f'<text class="lines" x="{x:.1f}" y="{y + 29:.1f}">{self.lines:,} lines</text></g>'
        )

    def title(self) -> str:
        if self.imports is None:
            return ""
        return f"<title>{self.name} imports {', '.join(self.imports) or 'nothing'}</title>"

    def rectangle(self, height: float) -> str:
        return (
            f'<rect x="{self.x:.1f}" y="{self.y:.1f}" width="{self.width:.1f}" '
            f'height="{height}" rx="5"/>'
        )


def draw(architecture: Architecture) -> str:
    """Return the picture as SVG."""
    boxes = _boxes(architecture)
    roof = boxes[MACHINES]
    machines = [
        _Box(name, lines_of(APP / MACHINES / name), "machine", x, roof.y + 20, width)
        for name, (x, width) in zip(
            architecture.machines, _places([102.0] * len(architecture.machines)), strict=True
        )
    ]
    bottom = max(box.y for box in boxes.values()) + HEIGHT + MARGIN
    size = bottom + 2 * MARGIN
    plain = [box for name, box in boxes.items() if name != MACHINES]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {size}" role="img">',
        f"<title>Architecture of footfall</title><style>{STYLE}</style>",
        f"<defs>{_tip('tip', '#8b93a7')}{_tip('entry-tip', '#c98a00')}</defs>",
        f'<rect width="{WIDTH}" height="{size}" style="fill:#fff;stroke:none"/>',
        *(_arrow(boxes[a], boxes[b]) for a, b in architecture.arrows),
        _entry(boxes["registry"], roof),
        f'<g class="machine" id="{MACHINES}">{roof.title()}{roof.rectangle(ROOF)}</g>',
        _note(roof.x + 8, roof.y + 14, _MACHINES.format(roof.lines)),
        *(box.svg() for box in (*plain, *machines)),
        _note(MARGIN, bottom, _LEGEND),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _boxes(architecture: Architecture) -> dict[str, _Box]:
    """Every package in its place; the machines are the frame on top."""
    sizes = {name: _lines(name) for name in architecture.imports}
    imports = {name: sorted(targets) for name, targets in architecture.imports.items()}
    frame = WIDTH - 2.0 * MARGIN
    boxes = {
        MACHINES: _Box(
            MACHINES, sizes[MACHINES], "machine", MARGIN, MARGIN, frame, imports[MACHINES]
        )
    }
    for floor, names in enumerate(architecture.floors):
        ordered = sorted(
            (name for name in names if name != MACHINES),
            key=lambda name: _pull(name, architecture, boxes),
        )
        places = _places([_wish(name, sizes[name]) for name in ordered])
        for name, (x, width) in zip(ordered, places, strict=True):
            kind = "pure" if name in architecture.pure else "package"
            shift = SWAY * (-1) ** floor if len(ordered) == 1 else 0.0
            y = MARGIN + ROOF + STOREY * (floor + 0.6)
            boxes[name] = _Box(name, sizes[name], kind, x + shift, y, width, imports[name])
    return boxes


def _lines(name: str) -> int:
    if name == CONTROLLERS:
        return lines_of(ROOT / "controllers" / CONTROLLERS)
    return lines_of(APP / name)


def _wish(name: str, lines: int) -> float:
    """Width that a box would have: room for its name, and more for more lines."""
    return max(8.2 * len(name) + 16, min(60 + lines**0.5, 200.0))


def _places(wishes: Sequence[float]) -> list[tuple[float, float]]:
    """Left edges and widths of boxes side by side, narrowed to the picture and spread over it."""
    room = WIDTH - 2 * MARGIN - GAP * (len(wishes) - 1)
    shrink = min(1.0, room / sum(wishes))
    widths = [wish * shrink for wish in wishes]
    space = (WIDTH - 2 * MARGIN - sum(widths)) / (len(widths) + 1)
    if shrink < 1.0:
        space = GAP
        left = float(MARGIN)
    else:
        left = MARGIN + space
    found = []
    for width in widths:
        found.append((left, width))
        left += width + space
    return found


def _pull(name: str, architecture: Architecture, boxes: Mapping[str, _Box]) -> float:
    """Place along the floor that suits a box: the mean of those above that import it."""
    above = [boxes[a].middle for a, b in architecture.arrows if b == name and a in boxes]
    return sum(above) / len(above) if above else WIDTH / 2


def _tip(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0 8 4 0 8z" fill="{colour}"/></marker>'
    )


def _note(x: float, y: float, text: str) -> str:
    return f'<text class="note" x="{x:.1f}" y="{y:.1f}">{text}</text>'


def _arrow(box: _Box, target: _Box) -> str:
    """A curve down to another box; from the frame of the machines straight down."""
    tall = ROOF if box.name == MACHINES else HEIGHT
    start, end, to = box.y + tall, target.y, target.middle
    from_ = to if box.name == MACHINES else box.middle
    bend = 0.5 * min(end - start, 120.0)
    return (
        f'<path class="import" d="M{from_:.1f} {start:.1f}C{from_:.1f} {start + bend:.1f} '
        f'{to:.1f} {end - bend:.1f} {to:.1f} {end:.1f}"/>'
    )


def _entry(box: _Box, roof: _Box) -> str:
    """Return the line from a box to the left and up to the machines."""
    y, side = box.y + HEIGHT / 2, roof.x + MARGIN
    return f'<path class="entry" d="M{box.x:.1f} {y:.1f}H{side}V{roof.y + ROOF:.1f}"/>'


def main() -> None:
    """Write the picture."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    PICTURE.write_text(draw(read_architecture()), encoding="utf-8")
    print(f"picture: {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
