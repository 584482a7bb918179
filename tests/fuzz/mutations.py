"""Files of models and scenarios with seeded faults, as people and programs make them."""

import copy
import functools
import random
import re
from pathlib import Path

from pydrake.common.yaml import yaml_dump

from footfall.overrides import read_yaml
from footfall.resources import share_root
from footfall.scenario.names import find_scenario, scenario_names

MODEL, SCENARIO = "model", "scenario"
_MODELS = {  # by their ending; behind the colon a link that the ground holds
    ".urdf": (
        *("ball/ball.urdf", "hopper/hopper.urdf:ground", "compass/compass.urdf:slope"),
        *("verification/four_bar.urdf:base", "verification/rod.urdf:ground"),
        "quadruped/quadruped.urdf",
    ),
    ".sdf": (
        *("goalkeeper/ball.sdf", "toys/cart.sdf", "ugv/ugv.sdf:ground"),
        "verification/belt.sdf",
    ),
    ".urdf.xacro": ("hopper/hopper.urdf.xacro:ground", "compass/compass.urdf.xacro:slope"),
    ".xml": ("robot.xml",),  # of MuJoCo
}
_ENDINGS = (".urdf", ".urdf", ".sdf", ".urdf.xacro", ".xml")

_STRANGE = (
    *("2", "0.5", "0.01", "-0.3", "3", "0.1 0 0", "0 0 1", "1e-3", "100", "robot", "part"),
    *("", " ", "nan", "inf", "-inf", "-1", "0", "1e999", "-0.0", "1e-320", "1e300", "abc", "1 2"),
    *("1 2 3 4 5 6 7", "9" * 400, "0x10", "1,5", "true", "null", "~", "[]", "{}", "[1, [2]]"),
    *("!!int abc", "2020-13-45", "a::b", "::", "world", "package://nobody/x.obj"),
    *("package://drake_models/a.obj", "file:///", "../..", "/dev/null", "$(arg x)", "${x}"),
    *(
        "${1/0}",
        "${[}",
        "$(find no)",
        "${().__class__}",
        "\u00e4\u20ac\U0001f600",
        "&amp;",
        "%s",
        "*",
    ),
    *("__", "A" * 5000, "-", "!Posture {}", "!Nope {}", "&a", "*a", "'", '"', "\\", "=", "<<"),
    *("$\\frac{$", "$(prefix)_${side}$", "0 0", "on", "1: 2", "{1: {}}", "\x00"),
)
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
_VALUE = re.compile(r'(?<==")[^"]*(?=")|(?<=: )[^\n{}\[\],]+|(?<=>)[^<>\n]+(?=<)')
_ELEMENT = re.compile(r"<(\w[\w:]*)[^<>]*/>|<(\w[\w:]*)[^<>]*>[^<>]*</\2>")
_NAME = re.compile(r"(?<=<)/?\w[\w:]*|\b\w+(?==\")|\b\w+(?=:)")


def mutated(what: str, seed: int) -> tuple[str, bytes, str]:
    """The ending of a file, its content with one to four faults out of a seed, a held link.

    what: MODEL or SCENARIO.
    """
    chance = random.Random(f"{what} {seed}")  # noqa: S311 (faults are no secrets)
    held, mutations = "", _MUTATIONS
    if what == MODEL:
        ending = chance.choice(_ENDINGS)
        name, _, held = chance.choice(_MODELS[ending]).partition(":")
        text = _folder(ending).joinpath(name).read_text(encoding="utf-8")
    else:
        ending, text = ".yaml", yaml_dump(chance.choice(_scenarios()))
        mutations = (*_MUTATIONS, *[_graft] * 8)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        text = chance.choice(mutations)(text, chance)
    content = text.encode(errors="surrogatepass") if what == SCENARIO else _encoded(text, chance)
    return ending, content, held


def _folder(ending: str) -> Path:
    if ending == ".xml":
        return Path(__file__).parent
    return share_root() / ("sdf" if ending == ".sdf" else "urdf")


@functools.cache
def _scenarios() -> list[dict]:
    """All scenarios that ship, as YAML has them."""
    found = []
    for name in scenario_names():
        file, inside = find_scenario(name)
        found.append(_file(file)[inside])
    return found


@functools.cache
def _file(file: Path) -> dict:
    return read_yaml(file.read_text(encoding="utf-8"))


