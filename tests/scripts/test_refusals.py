"""Refusals of the scripts, in one line each."""

import pytest
from tests.scripts.script import refusal, run_script

WRONG = {
    "biped: negative friction": ("biped", ["--friction", "-1"], "friction"),
    "biped: no time": ("biped", ["--duration", "0"], "duration"),
    "compass: negative mass": ("compass", ["--hip", "-1"], "m_hip"),
    "compass: too steep": ("compass", ["--slope", "95"], "slope"),
    "compass: uphill": ("compass", ["--slope", "-3"], "gait"),
    "goalkeeper: negative speed": ("goalkeeper", ["--keeper-speed", "-1"], "max_speed"),
    "goalkeeper: no speed": ("goalkeeper", ["--kick", "nan"], "ball_ball_v"),
    "goalkeeper: on the line": ("goalkeeper", ["--kick", "2", "--start", "1", "0"], "start"),
    "goalkeeper: nowhere": (
        "goalkeeper",
        ["--kick", "2", "--start", "1", "nan"],
        "start: y is nan",
    ),
    "goalkeeper: no kick": ("goalkeeper", ["--start", "1", "2"], "give --kick"),
    "goalkeeper: no shot": ("goalkeeper", ["--target", "0"], "give --kick"),
    "hopper: negative friction": ("hopper", ["--mu", "-1"], "friction"),
    "hopper: joint in the ground": ("hopper", ["--theta1", "200"], "Q is at a height"),
    "humanoid: no time": ("humanoid", ["--duration", "0"], "duration"),
    "humanoid: backwards": ("humanoid", ["--double", "-1"], "controller"),
    "motor: negative ratio": ("motor", ["--ratio", "-3"], "gear_ratio is -3"),
    "motor: no torque": ("motor", ["--torque", "nan"], "coefficients"),
    "pasibot: negative friction": ("pasibot", ["--friction", "-1"], "friction"),
    "pasibot: no time": ("pasibot", ["--duration", "0"], "duration"),
    "ugv: negative friction": ("ugv", ["--friction", "-1"], "friction"),
    "ugv: no speed": ("ugv", ["--speed", "0"], "--speed is 0.0: give a positive number"),
    "ugv: no angle": ("ugv", ["--rear", "nan"], "controller.stations.0.rear is"),
}


@pytest.mark.parametrize(("script", "arguments", "names"), WRONG.values(), ids=WRONG)
def test_a_wrong_request_gets_one_line(script, arguments, names, tmp_path):
    told = refusal(script, *arguments, "--out", tmp_path / "out").splitlines()
    assert told[-1].startswith(f"{script}")
    assert names in told[-1]
    # argparse puts its usage before what it refuses itself
    assert len(told) == 1 or told[0].startswith(f"usage: {script}.py")
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_file()]


@pytest.mark.parametrize("wrong", [["--ratios", "-3"], ["--duration", "0"]], ids=str)
def test_wrong_gears_get_one_line(wrong):
    (line,) = refusal("biped_gears", *wrong).splitlines()
    assert line.startswith("biped_gears: ")


@pytest.mark.slow
def test_a_process_ends_with_status_2():
    told = run_script("pasibot", "--friction", "-1")
    assert told.returncode == 2
    assert "Traceback" not in told.stderr
    assert told.stderr.startswith("pasibot: ")
