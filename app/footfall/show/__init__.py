"""Watching machines in Meshcat: live, replayed, and as a page that opens offline."""

from footfall.show.live import LiveRun, LiveView, Page, Watching
from footfall.show.meshcat import start_meshcat
from footfall.show.model import view_model
from footfall.show.replay import recording_html, replay
from footfall.show.view import View, view_of

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
