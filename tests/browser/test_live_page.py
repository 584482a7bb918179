"""The page on which a run is led, in a real browser: every control does what it says."""

import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.browser.chromium import Page, chromium_path
from tests.browser.served import Served

from footfall.scenario.io import parse_scenario

pytestmark = pytest.mark.slow  # what the commands do is asked without a browser as well

LAYER = "viewer().scene_tree.find(['scene', '{}']).object.visible"


@pytest.fixture(scope="module")
def led(tmp_path_factory):
    chromium_path()  # skips where there is none
    led = Served(
        tmp_path_factory.mktemp("live"),
        *("run", "scenes/push", "--wait", "--plot", "v.block_vy", "--set", "duration=60"),
        *("--set", "pushes=[]", "--no-report", "--out", "run"),
    )
    yield led
    led.close()


@pytest.fixture
def paused(led):
    """The same, paused."""
    led.wait("['running', 'paused'].includes(state.status)")
    for _ in range(3):  # a processor that is busy may let the page's connection fail
        if led.page.evaluate("state.status") == "running":
            led.click("#play")
        with suppress(AssertionError):
            led.page.wait_for("state.status === 'paused'", seconds=10.0)
            break
    led.wait("state.status === 'paused'")
    return led


def test_pause_holds_the_clock_and_play_lets_it_go(paused):
    before = paused.time()
    paused.moment()
    assert paused.time() == before
    paused.click("#play")
    paused.wait(f"state.time > {before + 0.02}")


def test_a_step_is_one_step_and_ten_are_ten(paused):
    before, step = paused.time(), paused.page.evaluate("about.time_step")
    for button, count in (("#step", 1), ("#steps", 11)):
        paused.click(button)
        paused.wait(f"Math.abs(state.time - {before + count * step}) < {0.01 * step}")
    paused.moment()
    assert paused.time() == pytest.approx(before + 11 * step)


def test_slow_motion_is_slow(paused):
    paused.choose("speed", "0.1")
    paused.click("#play")
    paused.wait("state.status === 'running'")
    spent, gone = paused.page.evaluate(
        "(async () => { const time = async () => (await (await fetch('state')).json()).time;"
        " const begun = performance.now(), before = await time();"
        " await new Promise(done => setTimeout(done, 1000));"
        " return [await time() - before, (performance.now() - begun) / 1000].reverse(); })()"
    )
    # a frame may be a quarter of a second old, and a run makes up for as much
    assert 0.0 < gone < 0.1 * (spent + 0.5)
    paused.choose("speed", "1")


def test_a_push_moves_the_body_and_grows_in_the_plot(paused):
    paused.choose("direction", "0,1,0")
    paused.choose("force", "100")
    paused.choose("duration", "0.05")
    rows = paused.page.evaluate("plots.rows.length")
    paused.click("#push")
    paused.wait("state.notes.some(note => note.includes('push on'))")
    paused.click("#play")
    paused.wait("plots.rows.some(row => row[1] > 0.01)")
    assert paused.page.evaluate("plots.rows.length") > rows


def test_a_slider_changes_friction_and_another_gravity(paused):
    for name, value in (("friction", 0.25), ("gravity", 3.5)):
        paused.choose(name, value)
        paused.wait(f"about.{name} === {value}")
        paused.wait(f"state.notes.some(note => note.includes('{name} {value}'))")


def test_layers_are_shown_and_hidden(paused):
    for layer, path in (("cones", "friction_cones"), ("arrows", "contact_forces")):
        before = paused.page.evaluate(LAYER.format(path))
        paused.click(f"[data-layer={layer}]")
        paused.wait(f"{LAYER.format(path)} === {str(not before).lower()}")


def test_a_camera_is_chosen_and_kept_when_the_page_is_loaded_again(paused):
    place = "viewer().camera.position.toArray()"
    before = paused.page.evaluate(place)
    paused.click("[data-camera=above]")
    paused.wait(f"Math.abs({place}[1] - {before[1]}) > 0.1")
    paused.page.evaluate("viewer().camera.position.set(1, 2, 3)")
    paused.moment()
    paused.load_again()
    assert paused.page.evaluate(place) == pytest.approx([1.0, 2.0, 3.0], abs=1e-6)


def test_restart_begins_anew(paused):
    paused.click("#restart")
    paused.wait("state.time < 0.01 && state.notes.length === 0")


def test_shift_and_drag_push_in_the_plane_of_the_picture(paused):
    box = paused.page.evaluate(
        "(() => { const b = el('meshcat').getBoundingClientRect(); return [b.x, b.y]; })()"
    )
    for kind, x in (("mousePressed", 200), ("mouseMoved", 350), ("mouseReleased", 350)):
        paused.page.call(
            "Input.dispatchMouseEvent", type=kind, x=box[0] + x, y=box[1] + 200, button="left",
            buttons=1, modifiers=8, clickCount=1,
        )  # fmt: skip
    paused.wait("state.notes.some(note => note.includes('push on'))")


def test_only_the_own_port_is_asked_and_nothing_is_complained_of(led):
    assert led.foreign_requests() == []
    assert led.page.errors() == []


class _Elsewhere(BaseHTTPRequestHandler):
    """A page of another program, at another port of this machine."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<body>elsewhere</body>")

    def log_message(self, *_):
        pass


# what a page can try from elsewhere: to read, to command, and to send Drake what it cannot read
DOORS = """(async (at) => {
  const read = (path, options) => fetch(at + path, options).then((a) => a.text());
  const open = (path) => new Promise((done, refuse) => {
    const scene = new WebSocket(at.replace("http", "ws") + path);
    scene.onopen = () => { scene.send(new Uint8Array()); done("open"); };
    scene.onerror = () => refuse();
  });
  const close = { method: "POST", body: '{"do": "close"}' };
  const tries = [
    open("scene/"), read("state"), read("about"), read("do", close),
    read("do", { ...close, headers: { "X-Footfall": "1" } }),
  ];
  await fetch(at + "do", { ...close, mode: "no-cors" });
  return (await Promise.allSettled(tries)).map((each) => each.status);
})"""


def test_a_page_of_elsewhere_reads_nothing_and_ends_nothing(paused, tmp_path):
    before = paused.time()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as server, Page(tmp_path / "its") as its:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in ("localhost", "127.0.0.1"):
            its.call("Page.navigate", url=f"http://{name}:{server.server_address[1]}/")
            its.wait_for("document.body !== null && document.body.textContent === 'elsewhere'")
            assert its.evaluate(f"{DOORS}({paused.url!r})") == ["rejected"] * 5
        server.shutdown()
    paused.click("#play")
    paused.wait(f"state.time > {before + 0.02}")
    assert "Traceback" not in paused.told()


def test_others_watch_it_at_an_address_with_a_token(tmp_path):
    chromium_path()
    settings = ("--set", "duration=60", "--no-report", "--out", "run", "--host", "*", "--wait")
    led = Served(tmp_path, "run", "scenes/push", *settings)
    try:
        led.wait("state.status === 'running' && state.time > 0.02")
        assert len(led.url) > len("http://localhost:7100/") + 20
        assert led.page.errors() == []
        led.click("#close")
        assert led.process.wait(60) == 1
    finally:
        led.close()


def test_close_ends_the_command_and_the_run_is_kept(paused):
    paused.click("#close")
    assert paused.process.wait(60) == 1  # interrupted, as by Ctrl-C
    kept = parse_scenario((paused.folder / "run" / "scenario.yaml").read_text())
    assert [push.link for push in kept.pushes] == ["block::block"]
