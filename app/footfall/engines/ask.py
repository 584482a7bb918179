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
"""What is asked for; see ``Answers``."""


def _ask(_typing: Any, _address: Any, _what: Any, _count: Any, _number: Any) -> tuple[Any, Any]:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        number = ir.IntType(64)
        function = ir.FunctionType(number, [number] * 3).as_pointer()
        return builder.call(builder.inttoptr(values[0], function), values[1:])

    return types.int64(*[types.int64] * 4), generate


ask: Callable[[int, int, int, int], int] = cast("Any", intrinsic)(_ask)
"""Call the function at an address with three numbers; returns its own, 0 if all went well."""
