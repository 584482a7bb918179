"""xacro files are data: they run no code, read nothing of others, and come to an end."""

import os
import time
from pathlib import Path

import pytest

from footfall.errors import ModelError
from footfall.plants.model_check import known_packages
from footfall.plants.prepared_files import prepared_file
from footfall.trust import is_trusted, trust, trusting_all

ROBOT = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n{}\n</robot>'
EXPRESSION = '<link name="a"/><xacro:property name="l" value="b{}"/><link name="${{l}}"/>'
FAR = "1000000000"


def _eval(text):
    """A `$(eval ...)`, whose text comes from elsewhere, as it ends at the first bracket."""
    return f'$(eval ${{code}})"/><xacro:property name="code" value="{text}'


# Each wants to run code. OUT is a file that it would make.
CODE = {
    "a class": "${().__class__.__base__.__subclasses__()}",
    "a lambda": "${(lambda: ().__class__.__base__.__subclasses__())()}",
    "a list": "${[x.__class__ for x in [1]]}",
    "a frame": "${[g.gi_frame.f_back.f_back.f_builtins for g in [(1 for x in [1])]]}",
    "a name in parts": "${python.vars(python.type)['_' + '_subclasses_' + '_']}",
    "a format": "${'0.__class__'.format_map([1])}",
    "a format with braces": "${('%c0.__class__%c' % (123, 125)).format(1)}",
    "an f-string": "${f'()'}",
    "a module behind a function": "${xacro.load_yaml.__globals__['os'].system('touch OUT')}",
    "a module behind math": "${math.__loader__}",
    "a method as a function": "${'a'.join.__self__.__class__}",
    "a class that is made": "${python.type('X', (), dict())}",
    "a mapping over methods": "${list(map(python.type.mro, [1]))}",
    "an assignment": "${[y := 1]}",
    "print": "${print(1)}",
    "eval": _eval("().__class__"),
    "eval in a function": _eval("[x for x in (lambda: open('OUT', 'w'))()]"),
    "eval that opens": _eval("open('OUT', 'w')"),
    "eval without underscores": _eval("[g.gi_frame for g in [(1 for x in [1])]]"),
}

# Each wants more than a robot needs: to be refused before it takes long.
GREED = {
    "a power": "${9**9**9}",
    "a power of a negative": "${(-9)**(9**9)}",
    "a shift": f"${{1 << {FAR}}}",
    "a text": f"${{'a' * {FAR}}}",
    "a list": f"${{[1] * {FAR}}}",
    "a number of lists": f"${{{FAR} * [1]}}",
    "lists of lists": "${[[x for x in range(99999)] for y in range(99999)]}",
    "a range": f"${{list(range({FAR}))}}",
    "keys of one hash": "${len(python.set([k * (2**61 - 1) for k in range(9999)]))}",
    "more keys of one hash": "${len(python.set([(a * 9999 + b) * (2**61 - 1)"
    " for a in range(9999) for b in range(9999)]))}",
    "a factorial": f"${{math.factorial({FAR})}}",
    "a rounding": f"${{round(5, -{FAR})}}",
    "a format": "${'%999999999d' % 1}",
    "a format of a given width": "${'%*d' % (999999999, 1)}",
    "loops": "${len([1 for a in range(9999) for b in range(9999) for c in range(9999)])}",
    "combinations": "${len([1 for a in range(99) for b in range(99) for c in range(99)"
    " if math.comb(9000, 4500) is None])}",
    "the largest again": "${[max(range(90000)) for i in range(90000)]}",
    "many methods": "${[('a' * 99999).count('a') for i in range(90000)]}",
    "a replacement": "${('a' * 99999).replace('a', 'b' * 99999)}",
    "a text out of parts": "${('b' * 99999).join(list('a' * 99999))}",
    "brackets": "${" + "(" * 5000 + ")" * 5000 + "}",
    "signs": "${" + "-" * 9000 + "1}",
    "digits": "${" + "9" * 5000 + "}",
    "a split by a pattern": "${xacro.tokenize('" + "a" * 40 + "!', '](a+)+$[x')}",
}

