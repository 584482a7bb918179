"""The page of one model, in a real browser: sliders, layers, the posture, a file that changes."""

import numpy as np
import pytest
from tests.browser.chromium import chromium_path
from tests.browser.player import TWO_FRAMES
from tests.browser.served import Served
from tests.show.arm import ARM

pytestmark = pytest.mark.slow  # what the page asks for is tested without a browser as well

HAND = "viewer().scene_tree.find(['frames', 'model', 'hand']).object.matrix.elements.slice(12, 15)"
PLACES = {
    "visual": ["drake", "illustration"],
    "collision": ["drake", "proximity"],
    "inertia": ["drake", "inertia"],
    "frames": ["frames"],
    "centres": ["centres"],
    "ground": ["ground"],
}
SHOWN = "viewer().scene_tree.find({}).object.visible"


@pytest.fixture(scope="module")
def viewed(tmp_path_factory):
    chromium_path()  # skips where there is none
    folder = tmp_path_factory.mktemp("view")
    (folder / "arm.urdf").write_text(ARM.format(mass=2))
    viewed = Served(folder, "view", "arm.urdf")
    yield viewed
    viewed.close()


@pytest.fixture
def arm(viewed):
    """The page in the default posture."""
    viewed.click("#default")
    viewed.wait("Object.keys(state).length && state.yaml.includes('positions: {}')")
    return viewed


def _slide(arm, joint, value):
    arm.page.evaluate(
        f"(() => {{ const e = document.querySelector('#joints [data-name={joint}]');"
        f" e.value = '{value}'; e.dispatchEvent(new Event('input')); }})()"
    )


def _picture(arm):
    box = arm.page.evaluate(
        f"{TWO_FRAMES}.then(() => {{ const b = el('meshcat').getBoundingClientRect();"
        " return [b.x, b.y, b.width, b.height]; })"
    )
    return arm.page.picture(box).astype(int)


def _changed(before, after):
    """Number of pixels that differ visibly."""
    return int((np.abs(before - after).max(axis=2) > 40).sum())


def test_a_slider_moves_the_links_behind_its_joint(arm):
    before = _picture(arm)
    _slide(arm, "shoulder", 1.5)
    arm.wait("el('yaml').value.includes('shoulder: 1.5')")
    # from the shoulder at 0.5 m over half a metre, turned about y
    place = [0.5 * np.sin(1.5), 0.0, 0.5 + 0.5 * np.cos(1.5)]
    arm.wait(f"Math.abs({HAND}[0] - {place[0]}) < 1e-9")
    assert arm.page.evaluate(HAND) == pytest.approx(place, abs=1e-9)
    assert _changed(before, _picture(arm)) > 100


def test_sliders_end_at_the_limits_of_their_joints(arm):
    ends = arm.page.evaluate(
        "[...document.querySelectorAll('#joints input')].map(e => [e.dataset.name, e.min, e.max])"
    )
    assert ends == [["shoulder", "-1", "2"], ["elbow", "-4", "4"]]


def test_the_posture_is_copied_as_a_scenario_has_it(arm):
    arm.page.allow("clipboardReadWrite", "clipboardSanitizedWrite")
    _slide(arm, "elbow", -0.25)
    arm.wait("el('yaml').value.includes('elbow: -0.25')")
    arm.click("#copy")
    copied = arm.page.evaluate("navigator.clipboard.readText()")
    assert copied == "initial:\n  positions:\n    elbow: -0.25\n"


def test_every_layer_is_shown_and_hidden(arm):
    assert arm.page.evaluate("[...document.querySelectorAll('[data-layer]')].length") == 7
    for layer, path in PLACES.items():
        before = arm.page.evaluate(SHOWN.format(path))
        for shown in (not before, before):
            arm.click(f"[data-layer={layer}]")
            told = str(shown).lower()
            arm.wait(f"state.shown.{layer} === {told} && {SHOWN.format(path)} === {told}")


def test_collision_shapes_are_seen(arm):
    before = _picture(arm)
    arm.click("[data-layer=collision]")
    arm.wait(f"{SHOWN.format(PLACES['collision'])} === true")
    assert _changed(before, _picture(arm)) > 100
    arm.click("[data-layer=collision]")


def test_contacts_are_told_and_the_ground_is_under_the_lowest_link(arm):
    # the base reaches 0.1 m below its frame; the hand's ball of 0.1 m hangs from 1 m at 1 m
    arm.wait("el('notes').textContent === 'ground at z = -0.1 m, under base'")
    _slide(arm, "elbow", 3.14159265)
    arm.wait("el('notes').textContent.includes('overlap by 200 mm')")
    _slide(arm, "shoulder", 1.0)
    _slide(arm, "elbow", 1.6)
    arm.wait("el('notes').textContent.includes('under hand')")


def test_a_file_that_changes_is_shown_anew_and_one_that_breaks_is_told(arm):
    _slide(arm, "shoulder", 0.5)
    arm.wait("el('yaml').value.includes('shoulder: 0.5')")
    file = arm.folder / "arm.urdf"
    file.write_text("<robot")
    arm.wait("!el('message').hidden && el('message').textContent.includes('arm.urdf')")
    file.write_text(ARM.format(mass=7))
    arm.wait("el('message').hidden && el('masses').textContent.includes('upper7')")
    assert "shoulder: 0.5" in arm.page.evaluate("el('yaml').value")


def test_nothing_is_asked_of_elsewhere_or_complained_of(viewed):
    assert viewed.foreign_requests() == []
    assert viewed.page.errors() == []


def test_close_ends_the_command(viewed):
    viewed.click("#close")
    assert viewed.process.wait(60) == 0
