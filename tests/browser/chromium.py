"""Chromium without a screen, driven over its DevTools protocol."""

import base64
import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
import websocket
from PIL import Image

_PATIENCE = 60.0  # s
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-port=0",
    "--remote-allow-origins=*",
)


def chromium_path():
    """Path of Chromium; skips the test without it, or fails when FOOTFALL_REQUIRE_BROWSER is 1."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    if os.environ.get("FOOTFALL_REQUIRE_BROWSER") == "1":
        pytest.fail("no chromium on PATH, and FOOTFALL_REQUIRE_BROWSER=1")
    pytest.skip("no chromium on PATH")


class Page:
    """One tab; ``events`` keeps everything that the browser said about it."""

    def __init__(self, folder: Path, width=1280, height=900):
        command = [chromium_path(), *_FLAGS, f"--window-size={width},{height}"]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.events = []
        self._size = width, height
        self._ids = itertools.count(1)
        try:
            self._socket = websocket.create_connection(
                _browser_url(self._process, folder), timeout=_PATIENCE
            )
            target = self._call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)[
                "sessionId"
            ]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
            self.resize()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def resize(self):
        """Give the tab the size that it was opened with."""
        width, height = self._size
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **screen)

    def close(self):
        """End the browser with all its processes (they are in a group of their own)."""
        if hasattr(self, "_socket"):
            self._socket.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def call(self, method, **parameters):
        """Send a command to the tab and return its answer."""
        return self._call(method, session=self._session, **parameters)

    def open(self, path: Path):
        """Open a file and wait until it says that it has loaded."""
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for(lambda: any(e["method"] == "Page.loadEventFired" for e in self.events))

    def evaluate(self, expression):
        """Value of a JavaScript expression in the page; promises are awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait_for(self, condition, seconds=_PATIENCE):
        """Wait until a condition (a function, or a JavaScript expression) holds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.evaluate(condition) if isinstance(condition, str) else condition():
                return
            self.evaluate("new Promise(done => setTimeout(done, 50))")
        raise AssertionError(f"not so within {seconds} s: {condition}")

    def picture(self, box=None):
        """Pixels seen, as an array (height, width, 3); box: x, y, width, height in the page."""
        clip = {}
        if box is not None:
            clip = {
                "clip": {**dict(zip(("x", "y", "width", "height"), box, strict=True)), "scale": 1}
            }
        data = self.call("Page.captureScreenshot", format="png", **clip)["data"]
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))

    def allow(self, *permissions):
        """Let pages do what a user is asked for; the tab has the focus."""
        self._call("Browser.grantPermissions", permissions=list(permissions))
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def save_to(self, folder: Path):
        """Let files that pages save come into a folder, without asking."""
        self._call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def errors(self):
        """Everything that the page complained about on its console."""
        bad = []
        for event in self.events:
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                bad.append(json.dumps(parameters["exceptionDetails"])[:500])
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in {"error", "assert"}:
                bad.append(json.dumps(parameters["args"])[:500])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                bad.append(parameters["entry"]["text"])
        return bad

    def requests(self):
        """Addresses of everything that was requested, sockets included."""
        asked = [
            e["params"]["request"]["url"]
            for e in self.events
            if e["method"] == "Network.requestWillBeSent"
        ]
        return asked + [
            e["params"]["url"] for e in self.events if e["method"] == "Network.webSocketCreated"
        ]

    def _call(self, method, session=None, **parameters):
        number = next(self._ids)
        message = {"id": number, "method": method, "params": parameters}
        self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)


def _browser_url(process, folder):
    """Address of the DevTools socket, which Chromium writes into its profile."""
    note = folder / "DevToolsActivePort"
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        lines = note.read_text().splitlines() if note.exists() else []
        if len(lines) == 2:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.05)
    raise AssertionError(f"chromium ended with {process.poll()} before it listened")
