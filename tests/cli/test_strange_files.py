"""Files that are not what they say: every command that reads one refuses it in one line.

Commands are called as functions, which print what they would raise in one line.
"""

import struct
import zlib

import numpy as np
import pytest

from footfall.errors import FootfallError
from footfall.plants.repair import repair_urdf
from footfall.scenario.assemble import build_robot
from footfall.scenario.drop import drop_scenario
from footfall.scenario.io import load_scenario, parse_scenario
from footfall.scenario.starter import write_starter
from footfall.show import start_meshcat
from footfall.show.model import view_model

BALL = """<robot name="ball"><link name="bäll"><inertial><mass value="1"/>
<inertia ixx="MOMENT" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="PLACE"/><geometry><sphere radius="0.1"/></geometry></collision>
</link></robot>"""
DOG = """<mujoco model="dög"><worldbody><body name="trunk"><freejoint/>
<geom type="sphere" size="0.1"/><body name="leg"><joint name="hip" axis="0 1 0"/>
<geom type="sphere" size="0.1"/></body></body></worldbody>
<actuator><position name="servo" joint="hip"></position></actuator></mujoco>"""
DECLARED = '<?xml version="1.0" encoding="{}"?>\n{}'


def ball(moment=".01", place="0 0 0"):
    return BALL.replace("MOMENT", moment).replace("PLACE", place).encode()


def declared(text, declared, encoding):
    return DECLARED.format(declared, text).encode(encoding)


SPHERE = ball().decode()
UTF_8 = "not in UTF-8"
# what is in a file, and the words of every command's line; None where it takes the file
MODELS = {
    "latin-1.urdf": (declared(SPHERE, "ISO-8859-1", "latin-1"), "iconv -f ISO-8859-1 -t UTF-8"),
    "undeclared.urdf": (SPHERE.encode("latin-1"), "iconv -f ENCODING"),
    "utf-16.urdf": (declared(SPHERE, "utf-16", "utf-16"), "iconv -f UTF-16"),
    "utf-16.urdf.xacro": (declared(SPHERE, "utf-16", "utf-16"), UTF_8),
    "latin-1.xml": (declared(DOG, "ISO-8859-1", "latin-1"), "latin-1.xml:2: the text is not in"),
    "utf-16.xml": (declared(DOG, "utf-16", "utf-16"), UTF_8),
    "short.urdf": (ball(place="0 0"), "xyz"),
    "nan.urdf": (ball(place="nan 0 0"), "xyz"),
    "endless.urdf": (ball(moment="1e400"), "write finite numbers"),
}
# a text in UTF-8 that declares another encoding is read as what it is, as Drake does
SOUND = {
    "lying.urdf": declared(SPHERE, "UTF-16", "utf-8"),
    "lying.urdf.xacro": declared(SPHERE, "ISO-8859-1", "utf-8"),
    "lying.xml": declared(DOG, "UTF-16", "utf-8"),
    "marked.urdf": SPHERE.encode("utf-8-sig"),
}
DOORS = {
    "view": lambda path, _: view_model(str(path), start_meshcat()),
    "drop": lambda path, _: drop_scenario(str(path)),
    "repair": repair_urdf,
    "new": lambda path, out: write_starter(str(path), out),
}


def refused(call, *arguments):
    with pytest.raises(FootfallError) as refusal:
        call(*arguments)
    line = str(refusal.value)
    assert "\n" not in line
    return line


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", MODELS)
def test_a_strange_model_is_refused_and_leaves_nothing_behind(tmp_path, name, door):
    content, says = MODELS[name]
    path, out = tmp_path / name, tmp_path / "out"
    path.write_bytes(content)
    line = refused(DOORS[door], path, out)
    assert path.stem in line
    assert says in line or (door == "repair" and path.suffix != ".urdf")
    assert not out.exists()


@pytest.mark.parametrize("name", SOUND)
def test_a_model_in_utf_8_is_read_whatever_it_declares(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(SOUND[name])
    robot = build_robot(drop_scenario(str(path)).scenario)
    assert robot.plant.HasBodyNamed("trunk" if path.suffix == ".xml" else "bäll")
    if path.suffix == ".urdf":
        repair_urdf(path, tmp_path / "out")
        view_model(str(path), start_meshcat())


FALL = """duration: 0.01
directives:
- add_model: {name: ball, file: package://footfall/urdf/ball/ball.urdf}
"""
SCENARIOS = {  # with --set, and the words of the line
    "packages: {footfall: .}": ("packages: 'footfall' is known already", ()),
    "arguments: {ball: !Nope {}}": ("arguments.ball", ()),
    "arguments: {width: !Nope {}}": ("!Nope", ("friction=0.3",)),
    "arguments: {ball: {width: !Nope {}}}": ("!Nope", ("friction=0.3",)),
    "{1: 2}: 3": ("line 4", ()),
    "1: 2": ("unknown key 1", ()),
    "feet: {1: [ball], a: 2}": ("feet.a is 2", ()),
    "initial: {positions: {1: 2, a: 3}}": ("'1'", ()),
    "terrain: !HeightMap {file: lie.npy}": ("no array of numbers", ()),
    "terrain: !HeightMap {file: zip.npy}": ("no array of numbers", ()),
    "terrain: !HeightMap {file: bomb.png}": ("30000 x 30000 points", ()),
    "terrain: !HeightMap {file: cut.png}": ("no PNG picture", ()),
    "terrain: !HeightMap {file: text.csv}": ("cannot be read", ()),
}


@pytest.fixture
def heights(tmp_path, monkeypatch):
    """A working folder with files of heights that lie."""
    monkeypatch.chdir(tmp_path)
    lie = "{'descr': '<f8', 'fortran_order': False, 'shape': (10000000, 1000000), }"
    (tmp_path / "lie.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + lie.ljust(117).encode() + b"\n"
    )
    np.savez(tmp_path / "zip.npz", heights=np.zeros((3, 3)))
    (tmp_path / "zip.npy").write_bytes((tmp_path / "zip.npz").read_bytes()[:-30])
    (tmp_path / "text.csv").write_text("a,b\nc,d")

    def chunk(kind, data):
        end = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + end

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 8, 0, 0, 0, 0))
    start = b"\x89PNG\r\n\x1a\n"
    (tmp_path / "bomb.png").write_bytes(start + head + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    (tmp_path / "cut.png").write_bytes(start + b"\0\0")


@pytest.mark.usefixtures("heights")
@pytest.mark.parametrize("line", SCENARIOS)
def test_a_strange_scenario_is_refused(tmp_path, line):
    says, settings = SCENARIOS[line]
    path = tmp_path / "strange.yaml"
    path.write_text(FALL + line)
    assert says in refused(lambda: build_robot(load_scenario(str(path), settings)))


@pytest.mark.parametrize("name", ["a", "1", "on"])
def test_scenarios_of_a_file_have_the_names_that_are_written_there(tmp_path, name):
    path = tmp_path / "several.yaml"
    path.write_text("1: {seed: 1}\na: {seed: 1}\non: {seed: 1, description: =}")
    assert load_scenario(f"{path}:{name}").seed == 1
    assert "known: 1, a, on" in refused(load_scenario, f"{path}:zzz")


def test_what_a_dumped_scenario_held_of_a_stranger_is_read_again():
    strange = "name: \"a: 'b' $\\\\frac{$\"\n"
    assert parse_scenario(FALL + strange).name == "a: 'b' $\\frac{$"
