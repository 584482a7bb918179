"""Hold files and documents of the project to the house rules that a machine can check.

    python scripts/house_rules.py    # a line for every breach, and status 1 if there is one

`make lint` runs it. What Sphinx says of pages by itself (links between them, pages in no section)
is left to `make docs`.
"""

import ast
import pkgutil
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # of the files that git tracks, which the tests have

from tests.tracked import modules, tracked  # noqa: E402

from footfall.registry.machines import analysis_types, controller_types  # noqa: E402
from footfall.scenario.names import scenario_names  # noqa: E402

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_QUESTIONS = {"What", "Where", "How", "Whether", "Who", "Why", "Which", "When"}
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_NAME = re.compile(r"`(footfall(?:_controllers)?(?:\.\w+)+)`")
_PLACE = re.compile(r"`((?:app|controllers|docs|scripts|sdf|tests|urdf)/[\w./]*)`")
_INCLUDED = re.compile(r"^```\{(?:literal)?include\} (\S+)", flags=re.MULTILINE)


def main() -> int:
    """Print the breaches of all rules; return 1 if there are some."""
    rules = (
        machines_and_registries,
        dependencies,
        floors,
        model_cards,
        versions,
        documents,
        tags,
        example,
        docstrings,
    )
    found = [breach for rule in rules for breach in rule()]
    print("\n".join(found) or "house rules: all kept")
    return int(bool(found))


def machines_and_registries() -> Iterator[str]:
    """Files that name a machine's folders or a package registry."""
    # written in pieces, so that this file does not name them either
    places = "|".join(f"/{name}/" for name in ("root", "work", "home", "Users", "tmp"))
    hosts = "|".join([rf"{name}\.org" for name in ("pypi", "pythonhosted", "npmjs")])
    hosts += "|index{}url".format("-")
    forbidden = re.compile(rf"(?<![\w.<}}\-])(?:{places})|{hosts}".encode())
    for path in tracked():
        if match := forbidden.search(path.read_bytes()):
            yield f"{_short(path)}: names {match.group().decode()}"


def dependencies() -> Iterator[str]:
    """Requirements without a reason in CONTRIBUTING.md, or without a pin."""
    lists = [PROJECT["project"]["dependencies"]]
    lists += PROJECT["project"]["optional-dependencies"].values()
    names = {re.match(r"[A-Za-z0-9._-]+", entry)[0].lower() for one in lists for entry in one}
    reasons = set(re.findall(r"^- `([^`]+)`:", CONTRIBUTING.lower(), flags=re.MULTILINE))
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower()
    pinned = set(re.findall(r"^([^#=\s]+)==", constraints, flags=re.MULTILINE))
    for name in sorted(names - {"footfall"}):
        if name not in reasons:
            yield f"CONTRIBUTING.md: says no reason for {name}"
        if name not in pinned:
            yield f"constraints.txt: does not pin {name}"


def floors() -> Iterator[str]:
    """Floors of the import contracts that the table in CONTRIBUTING.md has otherwise."""
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["id"] == "floors")
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", CONTRIBUTING, flags=re.MULTILINE)
    # from the roof down; neighbours of one floor may be written in any order
    table = re.findall(r"`(\w+)`", " ".join(rows))
    table.remove("footfall_controllers")  # it has a contract of its own
    contract = [re.findall(r"\w+", layer) for layer in layers if layer != "__main__"]
    place = {name: floor for floor, names in enumerate(contract) for name in names}
    for name in sorted(set(table) ^ set(place)):
        yield f"CONTRIBUTING.md: the table of floors and the contracts differ in {name}"
    order = [place[name] for name in table if name in place]
    if order != sorted(order):
        yield "CONTRIBUTING.md: the table of floors has another order than the contracts"


def model_cards() -> Iterator[str]:
    """Folders of models without a card, or without a model."""
    parts = (path.relative_to(ROOT).parts for path in tracked())
    for folder in sorted({ROOT / p[0] / p[1] for p in parts if p[0] in {"urdf", "sdf"}}):
        if not (folder / "README.md").is_file():
            yield f"{_short(folder)}: has no README.md"
        if not any(folder.glob(f"*.{kind}") for kind in ("urdf", "sdf", "track")):
            yield f"{_short(folder)}: has no model"


def versions() -> Iterator[str]:
    """Files that name another version than pyproject.toml."""
    version = PROJECT["project"]["version"]
    for name, pattern in (("CHANGELOG.md", r"^## (\S+)"), ("CITATION.cff", r"^version: (\S+)")):
        told = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
        if told is None or told[1] != version:
            yield f"{name}: does not begin with version {version}"


def documents() -> Iterator[str]:
    """Links, names of code, files and scenarios in documents that lead nowhere."""
    scenarios = set(scenario_names())
    heads = "|".join(sorted({name.partition("/")[0] for name in scenarios}))
    scenario = re.compile(rf"(?<![\w/.])(?:{heads})/\w+(?![\w/.]|\.\w)")
    for path in tracked():
        if path.suffix != ".md" or _short(path).startswith(("app", "tests")):
            continue
        text = path.read_text(encoding="utf-8")
        missing = {link for link in _LINK.findall(text) if not (path.parent / link).exists()}
        if path.name != "CHANGELOG.md":
            missing |= {place for place in _PLACE.findall(text) if not (ROOT / place).exists()}
            missing |= set(scenario.findall(text)) - scenarios
            missing |= {name for name in set(_NAME.findall(text)) if not _resolves(name)}
        for name in sorted(missing):
            yield f"{_short(path)}: there is no {name}"


def _resolves(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def tags() -> Iterator[str]:
    """Tags of machines that the guide to scenarios does not tell."""
    text = (ROOT / "docs" / "guides" / "scenarios.md").read_text(encoding="utf-8")
    for kind in (*controller_types(), *analysis_types()):
        if f"!{kind.__name__}" not in text:
            yield f"docs/guides/scenarios.md: does not tell of !{kind.__name__}"


def example() -> Iterator[str]:
    """Files of the example of a machine that its guide does not show."""
    page = ROOT / "docs" / "guides" / "add_a_machine.md"
    guide = page.read_text(encoding="utf-8")
    shown = {Path(target).name for target in _INCLUDED.findall(guide)} | {"__init__.py"}
    for path in tracked(ROOT / "tests" / "registry" / "example_machine"):
        if path.name not in shown or f"  {path.name}" not in guide:
            yield f"{_short(page)}: does not show {path.name}"


def docstrings() -> Iterator[str]:
    """Docstrings that begin with a question instead of what the thing is or does."""
    ours = [path for kind in ("app", "controllers", "tests") for path in modules(ROOT / kind)]
    for path in (*ours, *modules(ROOT / "scripts"), *modules(ROOT / "docs")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                first = (ast.get_docstring(node) or "").partition(" ")[0].strip(",:")
                if first in _QUESTIONS:
                    yield f"{_short(path)}: {getattr(node, 'name', 'module')} begins with {first}"


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
