"""Ledges, beams, tips and stairs fixed to the world: resting, tipping, rolling off, tumbling."""

import numpy as np
import pytest
from tests.engines.scenery import (
    MASS,
    PYRAMID,
    RADIUS,
    RESTING,
    TOUCH,
    at,
    ball,
    box,
    capsule,
    cylinder,
    loads,
    motion,
    play,
    scene,
    scenery,
    sdf_box,
    sdf_mesh,
    write_obj,
)
from tests.engines.tiny import GRAVITY
from tests.slow import some_slow

WEIGHT = MASS * GRAVITY
FLOOR = sdf_box((2.0, 1.0, 0.5))


# a body over the edge of a ledge: length along x, height of its origin, how it lies
OVERHANGING = {
    "box": (box((0.4, 0.2, 0.1), MASS), {}, 0.05),
    "capsule": (capsule(0.05, 0.3, MASS), {"pitch": 90.0}, 0.05),
    "cylinder": (cylinder(0.05, 0.4, MASS), {"pitch": 90.0}, 0.05),
}


@pytest.mark.parametrize("beyond", [-2e-3, 2e-3])
@pytest.mark.parametrize("name", OVERHANGING)
def test_a_body_over_a_ledge_tips_if_its_centre_of_mass_is_beyond_the_edge(tmp_path, name, beyond):
    body, turn, height = OVERHANGING[name]
    ledge = scenery("ledge", top=(FLOOR, at((-1.0, 0.0, 0.75))))  # from x = -2 to 0, up to z = 1
    pose = at((beyond, 0.0, 1.0 + height - TOUCH), **turn)
    duration = 0.1
    run = play(scene(tmp_path, {"ledge": ledge, "b": body}, {"b": pose}, duration=duration))
    v = motion(run, "b")[1]
    if beyond < 0.0:
        assert np.abs(v).max() < 1e-9  # the solver's tolerance
        assert loads(run) == pytest.approx({"ledge::top|b::skin": WEIGHT}, rel=1e-9)
        return
    # it turns about the edge with theta'' = m g d / I, cosh-like: theta = d/h (cosh(k t) - 1)
    across = body.moments[1] if name == "box" else body.moments[0]
    inertia = across + MASS * (beyond**2 + height**2)
    k2 = WEIGHT * height / inertia
    rate = WEIGHT * beyond / inertia * np.sinh(np.sqrt(k2) * duration) / np.sqrt(k2)
    # first order in the step, 1e-3 of 0.1 s; theta < 0.01 keeps the linear equation good to 1e-4
    assert v[-1, 1] == pytest.approx(rate, rel=2e-2)
    assert rate > 0.05


def test_a_plank_across_a_beam_rests_though_no_corner_touches(tmp_path):
    beam = scenery("beam", top=(sdf_box((0.1, 1.0, 0.5)), at((0.0, 0.0, 0.25))))
    for overhang in (0.0, 0.049):  # of the centre from the middle of a beam 0.1 wide
        pose = at((overhang, 0.0, 0.51 - TOUCH))
        bodies = {"beam": beam, "plank": box((1.0, 0.1, 0.02), MASS)}
        run = play(scene(tmp_path, bodies, {"plank": pose}, duration=0.2))
        assert np.abs(motion(run, "plank")[1]).max() < 1e-9  # the solver's tolerance
    pose = at((0.051, 0.0, 0.51 - TOUCH))
    run = play(scene(tmp_path, bodies, {"plank": pose}, duration=0.3))
    assert motion(run, "plank")[1][-1, 1] > 1e-3  # it tips


@pytest.mark.parametrize("place", [0.0, 0.13, -0.3])
def test_two_beams_share_the_weight_of_a_plank_by_the_lever_rule(tmp_path, place):
    beams = scenery(
        "beams",
        left=(sdf_box((0.02, 1.0, 0.5)), at((-0.4, 0.0, 0.25))),
        right=(sdf_box((0.02, 1.0, 0.5)), at((0.4, 0.0, 0.25))),
    )
    pose = at((place, 0.0, 0.51 - TOUCH), yaw=5.0)
    bodies = {"beams": beams, "plank": box((1.4, 0.1, 0.02), MASS)}
    run = play(scene(tmp_path, bodies, {"plank": pose}, duration=0.1))
    found = loads(run)
    left, right = (found[f"beams::{side}|plank::skin"] for side in ("left", "right"))
    assert left + right == pytest.approx(WEIGHT, rel=1e-9)
    # the beams are 20 mm wide, and where on them the force acts is not determined
    assert 0.8 * right == pytest.approx(WEIGHT * (0.4 + place), abs=0.011 * WEIGHT)
    assert np.abs(motion(run, "plank")[1]).max() < 1e-9


