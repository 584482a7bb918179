"""Expressions of xacro files, kept to arithmetic: a model file must not run code.

xacro looks for names with two underscores in an expression itself, not in the functions within it,
and gives `$(eval ...)` all that Python has built in. Here both are closed.
"""

import builtins
from collections.abc import Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any

_FRAMES = {"gi_frame", "cr_frame", "ag_frame", "tb_frame"}
"""Attributes by which a function that runs reaches those that called it."""

_BUILT_IN = (
    *("abs", "all", "any", "bool", "dict", "float", "int", "len", "list", "map", "max", "min"),
    *("range", "round", "set", "sorted", "str", "sum", "tuple", "zip"),
)
_HARMLESS: dict[str, object] = {name: getattr(builtins, name) for name in _BUILT_IN}


def guarded(xacro: ModuleType) -> list[tuple[Any, str, object]]:
    """Return what to put in place of what in the modules of xacro, as (module, name, value)."""

    def evaluate(
        expression: str | CodeType, names: dict[str, Any], local: Mapping[str, Any] | None = None
    ) -> object:
        code = (
            compile(expression.strip(), "<expression>", "eval")
            if isinstance(expression, str)
            else expression
        )
        for name in _names(code):
            if name.startswith("__") or name in _FRAMES:
                raise xacro.XacroException(f"the name {name} is not allowed in an expression")
        names["__builtins__"] = names.get("__builtins__", _HARMLESS)
        return eval(code, names, local)  # noqa: S307 (of names that reach no code)

    return [(xacro, "eval", evaluate), (xacro.substitution_args, "eval", evaluate)]


def without_vars(xacro: ModuleType) -> None:
    """Take `python.vars` away, by which every method is reached under the text of its name."""
    xacro._global_symbols["python"]["vars"] = _refused  # noqa: SLF001 (no other way in)


def _refused(*_: object) -> None:
    raise NameError("name 'vars' is not defined")


def _names(code: CodeType) -> Iterator[str]:
    """Names of globals and attributes in an expression and in the functions within it."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _names(part)
