"""Time until a page is open in Chromium."""

import math
import sys
from pathlib import Path
from typing import Self

sys.path.insert(0, str(Path(__file__).parents[2]))  # of the driver, which the tests have

_ROUNDS = 3
# charts are counted where they are drawn, and a player says when it can be led
_OPEN = """new Promise((done) => {
  const players = () => [...document.querySelectorAll("[data-player]")];
  const root = document.documentElement;
  const charts = () => !document.getElementById("charts") || root.dataset.charts;
  const look = () => (document.readyState === "complete" && charts()
    && (!players().length || players()[0].dataset.player === "ready")
    ? done(performance.now() / 1000) : setTimeout(look, 5));
  look();
})"""


class Opener:
    """A browser that opens pages; without Chromium, or what drives it, times are not known."""

    def __init__(self, profile: Path) -> None:
        """Begin with no browser; profile: a folder for it."""
        self._profile, self._tab = profile, None

    def __enter__(self) -> Self:
        """Start the browser if there is one."""
        try:
            from tests.browser.chromium import Page, chromium_path
        except ImportError:
            return self
        try:
            chromium_path()
        except BaseException as skipped:  # noqa: BLE001 (what pytest raises to skip a test)
            print(skipped, file=sys.stderr)
            return self
        self._tab = Page(self._profile)
        return self

    def __exit__(self, *_: object) -> None:
        """End the browser."""
        if self._tab is not None:
            self._tab.close()

    def seconds(self, page: Path) -> float:
        """Least time of several from the request of a page until it is open [s]; NaN if unknown.

        Before each the tab is empty: to leave a page whose animation plays takes time of its own.
        """
        if self._tab is None:
            return math.nan
        times = []
        for _ in range(_ROUNDS):
            self._tab.call("Page.navigate", url="about:blank")
            self._tab.wait_for("location.href === 'about:blank'")
            self._tab.events.clear()
            self._tab.open(page)
            times.append(self._tab.evaluate(_OPEN))
        return min(times)
