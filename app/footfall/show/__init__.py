"""Watching machines in Meshcat: live, replayed, and as a page that opens offline."""

import importlib
from typing import TYPE_CHECKING, Any

from footfall.show.meshcat import start_meshcat
from footfall.show.replay import recording_html, replay
from footfall.show.view import View, view_of

if TYPE_CHECKING:
    from footfall.show.live import LiveRun, LiveView, Page, Watching
    from footfall.show.model import view_model

__all__ = [
    "LiveRun",
    "LiveView",
    "Page",
    "View",
    "Watching",
    "recording_html",
    "replay",
    "start_meshcat",
    "view_model",
    "view_of",
]

_WATCHED = "footfall.show.live"
# pages of runs, which nobody watches meanwhile, are to do without the servers of these
_LATER = {
    "LiveRun": _WATCHED,
    "LiveView": _WATCHED,
    "Page": _WATCHED,
    "Watching": _WATCHED,
    "view_model": "footfall.show.model",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (whatever the name stands for)
    """Import what is watched live when it is asked for."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(_LATER[name]), name)
    return found
