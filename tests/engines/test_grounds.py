"""Height maps and rough ground: slopes, a bowl, seams, heights at which bodies rest, refusals."""

import hashlib
import json
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr
from tests.cli.command import footfall
from tests.engines.tiny import GRAVITY

from footfall.errors import ScenarioError
from footfall.metrics import scalar
from footfall.run import run_scenario
from footfall.scenario.assemble import build_robot
from footfall.scenario.io import dump_scenario, parse_scenario, with_settings
from footfall.trajectory import Status

RADIUS = 0.1  # of the ball of 1 kg
PLATEAU = "heights: [[0, 1, 1, 0], [0, 1, 1, 0]]"  # about the origin
BALL = "directives: [{add_model: {name: b, file: package://footfall/urdf/ball/ball.urdf}}]\n"
BLOCK = "directives: [{add_model: {name: b, file: package://footfall/sdf/toys/block.sdf}}]\n"


def scene(model, terrain, initial, duration, step="1.0e-3", friction=0.3):
    return parse_scenario(
        f"{model}terrain: {terrain}\ninitial: {{{initial}}}\nduration: {duration}\n"
        f"time_step: {step}\nfriction: {friction}\n"
    )


def played(scenario, engine):
    run = run_scenario(scenario, "ground", engine)
    assert run.trajectory.status is Status.DONE, run.trajectory.message
    return run.trajectory.data


def seams(rng):
    """Heights of a floor at 0.01 m that rounding alone makes uneven: no two triangles are flat."""
    heights = 0.01 + 3e-7 * rng.random((9, 9))
    heights[0, 0] = 0.0
    return heights.tolist()


@pytest.mark.parametrize(("engine", "within"), [("moreau", 1e-3), ("drake-sap", 0.06)])
def test_a_block_slides_down_the_slope_of_a_map_as_coulomb_says(engine, within):
    # 0.5 m in 1 m: (sin - mu cos) g along it, from rest
    terrain = "!HeightMap {heights: [[2, 1, 0], [2, 1, 0]], size: [4, 2]}"
    tilt = np.arctan(0.5)
    x, z = 0.1 * np.sin(tilt), 1.0 + 0.1 * np.cos(tilt)  # half of the block, along the normal
    initial = f"positions: {{block_x: {x}, block_z: {z - 1e-9}, block_qw: {np.cos(tilt / 2)}, "
    initial += f"block_qy: {np.sin(tilt / 2)}}}"
    data = played(scene(BLOCK, terrain, initial, 0.3), engine)
    slid = np.hypot(
        *(
            data["q"].sel(position=f"block_{k}")[-1] - data["q"].sel(position=f"block_{k}")[0]
            for k in "xz"
        )
    )
    expected = 0.5 * GRAVITY * (np.sin(tilt) - 0.3 * np.cos(tilt)) * 0.3**2
    # Drake's block first rises onto the film that it slides on, mu v (dt + relaxation time)
    assert slid == pytest.approx(expected, rel=within)


@pytest.mark.parametrize(
    ("engine", "within"),
    [("moreau", 1e-4), pytest.param("drake-sap", 0.02, marks=pytest.mark.slow)],
)
def test_seams_of_a_flat_map_stop_nothing(engine, within):
    # the landing presses the ball into the ground, where it meets walls of the neighbours
    start = "drop_along: ball, gap: 0.02, velocities: {ball_vx: 1.0, ball_vy: 0.2}"
    map_ = f"!HeightMap {{heights: {seams(np.random.default_rng(0))}, size: [2, 2]}}"
    ways = []
    for terrain in ("{}", map_):
        q = played(scene(BALL, terrain, start, 0.6), engine)["q"]
        ways.append((q[-1] - q[0]).sel(position=["ball_x", "ball_y"]).to_numpy())
    assert np.linalg.norm(ways[0]) > 0.4
    assert np.linalg.norm(ways[1] - ways[0]) < within * np.linalg.norm(ways[0])


