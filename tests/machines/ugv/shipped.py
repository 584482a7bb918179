"""The tracks that ship, read from their files, and how finely each is cut."""

from footfall.machines.ugv.track_models import read_track_model
from footfall.resources import share_root

FOLDER = share_root() / "sdf" / "tracks"
SHIPPED = {path.stem: read_track_model(path).cut() for path in sorted(FOLDER.glob("*.track"))}
