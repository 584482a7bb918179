"""Tracks for the vehicle: write the ones that ship again, or one of your own from points.

    python scripts/tracks.py                                       sdf/tracks/*.sdf
    python scripts/tracks.py my_points.csv --out my_track.sdf      a track through points x, z in m
    python scripts/tracks.py my_points.csv --noise 0.01            ... that were measured to 1 cm

A CSV file has two columns, x and z, in the order of x; the ground is at z = 0, and a track is not
below it. Put the file that is written into a scenario's directives:

    - add_model: {name: track, file: my_track.sdf}
"""

import argparse
from pathlib import Path

from footfall.machines.ugv.closed_form.points import read_track
from footfall.machines.ugv.facets import Faceting
from footfall.machines.ugv.shipped_tracks import SHIPPED
from footfall.machines.ugv.track_files import write_track
from footfall.resources import share_root


def main() -> None:
    """Write tracks and say where they are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("points", type=Path, nargs="?", help="CSV file of x, z in m")
    parser.add_argument("--out", type=Path, help="SDF file to write; by default beside the points")
    parser.add_argument("--noise", type=float, default=0.0, help="of the heights, in m; default 0")
    parser.add_argument("--gap", type=float, default=0.2, help="widest gap between points in m")
    parser.add_argument(
        "--turn", type=float, default=1.0, help="most that the slope turns over a facet, in mrad"
    )
    parser.add_argument("--friction", type=float, default=0.8, help="coefficient; default 0.8")
    arguments = parser.parse_args()
    try:
        if arguments.points is None:
            _write_shipped(arguments.out or share_root() / "sdf" / "tracks")
        else:
            _write_own(arguments)
    except (ValueError, OSError) as error:
        parser.exit(2, f"tracks: {error}\n")


def _write_shipped(folder: Path) -> None:
    for name, (track, faceting) in SHIPPED.items():
        path = folder / f"{name}.sdf"
        count = write_track(path, track, faceting)
        print(f"{path}: {track.label}, {count} boxes")


def _write_own(arguments: argparse.Namespace) -> None:
    track = read_track(arguments.points, noise=arguments.noise, gap=arguments.gap)
    out = arguments.out or arguments.points.with_suffix(".sdf")
    faceting = Faceting(turn=1e-3 * arguments.turn, begin=track.begin, end=track.end)
    count = write_track(out, track, faceting, arguments.friction)
    print(f"{out}: {track.label}, {count} boxes")


if __name__ == "__main__":
    main()
