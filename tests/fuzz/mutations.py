"""Files of models and scenarios with seeded faults, as people and programs make them."""

import random
import re
from pathlib import Path

from footfall.resources import share_root

BASES = {  # by their kind; behind the colon a link that the ground holds
    "urdf": (
        *(
            "urdf/ball/ball.urdf",
            "urdf/hopper/hopper.urdf:ground",
            "urdf/compass/compass.urdf:slope",
        ),
        *("urdf/verification/four_bar.urdf:base", "urdf/verification/rod.urdf:ground"),
        "urdf/quadruped/quadruped.urdf",
    ),
    "sdf": (
        *("sdf/goalkeeper/ball.sdf", "sdf/toys/cart.sdf", "sdf/ugv/ugv.sdf:ground"),
        "sdf/verification/belt.sdf",
    ),
    "xacro": ("urdf/hopper/hopper.urdf.xacro:ground", "urdf/compass/compass.urdf.xacro:slope"),
    "yaml": ("smoke.yaml",),
    "mjcf": ("robot.xml",),
}
MJCF = 1_000_000  # seeds from here on are of files of MuJoCo
ENDINGS = {"mjcf": ".xml", "urdf": ".urdf", "sdf": ".sdf", "xacro": ".urdf.xacro", "yaml": ".yaml"}
_KINDS = ("urdf", "urdf", "sdf", "xacro", "yaml")

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
    *("__", "A" * 5000, "-", "!Posture {}", "&a", "*a", "'", '"', "\\"),
)
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
_VALUE = re.compile(r'(?<==")[^"]*(?=")|(?<=: )[^\n{}\[\],]+|(?<=>)[^<>\n]+(?=<)')
_ELEMENT = re.compile(r"<(\w[\w:]*)[^<>]*/>|<(\w[\w:]*)[^<>]*>[^<>]*</\2>")
_NAME = re.compile(r"(?<=<)/?\w[\w:]*|\b\w+(?==\")|\b\w+(?=:)")


def mutated(seed: int) -> tuple[str, str, str]:
    """The ending of a file, a text with one to four faults that follow from a seed, a held link."""
    chance = random.Random(seed)  # noqa: S311 (faults are no secrets)
    kind = chance.choice(_KINDS) if seed < MJCF else "mjcf"
    name, _, held = chance.choice(BASES[kind]).partition(":")
    text = _text(kind, name)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        text = chance.choice(_MUTATIONS)(text, chance)
    return ENDINGS[kind], text, held


def _text(kind: str, name: str) -> str:
    if kind == "mjcf":
        return Path(__file__).with_name(name).read_text(encoding="utf-8")
    if kind != "yaml":
        return (share_root() / name).read_text(encoding="utf-8")
    import footfall.scenario

    whole = (Path(footfall.scenario.__file__).parent / "data" / name).read_text(encoding="utf-8")
    scenario = whole.partition("OneOfEverything:\n")[2].partition("\n\n")[0]
    return re.sub("^  ", "", scenario, flags=re.MULTILINE)


def _replaced(pattern, text, chance, new):
    """The text with one match of a pattern replaced by what a function makes of it."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = chance.choice(found)
    return text[: one.start()] + new(one[0]) + text[one.end() :]


def _number(text, chance):
    return _replaced(_NUMBER, text, chance, lambda _: chance.choice(_STRANGE))


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


_MUTATIONS = (
    *(_number, _number, _value, _value, _other_value, _without_element, _twice, _elsewhere),
    *(_name, _cut, _line, _noise),
)