def test_a_ball_rolls_down_into_a_bowl_and_gains_no_energy():
    x = np.linspace(-1.0, 1.0, 41)
    bowl = np.vstack([0.4 * x**2] * 2).tolist()
    start = "drop_along: ball, positions: {ball_x: -0.5}"
    data = played(
        scene(BALL, f"!HeightMap {{heights: {bowl}, size: [2, 1]}}", start, 1.5), "moreau"
    )
    energy = (data["kinetic_energy"] + data["potential_energy"]).to_numpy()
    assert np.diff(energy).max() < 1e-9
    place = data["q"].sel(position="ball_x").to_numpy()
    # It rolls through the lowest point. Each of 20 chords costs an impact that turns the velocity
    # by 2 degrees: sin^2 of that of the energy, some 2 percent in all; it comes up nearly as high.
    assert 0.42 < place.max() < 0.5
    # rolling, 7/5 of the energy of translation
    speed = np.abs(data["v"].sel(velocity="ball_vx").to_numpy())
    lowest = np.argmax(place > 0.0)
    z = data["q"].sel(position="ball_z").to_numpy()
    assert speed[lowest] == pytest.approx(
        np.sqrt(10.0 / 7.0 * GRAVITY * (z[0] - z[lowest])), rel=0.03
    )


@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_a_block_rests_on_its_box(engine):
    terrain = "!RoughGround {seed: 3, cell: 0.5, size: [1.5, 1.5], height: 0.2}"
    scenario = scene(BLOCK, terrain, "drop_along: block", 0.2)
    highest = build_robot(scenario).model.surface.heights(np.zeros((1, 3)))[0]
    assert 0.01 < highest < 0.2
    z = played(scenario, engine)["q"].sel(position="block_z").to_numpy()
    # Drake's ground gives way by some 0.1 mm at most
    assert z[-1] == pytest.approx(highest + 0.1, abs=1e-9 if engine == "moreau" else 2e-4)


@pytest.mark.parametrize(
    "terrain", ["{slope_deg: 3.0}", "!RoughGround {kind: steps}", f"!HeightMap {{{PLATEAU}}}"]
)
def test_a_ground_is_written_and_read_back(terrain):
    scenario = scene(BALL, terrain, "drop_along: ball", 0.1)
    text = dump_scenario(scenario)
    assert parse_scenario(text).terrain == scenario.terrain
    assert dump_scenario(parse_scenario(text)) == text
    steeper = with_settings(scenario, ["terrain.slope_deg=1"], "it").terrain
    assert steeper == replace(scenario.terrain, slope_deg=1.0)


def test_a_run_keeps_the_map_and_is_run_again_from_its_folder(tmp_path, monkeypatch, capsys):
    (tmp_path / "map.csv").write_text("0,1,0\n0,1,0\n")
    text = f"{BALL}terrain: !HeightMap {{file: map.csv, size: [1, 1]}}\nduration: 0.02\n"
    (tmp_path / "it.yaml").write_text(text + "initial: {drop_along: ball}")
    monkeypatch.chdir(tmp_path)
    assert footfall("run", "it.yaml", "--no-report", "--out", "first", capsys=capsys)[0] == 0
    told = json.loads((tmp_path / "first" / "provenance.json").read_text())["code"]["terrain"]
    assert told["sha256"] == hashlib.sha256((tmp_path / "map.csv").read_bytes()).hexdigest()
    (tmp_path / "map.csv").unlink()
    again = "first/scenario.yaml"
    assert footfall("run", again, "--no-report", "--out", "second", capsys=capsys)[0] == 0
    first, second = (
        xr.load_dataset(tmp_path / name / "trajectory.nc") for name in ("first", "second")
    )
    assert (first["q"] == second["q"]).all()
    folder = tmp_path / "first"
    read = parse_scenario((folder / "scenario.yaml").read_text(), "it", folder)
    # the ball stands on the ridge, one metre over the plane
    assert build_robot(read).initial_state[6] == pytest.approx(1.0 + RADIUS, abs=1e-9)


@pytest.mark.slow
def test_many_pieces_do_not_bring_the_interpreter_down():
    # Drake's tree of boxes crashed where they shared it with the half-space
    for terrain in ("!RoughGround {kind: waves}", "!RoughGround {cell: 0.15}"):
        data = played(scene(BALL, terrain, "drop_along: ball", 0.005), "drake-sap")
        assert np.isfinite(data["q"].to_numpy()).all()


@pytest.mark.slow
def test_the_seed_of_the_scenario_makes_the_ground_unless_it_has_one():
    def heights(more, seed):
        text = (
            f"{BALL}seed: {seed}\nterrain: !RoughGround {{{more}}}\ninitial: {{drop_along: ball}}"
        )
        surface = build_robot(parse_scenario(text)).model.surface
        return surface.heights(np.random.default_rng(0).uniform(-1.0, 1.0, (50, 2)))

    assert (heights("", 1) == heights("", 1)).all()
    assert (heights("", 1) != heights("", 2)).any()
    assert (heights("seed: 5", 1) == heights("seed: 5", 2)).all()