DOUBLING = "".join(
    f'<xacro:property name="p{k + 1}" value="${{p{k}}}${{p{k}}}"/>' for k in range(60)
)
ARGUMENTS = "".join(
    f'<xacro:arg name="p{k + 1}" default="$(arg p{k})$(arg p{k})"/>' for k in range(60)
)
MACROS = "".join(
    f'<xacro:macro name="m{k + 1}"><xacro:m{k}/><xacro:m{k}/></xacro:macro>' for k in range(60)
)
BLOCKS = "".join(
    f'<xacro:macro name="m{k + 1}" params="*b"><xacro:m{k}><g><xacro:insert_block name="b"/>'
    '<xacro:insert_block name="b"/></g></xacro:m' + str(k) + "></xacro:macro>"
    for k in range(60)
)
# The same without one large expression.
GREEDY_FILES = {
    "properties": f'<xacro:property name="p0" value="xx"/>{DOUBLING}<link name="${{p60}}"/>',
    "arguments": f'<xacro:arg name="p0" default="xx"/>{ARGUMENTS}<link name="$(arg p60)"/>',
    "macros": f'<xacro:macro name="m0"><a/></xacro:macro>{MACROS}<xacro:m60/>',
    "blocks": '<xacro:macro name="m0" params="*b"><xacro:insert_block name="b"/></xacro:macro>'
    f"{BLOCKS}<xacro:m60><a/></xacro:m60>",
    "parameters": f'<xacro:macro name="m" params="a:={"a" * 60}&apos;"/><link name="a"/>',
    "quotes": f'<xacro:macro name="m" params="a:={"&apos;a&apos;b" * 40}&apos;"/><link name="a"/>',
}


