"""The field's SDF against Field.m of the report: everything that it draws, and nothing besides."""

import itertools

import numpy as np
import pytest
from tests.models.sdf_shapes import link_of, shapes_of

from footfall.resources import share_root

GRASS, LINE, BOTTOM = 0.006, 0.012, -0.01  # heights of faces over the ground
POINT = 0.05 / 1.5  # m on the field for a point of MATLAB's: lines of 1.5 are 5 cm wide
EDGE = 0.0167  # half a point, in whole tenths of a millimetre
WALL = 0.02
UP = [0.0, 0.0, 1.0]
POLE = 0.1
COLOURS = {"g": (0, 1, 0), "b": (0, 0, 1), "y": (1, 1, 0), "k": (0, 0, 0), "grey": (0.8, 0.8, 0.8)}

# what follows is copied from the listing: x, y and z of patches, lines and markers
PATCHES = {
    "grass": ([-2, 2, 2, -2], [0, 0, 6, 6], [0, 0, 0, 0], "g"),
    "blue_wall_right": ([1.3] * 4, [0, 0, -0.6, -0.6], [0, 0.6, 0.6, 0], "b"),
    "blue_wall_left": ([-1.3] * 4, [0, 0, -0.6, -0.6], [0, 0.6, 0.6, 0], "b"),
    "blue_wall_back": ([1.3, 1.3, -1.3, -1.3], [-0.6] * 4, [0, 0.6, 0.6, 0], "b"),
    "blue_goal_floor": ([1.3, 1.3, -1.3, -1.3], [0, -0.6, -0.6, 0], [0, 0, 0, 0], "g"),
    "yellow_wall_right": ([1.3] * 4, [6, 6, 6.6, 6.6], [0, 0.6, 0.6, 0], "y"),
    "yellow_wall_left": ([-1.3] * 4, [6, 6, 6.6, 6.6], [0, 0.6, 0.6, 0], "y"),
    "yellow_wall_back": ([1.3, 1.3, -1.3, -1.3], [6.6] * 4, [0, 0.6, 0.6, 0], "y"),
    "yellow_goal_floor": ([1.3, 1.3, -1.3, -1.3], [6, 6.6, 6.6, 6], [0, 0, 0, 0], "g"),
}
FRAMES = {  # right post, crossbar, left post
    "blue": ([1.3, 1.3, -1.3, -1.3], [0, 0, 0, 0], [0, 1.8, 1.8, 0]),
    "yellow": ([1.3, 1.3, -1.3, -1.3], [6, 6, 6, 6], [0, 1.8, 1.8, 0]),
}
AREAS = {
    "blue": ([1.5, 1.5, -1.5, -1.5], [0, 0.6, 0.6, 0]),
    "yellow": ([1.5, 1.5, -1.5, -1.5], [6, 5.4, 5.4, 6]),
}
HALFWAY = ([2, -2], [3, 3])
THETA = np.linspace(0.0, 2.0 * np.pi, 25)
CIRCLE = (np.cos(THETA), np.sin(THETA) + 3.0)
POLES = {"right": (2.4, "byb", "y"), "left": (-2.4, "yby", "b")}  # x, bands from below, marker
MARKS = {"blue": 1.8, "yellow": 6 - 1.8}


def close(a, b):
    # numbers of the file have ten digits; boxes are a few metres long
    return np.allclose(a, b, rtol=0.0, atol=1e-8)


# --- what is drawn, by name: shape, size, middle, an axis and its number, colour -----------------


def _turn(before, after):
    """Angle between two vectors."""
    cosine = before @ after / np.linalg.norm(before) / np.linalg.norm(after)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def _closed_at_corners(x, y, width):
    """Ends of the segments of a line of some width, each longer by what closes the corners."""
    points = np.column_stack((x, y)).astype(float)
    sides = np.diff(points, axis=0)
    turns = [0.0, *(_turn(a, b) for a, b in itertools.pairwise(sides)), 0.0]
    if close(points[0], points[-1]):
        turns[0] = turns[-1] = _turn(sides[-1], sides[0])
    grown = 0.5 * width * np.tan(0.5 * np.array(turns))
    along = sides / np.linalg.norm(sides, axis=1)[:, None]
    starts, ends = points[:-1] - grown[:-1, None] * along, points[1:] + grown[1:, None] * along
    return zip(starts, ends, strict=True)


