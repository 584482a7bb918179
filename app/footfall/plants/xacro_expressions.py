"""Expressions of xacro files, worked out without Python's own evaluation.

An expression is parsed, and of what Python knows only what is listed here is carried out: numbers,
texts, lists, comparisons, comprehensions, and calls of functions out of a table. There are no
functions of its own, no attributes but names of namespaces, keys of mappings and a few methods, and
no names with two underscores.
"""

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from footfall.plants.xacro_limits import ITEM, Budget, Refused, require_bits, require_items
from footfall.plants.xacro_names import Method, Namespace, method_of, part_of

_LONGEST = 10_000  # characters of an expression
_A_UNIT = 20  # characters or items whose handling costs as much as a node
_LONGEST_FORMAT = 1_000  # characters of the text in front of %
_MOST_FORMAT_DIGITS = 3  # of a width or precision in '%8.3f' % x

_UNARY: dict[type, Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_WORDS = {  # what people may try, in the words of Python's documentation
    ast.Lambda: "a lambda",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment",
    ast.Starred: "an unpacking",
    ast.Await: "an await",
    ast.Yield: "a yield",
    ast.YieldFrom: "a yield",
}


@dataclass(frozen=True)
class Evaluator:
    """Evaluates expressions of one file.

    names: what every expression knows. functions: identities of what may be called. space_of:
    value under a name of a namespace of the file; raises KeyError for what is none.
    """

    names: Mapping[str, object]
    functions: frozenset[int]
    space_of: Callable[[object, str], object]
    budget: Budget

    def __call__(self, text: str, lookup: Callable[[str], object]) -> object:
        """Return the value of an expression; lookup: property by name, or KeyError.

        Raises Refused for what is not carried out, and what Python raises for the rest.
        """
        if len(text) > _LONGEST:
            raise Refused(f"an expression is longer than {_LONGEST} characters")
        self.budget.spend(1 + len(text))
        try:
            tree = ast.parse(text.strip(), "<expression>", "eval")
        except (MemoryError, ValueError) as error:  # too deep, a null character
            raise Refused("an expression cannot be parsed") from error
        return _Scope(self, lookup).value(tree.body)


class _Scope:
    """Values of names within one expression or comprehension."""

    def __init__(self, evaluator: Evaluator, lookup: Callable[[str], object]) -> None:
        self._of = evaluator
        self._lookup = lookup
        self._local: dict[str, object] = {}

    def value(self, node: ast.expr) -> Any:  # noqa: ANN401 (as Python's eval)
        """Value of a node, of bounded size."""
        self._of.budget.spend()
        kind = type(node).__name__
        work = getattr(self, f"_{kind.lower()}", None)
        if work is None:
            what = _WORDS.get(type(node), kind)
            raise Refused(f"{what} is not allowed in an expression")
        result = work(node)
        if isinstance(result, str | list | tuple | dict | set):
            self._of.budget.spend(len(result) // _A_UNIT)
        return result

    def _constant(self, node: ast.Constant) -> object:
        return self._of.budget.bounded(node.value)

    def _name(self, node: ast.Name) -> object:
        name = node.id
        _require_open(name)
        if name in self._local:
            return self._local[name]
        try:
            return self._lookup(name)
        except KeyError:
            pass
        if name in self._of.names:
            return self._of.names[name]
        raise NameError(f"name '{name}' is not defined")

    def _attribute(self, node: ast.Attribute) -> object:
        name = node.attr
        _require_open(name)
        value = self.value(node.value)
        if isinstance(value, Namespace):
            if name not in value:
                raise NameError(f"name '{name}' is not defined")
            return value[name]
        found = part_of(value, name)
        if found is None:
            found = method_of(value, name)
        if found is not None:
            return found
        try:
            return self._of.space_of(value, name)
        except KeyError:
            pass
        raise Refused(f"the attribute {name} of a {type(value).__name__} is not allowed")

    def _call(self, node: ast.Call) -> object:
        function = self.value(node.func)
        if any(keyword.arg is None for keyword in node.keywords):
            raise Refused("an unpacking is not allowed in an expression")
        values = [self.value(part) for part in node.args]
        named = {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords}
        for one in (function, *(v for v in (*values, *named.values()) if callable(v))):
            self._require_function(one)
        return self._of.budget.bounded(function(*values, **named))

    def _require_function(self, value: object) -> None:
        """Raise Refused for anything but a function of the table or a method that was allowed."""
        if id(value) not in self._of.functions and not isinstance(value, Method):
            raise Refused(f"a {type(value).__name__} is called, which is no function")

    def _unaryop(self, node: ast.UnaryOp) -> object:
        return _UNARY[type(node.op)](self.value(node.operand))

    def _binop(self, node: ast.BinOp) -> object:
        work = _BINARY.get(type(node.op))
        if work is None:
            raise Refused(f"{type(node.op).__name__} is not allowed in an expression")
        left, right = self.value(node.left), self.value(node.right)
        _require_small(node.op, left, right)
        return self._of.budget.bounded(work(left, right))

    def _boolop(self, node: ast.BoolOp) -> object:
        ends = isinstance(node.op, ast.Or)  # the truth value at which the rest is not looked at
        value: object = None
        for part in node.values:
            value = self.value(part)
            if bool(value) is ends:
                break
        return value

    def _compare(self, node: ast.Compare) -> object:
        left = self.value(node.left)
        result: object = True
        for sign, part in zip(node.ops, node.comparators, strict=True):
            right = self.value(part)
            result = _COMPARE[type(sign)](left, right)
            if not result:
                break
            left = right
        return result

    def _ifexp(self, node: ast.IfExp) -> object:
        return self.value(node.body if self.value(node.test) else node.orelse)

    def _subscript(self, node: ast.Subscript) -> object:
        value, index = self.value(node.value), self.value(node.slice)
        if isinstance(value, Namespace) or not isinstance(value, str | list | tuple | dict):
            raise Refused(f"a {type(value).__name__} has no items")
        return value[index]

    def _slice(self, node: ast.Slice) -> slice:
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if part is None else self.value(part) for part in parts))

    def _list(self, node: ast.List) -> list[object]:
        return [self.value(part) for part in node.elts]

    def _tuple(self, node: ast.Tuple) -> tuple[object, ...]:
        return tuple(self.value(part) for part in node.elts)

    def _set(self, node: ast.Set) -> set[object]:
        return {self.value(part) for part in node.elts}

    def _dict(self, node: ast.Dict) -> dict[object, object]:
        if None in node.keys:
            raise Refused("an unpacking is not allowed in an expression")
        keys = [self.value(key) for key in node.keys if key is not None]
        return dict(zip(keys, map(self.value, node.values), strict=True))

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> object:
        scope = self._inner()
        found = [scope.value(node.elt) for _ in scope.counted(node.generators)]
        return self._of.budget.bounded(found)

    _generatorexp = _listcomp  # a list serves whoever goes through it

    def _setcomp(self, node: ast.SetComp) -> object:
        scope = self._inner()
        found = {scope.value(node.elt) for _ in scope.counted(node.generators)}
        return self._of.budget.bounded(found)

    def _dictcomp(self, node: ast.DictComp) -> object:
        scope = self._inner()
        rounds = scope.counted(node.generators)
        found = {scope.value(node.key): scope.value(node.value) for _ in rounds}
        return self._of.budget.bounded(found)

    def _inner(self) -> "_Scope":
        scope = _Scope(self._of, self._lookup)
        scope._local = dict(self._local)
        return scope

    def counted(self, generators: list[ast.comprehension]) -> Iterator[None]:
        """Go through the loops of a comprehension as long as its result is not too large."""
        for number, _ in enumerate(self.rounds(generators)):
            require_items(ITEM * number)
            yield

    def rounds(self, generators: list[ast.comprehension]) -> Iterator[None]:
        """Go through the loops of a comprehension, which set its names."""
        first, *rest = generators
        if first.is_async:
            raise Refused("an await is not allowed in an expression")
        for item in self.value(first.iter):
            self._of.budget.spend()
            self._assign(first.target, item)
            if all(self.value(condition) for condition in first.ifs):
                if rest:
                    yield from self.rounds(rest)
                else:
                    yield

    def _assign(self, target: ast.expr, value: Any) -> None:  # noqa: ANN401 (any item of a list)
        if isinstance(target, ast.Name):
            _require_open(target.id)
            self._local[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for part, item in zip(target.elts, value, strict=True):
                self._assign(part, item)
        else:
            raise Refused("only names are set in a comprehension")


def _require_open(name: str) -> None:
    if name.startswith("__"):
        raise Refused(f"the name {name} is not allowed in an expression")


def _require_small(sign: ast.operator, left: object, right: object) -> None:
    """Raise Refused before a result is made that is too large."""
    if isinstance(sign, ast.Mod) and isinstance(left, str):
        _require_format(left)
    if isinstance(sign, ast.Mult) and isinstance(left, int):
        left, right = right, left
    if not isinstance(right, int):
        return
    if isinstance(left, int):
        if isinstance(sign, ast.Pow):
            require_bits(left.bit_length() * abs(right))
        elif isinstance(sign, ast.LShift):
            require_bits(left.bit_length() + right)
    elif isinstance(sign, ast.Mult) and isinstance(left, str | list | tuple):
        require_items((1 if isinstance(left, str) else ITEM) * len(left) * right)


def _require_format(text: str) -> None:
    """Raise Refused for a format whose width is long or given by a value."""
    if len(text) > _LONGEST_FORMAT:
        raise Refused(f"a format is longer than {_LONGEST_FORMAT} characters")
    for found in re.finditer(r"%(?:\([^)]*\))?[-+ #0-9.*]*", text):
        digits = re.findall(r"\d+", found[0].rpartition(")")[2])
        if "*" in found[0] or any(len(part) > _MOST_FORMAT_DIGITS for part in digits):
            raise Refused("a format is wider than any number")
