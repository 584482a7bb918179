"""Options of commands whose runs can be watched on a page: one list of them for all."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

import typer

from footfall.cli.options import Host, OpenPage, PlotNames, Port, View, WaitForBrowser
from footfall.interrupt import hearing_ctrl_c

if TYPE_CHECKING:
    from footfall.scenario.schema import Scenario
    from footfall.show.live import LiveView


@dataclass(frozen=True)
class Watch:
    """Wishes about the page on which a run is watched; each field is an option."""

    view: View = False
    open_page: OpenPage = False
    wait: WaitForBrowser = False
    plots: PlotNames = None
    port: Port = None
    host: Host = "localhost"

    @property
    def wished(self) -> bool:
        """Return whether a page is wanted."""
        return self.view or self.open_page or self.wait or bool(self.plots)

    def start(self, scenario: "Scenario") -> "LiveView | None":
        """Serve the page and wait for a browser if that is wished; None without a page.

        Raises KeyboardInterrupt for a Ctrl-C while it waits.
        """
        if not self.wished:
            return None
        from footfall.show import view_of
        from footfall.show.live import LiveView, Watching

        plots = tuple(self.plots or ())
        wishes = Watching(self.open_page, self.wait, self.host, self.port, plots)
        live = LiveView(
            scenario, view_of(scenario), wishes, lambda line: typer.echo(line, err=True)
        )
        with hearing_ctrl_c() as interrupted:
            live.wait_for_browser(interrupted)
        return live


UNWATCHED = Watch()


def watchable(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command that takes the options of `Watch` in the place of its parameter ``watch``.

    typer reads options from a signature, so the command is given one that has them all.
    """
    own, hints = inspect.signature(command), get_type_hints(Watch, include_extras=True)
    by_name = inspect.Parameter.KEYWORD_ONLY
    options = [
        inspect.Parameter(field.name, by_name, default=field.default, annotation=hints[field.name])
        for field in fields(Watch)
    ]
    parameters = [
        option
        for parameter in own.parameters.values()
        for option in (options if parameter.name == "watch" else [parameter.replace(kind=by_name)])
    ]

    @wraps(command)
    def with_options(**given: Any) -> int:  # noqa: ANN401 (whatever the options hold)
        watch = Watch(**{option.name: given.pop(option.name) for option in options})
        return command(**given, watch=watch)

    with_options.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_options