def _rolls_off(folder, mu, speed):
    """Angle at which a ball leaves the edge that it comes to, from the vertical, and its velocity.

    It starts 0.1 mm deep: every step of a curved way opens the gap by v^2 dt^2 / 2 r, 0.2 um here,
    and a contact that opens hops, and leaves too early.
    """
    ledge = scenery("ledge", top=(FLOOR, at((-1.0, 0.0, 0.75))))
    pose, spin = at((-2e-3, 0.0, 1.0 + RADIUS - 1e-4)), speed / RADIUS
    run = play(
        scene(
            folder, {"ledge": ledge, "b": ball(RADIUS, MASS)}, {"b": pose},
            {"b": {"vx": speed, "wy": spin if mu else 0.0}}, friction=mu, duration=0.5,
            time_step=2.5e-4,
        )
    )  # fmt: skip
    data, (p, v) = run.trajectory.data, motion(run, "b")
    carries = data["impulse"].sel(axis="n").to_numpy().sum(axis=1) > 0.0
    last = np.flatnonzero(carries & (p[:, 2] > 0.9))[-1]
    angle = np.arctan2(p[last, 0], p[last, 2] - 1.0)
    # it fell around the edge, not into it
    assert np.hypot(p[last, 0], p[last, 2] - 1.0) == pytest.approx(RADIUS, abs=1.1e-4)
    return angle, v[last, 3:]


@pytest.mark.parametrize(
    ("mu", "inertia"),
    # without friction; and without slip, where a large mu holds it nearly to the end
    [(0.0, 0.0), (100.0, 0.4)],
    ids=["sliding", "rolling"],
)
def test_a_ball_leaves_an_edge_where_nothing_presses_it_on_any_more(tmp_path, mu, inertia):
    """(1 + inertia) v^2 = (1 + inertia) v0^2 + 2 g r (1 - cos), and v^2 = g r cos when it leaves.

    That is at cos = 2/3 for a ball that slides, and at 10/17 for one that rolls, from rest.
    """
    speed = 0.05
    angle, v = _rolls_off(tmp_path, mu, speed)
    whole, froude = 1.0 + inertia, speed**2 / (GRAVITY * RADIUS)
    # a step is 2e-3 rad; the radius is 1e-3 smaller than it would be without the depth; a rolling
    # one slips in the last steps, when N is less than a hundredth of the friction
    assert np.cos(angle) == pytest.approx((2.0 + whole * froude) / (2.0 + whole), abs=2e-3)
    assert v @ v == pytest.approx(GRAVITY * RADIUS * np.cos(angle), rel=5e-3)


APEX = 1.0 + 0.15  # of the pyramid on its platform


def _above_the_apex(folder, body, pose, **fields):
    """Let a body fall on the apex of a fixed pyramid, without friction; the run."""
    obj = write_obj(folder / "pyramid.obj", PYRAMID)
    tip = scenery("tip", top=(sdf_mesh(obj), at((0.0, 0.0, 1.0))))
    return play(
        scene(
            folder, {"tip": tip, "b": body}, {"b": pose}, friction=0.0, time_step=1e-4,
            **fields,
        )
    )  # fmt: skip


@pytest.mark.parametrize("e_n", [0.0, 0.5])
@pytest.mark.parametrize("aside", [0.0, 0.03])
def test_a_ball_bounces_off_an_apex_along_the_line_to_its_centre(tmp_path, e_n, aside):
    drop = 0.05
    pose = at((aside, 0.0, APEX + np.sqrt(RADIUS**2 - aside**2) + drop))
    run = _above_the_apex(tmp_path, ball(RADIUS, MASS), pose, restitution=e_n, duration=0.12)
    v, data = motion(run, "b")[1], run.trajectory.data
    hit = int(np.argmax(data["impulse"].sel(axis="n").to_numpy().sum(axis=1) > 0.0))
    before, after = v[hit - 1, 3:], v[hit, 3:]
    n = np.array([aside, 0.0, np.sqrt(RADIUS**2 - aside**2)]) / RADIUS
    # it meets within a step of 1 m/s, 1e-4 m of 0.1; gravity adds 1e-3 m/s in the step
    assert after == pytest.approx(before - (1.0 + e_n) * (before @ n) * n, abs=4e-3)
    assert before[2] == pytest.approx(-np.sqrt(2.0 * GRAVITY * drop), abs=2e-3)


