"""The option ``--arg NAME=VALUE`` of commands that take a model file written in xacro."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from footfall.errors import ScenarioError

Value: TypeAlias = float | bool | int | str

Arguments = Annotated[
    list[str] | None,
    typer.Option("--arg", metavar="NAME=VALUE", help="argument of a .xacro file, as in mass=5"),
]


def read_arguments(given: Sequence[str] | None) -> dict[str, Value]:
    """Read ``--arg`` options: numbers and truth values as YAML has them, all else as text.

    Raises ScenarioError, one line, for one that is not NAME=VALUE or is given twice.
    """
    arguments: dict[str, Value] = {}
    for option in given or ():
        name, equals, text = option.partition("=")
        if not equals or not name.isidentifier():
            raise ScenarioError(f"--arg {option}: write it as NAME=VALUE, such as mass=5.")
        if name in arguments:
            raise ScenarioError(f"--arg {option}: {name} is given twice; leave one out.")
        arguments[name] = _value(text)
    return arguments


def _value(text: str) -> Value:
    import yaml

    from footfall.overrides import read_yaml

    try:
        value = read_yaml(text)
    except (yaml.YAMLError, ValueError):
        return text
    return value if isinstance(value, bool | int | float | str) else text
