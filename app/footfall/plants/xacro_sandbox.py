"""xacro kept from code, the environment and files of others: a model file is data.

Its expressions are carried out by `xacro_expressions`; what it reads has to lie with the model; and
what one file may ask for is bounded.
"""

import errno
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from footfall.plants.xacro_expressions import Evaluator
from footfall.plants.xacro_limits import Budget, Refused, XacroValue, require_items
from footfall.plants.xacro_names import functions_among, names_of_eval, names_of_xacro
from footfall.plants.xacro_places import Places
from footfall.yaml_loader import BoundedLoader

_LONGEST_PARAMETERS = 10_000  # characters
_LARGEST_YAML = 1_000_000  # bytes
_BYTES = 2  # of YAML whose reading is one unit of work

# as xacro has it, but with one way to read a text: xacro's takes time beyond measure for some
_MACRO_PARAMETER = re.compile(
    r"^\s*([^\s:=]+?)\s*:?=\s*(\^\|?)?"
    r"""(\$\{.*?\}|\$\(.*?\)|(?:'[^']*'|"[^"]*"|[^\s'"])+|)(?:\s+|$)(.*)"""
)


class Sandbox:
    """Replacements of parts of xacro while one file is expanded.

    places: where files may lie that it reads. find: folder of a package by name.
    """

    def __init__(
        self,
        xacro: ModuleType,
        places: Places,
        find: Callable[[str], str],
        absolute: Callable[[str], str],
    ) -> None:
        self._xacro: Any = xacro
        self._places = places
        self._find = find
        self._absolute = absolute
        self._budget = Budget()
        own = {
            "load_yaml": self._load_yaml,
            "abs_filename": self._file,
            "dotify": xacro.YamlDictWrapper,
            "arg": lambda name: xacro.substitution_args_context["arg"][name],
            "fatal": self._fatal,
        }
        self._evaluate = self._evaluator(names_of_xacro(own, self._budget))

    def hooks(self) -> list[tuple[Any, str, object]]:
        """Return (module or class, name, value) of what is put in place."""
        xacro, substitution = self._xacro, self._xacro.substitution_args
        return [
            (xacro, "safe_eval", self._expression),
            (xacro, "abs_filename_spec", self._file),
            (xacro, "eval_extension", self._extension(xacro.eval_extension)),
            (xacro, "replace_node", self._replacing(xacro.replace_node)),
            (xacro, "parse_macro_arg", self._parameter(xacro.parse_macro_arg)),
            (xacro, "re_macro_arg", _MACRO_PARAMETER),
            (xacro.QuickLexer, "lex", self._lexing(xacro.QuickLexer.lex)),
            (substitution, "_eval_env", _environment),
            (substitution, "_eval_optenv", _optional_environment),
            (substitution, "_eval", self._eval),
        ]

    def _evaluator(self, names: Mapping[str, object]) -> Evaluator:
        return Evaluator(names, functions_among(names), self._member, self._budget)

    def _expression(self, text: str, table: XacroValue, _local: object = None) -> object:
        """Carry out `${...}`."""
        return self._budget.bounded(self._evaluate(text, lambda name: self._property(table, name)))

    def _property(self, table: XacroValue, name: str) -> object:
        """Property of a file, by a scope; KeyError for what only xacro itself defines."""
        while isinstance(table, self._xacro.Table):
            if dict.__contains__(table, name):
                return table[name]
            table = table.parent
        raise KeyError(name)

    def _member(self, value: object, name: str) -> object:
        """Property of a namespace of the file, or value under a key of YAML."""
        if isinstance(value, self._xacro.NameSpace):
            return self._property(value, name)
        if isinstance(value, self._xacro.YamlDictWrapper):
            return getattr(value, name)
        raise KeyError(name)

    def _eval(self, text: str, context: Mapping[str, Any]) -> str:
        """Carry out `$(eval ...)`, which knows arguments instead of properties."""
        substitution, arguments = self._xacro.substitution_args, context.get("arg", {})

        def argument(name: str) -> object:
            return substitution.convert_value(arguments[name], "auto")

        own = {
            "arg": argument,
            "env": _environment,
            "optenv": _optional_environment,
            "find": self._find,
        }
        names = names_of_eval(own, self._budget)

        def lookup(name: str) -> object:
            if name in names:
                raise KeyError(name)
            return argument(name)

        return str(self._evaluator(names)(text, lookup))

    def _file(self, name: str) -> str:
        """Return the file that a name means, or the pattern of several."""
        path: str = self._absolute(name)
        self._places.require(path)
        return path

    def _load_yaml(self, name: str) -> object:
        """Read a YAML file with xacro's units."""
        path = Path(self._file(name))
        if not path.is_file():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        size = path.stat().st_size
        if size > _LARGEST_YAML:
            raise Refused(f"{path} is larger than {_LARGEST_YAML} bytes")
        self._budget.spend(size // _BYTES)

        class Loader(BoundedLoader):
            """Loader of numbers with xacro's units."""

        for unit in self._xacro.ConstructUnits:
            Loader.add_constructor(unit.value.tag, unit.constructor)
        self._xacro.filestack.append(str(path))
        try:
            content = yaml.load(path.read_text(encoding="utf-8"), Loader=Loader)  # noqa: S506 (a SafeLoader)
        finally:
            self._xacro.filestack.pop()
        self._budget.bounded(content)
        return self._xacro.YamlListWrapper.wrap(content)

    def _fatal(self, *words: object) -> None:
        raise self._xacro.XacroException(" ".join(map(str, words)))

    def _extension(self, extend: Callable[[str], object]) -> Callable[[str], object]:
        return lambda text: self._budget.bounded(extend(text))

    def _replacing(self, replace: Callable[..., None]) -> Callable[..., None]:
        def replacing(node: XacroValue, by: XacroValue, content_only: bool = False) -> None:
            for part in by if isinstance(by, list) else [by]:
                self._budget.spend_element()
                for _ in part.getElementsByTagName("*") if part is not None else ():
                    self._budget.spend_element()
            replace(node, by, content_only)

        return replacing

    def _parameter(self, parse: Callable[[str], object]) -> Callable[[str], object]:
        def parameter(text: str) -> object:
            if len(text) > _LONGEST_PARAMETERS:
                raise Refused(f"parameters of a macro have more than {_LONGEST_PARAMETERS} letters")
            return parse(text)

        return parameter

    def _lexing(self, lex: Callable[[Any, str], None]) -> Callable[[Any, str], None]:
        def lexing(lexer: object, text: str) -> None:
            if "$" in text:
                require_items(len(text))
                self._budget.bounded(text)
            lex(lexer, text)

        return lexing


def _environment(name: str) -> str:
    raise Refused(f"the file reads the environment variable {name}")


def _optional_environment(name: str, default: str = "") -> str:
    return _environment(name) if name in os.environ else default