def expand(tmp_path, body, *, name="r.urdf.xacro", **arguments):
    """The text that a body expands to."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ROBOT.format(body))
    with prepared_file(str(path), arguments, known_packages({})) as files:
        return Path(files.directives[0].add_model.file).read_text()


def refusal(tmp_path, body, **named):
    with pytest.raises(ModelError) as refused:
        expand(tmp_path, body, **named)
    message = str(refused.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


@pytest.mark.parametrize("way", CODE)
def test_an_expression_runs_no_code(way, tmp_path):
    out = tmp_path / "out"
    message = refusal(tmp_path, EXPRESSION.format(CODE[way].replace("OUT", str(out))))
    assert "r.urdf.xacro:2: " in message
    assert not out.exists()


@pytest.mark.parametrize("way", GREED)
def test_an_expression_that_takes_too_much_is_refused(way, tmp_path):
    started = time.process_time()
    try:
        expand(tmp_path, EXPRESSION.format(GREED[way]))
    except ModelError as refused:
        assert "r.urdf.xacro:2: " in str(refused)  # noqa: PT017 (some are harmless when worked out well)
    else:
        assert way == "a split by a pattern"
    assert time.process_time() - started < 10  # all that the bound allows is a second or two


@pytest.mark.parametrize("way", GREEDY_FILES)
def test_a_file_that_grows_without_bound_is_refused(way, tmp_path):
    started = time.process_time()
    if way in ("parameters", "quotes"):  # harmless when read well
        expand(tmp_path, GREEDY_FILES[way])
    else:
        refusal(tmp_path, GREEDY_FILES[way])
    assert time.process_time() - started < 10


READING = {
    "env": "$(env FOOTFALL_SECRET)",
    "optenv": "$(optenv FOOTFALL_SECRET none)",
    "env in eval": _eval("env('FOOTFALL_SECRET')"),
    "optenv in eval": _eval("optenv('FOOTFALL_SECRET', 'none')"),
    "a file by its path": "${xacro.load_yaml('SECRET')['key']}",
    "a file from here": "${xacro.load_yaml('../secret.yaml')['key']}",
    "a link": "${load_yaml('link.yaml')['key']}",
}


@pytest.mark.parametrize("way", READING)
def test_nothing_of_the_user_is_read_unless_the_file_is_trusted(way, tmp_path, monkeypatch):
    monkeypatch.setenv("FOOTFALL_SECRET", "sesame")
    secret = tmp_path / "secret.yaml"
    secret.write_text("key: sesame")
    (tmp_path / "robot").mkdir()
    (tmp_path / "robot" / "link.yaml").symlink_to(secret)
    body = EXPRESSION.format(
        READING[way].replace("SECRET'", f"{secret}'") if "yaml" in READING[way] else READING[way]
    )
    name = "robot/r.urdf.xacro"
    message = refusal(tmp_path, body, name=name)
    assert "sesame" not in message
    assert "--trust" in message
    with trusting_all():
        assert "bsesame" in expand(tmp_path, body, name=name)
    assert "FOOTFALL_TRUST" not in os.environ
    assert not is_trusted(name)


@pytest.mark.parametrize("include", ["{}/part.xacro", "../part.xacro", "{}/p*.xacro"])
def test_a_file_outside_of_the_model_is_not_included(tmp_path, include):
    (tmp_path / "part.xacro").write_text(ROBOT.format('<link name="far"/>'))
    body = f'<xacro:include filename="{include.format(tmp_path)}"/>'
    message = refusal(tmp_path, body, name="robot/r.urdf.xacro")
    assert "lies outside" in message
    assert "packages" in message


def test_files_of_the_models_own_folders_are_read(tmp_path):
    (tmp_path / "robot" / "config").mkdir(parents=True)
    (tmp_path / "robot" / "config" / "n.yaml").write_text("a: {b: !degrees 180, c: [7, 8]}")
    (tmp_path / "robot" / "config" / "part.xacro").write_text(ROBOT.format('<link name="far"/>'))
    body = (
        '<xacro:include filename="$(find robot)/config/part.xacro"/>'
        '<xacro:include filename="../config/p*.xacro"/>'
        '<xacro:property name="n" value="${xacro.load_yaml(\'../config/n.yaml\')}"/>'
        "<link name=\"k${round(n['a']['b'], 2)}_${n.a.c[-1]}_${n['a'].get('d', 5)}\"/>"
    )
    assert '"k3.14_8_5"' in expand(tmp_path, body, name="robot/urdf/r.urdf.xacro")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a: &a0 [1]\n" + "".join(f"b{k}: &a{k + 1} [*a{k}, *a{k}]\n" for k in range(40)),
            "aliases",
        ),
        ("[" * 3000, "nested"),
        ("!!int abc", "'abc' is no int"),
    ],
)
def test_a_yaml_file_of_a_model_that_takes_too_much_is_refused(tmp_path, text, said):
    (tmp_path / "n.yaml").write_text(text)
    assert said in refusal(tmp_path, EXPRESSION.format("${xacro.load_yaml('n.yaml')}"))


def test_a_yaml_file_is_not_read_again_and_again(tmp_path):
    (tmp_path / "n.yaml").write_text(f"a: 1\n# {'x' * 900_000}\n")
    started = time.process_time()
    greedy = "${[load_yaml('n.yaml') for a in range(90) for b in range(90)]}"
    assert "more computing" in refusal(tmp_path, EXPRESSION.format(greedy))
    assert time.process_time() - started < 10


# What xacro files of robots compute, and what Python makes of it.
COMPUTED = {
    "${python.sum([m * python.abs(-1) for m in [1.0, 2.0]])}": "3.0",
    "${'left_'.rstrip('_') + '%03d' % 7}": "left007",
    "${-1 if 'a' in 'abc' and not 0 else 1}": "-1",
    "${2**-1 * pi / math.radians(180)}": "0.5",
    "${[x for x in range(9) if x % 2][1:]}": "[3, 5, 7]",
    "${' '.join([str(x) for x in [1, 2]])}": "1 2",
    "${dict(a=1, b=2)['b']}": "2",
    "${[[i, j] for i, j in python.zip([1, 2], [3, 4])][-1]}": "[2, 4]",
    "${xacro.tokenize('1 2;3')[2]}": "3",
    "${max([1, 5], key=python.abs)} ${sorted([3, 1], reverse=True)[0]}": "5 3",
    "${list(map(float, '1 2'.split()))[0]}": "1.0",
    "${1 &lt; 2 &lt; 3} ${7 // 2} ${~1} ${5 &amp; 4 | 1 ^ 2}": "True 3 -2 7",
    "${python.isinstance('a', str)} ${len(list(python.enumerate('ab')))}": "True 2",
    "${(1 / 1j).imag + python.complex(2, 1).real}": "1.0",
    "${1e3 * 2} ${int('12') + float('.5')} ${l[0]}": "2000.0 12.5 [",
    "$(eval 1 + 2)": "3",
    _eval("max(arg('n'), 2) * n"): "9",
}


@pytest.mark.parametrize("expression", COMPUTED)
def test_expressions_that_compute_give_what_python_gives(tmp_path, expression):
    head = '<xacro:arg name="n" default="3"/><xacro:property name="l" value="[1]"/>'
    body = head + f'<xacro:property name="it" value="{expression}"/><link name="${{it}}"/>'
    assert f'name="{COMPUTED[expression]}"' in expand(tmp_path, body)
    with trusting_all():
        if "code" not in expression:  # of which xacro has less
            assert f'name="{COMPUTED[expression]}"' in expand(tmp_path, body)


def test_one_file_is_trusted_and_not_another(tmp_path, monkeypatch):
    monkeypatch.setenv("FOOTFALL_TRUST", "")
    body = EXPRESSION.format("${(lambda: 5)()}")
    trust([str(tmp_path / "mine.xacro")])
    assert '"b5"' in expand(tmp_path, body, name="mine.xacro")
    assert "a lambda is not allowed" in refusal(tmp_path, body, name="other.xacro")
