"""Tracks as files: facets on the profile, boxes that a wheel rolls on, and what is refused."""

import math
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.machines.ugv.shipped import FOLDER, SHIPPED
from tests.tracked import tracked

from footfall.machines.ugv.closed_form.centres import CentreCurve
from footfall.machines.ugv.closed_form.tracks import Bump, Sine, Steps, flat, track_of_points
from footfall.machines.ugv.ground import profile_of
from footfall.machines.ugv.track_models import GROUND, WIDTH, Surface, boxes_of, runs, write_track
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import parse_scenario

R = 0.30
_FIRST, _SECOND = slice(None, -1), slice(1, None)  # of neighbours


def _polygon(lines, x):
    """Height of the facets at x; the ground elsewhere."""
    found = np.zeros_like(x)
    for line in lines:
        inside = (x >= line[0, 0]) & (x <= line[-1, 0])
        found[inside] = np.interp(x[inside], *line.T)
    return found


# --- facets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_facets_turn_and_reach_no_more_than_they_may(name):
    track, surface = SHIPPED[name]
    for line in runs(track, surface):
        inner = line[1:-1]  # the ends lead down to the ground, or are edges
        if len(inner) > 2:
            chords = np.diff(inner, axis=0)
            turns = np.diff(np.arctan2(chords[:, 1], chords[:, 0]))
            assert np.abs(turns).max() <= surface.turn * (1.0 + 1e-9)
            assert np.diff(inner[:, 0]).max() <= surface.longest
        on_profile = track.profile(inner[:, 0]).height
        assert inner[:, 1] == pytest.approx(on_profile, abs=1e-12)


@pytest.mark.parametrize("name", SHIPPED)
def test_facets_are_near_the_profile_all_along(name):
    track, surface = SHIPPED[name]
    x = np.linspace(-1.0, 9.0, 20011)
    off = _polygon(runs(track, surface), x) - track.profile(x).height
    # a chord of length c that turns by a is off by c a/8; the ground stands for what is lower
    assert np.abs(off).max() <= max(GROUND, surface.longest * surface.turn / 8.0)


def test_a_tail_comes_out_of_the_ground_along_its_tangent():
    (line,) = runs(Bump().track(), Surface())
    (x0, z0), (x1, z1) = line[:2]
    assert z0 == 0.0
    assert z1 == pytest.approx(GROUND, rel=0.01)
    assert (z1 - z0) / (x1 - x0) == pytest.approx(float(Bump().track().profile(x1).slope), rel=1e-9)


# --- boxes -------------------------------------------------------------------------------------


def test_upper_faces_are_the_facets():
    lines = runs(Sine().track(), Surface(turn=0.02))
    ends = []
    for x, z, pitch, length, height in boxes_of(lines):
        along = np.array([math.cos(pitch), -math.sin(pitch)])
        upwards = np.array([math.sin(pitch), math.cos(pitch)])
        middle = np.array([x, z]) + 0.5 * height * upwards
        ends.append((middle - 0.5 * length * along, middle + 0.5 * length * along))
    begins, behind = (np.vstack([line[cut] for line in lines]) for cut in (_FIRST, _SECOND))
    assert np.array([begin for begin, _ in ends]) == pytest.approx(begins, abs=1e-12)
    assert np.array([end for _, end in ends]) == pytest.approx(behind, abs=1e-12)


def test_a_level_step_is_one_box_with_exact_corners():
    lines = runs(Steps((4.0, 5.0), (0.12, -0.05)).track(), Surface(end=7.0))
    assert boxes_of(lines) == [
        pytest.approx((4.5, 0.06, 0.0, 1.0, 0.12)),
        pytest.approx((6.0, 0.035, 0.0, 2.0, 0.07)),
    ]


def test_a_wall_below_a_slope_is_closed():
    # points that begin 0.3 m above the ground: what stands below the edge is a wall
    x = np.linspace(1.0, 3.0, 21)
    track = track_of_points(x, 0.3 + 0.1 * (x - 1.0))
    lines = runs(track, Surface(begin=1.0, end=3.0))
    *chords, low, high = boxes_of(lines)
    assert len(chords) == sum(len(line) - 1 for line in lines)
    for box, edge, inwards in ((low, lines[0][0], 1.0), (high, lines[-1][-1], -1.0)):
        middle, half, pitch, length, height = box
        assert (pitch, half) == (0.0, 0.5 * height)
        assert middle - inwards * 0.5 * length == pytest.approx(edge[0])
        assert edge[1] - 0.06 < height < edge[1] - 0.04


# --- files -------------------------------------------------------------------------------------


CARD = {  # the profiles that sdf/tracks/README.md names
    "bump": lambda x: 0.1 * np.exp(-((x - 4.0) ** 2)),
    "steep": lambda x: 0.45 * np.exp(-(((x - 4.0) / 0.7) ** 2)),
    "hill": lambda x: np.exp(-((x - 4.0) ** 2)),
    "step": lambda x: 0.12 * (x > 4.0),
    "sine": lambda x: 0.05 * (1.0 - np.cos(np.pi * (x - 3.0))) * ((x > 3.0) & (x < 7.0)),
}


