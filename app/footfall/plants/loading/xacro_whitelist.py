"""Whitelist of Python's syntax in front of the evaluation of expressions by the xacro library.

The library evaluates with Python's own `eval`, and only what is listed here comes to it.
`value.name` is no attribute but what a namespace of xacro or a mapping of YAML has under that
name; the attributes proper are a few methods, which are harmless for whatever has them.
"""

import ast
from functools import cache

from footfall.errors import ModelError

PART = "_part"
"""Name under which an expression finds `part`."""

_NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Subscript),
    *(ast.Slice, ast.Call, ast.keyword, ast.IfExp, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
)
_METHODS = frozenset(
    (
        *("capitalize", "count", "endswith", "find", "get", "imag", "index", "is_integer"),
        *("isalpha", "isdigit", "isspace", "items", "join", "keys", "lower", "lstrip", "real"),
        *("removeprefix", "removesuffix", "replace", "rfind", "rstrip", "split", "startswith"),
        *("strip", "title", "upper", "values"),
    )
)
_WORDS = {  # what people may try, in the words of Python's documentation
    ast.Lambda: "a lambda",
    ast.JoinedStr: "an f-string",
    ast.NamedExpr: "an assignment",
    ast.Starred: "an unpacking",
}


class Refused(ModelError):
    """A file asks for what a model does not get; the place goes in front of the message."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what}. A model file is data: correct it, or use --trust (in Python trust=True) if "
            "you trust who wrote it."
        )


@cache
def allowed(expression: str) -> str:
    """Return an expression as the library may evaluate it, with `part` for `value.name`.

    Raises Refused for what is not listed, SyntaxError and the like for what is no expression.
    """
    try:
        tree = _Whitelist().visit(ast.parse(expression.strip(), "<expression>", "eval"))
        return ast.unparse(ast.fix_missing_locations(tree))
    except (MemoryError, ValueError) as error:  # too deep, too many digits, a null character
        raise Refused("an expression cannot be parsed") from error


def part(value: object, name: str) -> object:
    """Return what a namespace or mapping has under a name; raises Refused for anything else."""
    if isinstance(value, dict) and (name in value or not hasattr(dict, name)):
        return value[name]
    raise Refused(f"the attribute {name} of a {type(value).__name__} is not allowed")


class _Whitelist(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST:
        """Take a node that is listed, and those in it."""
        if not isinstance(node, _NODES):
            what = _WORDS.get(type(node), type(node).__name__)
            raise Refused(f"{what} is not allowed in an expression")
        for name in ("id", "attr", "arg"):
            _require_open(getattr(node, name, None) or "")
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            raise Refused("only names are set in a comprehension")
        changed: ast.AST = super().visit(node)
        return changed

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace what is no method of the list by a call of `part`."""
        self.generic_visit(node)
        if node.attr in _METHODS:
            return node
        return ast.Call(ast.Name(PART, ast.Load()), [node.value, ast.Constant(node.attr)], [])


def _require_open(name: str) -> None:
    if name.startswith("__"):
        raise Refused(f"the name {name} is not allowed in an expression")
