"""A page around Meshcat on which runs are watched, led and played."""

from footfall.show.live.run import LiveRun
from footfall.show.live.session import LiveView, Page, Watching

__all__ = ["LiveRun", "LiveView", "Page", "Watching"]