@pytest.mark.parametrize("kind", ["boxes", "steps", "waves"])
def test_rough_ground_is_within_its_height_and_flat_where_it_is_to_be(kind):
    text = f"{BALL}terrain: !RoughGround {{kind: {kind}, height: 0.1, flat_radius: 0.4}}"
    surface = build_robot(parse_scenario(text + "\ninitial: {drop_along: ball}")).model.surface
    points = np.random.default_rng(0).uniform(-1.9, 1.9, (4000, 2))
    heights = surface.heights(points)
    flat = np.hypot(*points.T) < 0.4 if kind == "boxes" else np.abs(points[:, 0]) < 0.39
    assert (heights[flat] == 0.0).all()
    assert heights.min() >= 0.0
    assert 0.07 < heights.max() <= 0.1


@pytest.mark.parametrize("slope", [0.0, 10.0])
@pytest.mark.parametrize("engine", ["moreau", "drake-sap"])
def test_feet_and_falls_know_the_surface(engine, slope):
    terrain = f"!HeightMap {{{PLATEAU}, height: 0.5, slope_deg: {slope}}}"
    scenario = scene(BLOCK, terrain, "drop_along: block, gap: 0.1", 0.13)
    scenario.fallen_below = {"block": 0.15}  # over the map, and 0.65 m over the plane
    run = run_scenario(scenario, "ground", engine)
    assert "is 0.1" in run.trajectory.message
    clearance = run.trajectory.data["foot_clearance"].to_numpy()[:, 0]
    # it falls along gravity, freely, from 0.1 m along the normal (or a corner of it does)
    time = run.trajectory.data["time"].to_numpy()
    fallen = 0.5 * GRAVITY * np.cos(np.radians(slope)) * time**2
    assert clearance[1:] == pytest.approx(0.1 - fallen[1:], abs=2e-3)
    assert scalar(run.metrics, "duration") < 0.12


@pytest.mark.parametrize(
    ("terrain", "said"),
    [
        ("!HeightMap {}", "needs a file or heights"),
        ("!HeightMap {file: nowhere.png}", "terrain.file 'nowhere.png' cannot be read"),
        ("!HeightMap {file: heights.txt}", "give a .png, .npy or .csv file"),
        ("!HeightMap {heights: [[0, 1], [1]]}", "all of one length"),
        ("!HeightMap {heights: [[0, 1]]}", "two rows and two columns"),
        ("!HeightMap {heights: [[0, 1], [1, .inf]]}", "NaN or without end"),
        ("!HeightMap {heights: [[0, 1], [1, 0]], size: [0, 1]}", "terrain.size is"),
        ("!HeightMap {heights: [[0, 1], [1, 0]], height: 0}", "terrain.height is 0"),
        ("!HeightMap {heights: [[0, 1], [1, 0]], file: a.png}", "give one of them"),
        ("!RoughGround {kind: hills}", "choose one of boxes, steps, waves"),
        ("!RoughGround {cell: 0.01}", "more than 2000"),
        ("!RoughGround {flat_radius: -1}", "terrain.flat_radius is -1"),
    ],
)
def test_nonsense_is_refused_by_name(terrain, said):
    with pytest.raises(ScenarioError) as caught:
        build_robot(parse_scenario(f"{BALL}terrain: {terrain}\ninitial: {{drop_along: ball}}"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.png", "a.npy", "a.csv"])
def test_a_file_that_is_something_else_is_refused(name, tmp_path):
    (tmp_path / name).write_bytes(b"\x00no numbers\xff")
    terrain = f"!HeightMap {{file: {tmp_path / name}}}"
    with pytest.raises(ScenarioError, match=r"terrain.file '.*' cannot be read"):
        build_robot(parse_scenario(f"{BALL}terrain: {terrain}"))


def test_what_starts_in_the_ground_and_what_needs_a_plane_is_refused():
    terrain = f"terrain: !HeightMap {{{PLATEAU}}}\n"
    with pytest.raises(ScenarioError, match="inside of the ground: raise it"):
        build_robot(parse_scenario(f"{BALL}{terrain}initial: {{positions: {{ball_z: 0.5}}}}"))
    with pytest.raises(ScenarioError, match="knows a plane only"):
        parse_scenario(f"{BALL}{terrain}alternating_feet: {{feet: [a, b]}}")
