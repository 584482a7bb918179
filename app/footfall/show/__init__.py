"""Watching machines in Meshcat: live, replayed, and as a page that opens offline."""

from footfall.show.meshcat import start_meshcat
from footfall.show.replay import recording_html, replay
from footfall.show.view import View, view_of

__all__ = ["View", "recording_html", "replay", "start_meshcat", "view_of"]
