"""xacro files are data: they run no code, read nothing of others, and come to an end."""

import os
import resource

import pytest

from footfall.errors import ModelError
from footfall.plants.loading import expansion
from footfall.plants.loading.load import read_file
from footfall.plants.loading.uris import known_packages
from footfall.resources import model_file
from footfall.trust import is_trusted, trust, trusting_all

ROBOT = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n{}\n</robot>'
EXPRESSION = '<link name="a"/><xacro:property name="l" value="b{}"/><link name="${{l}}"/>'
FAR = "1000000000"


def _eval(text):
    """A `$(eval ...)`, whose text comes from elsewhere, as it ends at the first bracket."""
    return f'$(eval ${{code}})"/><xacro:property name="code" value="{text}'


# Each wants to run code, or a way to it. OUT is a file that it would make.
CODE = {
    "a class": "${().__class__.__base__.__subclasses__()}",
    "a class in wide letters": "${().__\uff43lass__}",
    "a lambda": "${(lambda: ().__class__.__base__.__subclasses__())()}",
    "a list": "${[x.__class__ for x in [1]]}",
    "a frame": "${[g.gi_frame.f_back.f_back.f_builtins for g in [(1 for x in [1])]]}",
    "a frame of a generator": "${(x for x in [1]).gi_frame}",
    "the code of a generator": "${(x for x in [1]).gi_code}",
    "a name in parts": "${python.vars(python.type)['_' + '_subclasses_' + '_']}",
    "a format": "${'0.__class__'.format_map([1])}",
    "a format with braces": "${('%c0.__class__%c' % (123, 125)).format(1)}",
    "a format as a function": "${list(map(str.format, ['0'], [1]))}",
    "a format as a key": "${max(['0'], key='0'.format)}",
    "an f-string": "${f'()'}",
    "a module behind a function": "${xacro.load_yaml.__globals__['os'].system('touch OUT')}",
    "a module behind math": "${math.__loader__}",
    "a module behind math by its mapping": "${math.__dict__}",
    "a module behind a wrapper": "${load_yaml.__closure__}",
    "builtins": "${__builtins__}",
    "builtins of a namespace": "${python.__builtins__}",
    "a method as a function": "${'a'.join.__self__.__class__}",
    "a class that is made": "${python.type('X', (), dict())}",
    "a class that a class makes": "${python.type(python.type)('X', (), dict())}",
    "a class by a mapping": "${list(map(python.type, ['X'], [()], [dict()]))}",
    "a mapping over methods": "${list(map(python.type.mro, [1]))}",
    "the order of classes": "${python.int.mro()}",
    "numbers out of bytes": "${python.int.from_bytes}",
    "variables": "${python.vars(math)}",
    "a mapping that is changed": "${python.update(dict(len=1))}",
    "a namespace that is emptied": "${xacro.clear()}",
    "an entry that is taken out": "${math.pop('pi')}",
    "a list that grows": "${[].append(1)}",
    "an item that a loop sets": "${[0 for python['len'] in [1]]}",
    "an attribute that a loop sets": "${[0 for python.len in [1]]}",
    "an assignment": "${[y := 1]}",
    "an unpacking": "${max(*[1, 2])}",
    "a yield": "${(yield 1)}",
    "an await": "${await 1}",
    "print": "${print(1)}",
    "open": "${open('OUT', 'w')}",
    "import": "${__import__('os').system('touch OUT')}",
    "getattr": "${getattr(1, 'real')}",
    "evaluation": "${eval('1')}",
    "two statements": "${1; 2}",
    "an import statement": "${import os}",
    "a name with underscores for an argument": "${dict(__class__=1)}",
    "a name with underscores in a loop": "${[1 for __builtins__ in [dict()]]}",
    "eval": _eval("().__class__"),
    "eval in a function": _eval("[x for x in (lambda: open('OUT', 'w'))()]"),
    "eval that opens": _eval("open('OUT', 'w')"),
    "eval that imports": _eval("__import__('os').system('touch OUT')"),
    "eval without underscores": _eval("[g.gi_frame for g in [(1 for x in [1])]]"),
    "eval that makes a class": _eval("type('X', (), dict())"),
    "an argument that is an expression": "${$(arg code)}",
}
PLAIN = ("print", "open", "getattr", "evaluation", "eval that opens")  # names that nobody defined
NO_EXPRESSION = ("two statements", "an import statement")

