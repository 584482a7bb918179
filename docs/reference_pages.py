"""Parts of the site that are made of the code; `conf.py` calls `write_pages` before a build."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import textwrap
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    "footfall.api",
    "footfall.registry",
    "footfall.control",
    "footfall.analysis",
    "footfall.scenario",
    "footfall.engines",
    "footfall.feet",
    "footfall.plants",
    "footfall.contact",
    "footfall.solvers",
    "footfall.hybrid",
    "footfall.trajectory",
    "footfall.report",
    "footfall.textbook",
    "footfall_controllers",
)
CHECKED = ("between", "checked", "finite", "not_negative", "one_of", "positive", "vectors")
"""Makers of fields that are checked, by `footfall.checked`."""


def write_pages(folder: Path) -> None:
    """Write all pages into a folder; a page that has not changed stays as it is."""
    for name, content in pages():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """Names and texts of all pages."""
    yield "command_line.md", command_line()
    yield "scenario_fields.md", scenario_fields()
    yield "metrics.md", metrics()
    yield "model_tags.md", model_tags()
    yield "engines.md", engines()
    yield "near_rigid.md", near_rigid()
    yield "problems.md", problems()
    for package in PACKAGES:
        yield f"{package}.rst", api(package)


def api(package: str) -> str:
    """Every module of a package, with what is public in it, for autodoc."""
    found = importlib.import_module(package)
    walked = pkgutil.walk_packages(found.__path__, f"{package}.")
    parts = [package, "=" * len(package), "", f".. automodule:: {package}"]
    for name in (module.name for module in walked if "._" not in module.name):
        parts += ["", name, "-" * len(name), "", f".. automodule:: {name}"]
    return "\n".join(parts) + "\n"


def command_line() -> str:
    """Every command with its arguments and options."""
    import typer

    from footfall.cli import app

    group: Any = typer.main.get_command(app)
    parts: list[str] = []
    for name, command in group.commands.items():
        told = [each for each in command.params if "--help" not in each.opts]
        arguments = [_argument(each) for each in told if each.param_type_name == "argument"]
        usage = " ".join(["footfall", name, *arguments, "[OPTIONS]"])
        parts += [f"## {name}", _sentences(command.help), f"    {usage}"]
        if told:
            rows = [_parameter_row(each) for each in told]
            parts.append(_table(("argument or option", "meaning", "default"), rows))
    return "\n\n".join(parts) + "\n"


def _argument(parameter: Any) -> str:  # noqa: ANN401 (typer carries its own copy of click)
    return parameter.metavar or parameter.name.upper()


def _parameter_row(parameter: Any) -> tuple[str, str, str]:  # noqa: ANN401 (as above)
    name, default = ", ".join(f"`{option}`" for option in parameter.opts), parameter.default
    if parameter.param_type_name == "argument":
        name = f"`{_argument(parameter)}`"
    said = default not in (None, False, (), []) and not callable(default)
    return name, parameter.help or "", f"`{default}`" if said else ""


def engines() -> str:
    """Table of the abilities in which engines differ."""
    from footfall.engine_names import ABILITIES, ENGINE_NAMES

    rows = [
        (name, *("yes" if engine in able.engines else "" for engine in ENGINE_NAMES))
        for name, able in ABILITIES.items()
    ]
    return _table(("", *(f"`{name}`" for name in ENGINE_NAMES)), rows) + "\n"


def scenario_fields() -> str:
    """Every field of a scenario, of its groups and of what its tags name, from their comments."""
    from footfall.registry.machines import analysis_types, controller_types
    from footfall.scenario.schema import Scenario

    parts: list[str] = []
    seen: list[type] = []
    _describe(Scenario, parts, seen)
    for title, kinds in (("Controllers", controller_types()), ("Analyses", analysis_types())):
        fresh = [kind for kind in kinds if kind not in seen]
        if fresh:
            parts.append(f"## {title} of machines")
        for kind in fresh:
            _describe(kind, parts, seen, level=3)
    return "\n\n".join(parts) + "\n"


def _describe(kind: type, parts: list[str], seen: list[type], level: int = 2) -> None:
    """Append the section of a dataclass, and then those of the dataclasses in its fields."""
    seen.append(kind)
    parts += [f"{'#' * level} {kind.__name__}", _sentences(inspect.getdoc(kind))]
    bases = [base for base in reversed(kind.__mro__) if dataclasses.is_dataclass(base)]
    rows = [*{row[0]: row for base in bases for row in _fields(base)}.values()]
    if rows:
        parts.append(_table(("field", "type and default", "meaning"), rows))
    hints = typing.get_type_hints(kind)
    for item in dataclasses.fields(kind):
        for inner in _dataclasses_in(hints[item.name]):
            if inner not in seen:
                _describe(inner, parts, seen, level)


def _dataclasses_in(hint: Any) -> Iterator[type]:  # noqa: ANN401 (an annotation)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        known = hint.__module__.startswith(("footfall.", "footfall_controllers."))
        if known and ".machines." not in hint.__module__:
            yield hint
        return
    for part in typing.get_args(hint):
        yield from _dataclasses_in(part)


def _fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Names, type with default, comment; fields without a comment share that of the one before."""
    lines = textwrap.dedent(inspect.getsource(kind)).splitlines()
    (definition,) = ast.parse("\n".join(lines)).body
    assigned = [node for node in getattr(definition, "body", ()) if isinstance(node, ast.AnnAssign)]
    rows: list[list[str]] = []
    for node in assigned:
        name, hint, default = (_code(part) for part in (node.target, node.annotation, node.value))
        comment, hint = _comment_above(lines, node.lineno - 1), f"{hint} {default}".strip()
        if comment or not rows:
            rows.append([name, hint, comment])
        else:
            rows[-1][0] += f"<br>{name}"
            rows[-1][1] += f"<br>{hint}"
    for name, hint, comment in rows:
        yield name, hint, comment


