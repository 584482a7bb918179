"""The page of one model: posture, overlaps, masses, and a file that changes meanwhile."""

import os

import numpy as np
import pytest
from tests.engines.tiny import GEARS
from tests.show.arm import ARM
from tests.show.meshcat_state import is_visible, shown_pose

from footfall.show import start_meshcat
from footfall.show.live.controls import Command, Controls
from footfall.show.model import view_model


class Look:
    """Shows a model, and goes on with a list of what is done after each look of the page."""

    def __init__(self, path, acts):
        self.controls, self.meshcat, self.told = Controls(), start_meshcat(), []
        self._acts = list(acts)
        view_model(
            str(path), self.meshcat, self.controls,
            interrupted=self._next, tell=self.told.append,
        )  # fmt: skip

    def _next(self):
        if not self._acts:
            return True
        self._acts.pop(0)(self)
        return False


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.format(mass=2))
    return path


def _joint(name, value):
    return lambda look: look.controls.put(Command("joint", {"joint": name, "value": value}))


def _nothing(_look):
    pass


def test_a_slider_moves_the_joint_within_its_limits_and_the_posture_is_yaml(arm):
    look = Look(arm, [_joint("shoulder", 1.5707963), _joint("elbow", 9.0), _nothing])
    assert look.controls.state["yaml"] == (
        "initial:\n  positions:\n    shoulder: 1.570796\n    elbow: 4.0\n"
    )
    pose = shown_pose(look.meshcat, "/frames/model/hand")
    assert pose[:3, 3] == pytest.approx([0.5, 0.0, 0.5], abs=1e-6)
    joints = {joint["name"]: joint for joint in look.controls.about["joints"]}
    assert (joints["shoulder"]["low"], joints["shoulder"]["high"]) == (-1.0, 2.0)


def test_links_that_overlap_are_told_with_their_depth(arm):
    # straight down again: the ball of the hand is at the height of the base, 0.5 + 0.5 - 1 = 0
    look = Look(arm, [_joint("elbow", 3.14159265), _nothing])
    line, _ = look.controls.notes
    assert line.startswith(("base and hand overlap by", "hand and base overlap by"))
    assert float(line.split()[-2]) == pytest.approx(200.0, rel=0.01)  # 0.1 + 0.1 m
    assert look.meshcat.HasPath("/contacts/0")
    assert Look(arm, [_nothing]).controls.notes == ["ground at z = -0.1 m, under base"]


def test_the_ground_is_under_the_lowest_link_with_marks_where_links_stand(arm):
    look = Look(arm, [_nothing])
    # the box of the base, of 0.2 m, which stands on four corners
    assert shown_pose(look.meshcat, "/ground/plate")[2, 3] < -0.1
    for k in range(4):
        place = shown_pose(look.meshcat, f"/ground/marks/{k}")[:3, 3]
        assert np.abs(place) == pytest.approx([0.1, 0.1, 0.1])
    assert not look.meshcat.HasPath("/ground/marks/4")
    look = Look(arm, [_joint("shoulder", 1.0), _joint("elbow", 1.6), _nothing])
    # a ball of 0.1 m at a metre from the elbow, turned by 2.6 rad; the elbow at half a metre
    z = 0.5 + 0.5 * np.cos(1.0) + np.cos(2.6) - 0.1
    assert look.controls.notes == [f"ground at z = {z:.6g} m, under hand"]
    assert shown_pose(look.meshcat, "/ground/marks/0")[2, 3] == pytest.approx(z)
    assert not look.meshcat.HasPath("/ground/marks/1")


def test_masses_layers_and_centres_of_mass_are_there(arm):
    def show(look):
        look.controls.put(Command("show", {"layer": "inertia", "shown": True}))

    look = Look(arm, [show, _nothing])
    masses = {link["name"]: link for link in look.controls.about["masses"]}
    assert masses["upper"]["mass"] == 2.0
    assert masses["upper"]["com"] == [0.0, 0.0, 0.3]
    centre = shown_pose(look.meshcat, "/centres/model/upper")
    assert centre[:3, 3] == pytest.approx([0.0, 0.0, 0.8])
    assert is_visible(look.meshcat, "/drake/inertia")
    assert not is_visible(look.meshcat, "/frames")


@pytest.mark.slow
def test_a_file_that_changes_is_read_again_and_the_posture_stays(arm):
    def write(text, age):
        def act(_look):
            arm.write_text(text)
            os.utime(arm, (age, age))

        return act

    messages = []
    look = Look(
        arm,
        [
            _joint("elbow", 0.25),
            write("<robot", 1_000),
            _nothing,
            lambda look: messages.append(look.controls.about["message"]),
            write(ARM.format(mass=7), 2_000),
            _nothing,
            _nothing,
        ],
    )
    assert "arm.urdf" in messages[0]
    assert look.controls.about["message"] == ""
    masses = {link["name"]: link["mass"] for link in look.controls.about["masses"]}
    assert masses["upper"] == 7.0
    assert "elbow: 0.25" in look.controls.state["yaml"]


def test_joints_that_mimic_others_follow_them_and_have_no_slider(tmp_path):
    path = tmp_path / "gears.urdf"
    path.write_text(GEARS)
    look = Look(path, [_joint("a", 0.2), _nothing])
    assert [joint["name"] for joint in look.controls.about["joints"]] == ["a"]
    # b = -2 a + 0.3, c = b / 2
    for name, turn in (("a", 0.2), ("b", -0.1), ("c", -0.05)):
        R = shown_pose(look.meshcat, f"/frames/model/{name}_wheel")[:3, :3]
        assert np.arctan2(R[0, 2], R[0, 0]) == pytest.approx(turn, abs=1e-12)