@pytest.mark.parametrize("name", ["box", "lying capsule", "lying cylinder", "ellipsoid"])
def test_every_shape_bounces_straight_up_from_an_apex_under_its_centre(tmp_path, name):
    body, turn, height = RESTING[name]
    pose = at((0.0, 0.0, APEX + height + 0.02), **turn)
    run = _above_the_apex(tmp_path, body, pose, restitution=0.5, duration=0.08)
    v = motion(run, "b")[1]
    hit = int(np.argmax(v[:, 5] > 0.0))
    assert v[hit, 5] == pytest.approx(-0.5 * v[hit - 1, 5], rel=1e-9)  # Newton's law, as it is
    others = np.delete(v, 5, axis=1)
    assert np.abs(others).max() < 1e-9  # the solver's tolerance


def _stairs(count=4, tread=0.3, rise=0.15, width=1.0):
    """Stairs of boxes that go down towards +x, the first top at x = 0."""
    pieces = {}
    for k in range(count):
        top = (count - k) * rise
        where = at(((k + 0.5) * tread, 0.0, 0.5 * top))
        pieces[f"step{k}"] = (sdf_box((tread, width, top)), where)
    return scenery("stairs", **pieces)


@pytest.mark.parametrize(
    "name",
    some_slow(
        ["sphere", "box", "lying capsule", "lying cylinder", "ellipsoid"],
        "sphere",
        "lying capsule",
        "lying cylinder",
        "ellipsoid",
    ),
)
def test_whatever_tumbles_down_stairs_gains_no_energy_and_sinks_into_nothing(tmp_path, name):
    body, turn, height = RESTING[name]
    pose = at((0.15, 0.0, 0.6 + height + 0.1), **turn)
    dt = 5e-4
    run = play(
        scene(
            tmp_path, {"stairs": _stairs(), "b": body}, {"b": pose},
            {"b": {"vx": 1.5, "wy": 8.0}}, friction=0.5, duration=1.5, time_step=dt,
        )
    )  # fmt: skip
    data, (p, v) = run.trajectory.data, motion(run, "b")
    assert p[-1, 0] > 1.2  # it is down
    assert p[-1, 2] < 0.35
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    # of 15 J; what grows in flight is the first-order error of turning fast
    assert (energy - np.minimum.accumulate(energy)).max() < 0.01 * energy[0]
    work = np.diff(data["contact_work"].to_numpy())
    assert work.max() < 1e-4  # friction and e = 0 only take; forces of the step, second order in dt
    assert work.sum() < -1.0
    # the gap at the middle of a step: half a step deep, where surfaces approach at up to 4 m/s and
    # turn at 20 rad/s about 0.2 m, and what several landings leave
    speed = np.linalg.norm(v[:, 3:], axis=1).max() + 0.2 * np.linalg.norm(v[:, :3], axis=1).max()
    assert np.nanmin(data["gap"].to_numpy()) > -2.0 * speed * dt
    touched = (data["impulse"].sel(axis="n") > 0.0).any("time")
    steps = [n for n in data["contact"].to_numpy()[touched] if "step" in n]
    assert len(steps) >= 2


@pytest.mark.parametrize("drop", [0.0, 0.05, 0.2])
def test_a_box_slides_over_the_seam_of_two_boxes(tmp_path, drop):
    # A body that lies deeper in the one than it has entered the other would meet the side of that:
    # after a fall the penetration has to be recovered.
    speed, fall = 1.5, np.sqrt(2.0 * drop / GRAVITY)
    half = sdf_box((4.0, 1.0, 0.5))
    floor = scenery("floor", left=(half, at((-2.0, 0.0, 0.25))), right=(half, at((2.0, 0.0, 0.25))))
    pose = at((-0.3 - speed * fall, 0.0, 0.55 + (drop or -TOUCH)))
    scenario = scene(
        tmp_path,
        {"floor": floor, "b": box((0.2, 0.2, 0.1), MASS)},
        {"b": pose},
        {"b": {"vx": speed}},
        friction=0.0,
        duration=fall + 0.4,
    )
    scenario.moreau.recover_gaps = drop > 0.0
    run = play(scenario)
    p, v = motion(run, "b")
    assert p[-1, 0] > 0.25
    # recovering moves the box out of the floor, and turns it by rounding over its length
    assert v[-1, 3:] == pytest.approx([speed, 0.0, 0.0], abs=1e-4 if drop else 1e-9)
