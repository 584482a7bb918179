"""Tracks as models: a YAML file with a track's parameters, of which its boxes are made at load."""

# (No `from __future__ import annotations` here: Drake's YAML reader needs the types themselves.)

from dataclasses import dataclass, field
from pathlib import Path

import yaml
from pydrake.common.yaml import yaml_dump, yaml_load_typed

from footfall.errors import ModelError, ScenarioError
from footfall.machines.ugv.closed_form.tracks import Track
from footfall.machines.ugv.facets import Faceting
from footfall.machines.ugv.track_files import write_track
from footfall.machines.ugv.tracks import Bump, Sine, Steps, TrackPoints
from footfall.overrides import read_yaml
from footfall.yaml_types import check_types

ENDING = ".track"
"""Of the files."""


@dataclass
class TrackModel:
    """Parameters of a track that a vehicle drives over, as its file has them."""

    # !Bump, !Steps, !Sine or !TrackPoints; a relative file of points begins at this file's folder.
    track: Bump | Steps | Sine | TrackPoints = field(default_factory=Bump)
    # Most that the slope's angle changes over a box [rad].
    turn: float = 1.0e-3
    # Longest box where the track bends [m].
    longest: float = 0.25
    # Part that is made of a track that goes on for ever [m].
    begin: float = -10.0
    end: float = 20.0
    # Coefficient of friction of its surface.
    friction: float = 0.8

    def cut(self) -> tuple[Track, Faceting]:
        """The track and how finely it is cut; raises ScenarioError or ValueError."""
        return self.track.track(), Faceting(self.turn, self.longest, self.begin, self.end)


def read_track_model(source: Path) -> TrackModel:
    """Read a file of parameters; raises ModelError, one line."""
    try:
        plain = read_yaml(source.read_text(encoding="utf-8"))
        if not isinstance(plain, dict):
            raise ModelError(f"{source}: give a group of keys: track, turn, friction and so on.")
        check_types(plain, TrackModel, str(source))
        found: TrackModel = yaml_load_typed(
            schema=TrackModel, data=yaml_dump(plain), defaults=TrackModel()
        )
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RuntimeError) as error:
        raise ModelError(f"{source}: {' '.join(str(error).split())}.") from error
    except ScenarioError as error:
        raise ModelError(_about(source, error)) from error
    if isinstance(found.track, TrackPoints) and found.track.file:
        found.track.file = str(source.parent / found.track.file)
    return found


def make_track(source: Path, target: Path) -> None:
    """Make the SDF file of a track, and its mesh beside it; raises ModelError, one line."""
    found = read_track_model(source)
    try:
        track, faceting = found.cut()
        write_track(target, track, faceting, found.friction)
    except (ScenarioError, ValueError) as error:
        raise ModelError(_about(source, error)) from error


def _about(source: Path, error: Exception) -> str:
    text = str(error).replace("analysis.track", "track").rstrip(".")
    return f"{text}." if text.startswith(str(source)) else f"{source}: {text}."