def _encoded(text: str, chance: random.Random) -> bytes:
    """The text in UTF-8 mostly, and mostly as it declares."""
    declared = chance.choice((None,) * 9 + ("utf-8", "ISO-8859-1", "UTF-16", "nothing"))
    if declared is not None:
        text = re.sub(r"^<\?xml.*?\?>", "", text.replace("Hopper", "Höpper"))
        text = f'<?xml version="1.0" encoding="{declared}"?>{text}'
    encoding = chance.choice(("utf-8", "utf-8", "latin-1", "utf-16")) if declared else "utf-8"
    return text.encode(encoding, errors="replace" if declared else "surrogatepass")


def _replaced(pattern, text, chance, new):
    """The text with one match of a pattern replaced by what a function makes of it."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = chance.choice(found)
    return text[: one.start()] + new(one[0]) + text[one.end() :]


def _number(text, chance):
    return _replaced(_NUMBER, text, chance, lambda _: chance.choice(_STRANGE))


def _other_size(text, chance):
    """A number that is larger or smaller, of the same sign mostly: what is read and simulated."""
    factor = chance.choice((0.0, 1e-9, 0.01, 0.5, 0.9, 1.1, 2.0, 100.0, 1e9, -1.0))
    return _replaced(_NUMBER, text, chance, lambda old: repr(float(old) * factor))


def _value(text, chance):
    return _replaced(_VALUE, text, chance, lambda _: chance.choice(_STRANGE))


def _other_value(text, chance):
    values = [found[0] for found in _VALUE.finditer(text)]
    return _replaced(_VALUE, text, chance, lambda old: chance.choice(values or [old]))


def _without_element(text, chance):
    return _replaced(_ELEMENT, text, chance, lambda _: "")


def _twice(text, chance):
    return _replaced(_ELEMENT, text, chance, lambda old: old + old)


def _elsewhere(text, chance):
    elements = [found[0] for found in _ELEMENT.finditer(text)]
    return _replaced(_ELEMENT, text, chance, lambda old: chance.choice(elements or [old]))


def _name(text, chance):
    names = [found[0] for found in _NAME.finditer(text)]
    return _replaced(_NAME, text, chance, lambda old: chance.choice([*names, old[:-1], old + "x"]))


def _cut(text, chance):
    begin = chance.randrange(len(text) + 1)
    return text[:begin] + text[begin + chance.choice((1, 1, 5, 50, 10**6)) :]


def _line(text, chance):
    lines = text.split("\n")
    index = chance.randrange(len(lines))
    lines[index : index + 1] = chance.choice(([], [lines[index]] * 2, ["  " + lines[index]]))
    return "\n".join(lines)


def _noise(text, chance):
    at = chance.randrange(len(text) + 1)
    noise = "".join(chance.choice("<>/=\"'&;${}()[]:-\n\t\x00\ufeff a1") for _ in range(5))
    return text[:at] + noise + text[at:]


def _graft(text, chance):
    """A scenario with a part of another one, or of itself, or what is no part, in some place."""
    try:
        mapping = copy.deepcopy(read_yaml(text))
        groups = [part for part in _groups(mapping) if part]
        group = chance.choice(groups)
    except Exception:  # noqa: BLE001 (what was spoilt before)
        return text
    key = chance.choice(list(group) if isinstance(group, dict) else range(len(group)))
    others = [part for part in _groups(chance.choice(_scenarios())) if isinstance(part, dict)]
    other = chance.choice([part for part in others if part])
    same = [one[key] for one in _scenarios() if isinstance(one, dict) and key in one]
    value = chance.choice((
        *(chance.choice(same or [None]),) * 3,
        *(other, chance.choice(list(other.values())), group, [group[key]], {}, [], None),
        *({1: group[key], "a": 2}, True, 0, -1, float("nan"), float("inf"), "", 10**30),
        {"_tag": "!Nope"},
    ))  # fmt: skip
    if isinstance(group, dict) and chance.random() < 0.2:
        key = chance.choice((*other, 1, None, 2.5, True, "a b"))
    group[key] = copy.deepcopy(value)
    try:
        return yaml_dump(mapping)
    except Exception:  # noqa: BLE001 (which no file can hold)
        return text


def _groups(value):
    """All groups and lists in a value."""
    if not isinstance(value, dict | list):
        return []
    parts = value.values() if isinstance(value, dict) else value
    return [value, *(inner for part in parts for inner in _groups(part))]


_MUTATIONS = (
    *(_number, _value, _value, _other_value, _without_element, _twice, _elsewhere),
    *(_other_size,) * 5,
    *(_name, _cut, _line, _noise),
)
