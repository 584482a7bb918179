"""A YAML loader for files of others: no depth, size or value of a text stops the program."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

_MOST_DEPTH = 50  # no scenario needs a fifth
_MOST_NODES = 200_000  # with all aliases written out
_SHOWN = 40  # characters of a value in a message

FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader of libyaml, five times as fast, where PyYAML was built with it."""


class BoundedLoader(FastLoader):
    """Safe loader whose only errors are yaml.YAMLError, with the line.

    Refuses nesting that is too deep, aliases that stand for too much, and values that their tag
    does not have (``!!int abc``, the date 2020-13-45, a number of 5,000 digits).
    """

    def __init__(self, stream: str) -> None:
        if _may_be_deep(stream):
            _require_shallow(stream)
        super().__init__(stream)

    def get_single_node(self) -> Node | None:
        """Return the document, unless it is too large with its aliases written out."""
        node: Node | None = super().get_single_node()
        if node is not None:
            _require_small(node, {})
        return node

    def construct_object(self, node: Node, deep: bool = False) -> Any:  # noqa: ANN401 (any value)
        """Return the value of a node; ConstructorError for one that its tag does not have."""
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, OverflowError, KeyError, AttributeError, TypeError) as error:
            kind = node.tag.rpartition(":")[2]
            raise _fault(f"{_shown(node)} is no {kind}", node.start_mark) from error


def _fault(problem: str, mark: Any) -> ConstructorError:  # noqa: ANN401 (of either reader)
    return ConstructorError(None, None, problem, mark)


def _may_be_deep(text: str) -> bool:
    """Return whether brackets or columns suffice for a depth that is worth a count."""
    if text.count("[") + text.count("{") > _MOST_DEPTH:
        return True
    return re.search(rf"^[ ?:\-\t]{{{_MOST_DEPTH // 2}}}", text, re.MULTILINE) is not None


def _require_shallow(text: str) -> None:
    """Raise a YAMLError for nesting that is too deep, which a recursive reader does not survive."""
    depth = 0
    for event in yaml.parse(text, Loader=FastLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MOST_DEPTH:
            problem = f"groups and lists are nested deeper than {_MOST_DEPTH}"
            raise _fault(problem, event.start_mark)


def _require_small(node: Node, known: dict[int, int]) -> int:
    """Return how many nodes there are in one, each alias counted in full."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = 0  # met again below itself
    if isinstance(node, MappingNode):
        parts = [part for pair in node.value for part in pair]
    else:
        parts = node.value if isinstance(node, SequenceNode) else []
    if any(known.get(id(part)) == 0 for part in parts):
        raise _fault("an alias stands within what it is an alias of", node.start_mark)
    size = 1 + sum(_require_small(part, known) for part in parts)
    if size > _MOST_NODES:
        raise _fault(f"aliases stand for more than {_MOST_NODES} values", node.start_mark)
    known[id(node)] = size
    return size


def _shown(node: Node) -> str:
    if not isinstance(node, ScalarNode):
        return "a group" if isinstance(node, MappingNode) else "a list"
    text = str(node.value)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"'{shown}'"


@cache
def table_beside(module: str, name: str) -> dict[str, Any]:
    """Return what a YAML file of footfall's own holds, which lies beside the file of a module."""
    text = Path(module).with_name(name).read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.load(text, Loader=FastLoader)  # noqa: S506 (a SafeLoader)
    return table