def _box(low, high, colour):
    low, high = np.array(low), np.array(high)
    return "box", high - low, 0.5 * (low + high), (0, [1.0, 0.0, 0.0]), colour


def _wall(x, y):
    """The box behind a wall's patch: inner face where the patch is, thickness outwards."""
    low, high = [min(x), min(y), 0.0], [max(x), max(y), 0.6]
    if len(set(x)) == 1:  # beside the goal; as far as the outer face of the back
        outer = x[0] + np.sign(x[0]) * WALL
        low[0], high[0] = sorted((x[0], outer))
        low[1], high[1] = (low[1] - WALL, 0.0) if y[-1] < 0.0 else (6.0, high[1] + WALL)
    else:
        outer = y[0] + np.sign(y[0]) * WALL
        low[1], high[1] = sorted((y[0], outer))
        low[0], high[0] = low[0] - WALL, high[0] + WALL
    return low, high


def _patches():
    for name, (x, y, z, colour) in PATCHES.items():
        flat = [min(x), min(y), BOTTOM], [max(x), max(y), GRASS]
        yield name, _box(*(_wall(x, y) if any(z) else flat), colour)


def _line(names, x, y, width, colour="k"):
    """Boxes on the grass that are the segments of a line, in its order."""
    for name, (start, end) in zip(names, _closed_at_corners(x, y, width), strict=True):
        length, middle = np.linalg.norm(end - start), 0.5 * (start + end)
        along = [*(end - start) / length, 0.0]
        size = [length, width, LINE - BOTTOM]
        yield name, ("box", size, [*middle, 0.5 * (LINE + BOTTOM)], (0, along), colour)


def _lines():
    names = ["blue_goal_line", "right_touch_line", "yellow_goal_line", "left_touch_line"]
    yield from _line(names, [-2, 2, 2, -2, -2], [0, 0, 6, 6, 0], EDGE)
    yield from _line([f"circle_{k}" for k in range(1, 25)], *CIRCLE, EDGE)
    for goal, area in AREAS.items():
        parts = [f"{goal}_area_{part}" for part in ("right", "front", "left")]
        yield from _line(parts, *area, 1.5 * POINT)
    yield from _line(["halfway_line"], *HALFWAY, 1.5 * POINT)
    # penalty marks are stars of eight rays
    for goal, place in MARKS.items():
        for k in range(4):
            ray = 3.0 * POINT * np.array([np.cos(k * np.pi / 4.0), np.sin(k * np.pi / 4.0)])
            x, y = zip(-ray, ray, strict=True)
            yield from _line([f"{goal}_penalty_mark_{k + 1}"], x, np.add(y, place), EDGE, "b")
    # a dot is a third of the 6 points of a marker, in tenths of a millimetre
    spot = [0.0, 3.0, 0.5 * (LINE + BOTTOM)], (2, UP), "k"
    yield "centre_spot", ("cylinder", [round(1.0 * POINT, 4), LINE - BOTTOM], *spot)


def _standing():
    for goal, frame in FRAMES.items():
        parts = ("post_right", "crossbar", "post_left")
        for part, (start, end) in zip(
            parts, itertools.pairwise(np.column_stack(frame)), strict=True
        ):
            length = np.linalg.norm(end - start)
            # the ball at the end of the crossbar closes the corner
            kind = "capsule" if part == "crossbar" else "cylinder"
            size, along = [1.5 * POINT, length], (2, (end - start) / length)
            yield f"{goal}_{part}", (kind, size, 0.5 * (start + end), along, "grey")
    for side, (x, bands, marker) in POLES.items():
        for k, (name, colour) in enumerate(zip(("low", "middle", "high"), bands, strict=True)):
            middle = [x, 3.0, 0.2 * k + 0.1]
            yield f"{side}_pole_{name}", ("cylinder", [POLE, 0.2], middle, (2, UP), colour)
        # a marker has 6 points, the line of a pole 5
        ring = [x, 3.0, 0.3], (2, UP), marker
        yield f"{side}_pole_marker", ("sphere", [6.0 / 5.0 * POLE], *ring)


LISTED = dict([*_patches(), *_lines(), *_standing()])


@pytest.fixture(scope="module")
def link():
    return link_of(share_root() / "sdf" / "field" / "field.sdf")


