"""Calls of Python by a step, for what few steps need and what takes long to compile.

The chain of solvers, impacts as events of their own, and steps of large islands would be half of
the code of a step, and half of the time until the first one is made. A step leaves its question in
the memory and calls the function whose address is there; ``footfall.engines.answers`` holds it.
"""

# ruff: noqa: ANN401 (numba's own types, which have no stubs)
# mypy: disable-error-code="no-untyped-call"

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

CHAIN, DENSE, IMPACT, NETWORK = range(4)
"""Questions to ``Answers``."""


def call_at(ends: Any, *taken: Any) -> tuple[Any, Any]:
    """Return what an intrinsic of numba returns that calls a function at an address.

    ends, taken: types of what the function returns and takes, behind the address.
    """

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        values = [context.get_value_type(each) for each in taken]
        function = ir.FunctionType(context.get_value_type(ends), values).as_pointer()
        return builder.call(builder.inttoptr(arguments[0], function), arguments[1:])

    return ends(types.int64, *taken), generate


def _ask(_typing: Any, _address: Any, _what: Any, _count: Any, _number: Any) -> tuple[Any, Any]:
    return call_at(types.int64, types.int64, types.int64, types.int64)


ask: Callable[[int, int, int, int], int] = cast("Any", intrinsic)(_ask)
"""Call the function at an address with three numbers; returns its own, 0 if all went well."""