# Each wants more than a robot needs. Some are harmless when worked out well.
GREED = {
    "a power": "${9**9**9}",
    "a power of a negative": "${(-9)**(9**9)}",
    "a shift": f"${{1 &lt;&lt; {FAR}}}",
    "a text": f"${{'a' * {FAR}}}",
    "a list": f"${{[1] * {FAR}}}",
    "a number of lists": f"${{{FAR} * [1]}}",
    "lists of lists": "${[[x for x in range(99999)] for y in range(99999)]}",
    "a range": f"${{list(range({FAR}))}}",
    "a sum": f"${{python.sum(range({FAR}))}}",
    "keys of one hash": "${len(python.set([k * (2**61 - 1) for k in range(9999)]))}",
    "more keys of one hash": "${len(python.set([(a * 9999 + b) * (2**61 - 1)"
    " for a in range(9999) for b in range(9999)]))}",
    "a factorial": f"${{math.factorial({FAR})}}",
    "a rounding": f"${{round(5, -{FAR})}}",
    "a format": "${'%999999999d' % 1}",
    "a format of a given width": "${'%*d' % (999999999, 1)}",
    "loops": "${len([1 for a in range(9999) for b in range(9999) for c in range(9999)])}",
    "a generator": f"${{max(a for a in range({FAR}))}}",
    "combinations": "${len([1 for a in range(99) for b in range(99) for c in range(99)"
    " if math.comb(9000, 4500) is None])}",
    "the largest again": "${[max(range(90000)) for i in range(90000)]}",
    "many methods": "${[('a' * 99999).count('a') for i in range(90000)]}",
    "a replacement": "${('a' * 99999).replace('a', 'b' * 99999)}",
    "a text out of parts": "${('b' * 99999).join(list('a' * 99999))}",
    "brackets": "${" + "(" * 5000 + ")" * 5000 + "}",
    "signs": "${" + "-" * 9000 + "1}",
    "dots": "${l" + ".a" * 9000 + "}",
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
    "quotes": f'<xacro:macro name="m" params="a:={"&apos;a&apos;b" * 40}&apos;x"/><link name="a"/>',
}


def expand(tmp_path, body, *, name="r.urdf.xacro", **arguments):
    """The text that a body expands to."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ROBOT.format(body))
    with read_file(str(path), arguments, known_packages({})) as files:
        return files.mended.files[0].path.read_text()


def refusal(tmp_path, body, **named):
    with pytest.raises(ModelError) as refused:
        expand(tmp_path, body, **named)
    message = str(refused.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


@pytest.fixture
def hurried(monkeypatch):
    """Let the expansion of a file take less time than the tests of so many files."""
    monkeypatch.setattr(expansion, "_SECONDS", 0.1)


@pytest.mark.parametrize("way", CODE)
def test_an_expression_runs_no_code(way, tmp_path):
    out = tmp_path / "out"
    head = '<xacro:arg name="code" default="().__class__"/>'
    message = refusal(tmp_path, head + EXPRESSION.format(CODE[way].replace("OUT", str(out))))
    assert "r.urdf.xacro:2: " in message
    wanted = (
        "no property" if way in PLAIN else "no expression" if way in NO_EXPRESSION else "--trust"
    )
    assert wanted in message
    assert not out.exists()


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("way", GREED)
def test_an_expression_that_takes_too_much_is_refused(way, tmp_path):
    started = child_time()
    try:
        expand(tmp_path, EXPRESSION.format(GREED[way]))
    except ModelError as refused:
        assert "r.urdf.xacro:" in str(refused)  # noqa: PT017 (some are harmless when worked out well)
    else:
        assert way in ("a split by a pattern", "many methods", "keys of one hash")
    assert child_time() - started < 1


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("way", GREEDY_FILES)
def test_a_file_that_grows_without_bound_is_refused(way, tmp_path):
    started = child_time()
    if way == "quotes":  # harmless, though xacro reads the parameters of macros by a pattern
        expand(tmp_path, GREEDY_FILES[way])
    else:
        assert "--trust" in refusal(tmp_path, GREEDY_FILES[way])
    assert child_time() - started < 1


def child_time():
    """Computing of the processes that were started and have ended [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("value", ["().__class__", "9**9**9"])
def test_an_argument_of_a_robot_that_ships_is_no_way_to_code(value):
    file = model_file("humanoid", arguments=True)
    with (
        pytest.raises(ModelError, match="--trust"),
        read_file(file, {"hat_centre": value}, known_packages({})),
    ):
        pass


READING = {
    "env": "$(env FOOTFALL_SECRET)",
    "optenv": "$(optenv FOOTFALL_SECRET none)",
    "env in eval": _eval("env('FOOTFALL_SECRET')"),
    "optenv in eval": _eval("optenv('FOOTFALL_SECRET', 'none')"),
    "a file by its path": "${xacro.load_yaml('SECRET')['key']}",
    "a file from here": "${xacro.load_yaml('../secret.yaml')['key']}",
    "a file of a package": "${xacro.load_yaml('package://robot/../secret.yaml')['key']}",
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


def test_a_package_that_is_the_users_home_opens_no_file_of_it(tmp_path, monkeypatch):
    """As after a robot was unpacked there, package.xml and all."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "package.xml").write_text("<package><name>own</name></package>")
    (tmp_path / "secret.yaml").write_text("key: sesame")
    for file in ("../secret.yaml", "package://own/secret.yaml", "$(find own)/secret.yaml"):
        body = EXPRESSION.format("${xacro.load_yaml('FILE')}".replace("FILE", file))
        assert "lies outside" in refusal(tmp_path, body, name="robot/r.urdf.xacro")


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


DOUBLED = "a: &a0 [1]\n" + "".join(f"b{k}: &a{k + 1} [*a{k}, *a{k}]\n" for k in range(40))


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (DOUBLED, "--trust"),
        ("[" * 3000, ""),
        ("!!int abc", "'abc'"),
        ("!!python/object/apply:os.system ['touch OUT']", "could not determine a constructor"),
        ("!degrees ().__class__", "--trust"),
    ],
)
def test_a_yaml_file_of_a_model_is_data(tmp_path, text, wanted):
    (tmp_path / "n.yaml").write_text(text.replace("OUT", str(tmp_path / "out")))
    assert wanted in refusal(tmp_path, EXPRESSION.format("${xacro.load_yaml('n.yaml')}"))
    assert not (tmp_path / "out").exists()


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