@pytest.fixture(scope="module")
def drawn(link):
    return shapes_of(link, "visual")


@pytest.fixture(scope="module")
def solid(link):
    return shapes_of(link, "collision")


@pytest.mark.parametrize("name", LISTED)
def test_a_part_is_that_of_the_listing(drawn, name):
    part, (shape, size, middle, (number, axis), colour) = drawn[name], LISTED[name]
    assert (part.shape, part.colour) == (shape, COLOURS[colour])
    assert close(part.size, size)
    assert close(part.middle, middle)
    # either way round
    assert close(abs(part.axes[:, number] @ axis), 1.0)
    if shape == "box":
        assert close(part.axes[:, 2], UP)


def test_nothing_else_is_drawn(drawn):
    # of edges there is one for each side of a patch: see below
    assert {name for name in drawn if "_edge_" not in name} == set(LISTED)


def _sides_of_patches():
    """The distinct sides of all patches, as sets of two points."""
    sides = set()
    for x, y, z, _ in PATCHES.values():
        corners = [tuple(map(float, corner)) for corner in zip(x, y, z, strict=True)]
        sides |= {frozenset((corners[k - 1], corners[k])) for k in range(4)}
    return sides


def _rod(box):
    """The ends of a thin black box along one axis, which are half its width inside its faces."""
    assert box.shape == "box"
    assert close(box.axes, np.eye(3))
    low, high = box.middle - 0.5 * np.array(box.size), box.middle + 0.5 * np.array(box.size)
    across = sorted(high - low)[:2]
    assert close(across, [EDGE, EDGE])
    ends = np.round([low + 0.5 * EDGE, high - 0.5 * EDGE], 9) + 0.0  # no -0
    return frozenset(tuple(end.tolist()) for end in ends)


def test_every_side_of_a_patch_has_its_black_edge(drawn):
    edges = {name: box for name, box in drawn.items() if "_edge_" in name}
    assert {box.colour for box in edges.values()} == {COLOURS["k"]}
    rods = [_rod(box) for box in edges.values()]
    assert len(set(rods)) == len(rods)
    # the lines around the grass lie flat; each goal line is the front of a goal's floor as well
    corners = list(zip(*PATCHES["grass"][:3], strict=True))
    flat = {frozenset((corners[k - 1], corners[k])) for k in range(4)}
    flat |= {frozenset(((-1.3, y, 0.0), (1.3, y, 0.0))) for y in (0.0, 6.0)}
    assert set(rods) == _sides_of_patches() - flat


# --- what a ball meets ---------------------------------------------------------------------------


def test_what_stands_up_can_be_met_where_it_is_drawn(drawn, solid):
    standing = [name for name, (_, _, z, _) in PATCHES.items() if any(z)]
    standing += [
        f"{goal}_{part}" for goal in FRAMES for part in ("post_right", "crossbar", "post_left")
    ]
    poles = [f"{side}_pole" for side in POLES]
    assert set(solid) == {*standing, *poles}
    for name in standing:
        assert solid[name].shape == drawn[name].shape
        assert solid[name].size == drawn[name].size
        assert np.array_equal(solid[name].middle, drawn[name].middle)
        assert np.array_equal(solid[name].axes, drawn[name].axes)
    for side, (x, *_) in POLES.items():
        pole = solid[f"{side}_pole"]
        assert pole.shape == "cylinder"
        assert close(pole.size, [POLE, 0.6])
        assert close(pole.middle, [x, 3.0, 0.3])
        assert close(pole.axes, np.eye(3))


def test_whatever_can_be_met_has_the_friction_of_the_card(link):
    tag = "{drake.mit.edu}proximity_properties/{drake.mit.edu}mu_dynamic"
    assert {shape.findtext(tag) for shape in link.findall("collision")} == {"0.5"}


def test_nothing_that_is_drawn_flat_shares_a_face_with_the_ground(drawn):
    # equal heights flicker; the ground is drawn at 0
    flat = [shape for shape in drawn.values() if shape.shape == "box" and shape.size[2] < 0.1]
    heights = {round(box.middle[2] + side * box.size[2] / 2, 9) for box in flat for side in (-1, 1)}
    assert min(np.abs(list(heights))) > 0.005
    assert LINE - GRASS > 0.005
