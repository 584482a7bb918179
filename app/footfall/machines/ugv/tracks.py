"""Tracks as a scenario gives them to an analysis: !Bump, !Steps, !Sine or !TrackPoints."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from footfall.errors import ScenarioError
from footfall.machines.ugv.closed_form.tracks import Track, bump, read_track, sine, steps
from footfall.overrides import read_yaml


@dataclass
class Bump:
    """Level ground with a soft bump, f(x) = height exp(-((x - place)/width)^2).

    The document's unless something else is said.
    """

    # Of its top [m]; negative: a hollow, 0: level ground.
    height: float = 0.1
    # Where its top is [m].
    place: float = 4.0
    # From its top to where it is 1/e as high [m].
    width: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is no bump."""
        self.track()

    def track(self) -> Track:
        """The track; raises ScenarioError."""
        return _made(lambda: bump(self.height, self.place, self.width))


@dataclass
class Steps:
    """Level ground with steps in a row, up or down."""

    # Where they are [m], the nearest first.
    places: list[float] = field(default_factory=lambda: [4.0])
    # By how much the ground rises at each [m]; negative: it falls.
    heights: list[float] = field(default_factory=lambda: [0.12])

    def __post_init__(self) -> None:
        """Refuse what are no steps."""
        self.track()

    def track(self) -> Track:
        """The track; raises ScenarioError."""
        return _made(lambda: steps(self.places, self.heights))


@dataclass
class Sine:
    """Level ground with waves, f(x) = height (1 - cos(2 pi (x - place)/wavelength))/2."""

    # From valley to top [m].
    height: float = 0.1
    # From valley to valley [m].
    wavelength: float = 2.0
    # Where the first wave begins [m].
    place: float = 3.0
    # How many there are.
    waves: int = 2

    def __post_init__(self) -> None:
        """Refuse what are no waves."""
        self.track()

    def track(self) -> Track:
        """The track; raises ScenarioError."""
        return _made(lambda: sine(self.height, self.wavelength, self.place, self.waves))


@dataclass
class TrackPoints:
    """A track that was measured: points of a file, through which or near which a spline goes."""

    # CSV file with two columns, x and z [m], a point a line from behind ahead; a first line with
    # names is skipped. A relative path begins at the scenario's folder, or where we are if it is
    # not there, or was given with --set.
    file: str = ""
    # Standard deviation of the heights [m], as far as which the spline keeps off the points; 0: it
    # goes through all of them.
    noise: float = 0.0
    # Widest distance of neighbours that still are a ground between them [m].
    gap: float = 0.2

    def track(self) -> Track:
        """Read the file; raises ScenarioError."""
        if not self.file:
            message = "analysis.track.file is empty: name a CSV file with columns x and z in m."
            raise ScenarioError(message)
        return _made(lambda: read_track(Path(self.file), noise=self.noise, gap=self.gap))


def read_track_kind(text: str) -> Bump | Steps | Sine | TrackPoints | None:
    """Read a track of a text as a scenario has it, ``!Bump {height: 0.2}``; None for no text.

    Raises ScenarioError, one line, for what is none.
    """
    if not text:
        return None
    kinds = {kind.__name__: kind for kind in (Bump, Steps, Sine, TrackPoints)}
    try:
        group = read_yaml(text)
        kind = kinds[str(group.pop("_tag", "")).lstrip("!")]
        return kind(**group)
    except (AttributeError, KeyError, TypeError, yaml.YAMLError) as error:
        raise ScenarioError(
            f"track is {text!r}: write one of {', '.join(f'!{name}' for name in kinds)}, as in "
            "!Bump {height: 0.2}."
        ) from error


def _made(make: Callable[[], Track]) -> Track:
    try:
        return make()
    except ValueError as error:
        raise ScenarioError(f"analysis.track: {error}.") from error
