"""A command of footfall that serves a page, and a tab that shows it."""

import re
import subprocess
import sys
import time

from tests.browser.chromium import Page

SETTLED = "document.body.dataset.ready === 'yes'"
_PATIENCE = 60.0  # s


class Served:
    """The command with its page; ``folder`` is where it runs."""

    def __init__(self, folder, *arguments):
        self.folder = folder
        command = [sys.executable, "-m", "footfall", *map(str, arguments)]
        self._told = (folder / "told.txt").open("w+")
        self.process = subprocess.Popen(
            command, stdout=self._told, stderr=subprocess.STDOUT, cwd=folder
        )
        self.page = None
        try:
            self.url = self._address()
            self.page = Page(folder / "profile")
            self.page.call("Page.navigate", url=self.url)
            self.page.wait_for("document.body !== null")
            self.page.wait_for(SETTLED)
        except BaseException:
            self.close()
            raise

    def _address(self):
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(r"http://localhost:\d+/\S*", self.told())
            if found:
                return found[0]
            time.sleep(0.05)
        raise AssertionError(f"no page is served: {self.told()}")

    def told(self):
        """Return the output of the command so far."""
        return (self.folder / "told.txt").read_text()

    def close(self):
        if self.page is not None:
            self.page.close()
        self.process.kill()
        self.process.wait()
        self._told.close()

    def click(self, name):
        self.page.evaluate(f"document.querySelector('{name}').click()")

    def choose(self, name, value, event="change"):
        self.page.evaluate(
            f"(() => {{ const e = document.getElementById('{name}'); e.value = '{value}';"
            f" e.dispatchEvent(new Event('{event}')); }})()"
        )

    def press(self, key):
        """Press a key while nothing has the focus."""
        self.page.evaluate("document.activeElement.blur()")
        self.page.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        self.page.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def time(self):
        return self.page.evaluate("state.time")

    def wait(self, condition):
        self.page.wait_for(condition)

    def moment(self, milliseconds=300):
        self.page.evaluate(f"new Promise(done => setTimeout(done, {milliseconds}))")

    def load_again(self):
        self.page.call("Page.reload")
        self.moment(500)
        self.wait(SETTLED)

    def foreign_requests(self):
        """Addresses that were asked for besides the command's own."""
        own = (self.url, f"ws://{self.url.removeprefix('http://')}", "data:", "blob:", "about:")
        return [url for url in self.page.requests() if not url.startswith(own)]
