"""Session of somebody who watches: the page, its server, and what is shown on it."""

import webbrowser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from footfall.scenario.assemble import load_contacts
from footfall.scenario.schema import Scenario
from footfall.show.live.controls import Controls
from footfall.show.live.display import Display
from footfall.show.live.player import CLOSE, RESTART, Player
from footfall.show.live.run import LiveRun
from footfall.show.live.server import LOCAL, PageServer
from footfall.show.meshcat import start_meshcat
from footfall.show.view import View
from footfall.simulation import Restart
from footfall.trajectory import Trajectory

_Run = TypeVar("_Run")
_LOOK = 0.1  # s between two looks whether a browser is there


@dataclass(frozen=True)
class Watching:
    """Wishes of somebody who watches.

    open_browser: open the page. wait: begin when a browser is there. host: "localhost" for this
    machine only, "*" for everybody who has the token in the address. port: of the page, None takes
    the first free one. plots: names of values that are plotted.
    """

    open_browser: bool = False
    wait: bool = False
    host: str = LOCAL
    port: int | None = None
    plots: Sequence[str] = ()


class Page:
    """A page around Meshcat that is served until ``close``; who has it says what it shows."""

    def __init__(self, watching: Watching, tell: Callable[[str], None]) -> None:
        """Serve the page and tell its address; raises RunError for a port that is taken."""
        self.controls, self.meshcat = Controls(), start_meshcat()
        address = self.meshcat.web_url()
        self._server = PageServer(self.controls, address, watching.host, watching.port)
        self.url = self._server.url
        tell(f"watch it at {self.url}")
        if watching.open_browser:
            webbrowser.open(self.url)

    def close(self) -> None:
        """Stop serving."""
        self.controls.state = {**self.controls.state, "status": CLOSE}
        self._server.close()


class LiveView:
    """A page on which runs of a scenario are watched, in the thread that made it."""

    def __init__(
        self, scenario: Scenario, view: View, watching: Watching, tell: Callable[[str], None]
    ) -> None:
        """Serve the page and tell its address; raises RunError for a port that is taken."""
        self._scenario, self._view, self._watching = scenario, view, watching
        self._model, self._contacts = load_contacts(scenario)
        self.page = Page(watching, tell)
        self._controls, self._meshcat = self.page.controls, self.page.meshcat
        self._display = Display(self._meshcat, view)
        self.run = LiveRun(self._meshcat, self._controls, self._display, view, watching.plots)
        self._controls.state = {"status": "preparing"}  # kernels may have to be compiled first
        self._controls.tell_about(title=scenario.name or "scenario", mode="live")

    def wait_for_browser(self, interrupted: Callable[[], bool]) -> None:
        """Wait until a browser shows the scene, if that is wished.

        Raises KeyboardInterrupt if somebody interrupts it.
        """
        while self._watching.wait and self._meshcat.GetNumActiveConnections() == 0:
            if interrupted():
                raise KeyboardInterrupt
            self._controls.take(_LOOK)

    def simulate(self, run: Callable[[LiveRun], _Run]) -> _Run:
        """Run a simulation with the conductor of this page, again whenever it is to begin anew."""
        while True:
            try:
                return run(self.run)
            except Restart:
                continue

    def play(
        self,
        trajectories: Mapping[str, Trajectory],
        interrupted: Callable[[], bool],
        *,
        at_end: bool = False,
        again: bool = False,
    ) -> bool:
        """Play runs until the page is closed or somebody interrupts.

        again: the run can be simulated anew. Returns whether that is asked for.
        """
        player = self.show(trajectories, self.run.plotted, strict=False)
        self._controls.tell_about(again=again)
        return player.play(interrupted, at_end=at_end) == RESTART and again

    def show(
        self,
        trajectories: Mapping[str, Trajectory],
        plots: Sequence[str] | None = None,
        *,
        strict: bool = True,
    ) -> Player:
        """Put runs on the page; plots: other ones than wished.

        strict: what runs lack of them is an error.
        """
        return Player(
            self._meshcat,
            self._controls,
            self._display,
            self._model,
            self._contacts,
            trajectories,
            self._view,
            cameras=self._scenario.cameras,
            plots=self._watching.plots if plots is None else plots,
            strict=strict,
        )
