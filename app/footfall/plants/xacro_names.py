"""Functions, methods and constants that the expressions of a xacro file may use, all harmless.

None is lazy, so that the size of every value is known, and none takes long for values of bounded
size.
"""

import builtins
import math
import re
from collections.abc import Callable, Iterable, Mapping

from footfall.plants.xacro_limits import (
    ITEM,
    Budget,
    Refused,
    XacroValue,
    require_bits,
    require_items,
)

_PLAIN = (
    *("abs", "all", "any", "bool", "complex", "divmod", "float", "frozenset", "int"),
    *("isinstance", "issubclass", "len", "list", "max", "min", "ord", "repr", "set", "sorted"),
    *("str", "sum", "tuple"),
)
_COSTLY = ("comb", "factorial", "perm", "prod", "lcm", "sumprod")  # in whole numbers
_BITS = 20  # of whole numbers that are one unit of work for these
_MOST_DIGITS = 400  # behind or before the point, of a number that is rounded

_METHODS: dict[type, tuple[str, ...]] = {
    str: (
        *("capitalize", "count", "endswith", "find", "index", "isalpha", "isdigit", "isspace"),
        *("join", "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rfind", "rstrip"),
        *("split", "startswith", "strip", "title", "upper"),
    ),
    list: ("count", "index"),
    tuple: ("count", "index"),
    dict: ("get", "items", "keys", "values"),
    float: ("is_integer",),
}


class Namespace(dict[str, object]):
    """Names behind a dot, as math has them."""


class Method:
    """A method of a text, list, mapping or number."""

    __slots__ = ("_name", "_value")

    def __init__(self, value: object, name: str) -> None:
        self._value = value
        self._name = name

    def __call__(self, *values: XacroValue, **named: XacroValue) -> object:
        """Call it; raises Refused for a text that would be too long."""
        text = self._value
        if isinstance(text, str) and self._name == "join":
            require_items(sum(len(text) + len(part) for part in values[0]))
        if isinstance(text, str) and self._name == "replace":
            require_items(len(text) + (len(text) + 1) * len(values[1]))
        result = getattr(text, self._name)(*values, **named)
        return list(result) if self._name in ("items", "keys", "values") else result


def method_of(value: object, name: str) -> Method | None:
    """Return a method of a value; None where it has none of that name that is allowed."""
    for kind, names in _METHODS.items():
        if isinstance(value, kind) and name in names:
            return Method(value, name)
    return None


def part_of(value: object, name: str) -> object:
    """Return the real or imaginary part of a number; None for anything else."""
    known = isinstance(value, int | float | complex) and name in ("real", "imag")
    return getattr(value, name) if known else None


def names_of_xacro(own: Mapping[str, object], budget: Budget) -> dict[str, object]:
    """Return what `${...}` knows beside the properties of a file.

    own: what xacro has for files and arguments: load_yaml, abs_filename, dotify, arg, fatal.
    """
    quiet = dict.fromkeys(("message", "warning", "error", "print_location"), _quiet)
    xacro = Namespace({**own, **quiet, "tokenize": _tokenize})
    python = Namespace(_python(budget))
    direct = {name: own[name] for name in ("load_yaml", "abs_filename", "dotify")}
    spaces = {"python": python, "math": _math(budget), "xacro": xacro}
    return {**_math(budget), **python, **direct, **spaces}


def names_of_eval(own: Mapping[str, object], budget: Budget) -> dict[str, object]:
    """Return what `$(eval ...)` knows beside arguments. own: arg, env, optenv, find, dirname."""
    return {**_math(budget), **_python(budget), **own, "true": True, "false": False}


def functions_among(names: Mapping[str, object]) -> frozenset[int]:
    """Return the identities of functions by name, those of namespaces included."""
    found: set[int] = set()
    for value in names.values():
        if isinstance(value, Namespace):
            found |= functions_among(value)
        elif callable(value):
            found.add(id(value))
    return frozenset(found)


def _python(budget: Budget) -> dict[str, object]:
    """Python's own functions, those that are lazy as lists."""

    def mapped(function: Callable[..., object], *values: Iterable[object]) -> list[object]:
        return [budget.bounded(function(*row)) for row in zip(*values, strict=False)]

    names = {name: getattr(builtins, name) for name in _PLAIN}
    return names | {
        "dict": _dict,
        "enumerate": lambda values, start=0: list(enumerate(values, start)),
        "filter": lambda function, values: list(filter(function, values)),
        "map": mapped,
        "range": _range,
        "reversed": lambda values: list(reversed(values)),
        "round": _round,
        "type": _type,
        "zip": lambda *values: list(zip(*values, strict=False)),
    }


def _math(budget: Budget) -> Namespace:
    names = {name: value for name, value in vars(math).items() if not name.startswith("_")}
    return Namespace(names | {name: _small(name, budget) for name in _COSTLY if name in names})


def _range(*bounds: int) -> list[int]:
    counted = range(*bounds)
    require_items(ITEM * len(counted))  # an OverflowError if it is longer than any list
    return list(counted)


def _type(value: object) -> type:
    return type(value)


def _round(value: float, digits: int | None = None) -> float:
    if digits is not None and abs(digits) > _MOST_DIGITS:
        raise Refused(f"a number is rounded to {digits} digits")
    return round(value, digits)


def _dict(*values: XacroValue, **named: object) -> dict[str, object]:
    return dict(*values, **named)


def _small(name: str, budget: Budget) -> Callable[..., object]:
    """Return a function of math whose work grows with whole numbers, and is paid for."""
    function = getattr(math, name)

    def bounded(*values: XacroValue, **named: XacroValue) -> object:
        parts = [part for value in values for part in (value if _is_row(value) else [value])]
        whole = [abs(part) for part in parts if isinstance(part, int)]
        bits = sum(part.bit_length() for part in whole)
        require_bits(bits)
        budget.spend(bits // _BITS)
        if name in ("comb", "factorial", "perm"):  # as many factors
            require_bits(max(whole, default=0))
            budget.spend(max(whole, default=0))
        return function(*values, **named)

    return bounded


def _is_row(value: object) -> bool:
    return isinstance(value, list | tuple | set | frozenset)


def _tokenize(text: str, sep: str = ",; ", skip_empty: bool = True) -> list[str]:
    """Split a text at any of some characters."""
    parts = re.split("|".join(map(re.escape, sep)), text) if sep else [text]
    return [part for part in parts if part] if skip_empty else parts


def _quiet(*_values: object, **_named: object) -> str:
    return ""