def test_shipped_tracks_are_those_of_the_card():
    assert {path.name for path in tracked(FOLDER)} == {
        "README.md",
        *(f"{name}.track" for name in CARD),
    }
    x = np.linspace(-1.0, 9.0, 1234)  # none of them at the step
    for name, height in CARD.items():
        assert SHIPPED[name][0].profile(x).height == pytest.approx(height(x), abs=1e-15)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_mesh_is_closed_and_faces_outwards(tmp_path, name):
    write_track(tmp_path / f"{name}.sdf", *SHIPPED[name])
    rows = {"v": [], "vn": [], "f": []}
    for line in (tmp_path / f"{name}.obj").read_text().splitlines():
        kind, *words = line.split()
        if kind != "#":
            rows[kind].append(words)
    corners, normals = (np.array(rows[kind], dtype=float) for kind in ("v", "vn"))
    assert np.ptp(corners[:, 1]) == pytest.approx(WIDTH)
    faces = [[word.split("//") for word in words] for words in rows["f"]]
    for face in faces:
        places = corners[[int(corner) - 1 for corner, _ in face]]
        (number,) = {normal for _, normal in face}
        across = np.cross(places[1] - places[0], places[2] - places[0])
        if np.linalg.norm(across) > 1e-9:  # an end on the ground has no area
            assert normals[int(number) - 1] @ across > 0.0
    # each edge of the hull is passed once each way, but for the faces towards the ground
    edges = {}
    for face in faces:
        ring = [int(corner) for corner, _ in face]
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            edges[a, b] = edges.get((a, b), 0) + 1
    assert set(edges.values()) == {1}
    open_edges = [(a, b) for a, b in edges if (b, a) not in edges]
    assert all(corners[a - 1, 2] == corners[b - 1, 2] == 0.0 for a, b in open_edges)


TEXT = """
directives:
- add_model: {{name: ugv, file: package://footfall/sdf/ugv/ugv.sdf}}
- add_weld: {{parent: terrain, child: "ugv::ground"}}
- add_model: {{name: track, file: {file}}}
"""


def test_wheels_are_as_high_over_the_boxes_as_over_the_track(tmp_path):
    file = tmp_path / "rough.sdf"
    track = Sine(height=0.2, wavelength=1.5).track()
    write_track(file, track, Surface(turn=0.01))
    machine = build_robot(parse_scenario(TEXT.format(file=file)))
    line, curve = (CentreCurve(one, R, 1.0, 8.0) for one in (profile_of(machine.model), track))
    s = np.linspace(1.5, 7.5, 241)
    # lifted by the corner of a facet that turns by a, or sunk onto its chord: by r a^2/8 and c a/8,
    # with facets of up to c = 0.02 m
    assert line.at(s).z == pytest.approx(curve.at(s).z, abs=5e-5)


def test_a_box_is_as_rough_as_asked_for_and_called_a_surface(tmp_path):
    file = tmp_path / "mine.sdf"
    count = write_track(file, Bump().track(), Surface(turn=0.05, friction=0.35))
    root = ET.parse(file).getroot()  # noqa: S314 (a file of our own)
    collisions = list(root.iter("collision"))
    assert [shape.get("name") for shape in collisions] == [f"surface#{k}" for k in range(count)]
    machine = build_robot(parse_scenario(TEXT.format(file=file)))
    # 2 a b/(a + b), with the wheel's 0.8
    contacts = machine.contacts
    at = [
        mu
        for mu, which in zip(contacts.mu, contacts.reported_as, strict=True)
        if contacts.names[which] == "ugv::rear_wheel|track::surface"
    ]
    assert at == pytest.approx([2.0 * 0.35 * 0.8 / 1.15] * count)


# --- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("track", "surface", "fault"),
    [
        (Bump(height=-0.1).track(), Surface(), r"z = -0.1 m at x = 4 m, below the ground"),
        (Steps((4.0,), (-0.1,)).track(), Surface(), "below the ground"),
        (flat(), Surface(), "nowhere above"),
        (Bump().track(), Surface(begin=20.0, end=30.0), "nowhere above"),
        (Bump(height=1.0).track(), Surface(turn=1e-4), "facets, more than 5000"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(tmp_path, track, surface, fault):
    with pytest.raises(ValueError, match=fault) as caught:
        write_track(tmp_path / "track.sdf", track, surface)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "numbers",
    [{"turn": 0.0}, {"longest": math.nan}, {"begin": 3.0, "end": 3.0}, {"friction": -1.0}],
)
def test_facets_of_no_size_are_refused(numbers):
    with pytest.raises(ValueError, match=r"turn|longest|begin|friction"):
        Surface(**numbers)


def test_a_file_of_another_kind_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"let its name end in \.sdf"):
        write_track(tmp_path / "track.urdf", Bump().track(), Surface())