def _comment_above(lines: list[str], index: int) -> str:
    found: list[str] = []
    while index > 0 and lines[index - 1].strip().startswith("#"):
        index -= 1
        found.insert(0, lines[index].strip().lstrip("# "))
    return _sentences(" ".join(found))


def _code(node: ast.AST | None) -> str:
    if node is None:
        return ""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in CHECKED:
        node = node.args[0]  # the default
    text = ast.unparse(node)
    made = re.fullmatch(r"field\(default_factory=(.*)\)", text)
    if made:
        text = {"dict": "{}", "list": "[]"}.get(made[1], f"{made[1]}()").removeprefix("lambda: ")
    return f"`{text}`"


def model_tags() -> str:
    """Every tag of the table of physics in model files, by format."""
    from footfall.plants.loading.physics_tags import TAGS

    parts: list[str] = []
    for form in dict.fromkeys(row.form for row in TAGS):
        rows = [
            (
                "<br>".join(f"`{place}`" for place in row.places.split()),
                row.means.replace("<", "&lt;"),
                ("" if row.key else "**named**, ") + row.does.replace("<", "&lt;"),
            )
            for row in TAGS
            if row.form == form
        ]
        parts += [f"## {form}", _table(("tag", "meaning", "what happens"), rows)]
    return "\n\n".join(parts) + "\n"


def near_rigid() -> str:
    """The material of Drake's contact that makes it nearly rigid, by approximation."""
    from footfall.engines.drake_material import NEAR_RIGID

    rows = [
        (
            f"`{name}`",
            f"{made.stiffness_over_mass:g} 1/s²",
            "" if name == "sap" else f"{made.dissipation:g} s/m",
            f"{made.relaxation_time:g} s" if name == "sap" else "",
        )
        for name, made in NEAR_RIGID.items()
    ]
    return _table(("approximation", "k / m", "dissipation", "relaxation time"), rows) + "\n"


def problems() -> str:
    """Every problem of the verification: what the rigid engine's error may be, and its order."""
    from footfall.report.tables import number
    from footfall.verify.cases import CASES

    rows = [
        (
            f"`{case.name}`",
            each.check.name,
            f"{number(each.check.tolerance, 2)} {each.check.unit.removeprefix('1')}",
            f"{1e3 * case.steps[-1]:g} ms",
            "" if each.order is None else f"{each.order:g}",
        )
        for case in CASES
        for each in case.quantities
    ]
    return _table(("problem", "quantity", "error, at most", "at a step of", "order"), rows) + "\n"


def metrics() -> str:
    """Every metric that a run may have, and those of the machines."""
    from footfall.registry.machines import machines
    from footfall.trajectory.measures import METRICS

    parts = ["## Of every run", _metric_table(METRICS)]
    for name, machine in machines().items():
        parts += [f"## {name}", f"{machine.title}.", _metric_table(machine.metrics)]
        for kind in machine.analyses:
            known: Callable[[Any], dict[str, tuple[str, str]]] = getattr(kind, "metrics")  # noqa: B009 (a protocol's)
            parts += [f"### {kind.__name__}", _metric_table(known(kind()))]
    return "\n\n".join(parts) + "\n"


def _metric_table(known: typing.Mapping[str, tuple[str, str]]) -> str:
    rows = [(f"`{name}`", unit, meaning) for name, (unit, meaning) in known.items()]
    return _table(("metric", "unit", "meaning"), rows)


def _table(headings: tuple[str, ...], rows: typing.Sequence[tuple[str, ...]]) -> str:
    lines = [headings, tuple("---" for _ in headings), *rows]
    return "\n".join(f"| {' | '.join(_cell(text) for text in row)} |" for row in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sentences(text: str | None) -> str:
    """Prose of the code as Markdown takes it: what stands in double backquotes is code."""
    return re.sub(r"``([^`]+)``", r"`\1`", text or "")
