"""The tracks that ship, read from their files, and how finely each is cut."""

from footfall.machines.ugv.track_models import read_track_model
from footfall.resources import share_root

FOLDER = share_root() / "sdf" / "tracks"
SHIPPED = {
    path.stem: (model.track.track(), model)
    for path in sorted(FOLDER.glob("*.track"))
    for model in (read_track_model(path),)
}
